/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import java.util.Comparator;

/**
 * Something in the reports that cannot be right, or that needs a person.
 *
 * @param kind named case
 * @param subject volume or frame, disk id or superchunk
 * @param detail for people: values and rule
 */
public record Problem(Kind kind, String subject, String detail) {
  /** Of one kind beside each other. */
  static final Comparator<Problem> ORDER =
      Comparator.comparing(Problem::kind)
          .thenComparing(Problem::subject)
          .thenComparing(Problem::detail);

  /** Named cases. */
  public enum Kind {
    /** Two live nodes report one volume. */
    FRAME_ON_TWO_NODES,
    /** The partner is reported by another node than the frame table names: a disk was moved. */
    PARTNER_ON_OTHER_NODE,
    /** The partner belongs to another superchunk. */
    PARTNER_CLAIMS_OTHER,
    /** Two frames under one epoch of a superchunk claim the same partner. */
    PARTNER_CLAIMED_TWICE,
    /** Two frames of one volume claim a superchunk under one epoch. */
    CLAIMED_TWICE_ON_VOLUME,
    /** Both frames of a pair are on one node: what takes one may take both. */
    PAIR_ON_ONE_NODE,
    /** Two volumes share a second superchunk: when both die, neither parity alone decodes it. */
    VOLUMES_SHARE_TWICE,
    /** A frame has gone back to an older epoch: a restored or swapped frame table. */
    EPOCH_REGRESSION,
    /** The superchunk went on without this frame while it was away; its content is old. */
    SUPERSEDED,
    /** A disk failed. */
    DISK_FAILED,
    /** An Lstor failed, or cannot be read. */
    LSTOR_FAILED,
    /**
     * A superchunk may lack blocks, and no Lstor can be read that has them: it is not re-paired.
     */
    LSTOR_UNREADABLE,
    /** A DataNode does not store pairings on a disk, and its recovery leaves the disk alone. */
    PAIRING_NOT_STORED,
    /** Disks with frames of different shape cannot mirror each other. */
    GEOMETRY_DIFFERS,
    /** A node has not reported for long. */
    NODE_SILENT,
    /** HDFS counts a node as live whose plugin does not report: its parity grows stale. */
    NODE_WITHOUT_PLUGIN,
    /**
     * No Lstor daemon reports the Lstors of working disks: when these fail, nobody can read them.
     */
    LSTOR_DAEMON_MISSING,
    /** HDFS does not know of all blocks what replicas they lack: its scan has failed. */
    BLOCK_SCAN_FAILED
  }
}
