/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.config.RebuildPace;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.wire.message.ExpectedBlock;
import io.hdfsparity.raidp.wire.message.FrameReport;
import io.hdfsparity.raidp.wire.message.LstorReport;
import io.hdfsparity.raidp.wire.message.LstorSource;
import io.hdfsparity.raidp.wire.message.Mirror;
import io.hdfsparity.raidp.wire.message.NodeReport;
import io.hdfsparity.raidp.wire.message.PeerAddress;
import io.hdfsparity.raidp.wire.message.RebuildOrder;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.Mark;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.StoredBlock;

/**
 * Works out what is to be rebuilt of a superchunk and from where: the Lstors of its dead disks, the
 * mirrors of those disks' other frames, and of the blocks in their slot tables those that the
 * NameNode has and no live frame holds.
 */
final class RebuildOrders {
  private final Namespace namespace;
  private final AskedBlocks asked;
  private final LstorTables tables;
  private final Predicate<String> isUnreadable;

  /**
   * @param asked blocks that readers wait for: they come first
   * @param isUnreadable by disk, whether its Lstor is reported, and does not answer for long
   */
  RebuildOrders(
      Namespace namespace, LstorTables tables, AskedBlocks asked, Predicate<String> isUnreadable) {
    this.namespace = namespace;
    this.asked = asked;
    this.tables = tables;
    this.isUnreadable = isUnreadable;
  }

  /** Whether the Lstor of a disk is reported, and does not answer for long. */
  boolean isUnreadable(String diskId) {
    return isUnreadable.test(diskId);
  }

  /** Dead frames of a superchunk whose Lstor is read to list what is missing. */
  List<FrameView> listed(ClusterView view, SuperchunkView superchunk) {
    return sources(view, superchunk).stream()
        .filter(dead -> !isUnreadable.test(dead.diskId()))
        .toList();
  }

  /** Dead frames of a superchunk whose Lstor can be read now. */
  static List<FrameView> sources(ClusterView view, SuperchunkView superchunk) {
    return superchunk.gone().stream()
        .filter(f -> view.readableLstor(f.diskId()).isPresent())
        .toList();
  }

  /**
   * Blocks of a superchunk that no live frame holds.
   *
   * @throws IOException when a slot table cannot be read: without it nobody knows what is missing
   */
  List<ExpectedBlock> missing(ClusterView view, SuperchunkView superchunk) throws IOException {
    Map<Long, ExpectedBlock> missing = new TreeMap<>();
    for (FrameView dead : listed(view, superchunk)) {
      for (SlotEntry entry : rows(view, dead)) {
        if ((entry.coveredBytes() > 0 || entry.metaCovered())
            && !missing.containsKey(entry.blockId())) {
          namespace
              .block(entry.blockId())
              .filter(b -> hasNoLiveReplica(view, superchunk, b))
              .ifPresent(b -> missing.put(b.blockId(), expected(view, superchunk, b)));
        }
      }
    }
    return asked.first(List.copyOf(missing.values()));
  }

  /** Rows of a dead frame whose Lstor can be read. */
  List<SlotEntry> rows(ClusterView view, FrameView dead) throws IOException {
    LstorReport lstor = view.readableLstor(dead.diskId()).orElseThrow().report();
    return tables.entries(lstor, dead.frameIndex());
  }

  /**
   * A NameNode learns of a dead node later than the manager, so its own count of live replicas will
   * not do.
   *
   * <p>A replica without the latest append is none of the block, though HDFS keeps it as long as
   * there is no other one. One that was read and called damaged is: it may be good, and is healed
   * where it is ({@link ReplicaHealing}).
   */
  static boolean hasNoLiveReplica(ClusterView view, StoredBlock block) {
    return block.storageIds().stream()
        .filter(storageId -> block.markAt(storageId).map(Mark::isRead).orElse(true))
        .noneMatch(view::isAlive);
  }

