/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.adoption;

import io.hdfsparity.raidp.adoption.AdoptionCluster.CopyStart;
import io.hdfsparity.raidp.layout.BalanceSpec;
import io.hdfsparity.raidp.layout.BalanceSpec.BalanceDisk;
import io.hdfsparity.raidp.layout.BalanceSpec.BalanceSuperchunk;
import io.hdfsparity.raidp.layout.DiskId;
import io.hdfsparity.raidp.layout.NodeId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;

/**
 * A cluster for a balance: disks s0, s1, ... of a node each, all of which share a superchunk.
 * Copies, coverage, acknowledgements and deletions take their time; nodes and copies fail.
 */
final class SimBalance implements BalanceCluster {
  static final long UNIT = 1 << 10;
  private static final int ROOM_UNITS = 200;

  /** A block and where it is. */
  static final class SimBlock {
    final long id;
    long stamp = 1;
    long bytes;
    boolean settled = true;

    /** Replicas, and whether each is acknowledged in its superchunk. */
    final Map<String, Boolean> rows = new TreeMap<>();

    /** Superchunk of each row. */
    final Map<String, Long> superchunkOf = new HashMap<>();

    SimBlock(long id, long bytes) {
      this.id = id;
      this.bytes = bytes;
    }
  }

  final Random random;
  final int disks;
  final Map<Long, SharedSuperchunk> superchunks = new LinkedHashMap<>();
  final Map<Long, SimBlock> blocks = new TreeMap<>();
  final Map<Long, SharedSuperchunk> moving = new HashMap<>();
  final Map<Long, SharedSuperchunk> home = new HashMap<>();
  final Set<Long> leftBlocks = new TreeSet<>();
  final List<String> wrongs = new ArrayList<>();
  private final Map<Long, String> copies = new HashMap<>();

  /** How many promises of room were renewed, by side; to be cleared before each round. */
  final Map<String, Integer> renewed = new HashMap<>();

  private final Set<String> silent = new HashSet<>();
  boolean failing;
  long copiedBytes;

  /** What is reported whatever moves; empty: how it is. */
  Optional<BalanceSpec> stuckSpec = Optional.empty();

  /**
   * So many questions about the row of a block on a new side are answered by one that may come, or
   * by that of a replica that was deleted there.
   */
  int vainQuestions;

  private final Map<String, Integer> questions = new HashMap<>();

  /** Superchunks that get no new blocks, and storages of silent nodes. */
  final Set<Long> unusable = new HashSet<>();

  final Set<String> silentNodes = new HashSet<>();
  final Map<String, Long> askedMs = new HashMap<>();
  LongSupplier clockMs = () -> 0;

  /** Runs in each call that asks for a block, and in each that asks for rows. */
  Runnable looking = () -> {};

  Runnable answering = () -> {};
  int looks;

  SimBalance(Random random, int disks) {
    this.random = random;
    this.disks = disks;
    for (int a = 0; a < disks; a++) {
      for (int b = a + 1; b < disks; b++) {
        long id = superchunks.size() + 1;
        superchunks.put(id, new SharedSuperchunk(id, 1, "s" + a, "s" + b));
      }
    }
  }

  /** Puts a block into a superchunk of the first so many disks. */
  void write(long id, int among) {
    write(id, among, random.nextInt(3) == 0 ? 1 + random.nextInt(64) : 1 + random.nextInt(4 << 10));
  }

  void write(long id, int among, long bytes) {
    List<SharedSuperchunk> all =
        superchunks.values().stream()
            .filter(each -> each.sides().stream().allMatch(side -> number(side) < among))
            .toList();
    SimBlock block = new SimBlock(id, bytes);
    SharedSuperchunk chosen = all.get(random.nextInt(all.size()));
    blocks.put(id, block);
    home.put(id, chosen);
    chosen.sides().forEach(side -> add(block, side, chosen, true));
  }

  private static int number(String storageId) {
    return Integer.parseInt(storageId.substring(1));
  }

  private static void add(SimBlock block, String side, SharedSuperchunk to, boolean acknowledged) {
    block.rows.put(side, acknowledged);
    block.superchunkOf.put(side, to.id());
  }

