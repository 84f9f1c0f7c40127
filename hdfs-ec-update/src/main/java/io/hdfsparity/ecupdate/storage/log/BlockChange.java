/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage.log;

import io.hdfsparity.core.check.Checks;

/**
 * One change of a block, in the order of its version. The arrays are taken over; nobody writes to
 * them any more.
 */
public sealed interface BlockChange {
  /** 1 for the first change of a block, and so on. */
  long version();

  /** Of the first byte, in bytes. */
  int offset();

  /** What is written or added. */
  byte[] bytes();

  /** The same change as another version. */
  BlockChange at(long newVersion);

  /** Offset of the first byte behind it. */
  default int end() {
    return Math.addExact(offset(), bytes().length);
  }

  /** New bytes: data blocks in every scheme, parity blocks in FO. May be applied more than once. */
  record Absolute(long version, int offset, byte[] bytes) implements BlockChange {
    public Absolute {
      Checks.argument(offset >= 0, "record a change", "offset", offset, ">= 0");
    }

    @Override
    public BlockChange at(long newVersion) {
      return new Absolute(newVersion, offset, bytes);
    }
  }

  /** To be added in GF(2^8): parity blocks in PL and PLR. Must be applied exactly once. */
  record Delta(long version, int offset, byte[] bytes) implements BlockChange {
    public Delta {
      Checks.argument(offset >= 0, "record a change", "offset", offset, ">= 0");
    }

    @Override
    public BlockChange at(long newVersion) {
      return new Delta(newVersion, offset, bytes);
    }
  }
}