  /**
   * The same of a block of a superchunk, whose Lstors can give it. A replica elsewhere that was
   * called damaged, or whose node is silent and may be dead already, is no reason to do without
   * them: one replica too many is deleted by HDFS. A replica on a side of the superchunk is in the
   * parity of its disk and is healed or rebuilt there. An open block may have more in any replica
   * than in the parity.
   */
  static boolean hasNoLiveReplica(ClusterView view, SuperchunkView superchunk, StoredBlock block) {
    return hasNoLiveReplica(view, block)
        || block.complete()
            && block.storageIds().stream().noneMatch(id -> countsFor(view, superchunk, block, id));
  }

  private static boolean countsFor(
      ClusterView view, SuperchunkView superchunk, StoredBlock block, String storageId) {
    Optional<Mark> mark = block.markAt(storageId);
    if (superchunk.holders().stream().anyMatch(f -> f.storageId().equals(storageId))) {
      return mark.map(Mark::isRead).orElse(true) && view.isAlive(storageId);
    }
    return mark.isEmpty()
        && view.isAlive(storageId)
        && !LastReplicas.isSilentStorage(view, storageId);
  }

  static ExpectedBlock expected(StoredBlock b) {
    return new ExpectedBlock(
        b.blockId(), b.generationStamp(), b.complete(), OptionalLong.of(b.lengthBytes()));
  }

  /**
   * An open block whose replicas are lost is wanted as it is in the parity, whatever its length.
   */
  private static ExpectedBlock expected(
      ClusterView view, SuperchunkView superchunk, StoredBlock b) {
    return b.complete() || !LostReplicas.areLost(view, superchunk, b)
        ? expected(b)
        : new ExpectedBlock(b.blockId(), b.generationStamp(), false, OptionalLong.empty());
  }

  /** The order for a receiver. */
  RebuildOrder order(
      ClusterView view,
      SuperchunkView superchunk,
      RecoveryMove move,
      long rebuildId,
      RebuildPace pace,
      List<ExpectedBlock> expected) {
    Map<String, LstorSource> sources = new LinkedHashMap<>();
    for (FrameView dead : sources(view, superchunk)) {
      sources.putIfAbsent(
          dead.diskId(), source(view, dead.diskId(), OptionalInt.of(dead.frameIndex())));
    }
    addFurther(view, sources);
    return new RebuildOrder(
        rebuildId,
        superchunk.id(),
        move.epoch(),
        move.receiver().frame(),
        List.copyOf(sources.values()),
        pace,
        expected,
        namespace.blockPoolId());
  }

  /**
   * All Lstors by which lost blocks may be decoded, with the mirrors of their disks. Those of
   * superchunks without any side come first: mostly a block without replicas is in one of these.
   *
   * @param broken superchunks that lack a side
   */
  static List<LstorSource> sources(ClusterView view, Collection<SuperchunkView> broken) {
    Map<String, LstorSource> sources = new LinkedHashMap<>();
    List<SuperchunkView> lostFirst = new ArrayList<>(broken);
    lostFirst.sort(Comparator.comparing(each -> each.state() != SuperchunkState.LOST));
    for (SuperchunkView superchunk : lostFirst) {
      for (FrameView dead : sources(view, superchunk)) {
        sources.computeIfAbsent(dead.diskId(), id -> source(view, id, OptionalInt.empty()));
      }
    }
    addFurther(view, sources);
    return List.copyOf(sources.values());
  }

  private static LstorSource source(ClusterView view, String diskId, OptionalInt lostFrameIndex) {
    LstorReport lstor = view.readableLstor(diskId).orElseThrow().report();
    List<Mirror> mirrors = lstor.frames().stream().map(f -> mirror(view, f)).toList();
    return new LstorSource(diskId, lstor.host(), lstor.port(), lostFrameIndex, mirrors);
  }

