/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.bridge.namenode.PairPlacement.PlacementRefusedException;
import io.hdfsparity.bridge.namenode.PairPlacement.Target;
import io.hdfsparity.raidp.config.Coefficients;
import io.hdfsparity.raidp.config.LockGranularity;
import io.hdfsparity.raidp.config.ManagerOptions;
import io.hdfsparity.raidp.config.RebuildPace;
import io.hdfsparity.raidp.lstor.LstorGeometry;
import io.hdfsparity.raidp.lstor.Run;
import io.hdfsparity.raidp.lstor.SlotCoverage;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.lstor.SlotStatus;
import io.hdfsparity.raidp.wire.message.DiskReport;
import io.hdfsparity.raidp.wire.message.DiskState;
import io.hdfsparity.raidp.wire.message.ExpectedBlock;
import io.hdfsparity.raidp.wire.message.FrameReport;
import io.hdfsparity.raidp.wire.message.LstorReport;
import io.hdfsparity.raidp.wire.message.NodeIdentity;
import io.hdfsparity.raidp.wire.message.NodeReport;
import io.hdfsparity.raidp.wire.message.NodeReportResponse;
import io.hdfsparity.raidp.wire.message.Pairing;
import io.hdfsparity.raidp.wire.message.PeerAddress;
import io.hdfsparity.raidp.wire.message.RebuildCounts;
import io.hdfsparity.raidp.wire.message.RebuildOrder;
import io.hdfsparity.raidp.wire.message.RebuildPhase;
import io.hdfsparity.raidp.wire.message.RebuildStatus;
import java.io.IOException;
import java.util.ArrayList;
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
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.Address;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.Node;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.StoredBlock;

/**
 * DataNodes, Lstor daemons and a NameNode that behave as the real ones do, in memory and one step
 * at a time, around the manager under test: agents store assignments durably and report, receivers
 * rebuild, HDFS re-replicates to the partner.
 */
final class SimCluster implements Namespace, LstorTables, FrameRows {
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

