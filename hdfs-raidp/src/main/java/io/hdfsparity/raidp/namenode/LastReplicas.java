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
 * @param superchunks ids, ascending
 * @param beyondParity those of all superchunks that Lstors could not compute without the disk;
 *     empty when so many disks are dead that it would take too long to find out
 */
record LastReplicas(TreeSet<Long> superchunks, Optional<Set<Long>> beyondParity) {
  /** Superchunks that a refusal names. */
  private static final int MAX_NAMED = 8;

  /**
   * Looks at a disk.
   *
   * @param moves of the recovery: a frame that receives a superchunk does not have all of it yet
   * @param lacking superchunks with blocks that lack a replica
   */
  static LastReplicas of(
      ClusterView view, Collection<RecoveryMove> moves, Set<Long> lacking, String diskId) {
    Map<Long, RecoveryMove> underWay = RecoveryMove.underWay(moves);
    TreeSet<Long> last = new TreeSet<>();
    Set<String> missing = new HashSet<>(Set.of(diskId));
    for (String storageId : view.disks().getOrDefault(diskId, DiskView.UNKNOWN).storageIds()) {
      for (FrameView frame : view.framesOn(storageId)) {
        SuperchunkView superchunk = view.superchunkOf(frame).orElse(null);
        if (superchunk == null || !frame.diskId().equals(diskId)) {
          continue;
        }
        RecoveryMove move = underWay.get(superchunk.id());
        if (move == null && blocks(view, frame) == 0) {
          continue;
        }
        boolean isElsewhere = false;
        for (FrameView other : superchunk.holders()) {
          if (other.isSameFrame(frame)) {
            continue;
          }
          if (isSilent(view, other)) {
            missing.add(other.diskId());
          } else {
            isElsewhere |= hasAll(view, move, lacking.contains(superchunk.id()), frame, other);
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
            : FurtherFailures.beyondParity(view, moves, lacking, missing));
  }

  /**
   * Whether a disk may have last replicas. One that is out of service has none; a manager that has
   * just taken over does not know that of a disk whose node has not reported.
   */
  static boolean mayHaveAny(ClusterView view, DiskView disk) {
    return disk.health().alive() || !view.nodes().containsKey(disk.nodeUuid());
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
        && (!isLacking || blocks(view, other) > blocks(view, taken));
  }

  private static int blocks(ClusterView view, FrameView frame) {
    return view.latest(frame).load().blocks();
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
  void requireNone(String diskId) throws IOException {
    if (superchunks.isEmpty()) {
      return;
    }
    throw new IOException(
        ErrorMessage.to("fail a disk")
            .value("disk", diskId)
            .value("superchunks", named(superchunks))
            .expected(
                "other complete replicas of their blocks on disks in service: "
                    + outlook()
                    + "; run hdfs raidp -recover -progress first, or bring the other disks back;"
                    + " -force fails the disk nevertheless")
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

  private static String named(TreeSet<Long> ids) {
    List<String> first = ids.stream().limit(MAX_NAMED).map(String::valueOf).toList();
    return first.stream().collect(Collectors.joining(","))
        + (ids.size() > MAX_NAMED ? " and " + (ids.size() - MAX_NAMED) + " more" : "");
  }
}
