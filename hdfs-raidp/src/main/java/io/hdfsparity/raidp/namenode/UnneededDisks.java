/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.bridge.namenode.DegradedBlocks.Lacking;
import io.hdfsparity.raidp.wire.message.DiskReport;
import io.hdfsparity.raidp.wire.message.DiskState;
import io.hdfsparity.raidp.wire.message.FrameReport;
import io.hdfsparity.raidp.wire.message.LstorReport;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds disks out of service that nothing depends on any more: neither for a replica, nor for what
 * their Lstors can decode.
 *
 * <p>A disk is needed as long as one of its frames is a side of its superchunk, the superchunk has
 * not gone on with two other sides, or has blocks that lack a replica. No disk is unneeded while
 * any block of the cluster has no replica: an old Lstor may be the last to decode it. None is as
 * long as HDFS may not know all blocks that lack replicas. Thread-safe.
 */
final class UnneededDisks {
  private final LongPredicate isMoving;
  private final Supplier<Lacking> unfinished;
  private final LongSupplier blocksWithoutReplica;
  private final BooleanSupplier isSettled;

  /**
   * @param isMoving whether a superchunk is on its way to a new frame
   * @param unfinished superchunks with blocks that lack a replica, or are being copied
   * @param blocksWithoutReplica how many there are in the namespace
   * @param isSettled see {@link ReplicaCensus#isSettled}
   */
  UnneededDisks(
      LongPredicate isMoving,
      Supplier<Lacking> unfinished,
      LongSupplier blocksWithoutReplica,
      BooleanSupplier isSettled) {
    this.isMoving = isMoving;
    this.unfinished = unfinished;
    this.blocksWithoutReplica = blocksWithoutReplica;
    this.isSettled = isSettled;
  }

  /** Of those that a node reports as failed. */
  List<String> of(ClusterView view, String nodeUuid) {
    NodeState node = view.nodes().get(nodeUuid);
    if (node == null) {
      return List.of();
    }
    List<DiskReport> failed =
        node.report().disks().stream().filter(d -> d.state() == DiskState.DISK_FAILED).toList();
    if (failed.isEmpty() || blocksWithoutReplica.getAsLong() > 0) {
      return List.of();
    }
    Lacking lacking = unfinished.get();
    List<String> found =
        failed.stream()
            .filter(
                disk ->
                    isElsewhere(view, disk.diskId(), nodeUuid)
                        || haveGoneOn(view, disk, lacking.superchunkIds()))
            .map(DiskReport::diskId)
            .toList();
    // Asked last: all answers above are empty in a NameNode that has become a standby meanwhile.
    return lacking.isComplete() && isSettled.getAsBoolean() ? found : List.of();
  }

  /** The disk is in service in another node. */
  private static boolean isElsewhere(ClusterView view, String diskId, String nodeUuid) {
    DiskView now = view.disks().get(diskId);
    return now != null && now.health().alive() && !now.nodeUuid().equals(nodeUuid);
  }

  /** Of a disk whose frames are not known, nobody can say it. */
  private boolean haveGoneOn(ClusterView view, DiskReport disk, Set<Long> lackingNow) {
    LstorState lstor = view.lstors().get(disk.diskId());
    List<FrameReport> known =
        Stream.concat(
                disk.frames().stream(),
                lstor == null ? Stream.empty() : lstor.report().frames().stream())
            .toList();
    return !known.isEmpty()
        && known.stream()
            .flatMap(frame -> frame.pairing().stream())
            .allMatch(p -> hasGoneOn(view, p, lackingNow));
  }

  private boolean hasGoneOn(ClusterView view, Pairing pairing, Set<Long> lackingNow) {
    SuperchunkView now = view.superchunks().get(pairing.superchunkId());
    return hasTwoOthers(now, pairing)
        && !isMoving.test(pairing.superchunkId())
        && !lackingNow.contains(pairing.superchunkId());
  }

  private static boolean hasTwoOthers(@Nullable SuperchunkView now, Pairing pairing) {
    return now != null
        && now.state() == SuperchunkState.ACTIVE
        && now.settled()
        && now.epoch() > pairing.epoch();
  }

  /** Whether an Lstor that nobody reports any more would decode nothing if it were there. */
  static boolean isPassed(ClusterView view, LstorReport lstor) {
    return lstor.frames().stream()
        .flatMap(frame -> frame.pairing().stream())
        .allMatch(p -> hasTwoOthers(view.superchunks().get(p.superchunkId()), p));
  }
}
