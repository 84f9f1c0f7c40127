/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.rawcoder;

import io.hdfsparity.core.check.ErrorMessage;
import java.io.IOException;
import java.util.List;

/**
 * A caller that does not say where codewords begin wants bytes that depend on it. Whatever was
 * computed would be wrong bytes without notice, so it gets this instead.
 */
public final class UnalignedDecodeException extends IOException {
  private static final long serialVersionUID = 1L;

  UnalignedDecodeException(int dataUnits, List<Integer> erased, List<Integer> given) {
    super(
        ErrorMessage.to("decode units of codec izs at an unknown place in their codeword")
            .value("erased", erased)
            .value("given", given)
            .expected(
                "one of units 0.."
                    + dataUnits
                    + " erased and the others of them given; use the file system and the"
                    + " reconstruction plugin of codec izs for more")
            .message());
  }
}
