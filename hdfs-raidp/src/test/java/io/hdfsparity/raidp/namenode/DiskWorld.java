/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.config.Coefficients;
import io.hdfsparity.raidp.config.ManagerOptions;
import io.hdfsparity.raidp.lstor.Run;
import io.hdfsparity.raidp.lstor.SlotCoverage;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.lstor.SlotStatus;
import io.hdfsparity.raidp.wire.RaidpPeerProtocol;
import io.hdfsparity.raidp.wire.message.DiskState;
import io.hdfsparity.raidp.wire.message.FrameReport;
import io.hdfsparity.raidp.wire.message.Pairing;
import io.hdfsparity.raidp.wire.message.PeerAddress;
import io.hdfsparity.raidp.wire.message.ScrubReport;
import io.hdfsparity.raidp.wire.message.ScrubRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.Address;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.Mark;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.Node;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.StoredBlock;

/**
 * Disks that are volumes, each on a node of its own: A, B and C share a superchunk two by two (AB
 * is 1, AC is 2, BC is 3), and D has spare frames. The node of A is nA.
 */
final class DiskWorld implements Namespace, FsckPeers, RowFinder {
  static final long AB = 1;
  static final long AC = 2;
  static final long BC = 3;
  static final long BLOCK_BYTES = 100;
  private static final int FRAMES = 3;

  final SuperchunkMap map =
      new SuperchunkMap(new ManagerOptions.Silence(10_000, 60_000), Coefficients.THREE, 0);
  final Map<String, Map<Integer, Pairing>> frames = new TreeMap<>();
  final Map<String, DiskState> states = new HashMap<>();
  final Map<String, Map<Long, SlotEntry>> rows = new HashMap<>();
  final Map<Long, Set<String>> blocks = new TreeMap<>();
  final Set<String> silent = new HashSet<>();
  final List<String> listed = new ArrayList<>();
  final List<String> givenUp = new ArrayList<>();

  /** Marked replicas: block@storage. */
  final Set<String> marked = new HashSet<>();

  /** What happens when HDFS is made to give up a replica. */
  Runnable onGiveUp = () -> {};

  final List<Long> lookedAt = new ArrayList<>();

  DiskWorld() {
    for (String volume : List.of("A", "B", "C", "D")) {
      frames.put(volume, new TreeMap<>());
      rows.put(volume, new TreeMap<>());
    }
    pair(AB, 5, "A", 0, "B", 0);
    pair(AC, 5, "A", 1, "C", 0);
    pair(BC, 5, "B", 1, "C", 1);
    report();
  }

  static String node(String volume) {
    return "n" + volume;
  }

  void pair(long superchunk, long epoch, String one, int index, String other, int otherIndex) {
    frames.get(one).put(index, new Pairing(superchunk, epoch, other, node(other), 1));
    frames.get(other).put(otherIndex, new Pairing(superchunk, epoch, one, node(one), 2));
  }

  void fail(String volume) {
    states.put(volume, DiskState.DISK_FAILED);
    report();
  }

  void report() {
    frames.forEach(
        (volume, pairings) -> {
          FrameReport[] reports = new FrameReport[FRAMES];
          for (int i = 0; i < FRAMES; i++) {
            reports[i] = frame(volume, i, pairings.get(i));
          }
          map.report(
              Reports.node(node(volume), states.getOrDefault(volume, DiskState.OK), reports), 0);
        });
  }

  private FrameReport frame(String volume, int index, Pairing pairing) {
    int live =
        (int)
            rows.get(volume).values().stream()
                .filter(row -> row.frameIndex() == index && row.state() == SlotState.LIVE)
                .count();
    return new FrameReport(
        volume,
        index,
        Optional.ofNullable(pairing),
        new FrameReport.Load(Reports.FREE_UNITS, 0, live, 0, 0),
        false);
  }

  ClusterView view() {
    return map.view();
  }

  SuperchunkView superchunk(long id) {
    return view().superchunks().get(id);
  }

  /** A block with replicas on volumes, and on each of them a row in the frame of a superchunk. */
  void write(long blockId, long superchunk, String... volumes) {
    blocks.put(blockId, new TreeSet<>(List.of(volumes)));
    for (String volume : volumes) {
      putRow(blockId, superchunk, volume, SlotState.LIVE);
    }
  }

