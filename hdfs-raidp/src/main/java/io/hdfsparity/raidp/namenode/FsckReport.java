/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What fsck found. Immutable.
 *
 * @param superchunks superchunks checked
 * @param blocks blocks of the NameNode checked
 * @param rows slot table rows compared
 * @param plainBlocks of these, those in no superchunk; empty where none were checked
 * @param bytesRead bytes of replicas and parity that were read
 * @param findings what is wrong
 */
record FsckReport(
    int superchunks,
    long blocks,
    OptionalLong plainBlocks,
    long rows,
    long bytesRead,
    List<Finding> findings) {
  FsckReport {
    findings = List.copyOf(findings);
  }

  /** Whether everything is as it should be, or is again. */
  boolean healthy() {
    return findings.stream().allMatch(Finding::repaired);
  }

  /** Kinds of findings of the manager itself; scrubs have their own. */
  enum Kind {
    /** A block of a healthy superchunk has one replica only. */
    SINGLE,
    /** A replica in a frame that belongs to no superchunk. */
    UNPAIRED,
    /** The two sides hold a block at different extents, or under different generation stamps. */
    SLOTS_DIFFER,
    /**
     * The same, of a block that is open: a writer or a recovery has changed one side only. With
     * nobody writing, it is a recovery of HDFS that does not end.
     */
    OPEN_DIFFERS,
    /** A complete block has no row on one side, or its row does not cover all of it. */
    NOT_COVERED,
    /** A superchunk is not active. */
    NOT_ACTIVE,
    /** A node could not be asked, or has not reported since the NameNode started. */
    UNREACHABLE,
    /** A disk that was to be read is not in service. */
    NOT_READ
  }

  /**
   * Something that is wrong.
   *
   * @param kind a {@link Kind}, or the word of a scrub
   * @param superchunkId if it concerns one
   * @param blockId if it concerns one
   * @param detail for people
   * @param repaired it is right again, or is being put right
   */
  record Finding(
      String kind,
      OptionalLong superchunkId,
      OptionalLong blockId,
      String detail,
      boolean repaired) {
    static Finding of(Kind kind, Optional<Long> superchunkId, OptionalLong blockId, String detail) {
      return new Finding(
          kind.name(),
          superchunkId.map(OptionalLong::of).orElse(OptionalLong.empty()),
          blockId,
          detail,
          false);
    }

    /** What stays the same when it is looked at again. */
    String key() {
      return kind + "/" + superchunkId + "/" + blockId;
    }
  }
}
