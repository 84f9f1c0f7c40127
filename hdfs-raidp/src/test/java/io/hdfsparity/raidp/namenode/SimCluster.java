/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.bridge.namenode.DegradedBlocks.Unfiled;
import io.hdfsparity.bridge.namenode.PairPlacement.PlacementRefusedException;
import io.hdfsparity.bridge.namenode.PairPlacement.Target;
import io.hdfsparity.raidp.config.Coefficients;
import io.hdfsparity.raidp.config.LockGranularity;
import io.hdfsparity.raidp.config.ManagerOptions;
import io.hdfsparity.raidp.config.RebuildPace;
import io.hdfsparity.raidp.config.WhenFull;
import io.hdfsparity.raidp.lstor.LstorGeometry;
import io.hdfsparity.raidp.lstor.Run;
import io.hdfsparity.raidp.lstor.SlotCoverage;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.lstor.SlotStatus;
import io.hdfsparity.raidp.wire.IncrementalReports;
import io.hdfsparity.raidp.wire.message.Assignment;
import io.hdfsparity.raidp.wire.message.DiskReport;
import io.hdfsparity.raidp.wire.message.DiskState;
import io.hdfsparity.raidp.wire.message.ExpectedBlock;
import io.hdfsparity.raidp.wire.message.FrameRef;
import io.hdfsparity.raidp.wire.message.FrameReport;
import io.hdfsparity.raidp.wire.message.LstorReport;
import io.hdfsparity.raidp.wire.message.LstorSource;
import io.hdfsparity.raidp.wire.message.NodeIdentity;
import io.hdfsparity.raidp.wire.message.NodeReport;
import io.hdfsparity.raidp.wire.message.NodeReportResponse;
import io.hdfsparity.raidp.wire.message.Pairing;
import io.hdfsparity.raidp.wire.message.PeerAddress;
import io.hdfsparity.raidp.wire.message.RebuildCounts;
import io.hdfsparity.raidp.wire.message.RebuildObstacle;
import io.hdfsparity.raidp.wire.message.RebuildOrder;
import io.hdfsparity.raidp.wire.message.RebuildPhase;
import io.hdfsparity.raidp.wire.message.RebuildStatus;
import io.hdfsparity.raidp.wire.message.SuperchunkRef;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.Address;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.CorruptReplica;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.Mark;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.Node;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.StoredBlock;

/**
 * DataNodes, Lstor daemons and a NameNode that behave as the real ones do, in memory and one step
 * at a time, around the manager under test: agents store assignments durably and report, receivers
 * rebuild, HDFS re-replicates to the partner.
 */
class SimCluster implements Namespace, LstorTables, FrameRows, RowFinder, CoverCalls {
  static final String CLUSTER = "CID-sim";
  static final int UNIT_BYTES = 1 << 20;
  static final long BLOCK_BYTES = 3L << 20;
  static final int UNITS = 256;

  static final class SimFrame {
    final String storageId;
    final int index;
    final SimDisk disk;
    Optional<Pairing> pairing = Optional.empty();
    long taken;
    final Map<Long, SlotEntry> rows = new TreeMap<>();

    SimFrame(SimDisk disk, int index, String storageId) {
      this.disk = disk;
      this.index = index;
      this.storageId = storageId;
    }

    FrameRef ref() {
      return new FrameRef(storageId, index);
    }

    boolean isIn(long superchunkId) {
      return pairing.filter(p -> p.superchunkId() == superchunkId).isPresent();
    }

    void put(long blockId) {
      if (rows.put(blockId, row(blockId, SlotState.LIVE)) == null) {
        taken++;
      }
    }

    SlotEntry row(long blockId, SlotState state) {
      return new SlotEntry(
          index,
          blockId,
          1,
          List.of(new Run(rows.size(), 3)),
          new SlotCoverage(BLOCK_BYTES, true, 2, 512, 1),
          new SlotStatus(state, false, false));
    }
  }

  static final class SimDisk {
    final String id;
    final SimNode node;
    final List<SimFrame> frames = new ArrayList<>();
    boolean failed;
    boolean lstorDaemonUp = true;