  void putRow(long blockId, long superchunk, String volume, SlotState state) {
    putRow(blockId, superchunk, volume, BLOCK_BYTES, new SlotStatus(state, false, false));
  }

  void putRow(long blockId, long superchunk, String volume, long coveredBytes, SlotStatus status) {
    int index =
        frames.get(volume).entrySet().stream()
            .filter(frame -> frame.getValue().superchunkId() == superchunk)
            .map(Map.Entry::getKey)
            .findFirst()
            .orElseThrow();
    rows.get(volume)
        .put(
            blockId,
            new SlotEntry(
                index,
                blockId,
                1,
                List.of(new Run((int) blockId, 1)),
                new SlotCoverage(coveredBytes, true, 2, 512, 1),
                status));
  }

  @Override
  public List<SlotEntry> entries(PeerAddress peer, String storageId, OptionalLong superchunkId)
      throws IOException {
    listed.add(storageId + (superchunkId.isPresent() ? "/" + superchunkId.getAsLong() : ""));
    if (silent.contains(peer.nodeUuid()) || states.containsKey(storageId)) {
      throw new IOException("node " + peer.nodeUuid() + " does not answer");
    }
    return rows.get(storageId).values().stream()
        .filter(
            row ->
                superchunkId.isEmpty()
                    || frames.get(storageId).get(row.frameIndex()).superchunkId()
                        == superchunkId.getAsLong())
        .toList();
  }

  /** Notes how many blocks a volume was asked for. */
  @Override
  public List<SlotEntry> findRows(PeerAddress peer, String storageId, List<Long> blockIds)
      throws IOException {
    if (blockIds.size() > RaidpPeerProtocol.MAX_BLOCKS) {
      throw new AssertionError("too many blocks: " + blockIds.size());
    }
    listed.add(storageId + ":" + blockIds.size());
    if (silent.contains(peer.nodeUuid()) || states.containsKey(storageId)) {
      throw new IOException("node " + peer.nodeUuid() + " does not answer");
    }
    Map<Long, SlotEntry> table = rows.get(storageId);
    return blockIds.stream().filter(table::containsKey).map(table::get).toList();
  }

  @Override
  public ScrubReport scrub(PeerAddress peer, ScrubRequest request) {
    return new ScrubReport(0, 0, 0, List.of());
  }

  @Override
  public String blockPoolId() {
    return "BP";
  }

  @Override
  public List<Node> nodes() {
    return frames.keySet().stream()
        .map(
            volume ->
                new Node(
                    node(volume),
                    new Address(node(volume), "10.0.0.1", 1, 2),
                    "/r",
                    true,
                    "NORMAL",
                    List.of()))
        .toList();
  }

  @Override
  public List<StoredBlock> blocks(String nodeUuid, String storageId) {
    return blocks.entrySet().stream()
        .filter(block -> block.getValue().contains(storageId))
        .map(block -> block(block.getKey()).orElseThrow())
        .toList();
  }

  @Override
  public Optional<StoredBlock> block(long blockId) {
    return blocks.containsKey(blockId) ? Optional.of(block(blockId, true)) : Optional.empty();
  }

  /** A block as HDFS has it. */
  StoredBlock block(long blockId, boolean isComplete) {
    Set<String> where = blocks.get(blockId);
    return new StoredBlock(
        blockId,
        1,
        BLOCK_BYTES,
        isComplete,
        (int) where.stream().filter(volume -> !states.containsKey(volume)).count(),
        where.stream()
            .filter(volume -> marked.contains(blockId + "@" + volume))
            .map(volume -> new Mark(volume, true))
            .toList(),
        2,
        List.copyOf(where));
  }

  @Override
  public boolean giveUp(StoredBlock block, String strayStorageId) {
    givenUp.add(block.blockId() + "@" + strayStorageId);
    blocks.get(block.blockId()).remove(strayStorageId);
    onGiveUp.run();
    return true;
  }

  @Override
  public long blocksWithoutReplica() {
    return 0;
  }

  @Override
  public List<StoredBlock> blocksWithOldReplica(int limit) {
    return List.of();
  }

  @Override
  public boolean hasLookedAtAllBlocks() {
    return true;
  }

  @Override
  public boolean isProtected(String path) {
    return true;
  }

  @Override
  public void lookAgain(Collection<Long> blockIds) {
    lookedAt.addAll(blockIds);
  }
}
