/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.bridge.namenode.DegradedBlocks.Lacking;
import io.hdfsparity.core.check.ErrorMessage;
import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Superchunks with blocks whose last replicas a disk may have. It must not be taken out of service
 * then: its blocks would have to be computed from Lstors, or be lost. Pure.
 *
 * <p>A disk of a node that does not report may come back with its replicas. It is looked at like
 * one in service; only disks that a reporting node has put out of service have no replicas.
 *
 * @param superchunks ids, ascending
 * @param beyondParity those of all superchunks that Lstors could not compute without the disk;
 *     empty when so many disks are dead that it would take too long to find out
 * @param damaged those of the superchunks that another disk has, with damaged replicas
 */
record LastReplicas(
    TreeSet<Long> superchunks, Optional<Set<Long>> beyondParity, TreeSet<Long> damaged) {
  /** Superchunks that a refusal names. */
  private static final int MAX_NAMED = 8;

  /**
   * Looks at a disk.
   *
   * @param moves of the recovery: a frame that receives a superchunk does not have all of it yet
   * @param lacking superchunks with blocks that lack a replica
   * @param damagedSides with replicas of blocks that have no good one but on the disk
   */
  static LastReplicas of(
      ClusterView view,
      Collection<RecoveryMove> moves,
      Set<Long> lacking,
      DamagedSides damagedSides,
      String diskId) {
    Map<Long, RecoveryMove> underWay = RecoveryMove.underWay(moves);
    TreeSet<Long> last = new TreeSet<>();
    TreeSet<Long> damaged = new TreeSet<>();
    Set<String> missing = new HashSet<>(Set.of(diskId));
    for (String storageId : view.disks().getOrDefault(diskId, DiskView.UNKNOWN).storageIds()) {
      for (FrameView frame : view.framesOn(storageId)) {
        SuperchunkView superchunk =
            frame
                .pairing()
                .map(pairing -> view.superchunks().get(pairing.superchunkId()))
                .orElse(null);
        if (superchunk == null || !frame.diskId().equals(diskId) || isOutOfService(view, frame)) {
          continue;
        }
        RecoveryMove move = underWay.get(superchunk.id());
        if ((move == null || !superchunk.isHeldBy(frame)) && view.blocks(frame) == 0) {
          continue;
        }
        boolean isElsewhere = false;
        for (FrameView other : superchunk.holders()) {
          if (other.isSameFrame(frame)) {
            continue;
          }
          if (isSilent(view, other)) {
            missing.add(other.diskId());
          } else if (damagedSides.has(other, superchunk.id())) {
            damaged.add(superchunk.id());
          } else {
            isElsewhere |=
                superchunk.isHeldBy(frame)
                    ? hasAll(view, move, lacking.contains(superchunk.id()), frame, other)
                    : hasAllOfFormer(view, move, lacking.contains(superchunk.id()), frame, other);
          }
        }
        if (!isElsewhere) {
          last.add(superchunk.id());
        }
      }
    }
    damaged.retainAll(last);
    return new LastReplicas(
        last,
        last.isEmpty()
            ? Optional.of(Set.of())
            : FurtherFailures.beyondParity(view, moves, lacking, missing),
        damaged);
  }

  /** Why a disk need not be checked; empty: it may have last replicas. */
  static Optional<String> whyUnchecked(ClusterView view, DiskView disk) {
    if (disk.isDeclaredFailed()) {
      return Optional.of("it was declared failed before");
    }
    return !disk.health().alive() && isReporting(view, disk.nodeUuid())
        ? Optional.of("its DataNode reports that it is out of service")
        : Optional.empty();
  }

  /** It has no replicas that HDFS knows, and gets none back by a report. */
  private static boolean isOutOfService(ClusterView view, FrameView frame) {
    return !frame.health().alive() && isReporting(view, frame.nodeUuid());
  }

  private static boolean isReporting(ClusterView view, String nodeUuid) {
    NodeState node = view.nodes().get(nodeUuid);
    return node != null && node.silence() != NodeState.Silence.DEAD;
  }

  /**
   * Refuses to fail a disk while it cannot be known whether it has last replicas.
   *
   * @param hasUnknown whether one of some storages has a block of {@link Lacking#unknownBlocks}
   * @throws IOException that says why, and what to do
   */
  static void requireKnown(DiskView disk, Lacking lacking, Predicate<List<String>> hasUnknown)
      throws IOException {
    if (!lacking.hasLookedAtAll()) {
      throw new IOException(
          ErrorMessage.to("fail a disk")
              .value("disk", disk.diskId())
              .value("replicas", "not counted yet")
              .expected(
                  "a NameNode that has looked which blocks lack replicas: that takes minutes after a"
                      + " start or a failover; -force fails the disk nevertheless")
              .message());
    }
    if (lacking.unknownBlocks() > 0 && hasUnknown.test(disk.storageIds())) {
      throw new IOException(
          ErrorMessage.to("fail a disk")
              .value("disk", disk.diskId())
              .value("blocks of unknown superchunks", lacking.unknownBlocks())
              .expected(
                  "none on this disk: these blocks lack a replica, and their DataNodes have not said"
                      + " to which superchunks they belong; start the plugin on the DataNodes that"
                      + " hdfs raidp -status names, and look for 'Cannot find rows on storage' in the"
                      + " log of the NameNode; -force fails the disk nevertheless")
              .message());
    }
  }

  /** Whether a frame of a superchunk has all blocks that another one would take away. */
  private static boolean hasAll(
      ClusterView view,
      @Nullable RecoveryMove move,
      boolean isLacking,
      FrameView taken,
      FrameView other) {
    if (move != null && move.isTo(taken)) {
      return true; // it gets its blocks from there, or while nobody holds them from Lstors
    }
    return (move == null || !move.isTo(other))
        && (!isLacking || view.blocks(other) > view.blocks(taken));
  }

  /**
   * The same of a frame that does not hold the superchunk now, as its node is silent or the
   * superchunk has continued without it. Its blocks were those of the holder then.
   */
  private static boolean hasAllOfFormer(
      ClusterView view,
      @Nullable RecoveryMove move,
      boolean isLacking,
      FrameView former,
      FrameView holder) {
    return (move == null || !move.isTo(holder))
        && (!isLacking || view.blocks(holder) >= view.blocks(former));
  }

  /** It may be dead already, and count as alive for some minutes. */
  private static boolean isSilent(ClusterView view, FrameView frame) {
    NodeState node = view.nodes().get(frame.nodeUuid());
    return node == null || node.silence() != NodeState.Silence.NONE;
  }

  /**
   * Refuses to fail the disk if it has last replicas.
   *
   * @throws IOException that names the superchunks, and what can become of them
   */
  void requireNone(ClusterView view, DiskView disk) throws IOException {
    if (superchunks.isEmpty()) {
      return;
    }
    throw new IOException(
        ErrorMessage.to("fail a disk")
            .value("disk", disk.diskId())
            .value("superchunks", named(superchunks))
            .expected(
                "other complete replicas of their blocks on disks in service: "
                    + outlook()
                    + ofDamaged()
                    + (isReporting(view, disk.nodeUuid())
                        ? "; run hdfs raidp -recover -progress first, or bring the other disks"
                            + " back; -force fails the disk nevertheless"
                        : "; its node does not report, and may come back with these replicas: start"
                            + " the DataNode, or those of the other disks, and wait until they"
                            + " report; if the disk is lost for good, -force fails it"))
            .message());
  }

  private String outlook() {
    if (beyondParity.isEmpty()) {
      return "whether Lstors could compute these blocks was not looked at, as too many disks are dead";
    }
    TreeSet<Long> lost = new TreeSet<>(superchunks);
    lost.retainAll(beyondParity.get());
    return lost.isEmpty()
        ? "these blocks would have to be computed from Lstors"
        : "the Lstors at hand cannot compute the blocks of superchunks " + named(lost);
  }

  private String ofDamaged() {
    return damaged.isEmpty()
        ? ""
        : "; damaged replicas on other disks in superchunks="
            + named(damaged)
            + " are healed while this disk or Lstors are at hand: wait until"
            + " hdfs fsck / -list-corruptfileblocks names no block of them";
  }

  private static String named(TreeSet<Long> ids) {
    List<String> first = ids.stream().limit(MAX_NAMED).map(String::valueOf).toList();
    return first.stream().collect(Collectors.joining(","))
        + (ids.size() > MAX_NAMED ? " and " + (ids.size() - MAX_NAMED) + " more" : "");
  }
}