    /** The Lstor daemon reports, and does not answer who asks for rows. */
    boolean lstorHangs;

    /** Its daemon reports that the Lstor cannot be read. */
    boolean lstorBroken;

    /** Its DataNode stores no pairing on it, and takes no block. */
    boolean lstorFailed;

    /** The same though the disk and its Lstor are good: its data directory is full. */
    boolean storesNoPairing;

    /** Its DataNode can store no block, and finds that of a rebuilt one when it is decoded. */
    boolean isFull;

    /** As HDFS knows it; empty text: it knows no storage of the disk. */
    String storageType = "";

    SimDisk(SimNode node, int index, Volumes volumes) {
      this.node = node;
      this.id = node.uuid + "-d" + index;
      for (int v = 0; v < volumes.count(); v++) {
        for (int f = 0; f < volumes.frames(); f++) {
          frames.add(new SimFrame(this, frames.size(), "DS-" + id + "-f" + v));
        }
      }
    }

    boolean alive() {
      return node.up && !failed;
    }
  }

  static final class SimNode {
    final String uuid;
    final String rack;
    final List<SimDisk> disks = new ArrayList<>();
    boolean up = true;

    /** HDFS finds it dead later than the manager does. */
    boolean seemsUp;

    /** Other DataNodes reach it. */
    boolean answers = true;

    long incarnation = 1;
    IncrementalReports told = new IncrementalReports();
    String adminState = "NORMAL";
    final Map<Long, RebuildOrder> orders = new TreeMap<>();
    final Map<Long, RebuildStatus> statuses = new TreeMap<>();

    SimNode(int index, int racks, int diskCount, Volumes volumes) {
      uuid = String.format("n%02d", index);
      rack = "/r" + index % racks;
      for (int d = 0; d < diskCount; d++) {
        disks.add(new SimDisk(this, d, volumes));
      }
    }
  }

  final Random random;

  /** Whether what lacks a replica is copied in each step. */
  boolean copies = true;

  /** Plain blocks, as the twin knows. */
  final Set<Long> plain = new HashSet<>();

  final List<SimNode> nodes = new ArrayList<>();
  final Map<Long, Set<String>> blocks = new TreeMap<>();

  /** Blocks that are being written or recovered. */
  final Set<Long> open = new HashSet<>();

  /** Replicas that the NameNode has marked, as somebody called them damaged: block@storage. */
  final Set<String> givenUp = new HashSet<>();

  /** Replicas that the NameNode has marked, as they have missed an append: block@storage. */
  final Set<String> stale = new HashSet<>();

  final Set<Long> undecodable = new HashSet<>();

  /** Blocks that are decoded with the mirrors of a node. */
  final Map<Long, SimNode> mirrors = new HashMap<>();

  /** Blocks that are decoded with the Lstor of a disk beside another one. */
  final Map<Long, SimDisk> lstorsNeeded = new HashMap<>();

  /** Whether DataNodes are new enough to say that a source did not answer, or that they failed. */
  boolean tellObstacles = true;

  final Set<Long> lookedAt = new HashSet<>();
  long nowMs = 1_000_000;
  long nextBlock = 1;
  ManagerState manager;
  NodeReports reports;

  /** Whether HDFS knows what replicas its blocks lack. */
  boolean hasLookedAtAll = true;

  /** Disks that the manager has ever called unneeded. */
  final Set<String> unneeded = new HashSet<>();

  HomeQuestions questions;

  /** Volumes of a disk, and frames of each. */
  record Volumes(int count, int frames) {}

  /** Disks with volumes of one frame. */
  SimCluster(Random random, int nodeCount, int racks, int disks, int frames) {
    this(random, nodeCount, racks, disks, new Volumes(frames, 1));
  }

  SimCluster(Random random, int nodeCount, int racks, int disks, Volumes volumes) {
    this.random = random;
    for (int n = 0; n < nodeCount; n++) {
      nodes.add(new SimNode(n, racks, disks, volumes));
    }
    restartManager();
  }