  /** A second passes. */
  void step() {
    silent.clear();
    if (failing && random.nextInt(4) == 0) {
      silent.add("s" + random.nextInt(disks));
    }
    for (Long id : List.copyOf(copies.keySet())) {
      if (random.nextBoolean()) {
        String target = copies.remove(id);
        SimBlock block = blocks.get(id);
        SharedSuperchunk to = moving.getOrDefault(id, home.get(id));
        if (block != null && to.sides().contains(target) && !(failing && random.nextInt(5) == 0)) {
          add(block, target, to, false);
          copiedBytes += block.bytes;
        }
      }
    }
    for (SimBlock block : blocks.values()) {
      for (SharedSuperchunk each : of(block)) {
        if (each.sides().stream().allMatch(side -> isIn(block, side, each))
            && random.nextBoolean()) {
          each.sides().forEach(side -> block.rows.put(side, true));
        }
      }
      // What HDFS does with replicas outside a whole superchunk, unless it has to wait.
      SharedSuperchunk its = home.get(block.id);
      if (!moving.containsKey(block.id)
          && block.rows.size() > 2
          && its.sides().stream().allMatch(side -> isIn(block, side, its))
          && random.nextBoolean()) {
        block.rows.keySet().removeIf(side -> !its.sides().contains(side));
        block.superchunkOf.keySet().retainAll(block.rows.keySet());
      }
      checkCovered(block);
    }
  }

  /** A copy of an earlier run comes to a side of another superchunk than the one it goes to now. */
  void comesLate(long id, String side, SharedSuperchunk to) {
    copies.remove(id);
    add(blocks.get(id), side, to, false);
  }

  /** Superchunks in which a block has a row. */
  private List<SharedSuperchunk> of(SimBlock block) {
    return block.superchunkOf.values().stream().distinct().map(superchunks::get).toList();
  }

  private static boolean isIn(SimBlock block, String side, SharedSuperchunk superchunk) {
    return block.rows.containsKey(side) && block.superchunkOf.get(side) == superchunk.id();
  }

  /** Two replicas that are covered, and know so of each other. */
  private void checkCovered(SimBlock block) {
    boolean whole =
        of(block).stream()
            .anyMatch(
                each ->
                    each.sides().stream()
                        .allMatch(side -> isIn(block, side, each) && block.rows.get(side)));
    if (!whole) {
      wrongs.add("block " + block.id + " is whole nowhere: " + block.rows);
    }
  }

  @Override
  public BalanceSpec spec(double thresholdPercent) {
    if (stuckSpec.isPresent()) {
      return stuckSpec.get();
    }
    Map<String, Long> used = new TreeMap<>();
    Map<Long, Long> of = new HashMap<>();
    for (SimBlock block : blocks.values()) {
      long taken = (block.bytes + UNIT - 1) / UNIT * UNIT;
      block.rows.keySet().forEach(side -> used.merge(side, taken, Long::sum));
      Set.copyOf(block.superchunkOf.values()).forEach(id -> of.merge(id, taken, Long::sum));
    }
    List<BalanceDisk> all = new ArrayList<>();
    for (int i = 0; i < disks; i++) {
      all.add(
          new BalanceDisk(
              new DiskId("s" + i),
              new NodeId("n" + i),
              "DISK",
              (disks - 1) * ROOM_UNITS * UNIT,
              used.getOrDefault("s" + i, 0L)));
    }
    return new BalanceSpec(
        all,
        superchunks.values().stream()
            .map(
                each ->
                    new BalanceSuperchunk(
                        each.id(),
                        new DiskId(each.leaderStorageId()),
                        new DiskId(each.followerStorageId()),
                        of.getOrDefault(each.id(), 0L),
                        Math.max(0, ROOM_UNITS * UNIT - of.getOrDefault(each.id(), 0L))))
            .toList(),
        thresholdPercent,
        UNIT);
  }

  @Override
  public long unitBytes() {
    return UNIT;
  }

  @Override
  public boolean mayTakeOver(SharedSuperchunk to) {
    return !unusable.contains(to.id()) && to.sides().stream().noneMatch(silentNodes::contains);
  }

  @Override
  public Optional<SharedSuperchunk> active(long superchunkId) {
    return Optional.ofNullable(superchunks.get(superchunkId));
  }

  @Override
  public List<BlockRow> rowsOf(SharedSuperchunk superchunk) throws IOException {
    requireAnswer(superchunk.leaderStorageId());
    return blocks.values().stream()
        .filter(block -> isIn(block, superchunk.leaderStorageId(), superchunk))
        .map(block -> row(block, superchunk.leaderStorageId()))
        .toList();
  }

  private static BlockRow row(SimBlock block, String side) {
    return new BlockRow(
        block.id,
        side,
        block.superchunkOf.get(side),
        1,
        block.stamp,
        block.bytes,
        block.rows.get(side),
        false);
  }

