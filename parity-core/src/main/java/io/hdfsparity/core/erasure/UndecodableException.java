/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.erasure;

import io.hdfsparity.core.check.ErrorMessage;
import java.io.IOException;
import java.util.List;

/** The units left do not determine a lost one. */
public final class UndecodableException extends IOException {
  private static final long serialVersionUID = 1L;

  UndecodableException(int unit, List<Integer> available) {
    super(
        ErrorMessage.to("decode")
            .value("unit", unit)
            .value("available", available)
            .expected("units that determine it")
            .message());
  }
}
