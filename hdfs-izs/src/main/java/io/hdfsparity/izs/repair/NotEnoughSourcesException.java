/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.repair;

import io.hdfsparity.core.check.ErrorMessage;
import java.io.IOException;
import java.util.Collection;

/** The units that can be read do not determine those that are wanted. */
public final class NotEnoughSourcesException extends IOException {
  private static final long serialVersionUID = 1L;

  NotEnoughSourcesException(
      GroupShape shape, Collection<Integer> wanted, Collection<Integer> usable) {
    super(
        ErrorMessage.to("rebuild units")
            .value("wanted", wanted)
            .value("usable", usable)
            .expected(shape.dataUnits() + " usable or empty units")
            .where("groupBytes", shape.groupBytes())
            .message());
  }
}