  static ManagerOptions options() {
    return new ManagerOptions(
        new ManagerOptions.Placement(UNIT_BYTES, 128L << 20, 60_000, WhenFull.REFUSE),
        1000,
        1000,
        new ManagerOptions.Silence(10_000, 60_000),
        new ManagerOptions.Layout(0.3, 2, Coefficients.THREE),
        new ManagerOptions.Recovery(
            false,
            new RebuildPace(4 << 20, LockGranularity.RANGE, 0),
            new ManagerOptions.Repair(32, 1_000)));
  }

  private final NodeRoster roster = new NodeRoster(Map.of(), addresses -> {});

  /** A new manager that knows nothing: NameNode restart, or failover. */
  void restartManager() {
    manager =
        new ManagerState(
            options(), this, this, this, Runnable::run, roster, () -> nowMs, () -> random);
    questions = manager.questions(this, Runnable::run, blockIds -> Map.of());
    reports =
        new NodeReports(
            manager.map(),
            roster,
            this::registered,
            manager.grants(),
            manager.nodeOrders(),
            () -> CLUSTER,
            () -> true,
            () -> nowMs,
            options().silence().deadMs());
  }

  private Optional<Registrations.Registered> registered(String nodeUuid) {
    return nodes.stream()
        .filter(node -> node.uuid.equals(nodeUuid))
        .findFirst()
        .map(
            node ->
                new Registrations.Registered(
                    "127.0.0.1",
                    Set.of(),
                    node.disks.stream()
                        .flatMap(disk -> disk.frames.stream())
                        .map(frame -> frame.storageId)
                        .collect(Collectors.toSet())));
  }

  List<SimDisk> disks() {
    return nodes.stream().flatMap(n -> n.disks.stream()).toList();
  }

  List<SimFrame> frames() {
    return disks().stream().flatMap(d -> d.frames.stream()).toList();
  }

  SimFrame frame(FrameRef ref) {
    return frames().stream().filter(f -> f.ref().equals(ref)).findFirst().orElseThrow();
  }

  List<SimFrame> framesOn(String storageId) {
    return frames().stream().filter(f -> f.storageId.equals(storageId)).toList();
  }

  /** The frame of a volume that has a row of a block. */
  Optional<SimFrame> frameWith(String storageId, long blockId) {
    return framesOn(storageId).stream().filter(f -> f.rows.containsKey(blockId)).findFirst();
  }

  boolean alive(String storageId) {
    return framesOn(storageId).get(0).disk.alive();
  }

  // ---------------------------------------------------------------- agents

  /** One report interval: everybody reports once, in any order, and does some of its work. */
  void step() throws IOException {
    nowMs += 1000;
    List<SimNode> order = new ArrayList<>(nodes);
    Collections.shuffle(order, random);
    for (SimNode node : order) {
      if (node.up) {
        reportNode(node);
      }
      for (SimDisk disk : node.disks) {
        if (disk.lstorDaemonUp) {
          reports.reportLstor(lstorReport(disk));
        }
      }
    }
    manager.advance(nowMs);
    replicate();
    manager.recovery().sweep(nowMs);
    manager.recovery().tick(nowMs);
  }

