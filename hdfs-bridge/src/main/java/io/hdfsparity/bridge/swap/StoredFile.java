/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.swap;

import io.hdfsparity.bridge.hold.FileHold;
import java.util.List;
import java.util.Optional;

/**
 * A file as the NameNode holds it, taken under its lock. Immutable.
 *
 * @param path resolved
 * @param inodeId of the file; never used again for another file
 * @param form name of its erasure coding policy, or {@code replication N}
 * @param blocks in order
 * @param updatedMs when an update in place began or ended last, by the NameNode's clock; 0: never.
 *     No user can set it
 * @param attributes what it has besides
 * @param holds what keeps it as it is
 * @param pairing how it stands to the pairs of RAIDP
 */
public record StoredFile(
    String path,
    long inodeId,
    String form,
    List<StoredBlock> blocks,
    long updatedMs,
    FileAttributes attributes,
    Holds holds,
    Pairing pairing) {
  /**
   * What keeps a file as it is.
   *
   * @param open somebody is writing it
   * @param shared a snapshot holds it, or it is reached through a reference that a rename out of a
   *     snapshot left
   * @param encrypted it lies in an encryption zone
   * @param feature why another feature needs the file as it is; empty: none does
   */
  public record Holds(
      boolean open, boolean shared, boolean encrypted, Optional<FileHold> feature) {}

  /**
   * How a file stands to the pairs of RAIDP.
   *
   * @param pairPlaced new blocks of replicated files are placed by pairs in this NameNode
   * @param isProtected new blocks of the file get parity where they are replicated
   * @param isMarked the file itself says whether they do, and not only a directory above it
   */
  public record Pairing(boolean pairPlaced, boolean isProtected, boolean isMarked) {}

  public StoredFile {
    blocks = List.copyOf(blocks);
  }

  /** Length of its content. */
  public long lengthBytes() {
    return blocks.stream().mapToLong(StoredBlock::lengthBytes).sum();
  }
}
