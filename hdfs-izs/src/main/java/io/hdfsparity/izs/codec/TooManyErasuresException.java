/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.codec;

import io.hdfsparity.core.check.ErrorMessage;
import java.io.IOException;
import java.util.List;

/** The columns left do not determine those that are lost. */
public final class TooManyErasuresException extends IOException {
  private static final long serialVersionUID = 1L;

  TooManyErasuresException(ZigzagCode code, List<Integer> lost, List<Integer> parities) {
    super(
        ErrorMessage.to("decode")
            .value("code", code.name())
            .value("missing data columns", lost)
            .value("parity columns left", parities)
            .expected("as many parity columns as missing data columns")
            .message());
  }
}
