/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.Node;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.StoredBlock;

/** What recovery and fsck ask the NameNode. Thread-safe. */
interface Namespace {
  String blockPoolId();

  /** All DataNodes that have registered. */
  List<Node> nodes();

  /** Blocks of a storage, also of a dead one that the NameNode has not removed yet. */
  List<StoredBlock> blocks(String nodeUuid, String storageId);

  /**
   * Makes HDFS give up a replica that lies outside its block's superchunk. It does not count, and
   * is not copied, from then on; HDFS deletes it when the block has enough others.
   *
   * @return whether HDFS was told
   */
  boolean giveUp(StoredBlock block, String strayStorageId);

  /** A block, unless it is deleted. */
  Optional<StoredBlock> block(long blockId);

  /** How many blocks have no good replica; too few until {@link #hasLookedAtAllBlocks}. */
  long blocksWithoutReplica();

  /**
   * Complete blocks with a replica that has missed an append, at most {@code limit}, whatever
   * others they have.
   */
  List<StoredBlock> blocksWithOldReplica(int limit);

  /**
   * Whether HDFS knows of all blocks what replicas they lack: a NameNode that has just become the
   * active one, or is in safe mode, does not.
   */
  boolean hasLookedAtAllBlocks();

  /** Whether the scan by which HDFS comes to know that has failed, and is not under way. */
  default boolean hasScanFailed() {
    return false;
  }

  /** Begins a scan that has failed again; then {@link #hasScanFailed} is false for a while. */
  default void repeatScan() {}

  /** Whether new blocks of a file belong in superchunks, by the marks of directories. */
  boolean isProtected(String path) throws IOException;

  /** Whether there is no such file: a client calls one by its old name. */
  default boolean isOldName(String path) throws IOException {
    return false;
  }

  /** Has HDFS look at the redundancy of blocks again. */
  void lookAgain(Collection<Long> blockIds);
}
