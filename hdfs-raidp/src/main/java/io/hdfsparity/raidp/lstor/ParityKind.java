/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

/** The two parity regions of an Lstor. */
public enum ParityKind {
  /** Sum of block data; {@code frameBytes()} long, CRC cells of 64 KiB. */
  DATA,
  /** Sum of checksum files; {@code metaRegionBytes()} long, CRC cells of 4 KiB. */
  META
}