    SimFrame(SimDisk disk, int index) {
      this.disk = disk;
      this.index = index;
      this.storageId = "DS-" + disk.id + "-f" + index;
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

    SimDisk(SimNode node, int index, int frameCount) {
      this.node = node;
      this.id = node.uuid + "-d" + index;
      for (int f = 0; f < frameCount; f++) {
        frames.add(new SimFrame(this, f));
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
    long incarnation = 1;
    String adminState = "NORMAL";
    final Map<Long, RebuildOrder> orders = new TreeMap<>();
    final Map<Long, RebuildStatus> statuses = new TreeMap<>();

    SimNode(int index, int racks, int diskCount, int frameCount) {
      uuid = String.format("n%02d", index);
      rack = "/r" + index % racks;
      for (int d = 0; d < diskCount; d++) {
        disks.add(new SimDisk(this, d, frameCount));
      }
    }
  }

  final Random random;
  final List<SimNode> nodes = new ArrayList<>();
  final Map<Long, Set<String>> blocks = new TreeMap<>();
  final Set<String> givenUp = new HashSet<>();
  final Set<Long> undecodable = new HashSet<>();
  long nowMs = 1_000_000;
  long nextBlock = 1;
  ManagerState manager;
  NodeReports reports;

  SimCluster(Random random, int nodeCount, int racks, int disks, int frames) {
    this.random = random;
    for (int n = 0; n < nodeCount; n++) {
      nodes.add(new SimNode(n, racks, disks, frames));
    }
    restartManager();
  }

  static ManagerOptions options() {
    return new ManagerOptions(
        UNIT_BYTES,
        128L << 20,
        1000,
        1000,
        60_000,
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
    manager = new ManagerState(options(), this, this, this, roster, () -> nowMs, () -> random);
    reports =
        new NodeReports(
            manager.map(),
            roster,
            this::registered,
            manager.grants(),
            manager.recovery(),
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

  SimFrame frame(String storageId) {
    return frames().stream().filter(f -> f.storageId.equals(storageId)).findFirst().orElseThrow();
  }

  boolean alive(String storageId) {
    return frame(storageId).disk.alive();
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
    manager.map().advance(nowMs);
    replicate();
    manager.recovery().tick(nowMs);
  }

  void steps(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      step();
    }
  }

  void reportNode(SimNode node) throws IOException {
    NodeReportResponse response = reports.reportNode(nodeReport(node));
    // A crash of the agent between answer and disk is as good as a lost answer.
    if (random.nextInt(10) == 0) {
      return;
    }
    response
        .assignments()
        .forEach(
            a -> {
              SimFrame frame = frame(a.storageId());
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
        .failDiskIds()
        .forEach(
            id -> node.disks.stream().filter(d -> d.id.equals(id)).forEach(d -> d.failed = true));
    response.rebuilds().forEach(o -> node.orders.putIfAbsent(o.rebuildId(), o));
    node.orders.values().forEach(o -> rebuildSome(node, o));
  }

  NodeReport nodeReport(SimNode node) {
    List<DiskReport> disks = new ArrayList<>();
    for (SimDisk disk : node.disks) {
      disks.add(
          new DiskReport(
              disk.id,
              "/" + disk.id,
              disk.failed ? DiskState.DISK_FAILED : DiskState.OK,
              Optional.of(LstorGeometry.of(disk.frames.size(), UNITS, UNIT_BYTES)),
              disk.frames.stream().map(f -> frameReport(f, disk.failed)).toList(),
              disk.failed ? Optional.of("simulated") : Optional.empty()));
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
        Optional.empty());
  }

  /** Installs a few of the expected blocks, those that can be decoded. */
  private void rebuildSome(SimNode node, RebuildOrder order) {
    SimFrame target = frame(order.targetStorageId());
    if (!target.disk.alive()) {
      return;
    }
    List<String> errors = new ArrayList<>();
    int done = 0;
    int budget = 1 + random.nextInt(3);
    for (ExpectedBlock b : order.expected()) {
      boolean decodable =
          order.sources().stream()
                  .filter(s -> !s.lostStorageId().isEmpty())
                  .anyMatch(s -> frame(s.lostStorageId()).rows.containsKey(b.blockId()))
              && !undecodable.contains(b.blockId());
      if (target.rows.containsKey(b.blockId())) {
        done++;
      } else if (!decodable) {
        errors.add("block " + b.blockId() + " cannot be decoded");
      } else if (budget-- > 0) {
        target.put(b.blockId());
        blocks.get(b.blockId()).add(target.storageId);
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
            1));
  }

  void restartNode(SimNode node) {
    node.incarnation++;
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
      for (Target t : targets) {
        frame(t.storageId()).put(id);
        where.add(t.storageId());
      }
      blocks.put(id, where);
      return Optional.of(id);
    } catch (PlacementRefusedException e) {
      return Optional.empty();
    }
  }

  /** HDFS' re-replication: only to the partner of a live replica, a few at a time. */
  private void replicate() {
    int budget = 4;
    for (Map.Entry<Long, Set<String>> block : blocks.entrySet()) {
      List<String> live = block.getValue().stream().filter(this::alive).sorted().toList();
      List<String> keep =
          live.stream()
              .filter(
                  s ->
                      frame(s).disk.node.adminState.equals("NORMAL")
                          && !givenUp.contains(block.getKey() + "@" + s))
              .toList();
      Optional<String> target =
          manager
              .superchunks()
              .of(block.getKey(), keep)
              .flatMap(home -> home.lacking(keep))
              .map(Target::storageId)
              .filter(t -> alive(t) && !live.contains(t));
      if (keep.size() < 2 && target.isPresent() && budget-- > 0) {
        frame(target.get()).put(block.getKey());
        block.getValue().add(target.get());
      }
    }
    dropStrays();
  }

  /**
   * Over-replicated blocks lose the replica whose partner has none, as the bridge's policy decides.
   */
  private void dropStrays() {
    for (Map.Entry<Long, Set<String>> block : blocks.entrySet()) {
      List<String> live = block.getValue().stream().filter(this::alive).sorted().toList();
      if (live.size() > 2) {
        live.stream()
            .filter(
                s ->
                    manager
                        .chooser()
                        .partnerOf(s)
                        .map(Target::storageId)
                        .filter(live::contains)
                        .isEmpty())
            .findFirst()
            .ifPresent(
                stray -> {
                  block.getValue().remove(stray);
                  frame(stray).rows.remove(block.getKey());
                });
      }
    }
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
                    n.up,
                    n.adminState,
                    List.of()))
        .toList();
  }

  @Override
  public List<StoredBlock> blocks(String nodeUuid, String storageId) {
    return blocks.entrySet().stream()
        .filter(e -> e.getValue().contains(storageId))
        .map(e -> stored(e.getKey()))
        .toList();
  }

  @Override
  public boolean giveUp(StoredBlock block, String strayStorageId) {
    return givenUp.add(block.blockId() + "@" + strayStorageId);
  }

  @Override
  public Optional<StoredBlock> block(long blockId) {
    return blocks.containsKey(blockId) ? Optional.of(stored(blockId)) : Optional.empty();
  }

  private StoredBlock stored(long id) {
    List<String> where = blocks.get(id).stream().sorted().toList();
    return new StoredBlock(
        id, 1, BLOCK_BYTES, true, (int) where.stream().filter(this::alive).count(), 0, 2, where);
  }

  @Override
  public List<SlotEntry> entries(LstorReport lstor, int frameIndex) throws IOException {
    SimDisk disk =
        disks().stream().filter(d -> d.id.equals(lstor.diskId())).findFirst().orElseThrow();
    if (!disk.lstorDaemonUp || disk.alive()) {
      throw new IOException("Lstor of " + disk.id + " is not served");
    }
    return List.copyOf(disk.frames.get(frameIndex).rows.values());
  }

  @Override
  public List<SlotEntry> entries(PeerAddress peer, String storageId, OptionalLong superchunkId)
      throws IOException {
    SimFrame frame = frame(storageId);
    if (!frame.disk.alive()) {
      throw new IOException("Storage " + storageId + " is not served");
    }
    return List.copyOf(frame.rows.values());
  }

  // ---------------------------------------------------------------- judging

  /** Superchunk of each live frame as the durable records say, without the manager. */
  Map<String, String> partners() {
    Map<String, String> partners = new HashMap<>();
    frames().stream()
        .filter(f -> f.disk.alive())
        .forEach(f -> f.pairing.ifPresent(p -> partners.put(f.storageId, p.partnerStorageId())));
    return partners;
  }

  /** Blocks whose live replicas are not exactly the two frames of one pair. */
  List<String> misplaced() {
    Map<String, String> partners = partners();
    List<String> wrong = new ArrayList<>();
    blocks.forEach(
        (id, where) -> {
          List<String> live =
              where.stream().filter(this::alive).sorted(Comparator.naturalOrder()).toList();
          boolean right =
              live.size() == 2
                  && live.get(1).equals(partners.get(live.get(0)))
                  && live.get(0).equals(partners.get(live.get(1)));
          if (!right) {
            wrong.add(
                "block "
                    + id
                    + " on "
                    + live.stream().map(f -> f + " " + frame(f).pairing).toList());
          }
        });
    return wrong;
  }
}