  private void requireAnswer(String storageId) throws IOException {
    if (silent.contains(storageId)) {
      throw new IOException(storageId + " does not answer");
    }
  }

  @Override
  public List<BlockRow> findRows(String storageId, List<Long> blockIds) throws IOException {
    long nowMs = clockMs.getAsLong();
    answering.run();
    requireAnswer(storageId);
    blockIds.forEach(id -> askedMs.put(id + "@" + storageId, nowMs));
    return blockIds.stream()
        .map(blocks::get)
        .filter(block -> block != null && block.rows.containsKey(storageId))
        .map(
            block ->
                isRowToCome(block, storageId) ? toCome(block, storageId) : row(block, storageId))
        .toList();
  }

  /** For the first few questions about a new side. */
  private boolean isRowToCome(SimBlock block, String storageId) {
    return !home.get(block.id).sides().contains(storageId)
        && questions.merge(block.id + "@" + storageId, 1, Integer::sum) <= vainQuestions;
  }

  private BlockRow toCome(SimBlock block, String storageId) {
    return random.nextBoolean()
        ? new BlockRow(block.id, storageId, BlockRow.NOT_KNOWN, 0, 0, 0, false, false)
        : new BlockRow(block.id, storageId, 1 + disks, 1, block.stamp, block.bytes, false, true);
  }

  @Override
  public Optional<Replicas> block(long blockId) {
    looks++;
    looking.run();
    return Optional.ofNullable(blocks.get(blockId))
        .map(
            block ->
                new Replicas(
                    block.stamp,
                    block.bytes,
                    block.settled,
                    block.rows.size(),
                    List.copyOf(block.rows.keySet())));
  }

  @Override
  public boolean promise(SharedSuperchunk superchunk, long lengthBytes) {
    return true;
  }

  @Override
  public void renew(SharedSuperchunk superchunk, String storageId, int count) {
    if (renewed.put(storageId + " in " + superchunk.id(), count) != null) {
      wrongs.add("room on " + storageId + " in " + superchunk + " is renewed twice at a time");
    }
  }

  /** Blocks that are being copied, by sides of superchunks that they have yet to come to. */
  Map<String, Integer> toCome() {
    Map<String, Integer> toCome = new HashMap<>();
    for (long id : copies.keySet()) {
      SharedSuperchunk to = moving.get(id);
      for (String side : to.sides()) {
        if (!blocks.get(id).rows.containsKey(side)) {
          toCome.merge(side + " in " + to.id(), 1, Integer::sum);
        }
      }
    }
    return toCome;
  }

  @Override
  public CopyStart copy(long blockId, long generationStamp, CopyPlan plan) {
    SimBlock block = blocks.get(blockId);
    if (!moving.containsKey(blockId)) {
      wrongs.add("block " + blockId + " is copied, and HDFS may delete the copy");
    }
    if (block == null
        || block.stamp != generationStamp
        || block.rows.containsKey(plan.farStorageId())) {
      return CopyStart.REFUSED;
    }
    if (failing && random.nextInt(3) == 0) {
      return CopyStart.BUSY;
    }
    copies.put(blockId, plan.farStorageId());
    return CopyStart.BEGUN;
  }

  @Override
  public boolean isCopying(long blockId) {
    return copies.containsKey(blockId);
  }

  @Override
  public void moves(long blockId, SharedSuperchunk to) {
    moving.put(blockId, to);
  }

  @Override
  public void moved(long blockId, SharedSuperchunk to) {
    SimBlock block = blocks.get(blockId);
    if (to.sides().stream().anyMatch(side -> !isIn(block, side, to) || !block.rows.get(side))) {
      wrongs.add("block " + blockId + " moves to " + to + " and is not covered: " + block.rows);
    }
    for (String side : to.sides()) {
      if (clockMs.getAsLong() - askedMs.getOrDefault(blockId + "@" + side, -100_000L) > 5_000) {
        wrongs.add("block " + blockId + " moves by an old answer of " + side);
      }
    }
    if (!mayTakeOver(to)) {
      wrongs.add("block " + blockId + " moves to " + to + ", a side of which may be gone");
    }
    moving.remove(blockId);
    home.put(blockId, to);
  }

  @Override
  public void left(long blockId, SharedSuperchunk from) {
    if (blocks.containsKey(blockId) && !home.get(blockId).equals(from)) {
      wrongs.add("block " + blockId + " is left in " + from);
    }
    moving.remove(blockId);
    leftBlocks.add(blockId);
  }
}
