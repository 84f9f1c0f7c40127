/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.bridge.namenode.DegradedBlocks.Lacking;
import io.hdfsparity.bridge.namenode.DegradedBlocks.LastBlocks;
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
 * @param blocks ids of blocks without a good replica elsewhere, ascending; of superchunks that are
 *     named for another reason there need be none
 */
record LastReplicas(
    TreeSet<Long> superchunks, Optional<Set<Long>> beyondParity, TreeSet<Long> blocks) {
  /** Superchunks, and blocks, that a refusal names. */
  private static final int MAX_NAMED = 8;

  /**
   * Looks at a disk.
   *
   * @param moves of the recovery: a frame that receives a superchunk does not have all of it yet
   * @param lacking superchunks with blocks that lack a replica
   * @param known blocks that have no good replica elsewhere
   */
  static LastReplicas of(
      ClusterView view,
      Collection<RecoveryMove> moves,
      Set<Long> lacking,
      LastBlocks known,
      String diskId) {
    DiskView disk = view.disks().getOrDefault(diskId, DiskView.UNKNOWN);
    OnlyThere only = new OnlyThere(known, isSilent(view, disk.nodeUuid()));
    Map<Long, RecoveryMove> underWay = RecoveryMove.underWay(moves);
    TreeSet<Long> last = new TreeSet<>(only.superchunksThere());
    Set<String> missing = new HashSet<>(Set.of(diskId));
    Set<OnlyThere.Side> incomplete = new HashSet<>();
    for (String storageId : disk.storageIds()) {
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
          if (isSilent(view, other.nodeUuid())) {
            missing.add(other.diskId());
          } else if (only.lacks(other, superchunk.id())) {
            incomplete.add(new OnlyThere.Side(other.storageId(), superchunk.id()));
          } else {
            boolean isDoubtful = !only.isSure() && lacking.contains(superchunk.id());
            isElsewhere |=
                superchunk.isHeldBy(frame)
                    ? hasAll(view, move, isDoubtful, frame, other)
                    : hasAllOfFormer(view, move, isDoubtful, frame, other);
          }
        }
        if (!isElsewhere) {
          last.add(superchunk.id());
        }
      }
    }
    return new LastReplicas(
        last,
        last.isEmpty()
            ? Optional.of(Set.of())
            : FurtherFailures.beyondParity(
                view,
                moves,
                lacking,
                missing,
                (frame, id) -> incomplete.contains(new OnlyThere.Side(frame.storageId(), id))),
        only.idsOf(last, incomplete));
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
                      + " start or a failover; if hdfs raidp -status names BLOCK_SCAN_FAILED, it has"
                      + " failed and is repeated, see the NameNode's log; -force fails the disk"
                      + " nevertheless")
              .message());
    }
    if (lacking.unknownBlocks() > 0 && hasUnknown.test(disk.storageIds())) {
      throw new IOException(
          ErrorMessage.to("fail a disk")
              .value("disk", disk.diskId())
              .value("blocks of unknown superchunks", lacking.unknownBlocks())
              .expected(
                  "none on this disk: these blocks lack a replica, and their DataNodes have not said"
                      + " to which superchunks they belong; they are asked within seconds, so repeat"
                      + " the command; if that does not help, start the plugin on the DataNodes that"
                      + " hdfs raidp -status names, and look for 'Cannot find rows on storage' in the"
                      + " log of the NameNode; -force fails the disk nevertheless")
              .message());
    }
  }

  /** Whether a frame of a superchunk has all blocks that another one would take away. */
  private static boolean hasAll(
      ClusterView view,
      @Nullable RecoveryMove move,
      boolean isDoubtful,
      FrameView taken,
      FrameView other) {
    if (move != null && move.isTo(taken)) {
      return true; // it gets its blocks from there, or while nobody holds them from Lstors
    }
    return (move == null || !move.isTo(other))
        && (!isDoubtful || view.blocks(other) > view.blocks(taken));
  }

  /**
   * The same of a frame that does not hold the superchunk now, as its node is silent or the
   * superchunk has continued without it. Its blocks were those of the holder then.
   */
  private static boolean hasAllOfFormer(
      ClusterView view,
      @Nullable RecoveryMove move,
      boolean isDoubtful,
      FrameView former,
      FrameView holder) {
    return (move == null || !move.isTo(holder))
        && (!isDoubtful || view.blocks(holder) >= view.blocks(former));
  }

  /** It may be dead already, and count as alive for some minutes. */
  private static boolean isSilent(ClusterView view, String nodeUuid) {
    NodeState node = view.nodes().get(nodeUuid);
    return node == null || node.silence() != NodeState.Silence.NONE;
  }

  /** A storage without frames is HDFS's alone, and counts as HDFS counts it. Does not block. */
  static boolean isSilentStorage(ClusterView view, String storageId) {
    List<FrameView> frames = view.framesOn(storageId);
    return !frames.isEmpty() && isSilent(view, frames.get(0).nodeUuid());
  }

  /**
   * Refuses to fail a disk while too many blocks lack a replica to look at each.
   *
   * @throws IOException that says so
   */
  static LastBlocks requireFew(DiskView disk, Optional<LastBlocks> known) throws IOException {
    return known.orElseThrow(
        () ->
            new IOException(
                ErrorMessage.to("fail a disk")
                    .value("disk", disk.diskId())
                    .value("blocks that lack a replica", "too many to look at each")
                    .expected(
                        "fewer: run hdfs raidp -recover -progress first; -force fails the disk"
                            + " nevertheless")
                    .message()));
  }

  /**
   * Refuses to fail the disk if it has last replicas.
   *
   * @throws IOException that names the superchunks, and what can become of them
   */
  void requireNone(ClusterView view, DiskView disk) throws IOException {
    if (superchunks.isEmpty() && blocks.isEmpty()) {
      return;
    }
    throw new IOException(
        ErrorMessage.to("fail a disk")
            .value("disk", disk.diskId())
            .value("superchunks", named(superchunks))
            .expected(
                "other complete replicas of their blocks on disks in service: "
                    + outlook()
                    + ofBlocks()
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

  private String ofBlocks() {
    return blocks.isEmpty()
        ? ""
        : "; blocks="
            + named(blocks)
            + " have no good replica elsewhere, and get one while this disk or Lstors are at hand:"
            + " repeat the command until it passes; hdfs fsck -blockId blk_"
            + blocks.first()
            + " shows the replicas of the first one";
  }

  private static String named(TreeSet<Long> ids) {
    List<String> first = ids.stream().limit(MAX_NAMED).map(String::valueOf).toList();
    return first.stream().collect(Collectors.joining(","))
        + (ids.size() > MAX_NAMED ? " and " + (ids.size() - MAX_NAMED) + " more" : "");
  }
}
