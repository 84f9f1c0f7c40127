/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

import java.io.IOException;

/**
 * A dead disk whose slot table was checked and indexed, so that many ranges can be decoded by it.
 * Immutable, thread-safe.
 */
public final class IndexedDisk {
  private final DeadDisk disk;
  private final RowIndex index;

  private IndexedDisk(DeadDisk disk, RowIndex index) {
    this.disk = disk;
    this.index = index;
  }

  /**
   * Indexes the slot table.
   *
   * @throws IOException naming the row and the rule that it breaks, when the table is corrupt
   */
  public static IndexedDisk of(DeadDisk disk) throws IOException {
    return new IndexedDisk(disk, new RowIndex(disk.parity()));
  }

  /** The same disk with its mirrors where they are now. */
  public IndexedDisk with(MirrorSource mirrors) {
    return new IndexedDisk(new DeadDisk(disk.parity(), mirrors, disk.lostFrame()), index);
  }

  /** Whether the slot table has a row of a block. */
  public boolean hasRow(long blockId) {
    return !index.rows(blockId).isEmpty();
  }

  /** Rows of the slot table. */
  public int rows() {
    return disk.parity().rows().size();
  }

  DeadDisk disk() {
    return disk;
  }

  RowIndex index() {
    return index;
  }
}
