/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.adoption;

import java.util.List;
import java.util.Set;

/**
 * A file as the NameNode has it at one moment. Immutable.
 *
 * @param inodeId stays through renames
 * @param replication that it asks for
 * @param bytes its length
 * @param blocks none where it is erasure-coded or has too many
 */
public record AdoptableFile(
    long inodeId,
    String path,
    int replication,
    long bytes,
    Set<Trait> traits,
    List<AdoptableBlock> blocks) {
  /** What is special of a file. */
  public enum Trait {
    /** Its new blocks are protected. */
    PROTECTED,
    OPEN,
    ERASURE_CODED,
    /** A snapshot wants more than two replicas of its blocks. */
    HELD_BY_SNAPSHOT,
    TOO_MANY_BLOCKS,
    /**
     * A DataNode with a replica has yet to send a full report to this NameNode, or has sent no
     * heartbeat of late.
     */
    STALE_REPORTS
  }

  public AdoptableFile {
    traits = Set.copyOf(traits);
    blocks = List.copyOf(blocks);
  }

  /**
   * A block of it.
   *
   * @param storageIds of its good replicas, on nodes in service
   * @param otherStorageIds of its other replicas
   */
  public record AdoptableBlock(
      long blockId,
      long generationStamp,
      long lengthBytes,
      boolean complete,
      List<String> storageIds,
      List<String> otherStorageIds) {
    public AdoptableBlock {
      storageIds = List.copyOf(storageIds);
      otherStorageIds = List.copyOf(otherStorageIds);
    }
  }
}