  void steps(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      step();
    }
  }

  void reportNode(SimNode node) throws IOException {
    NodeReport now = nodeReport(node);
    NodeReport next = node.told.next(now);
    NodeReportResponse response = reports.reportNode(next);
    if (response.receipt().isEmpty()) {
      next = now;
      response = reports.reportNode(next);
    }
    if (random.nextInt(20) == 0) {
      response = reports.reportNode(next);
    }
    assertSameReport(now);
    // A crash of the agent between answer and disk is as good as a lost answer.
    if (random.nextInt(10) == 0) {
      return;
    }
    node.told.answered(now, response.receipt());
    response.disks().unneededIds().forEach(this::assertUnneeded);
    response
        .assignments()
        .forEach(
            a -> {
              SimFrame frame = frame(a.frame());
              if (frame.disk.lstorFailed || frame.disk.storesNoPairing) {
                return;
              }
              if (framesOn(frame.storageId).stream().anyMatch(f -> isNotOlder(f, frame, a))) {
                return;
              }
              if (frame.pairing.map(p -> p.epoch() < a.pairing().epoch()).orElse(true)) {
                if (!frame.disk.node.equals(node)) {
                  throw new AssertionError(a + " was given to " + node.uuid);
                }
                frame.pairing = Optional.of(a.pairing());
              } else if (!frame.pairing.get().equals(a.pairing())) {
                throw new AssertionError("epoch went back: " + frame.pairing + " then " + a);
              }
            });
    response
        .disks()
        .failedIds()
        .forEach(
            id -> node.disks.stream().filter(d -> d.id.equals(id)).forEach(d -> d.failed = true));
    response.rebuilds().forEach(o -> node.orders.putIfAbsent(o.rebuildId(), o));
    node.orders.values().stream()
        .filter(o -> !hasEnded(node, o))
        .forEach(o -> rebuildSome(node, o));
  }

  /** A node that is down for a moment comes back with its replicas. */
  private boolean isThere(String storageId) {
    return !framesOn(storageId).get(0).disk.failed;
  }

  /** By the durable records: without the disk each of its blocks is where it should be. */
  private void assertUnneeded(String diskId) {
    unneeded.add(diskId);
    Set<Long> onIt = new HashSet<>();
    disks().stream()
        .filter(d -> d.id.equals(diskId))
        .flatMap(d -> d.frames.stream())
        .forEach(f -> onIt.addAll(f.rows.keySet()));
    onIt.stream()
        .filter(id -> blocks.containsKey(id) && !hasBothSides(id, this::isThere))
        .findFirst()
        .ifPresent(
            id -> {
              throw new AssertionError("disk " + diskId + " is needed for block " + id);
            });
  }

  /** What an agent refuses: another frame of the volume has the superchunk already. */
  private static boolean isNotOlder(SimFrame frame, SimFrame ordered, Assignment order) {
    return frame != ordered
        && frame.isIn(order.pairing().superchunkId())
        && frame.pairing.orElseThrow().epoch() >= order.pairing().epoch();
  }

  /** What the manager knows now is what a full report says. */
  private void assertSameReport(NodeReport expected) {
    NodeReport known = manager.map().view().nodes().get(expected.nodeUuid()).report();
    if (!known.equals(expected)) {
      throw new AssertionError("manager knows " + known + ", expected " + expected);
    }
  }

  NodeReport nodeReport(SimNode node) {
    List<DiskReport> disks = new ArrayList<>();
    for (SimDisk disk : node.disks) {
      disks.add(
          new DiskReport(
              disk.id,
              "/" + disk.id,
              disk.failed
                  ? DiskState.DISK_FAILED
                  : disk.lstorFailed ? DiskState.LSTOR_FAILED : DiskState.OK,
              Optional.of(LstorGeometry.of(disk.frames.size(), UNITS, UNIT_BYTES)),
              disk.frames.stream().map(f -> frameReport(f, disk.failed)).toList(),
              disk.failed || disk.lstorFailed ? Optional.of("simulated") : Optional.empty()));
    }
    return new NodeReport(
        new NodeIdentity(node.uuid, node.uuid, 1, node.uuid, 2, CLUSTER, node.incarnation),
        disks,
        List.copyOf(node.statuses.values()));
  }

  static FrameReport frameReport(SimFrame f, boolean failed) {
    return new FrameReport(
        f.storageId,
        f.index,
        f.pairing,
        new FrameReport.Load(UNITS - 3 * f.rows.size(), f.taken, f.rows.size(), 0, 0),
        failed);
  }

  LstorReport lstorReport(SimDisk disk) {
    return new LstorReport(
        disk.id,
        CLUSTER,
        disk.node.uuid,
        disk.node.uuid,
        3,
        disk.alive(),
        disk.frames.stream().map(f -> frameReport(f, false)).toList(),
        disk.lstorBroken ? Optional.of("simulated") : Optional.empty());
  }

  private static boolean hasEnded(SimNode node, RebuildOrder order) {
    RebuildStatus status = node.statuses.get(order.rebuildId());
    return status != null && status.phase() != RebuildPhase.RUNNING;
  }

  /** Installs a few of the expected blocks, those that can be decoded. */
  private void rebuildSome(SimNode node, RebuildOrder order) {
    SimFrame target = frame(order.target());
    if (!target.disk.alive()) {
      return;
    }
    List<String> errors = new ArrayList<>();
    boolean unanswered = false;
    boolean receiverFailed = false;
    int done = 0;
    int budget = 1 + random.nextInt(3);
    for (ExpectedBlock b : order.expected()) {
      boolean decodable =
          order.sources().stream()
                  .filter(s -> s.lostFrameIndex().isPresent())
                  .map(this::lostFrame)
                  .anyMatch(f -> f.disk.lstorDaemonUp && f.rows.containsKey(b.blockId()))
              && !undecodable.contains(b.blockId())
              && !target.disk.lstorFailed;
      SimNode mirror = mirrors.get(b.blockId());
      if (mirror != null && !(mirror.up && mirror.answers)) {
        decodable = false;
        unanswered |= isSource(order, mirror);
      }
      SimDisk needed = lstorsNeeded.get(b.blockId());
      if (needed != null && order.sources().stream().noneMatch(s -> s.diskId().equals(needed.id))) {
        decodable = false;
      } else if (needed != null && !needed.lstorDaemonUp) {
        decodable = false;
        unanswered = true;
      }
      if (mirror != null && mirror.disks.stream().anyMatch(d -> d.lstorFailed)) {
        // It answers that it has no such frame.
        decodable = false;
      }
      if (target.rows.containsKey(b.blockId())
          && !stale.contains(b.blockId() + "@" + target.storageId)) {
        done++;
      } else if (!decodable) {
        errors.add("block " + b.blockId() + " cannot be decoded");
      } else if (target.disk.isFull) {
        errors.add("block " + b.blockId() + " cannot be stored: no space left on device");
        receiverFailed = true;
      } else if (budget-- > 0) {
        target.put(b.blockId());
        blocks.get(b.blockId()).add(target.storageId);
        stale.remove(b.blockId() + "@" + target.storageId);
        done++;
      }
    }
    RebuildPhase phase =
        done + errors.size() == order.expected().size() ? RebuildPhase.DONE : RebuildPhase.RUNNING;
    node.statuses.put(
        order.rebuildId(),
        new RebuildStatus(
            order.rebuildId(),
            order.superchunkId(),
            phase,
            new RebuildCounts(
                order.expected().size() * BLOCK_BYTES,
                done * BLOCK_BYTES,
                order.expected().size(),
                done),
            errors,
            1,
            obstacle(unanswered && !errors.isEmpty(), receiverFailed)));
  }

  private RebuildObstacle obstacle(boolean isUnanswered, boolean hasFailed) {
    if (!tellObstacles) {
      return RebuildObstacle.UNKNOWN;
    }
    if (hasFailed) {
      return RebuildObstacle.RECEIVER_FAILED;
    }
    return isUnanswered ? RebuildObstacle.SOURCE_UNANSWERED : RebuildObstacle.NONE;
  }

  private static boolean isSource(RebuildOrder order, SimNode node) {
    return order.sources().stream()
        .flatMap(source -> source.mirrors().stream())
        .flatMap(mirror -> mirror.server().stream())
        .anyMatch(server -> server.nodeUuid().equals(node.uuid));
  }

  private SimFrame lostFrame(LstorSource source) {
    return disks().stream()
        .filter(d -> d.id.equals(source.diskId()))
        .findFirst()
        .orElseThrow()
        .frames
        .get(source.lostFrameIndex().orElseThrow());
  }

  void restartNode(SimNode node) {
    node.incarnation++;
    node.told = new IncrementalReports();
    node.up = true;
    node.orders.clear();
    node.statuses.clear();
    node.disks.forEach(d -> d.frames.forEach(f -> f.taken = 0));
  }

  // ---------------------------------------------------------------- NameNode

  /** Writes a block as a client would; empty when the manager finds no place. */
  Optional<Long> write() {
    try {
      List<Target> targets =
          manager
              .chooser()
              .chooseNew(
                  "/f",
                  2,
                  Optional.empty(),
                  List.of(),
                  Set.of(),
                  BLOCK_BYTES,
                  (storageId, node, bytes) -> alive(storageId));
      long id = nextBlock++;
      Set<String> where = new HashSet<>();
      String first = targets.get(0).storageId();
      String second = targets.get(1).storageId();
      for (Target t : targets) {
        SimFrame own = pairedFrame(t.storageId(), t.storageId().equals(first) ? second : first);
        own.put(id);
        where.add(t.storageId());
      }
      blocks.put(id, where);
      return Optional.of(id);
    } catch (PlacementRefusedException e) {
      return Optional.empty();
    }
  }

  /** The frame of a volume that is in the superchunk which it shares with another volume. */
  private SimFrame pairedFrame(String storageId, String otherStorageId) {
    return framesOn(storageId).stream()
        .filter(f -> framesOn(otherStorageId).stream().anyMatch(other -> areMirrors(f, other)))
        .findFirst()
        .orElseThrow();
  }

  private static boolean areMirrors(SimFrame a, SimFrame b) {
    return a.pairing.isPresent()
        && b.pairing.isPresent()
        && a.pairing.get().superchunkId() == b.pairing.get().superchunkId()
        && a.pairing.get().epoch() == b.pairing.get().epoch()
        && a.pairing.get().partnerStorageId().equals(b.storageId)
        && b.pairing.get().partnerStorageId().equals(a.storageId);
  }

  /** HDFS' re-replication: only to the partner of a live replica, a few at a time. */
  private void replicate() {
    if (!copies) {
      return;
    }
    int budget = 4;
    questions.ask(unknown(), nowMs);
    for (Map.Entry<Long, Set<String>> block : blocks.entrySet()) {
      List<String> live = block.getValue().stream().filter(this::alive).sorted().toList();
      List<String> keep =
          live.stream()
              .filter(
                  s ->
                      framesOn(s).get(0).disk.node.adminState.equals("NORMAL")
                          && isUnmarked(block.getKey(), s))
              .toList();
      Optional<SimFrame> target =
          lacking(block.getKey(), keep)
              .filter(f -> f.disk.alive() && !f.disk.lstorFailed && !f.disk.isFull)
              .filter(f -> f.disk.node.adminState.equals("NORMAL"))
              .filter(f -> !live.contains(f.storageId))
              .filter(f -> frameWith(f.storageId, block.getKey()).isEmpty());
      // HDFS looks at a block with enough replicas when it is made to.
      boolean isQueued = keep.size() < 2 || lookedAt.contains(block.getKey());
      if (isQueued && target.isPresent() && budget-- > 0) {
        target.get().put(block.getKey());
        block.getValue().add(target.get().storageId);
      }
    }
    dropStrays();
  }

  private List<Unfiled> unknown() {
    return blocks.entrySet().stream()
        .map(
            block ->
                new Unfiled(block.getKey(), block.getValue().stream().filter(this::alive).toList()))
        .filter(
            block ->
                manager.superchunks().of(block.blockId(), block.storageIds()).isEmpty()
                    && !manager.superchunks().isPlain(block.blockId(), block.storageIds()))
        .toList();
  }

  /** Where a block lacks its second replica, as the manager says. */
  private Optional<SimFrame> lacking(long blockId, List<String> keep) {
    return manager
        .superchunks()
        .of(blockId, keep)
        .flatMap(home -> home.lacking(keep))
        .flatMap(
            target ->
                keep.stream()
                    .flatMap(s -> mirrorOf(s, blockId).stream())
                    .filter(f -> f.storageId.equals(target.storageId()))
                    .findFirst());
  }

  /** The other side of the working superchunk in which the block has its row. */
  private Optional<SimFrame> mirrorOf(String storageId, long blockId) {
    ClusterView view = manager.map().view();
    return frameWith(storageId, blockId)
        .flatMap(f -> view.frame(f.ref()))
        .flatMap(
            f ->
                view.superchunkOf(f)
                    .filter(s -> s.state() == SuperchunkState.ACTIVE)
                    .map(s -> s.leader().isSameFrame(f) ? s.follower() : s.leader()))
        .map(f -> frame(f.ref()));
  }

  /**
   * Over-replicated blocks lose the replica whose partner has none, as the bridge's policy decides.
   */
  private void dropStrays() {
    for (Map.Entry<Long, Set<String>> block : blocks.entrySet()) {
      List<String> live = block.getValue().stream().filter(this::alive).sorted().toList();
      if (live.size() > 2) {
        live.stream()
            .filter(s -> partnerOf(s, block.getKey()).filter(live::contains).isEmpty())
            .findFirst()
            .ifPresent(
                stray -> {
                  block.getValue().remove(stray);
                  framesOn(stray).forEach(f -> f.rows.remove(block.getKey()));
                });
      }
    }
  }

  private Optional<String> partnerOf(String storageId, long blockId) {
    return mirrorOf(storageId, blockId).map(f -> f.storageId);
  }

  @Override
  public String blockPoolId() {
    return "BP-sim";
  }

  @Override
  public List<Node> nodes() {
    return nodes.stream()
        .map(
            n ->
                new Node(
                    n.uuid,
                    new Address(n.uuid, "10.0.0.1", 1, 2),
                    n.rack,
                    n.up || n.seemsUp,
                    n.adminState,
                    n.disks.stream().flatMap(this::storages).toList()))
        .toList();
  }

  /** HDFS forgets storages that have failed. */
  private Stream<NameNodeAccess.Storage> storages(SimDisk disk) {
    return disk.failed || disk.storageType.isEmpty()
        ? Stream.empty()
        : disk.frames.stream()
            .map(f -> f.storageId)
            .distinct()
            .map(
                id ->
                    new NameNodeAccess.Storage(
                        id,
                        disk.storageType,
                        false,
                        true,
                        1L << 40,
                        0,
                        disk.isFull ? BLOCK_BYTES - 1 : 1L << 40,
                        isCounted(id) ? blocks("", id).size() : 0));
  }

  @Override
  public List<StoredBlock> blocks(String nodeUuid, String storageId) {
    return blocks.entrySet().stream()
        .filter(e -> e.getValue().contains(storageId))
        .map(e -> stored(e.getKey()))
        .toList();
  }

  private boolean isUnmarked(long blockId, String storageId) {
    String replica = blockId + "@" + storageId;
    return !givenUp.contains(replica) && !stale.contains(replica);
  }

  @Override
  public boolean giveUp(StoredBlock block, String strayStorageId) {
    return givenUp.add(block.blockId() + "@" + strayStorageId);
  }

  @Override
  public Optional<StoredBlock> block(long blockId) {
    return blocks.containsKey(blockId) ? Optional.of(stored(blockId)) : Optional.empty();
  }

  @Override
  public long blocksWithoutReplica() {
    return hasLookedAtAll
        ? blocks.entrySet().stream()
            .filter(
                block ->
                    block.getValue().stream()
                        .noneMatch(s -> isCounted(s) && !isOld(block.getKey(), s)))
            .count()
        : 0;
  }

  /** HDFS keeps the replicas of a dead node that is in maintenance. */
  private boolean isCounted(String storageId) {
    SimDisk disk = framesOn(storageId).get(0).disk;
    return disk.alive() || !disk.failed && disk.node.adminState.equals("IN_MAINTENANCE");
  }

  private boolean isOld(long blockId, String storageId) {
    return stale.contains(blockId + "@" + storageId);
  }

  @Override
  public List<StoredBlock> blocksWithOldReplica(int limit) {
    return blocks.entrySet().stream()
        .filter(block -> block.getValue().stream().anyMatch(s -> isOld(block.getKey(), s)))
        .limit(limit)
        .map(block -> stored(block.getKey()))
        .toList();
  }

  @Override
  public boolean hasLookedAtAllBlocks() {
    return hasLookedAtAll;
  }

  @Override
  public boolean isProtected(String path) {
    return true;
  }

  @Override
  public void lookAgain(Collection<Long> blockIds) {
    lookedAt.addAll(blockIds);
  }

  /** As {@link NameNodeAccess#corruptReplicas} lists them. */
  List<CorruptReplica> corruptReplicas() {
    return blocks.keySet().stream()
        .map(this::stored)
        .flatMap(
            block ->
                block.marks().stream()
                    .map(
                        mark ->
                            new CorruptReplica(
                                block,
                                framesOn(mark.storageId()).get(0).disk.node.uuid,
                                mark.storageId())))
        .toList();
  }

  private StoredBlock stored(long id) {
    List<String> where = blocks.get(id).stream().sorted().toList();
    return new StoredBlock(
        id,
        1,
        BLOCK_BYTES,
        !open.contains(id),
        (int) where.stream().filter(s -> alive(s) && isUnmarked(id, s)).count(),
        where.stream()
            .filter(s -> !isUnmarked(id, s))
            .map(s -> new Mark(s, !stale.contains(id + "@" + s)))
            .toList(),
        2,
        where);
  }

  @Override
  public List<SlotEntry> entries(LstorReport lstor, int frameIndex) throws IOException {
    SimDisk disk =
        disks().stream().filter(d -> d.id.equals(lstor.diskId())).findFirst().orElseThrow();
    if (!disk.lstorDaemonUp || disk.lstorHangs || disk.alive()) {
      throw new IOException("Lstor of " + disk.id + " is not served");
    }
    return List.copyOf(disk.frames.get(frameIndex).rows.values());
  }

  @Override
  public List<SlotEntry> entries(PeerAddress peer, String storageId, OptionalLong superchunkId)
      throws IOException {
    if (!alive(storageId)) {
      throw new IOException("Storage " + storageId + " is not served");
    }
    return framesOn(storageId).stream()
        .filter(f -> superchunkId.isEmpty() || f.isIn(superchunkId.getAsLong()))
        .flatMap(f -> f.rows.values().stream())
        .toList();
  }

  @Override
  public List<SlotEntry> findRows(PeerAddress peer, String storageId, List<Long> blockIds)
      throws IOException {
    return entries(peer, storageId, OptionalLong.empty()).stream()
        .filter(row -> blockIds.contains(row.blockId()))
        .toList();
  }

  /** What a DataNode does in the background is done at once. */
  @Override
  public List<Long> cover(
      PeerAddress peer, String storageId, SuperchunkRef superchunk, List<Long> blockIds)
      throws IOException {
    if (!alive(storageId)) {
      throw new IOException("Storage " + storageId + " is not served");
    }
    SimFrame frame =
        framesOn(storageId).stream()
            .filter(f -> f.isIn(superchunk.superchunkId()))
            .filter(f -> f.pairing.orElseThrow().epoch() == superchunk.epoch())
            .findFirst()
            .orElseThrow(() -> new IOException("No frame of " + storageId + " in " + superchunk));
    List<Long> taken = new ArrayList<>();
    for (long blockId : blockIds) {
      Optional<SimFrame> has = frameWith(storageId, blockId);
      if (has.isEmpty() && blocks.getOrDefault(blockId, Set.of()).contains(storageId)) {
        frame.put(blockId);
        has = Optional.of(frame);
      }
      if (has.filter(f -> f == frame).isPresent()) {
        taken.add(blockId);
      }
    }
    return taken;
  }

  // ---------------------------------------------------------------- judging

  boolean hasReplica(long blockId) {
    return blocks.get(blockId).stream().anyMatch(this::alive);
  }

  private boolean hasBothSides(long id, Predicate<String> counts) {
    List<SimFrame> sides =
        blocks.get(id).stream()
            .filter(counts)
            .filter(storage -> !stale.contains(id + "@" + storage))
            .flatMap(storage -> frameWith(storage, id).stream())
            .toList();
    return sides.stream().anyMatch(a -> sides.stream().anyMatch(b -> areMirrors(a, b)));
  }

  /**
   * Blocks whose live replicas do not have their rows in exactly the two frames of one pair, as the
   * durable records say, without the manager.
   */
  List<String> misplaced() {
    List<String> wrong = new ArrayList<>();
    blocks.forEach(
        (id, where) -> {
          List<String> live =
              where.stream().filter(this::alive).sorted(Comparator.naturalOrder()).toList();
          if (live.size() != 2 || !hasBothSides(id, this::alive)) {
            wrong.add(
                "block "
                    + id
                    + " on "
                    + live.stream()
                        .map(s -> s + " " + frameWith(s, id).map(f -> f.pairing))
                        .toList());
          }
        });
    return wrong;
  }
}
