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
 * @param lengthBytes of its content
 * @param form name of its erasure coding policy, or {@code replication N}
 * @param blocks in order
 * @param attributes what it has besides
 * @param open somebody is writing it
 * @param shared a snapshot holds it, or it is reached through a reference that a rename out of a
 *     snapshot left
 * @param encrypted it lies in an encryption zone
 * @param pairPlaced new blocks of replicated files are placed by the pairs of RAIDP in this
 *     NameNode
 * @param inPairs it is replicated, and no replica lies on a node that is not for pairs
 * @param hold why another feature needs the file as it is; empty: none does
 */
public record StoredFile(
    String path,
    long inodeId,
    long lengthBytes,
    String form,
    List<StoredBlock> blocks,
    FileAttributes attributes,
    boolean open,
    boolean shared,
    boolean encrypted,
    boolean pairPlaced,
    boolean inPairs,
    Optional<FileHold> hold) {
  public StoredFile {
    blocks = List.copyOf(blocks);
  }
}