  /**
   * With three or more dead disks a mirror may be lost too; the Lstors of its own superchunk help
   * to tell the images apart. They are named as sources without a frame to rebuild. So are they of
   * a superchunk that was rebuilt meanwhile: its receiver does not have what was in limbo.
   */
  private static void addFurther(ClusterView view, Map<String, LstorSource> sources) {
    ArrayDeque<LstorSource> open = new ArrayDeque<>(sources.values());
    while (!open.isEmpty()) {
      LstorReport lstor = view.readableLstor(open.removeFirst().diskId()).orElseThrow().report();
      for (FrameReport frame : lstor.frames()) {
        SuperchunkView of =
            frame.pairing().map(p -> view.superchunks().get(p.superchunkId())).orElse(null);
        if (of == null) {
          continue;
        }
        for (FrameView dead : sources(view, of)) {
          if (!sources.containsKey(dead.diskId())) {
            LstorSource further = source(view, dead.diskId(), OptionalInt.empty());
            sources.put(dead.diskId(), further);
            open.addLast(further);
          }
        }
      }
    }
  }

  /**
   * Disks whose Lstors may help to decode what a superchunk lacks, and cannot be read now, but
   * perhaps in a moment. A block that cannot be decoded without them is not lost yet.
   *
   * @param maxMs how long an Lstor is awaited
   */
  static Set<String> awaited(ClusterView view, SuperchunkView superchunk, long nowMs, long maxMs) {
    Set<String> awaited = new TreeSet<>();
    Set<String> seen = new HashSet<>();
    ArrayDeque<SuperchunkView> open = new ArrayDeque<>(List.of(superchunk));
    while (!open.isEmpty()) {
      for (FrameView dead : open.removeFirst().gone()) {
        LstorState lstor = view.lstors().get(dead.diskId());
        if (lstor == null || !seen.add(dead.diskId())) {
          continue;
        }
        if (lstor.isAwaited(nowMs, maxMs)) {
          awaited.add(dead.diskId());
        }
        lstor.report().frames().stream()
            .flatMap(frame -> frame.pairing().stream())
            .map(pairing -> view.superchunks().get(pairing.superchunkId()))
            .filter(Objects::nonNull)
            .forEach(open::addLast);
      }
    }
    return awaited;
  }

  /** Sources may come back or go while a rebuild runs; it keeps its id and gets the newest ones. */
  RebuildOrder refreshed(
      ClusterView view, SuperchunkView superchunk, RecoveryMove move, RebuildOrder old) {
    RebuildOrder fresh = order(view, superchunk, move, old.rebuildId(), old.pace(), old.expected());
    return fresh.sources().isEmpty() ? old : fresh;
  }

  /**
   * Who has the blocks of a dead frame: its partner. Where that is gone too, the holder with most
   * blocks: the one that took its content over. A new side that is being filled may be empty still.
   */
  private static Mirror mirror(ClusterView view, FrameReport dead) {
    Optional<FrameView> mirror =
        dead.pairing()
            .flatMap(
                pairing ->
                    Optional.ofNullable(view.superchunks().get(pairing.superchunkId()))
                        .flatMap(
                            superchunk ->
                                superchunk.holders().stream()
                                    .filter(f -> f.storageId().equals(pairing.partnerStorageId()))
                                    .findFirst()
                                    .or(() -> fullest(view, superchunk))))
            .filter(f -> !f.storageId().equals(dead.storageId()));
    Optional<PeerAddress> server = mirror.flatMap(f -> peer(view, f.nodeUuid()));
    return new Mirror(
        dead.frameIndex(), dead.storageId(), mirror.map(FrameView::storageId), server);
  }

  private static Optional<FrameView> fullest(ClusterView view, SuperchunkView superchunk) {
    return superchunk.holders().stream().max(Comparator.comparingInt(view::blocks));
  }

  static Optional<PeerAddress> peer(ClusterView view, String nodeUuid) {
    return Optional.ofNullable(view.nodes().get(nodeUuid))
        .filter(n -> n.silence() != NodeState.Silence.DEAD)
        .map(NodeState::report)
        .map(RebuildOrders::peer);
  }

  static PeerAddress peer(NodeReport report) {
    return new PeerAddress(report.nodeUuid(), report.node().peerHost(), report.node().peerPort());
  }
}
