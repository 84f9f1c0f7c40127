/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

import io.hdfsparity.core.check.Checks;

/**
 * Bytes at a place of a block. The paper writes whole blocks; a patch is a write of the whole block
 * whose other bytes stay, whose delta is zero there.
 *
 * @param offset of the first byte in the block, in bytes
 */
public record Patch(int offset, Bytes bytes) {
  public Patch {
    Checks.argument(offset >= 0, "patch a block", "offset", offset, ">= 0");
    Checks.argument(bytes.length() > 0, "patch a block", "lengthBytes", bytes.length(), "> 0");
    Checks.argument(
        offset <= Integer.MAX_VALUE - bytes.length(),
        "patch a block",
        "offset",
        offset,
        "an end <= " + Integer.MAX_VALUE);
  }

  /** Offset of the first byte behind it. */
  public int end() {
    return offset + bytes.length();
  }
}
