/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.adoption;

import io.hdfsparity.raidp.adoption.AdoptableFile.AdoptableBlock;
import io.hdfsparity.raidp.adoption.AdoptableFile.Trait;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * A cluster in memory, as simple as can be: any two storages of a set share a superchunk, rows grow
 * as time goes by, calls are lost, nodes go away and forget what they have not stored. It judges
 * each lowering by its own tables.
 */
final class SimAdoption implements AdoptionCluster {
  static final long UNIT = 1 << 20;
  private final Random random;
  final Map<Long, SimFile> files = new TreeMap<>();
  final Map<String, Map<Long, SimRow>> rows = new HashMap<>();
  final Set<String> away = new HashSet<>();

  /** Blocks that may lack a side, as the run has reported. */
  final Set<Long> reported = new HashSet<>();

  /** Taken in, and forgotten in a crash. */
  private final Map<String, Map<Long, Long>> claims = new HashMap<>();

  private final Map<Long, Integer> room = new HashMap<>();
  private final int storages;
  private final int shared;
  private final List<Long> order = new ArrayList<>();
  private long nextBlock = 1;
  private long nextStamp = 1000;

  /** Copies under way, and how many times they may still be waited for. */
  private final Map<Long, SimCopy> copies = new HashMap<>();

  /** Each storage shares superchunks with its two neighbours only. */
  boolean ring;

  /** Runs when a storage is asked for rows. */
  Runnable asked = () -> {};

  /** Of copies that are over, as many fail, or leave a replica without a row. */
  double failing;

  /** Of copies under way, as many are over a second later. */
  double arriving = 0.3;

  double lost;
  int begun;
  int maxUnderWay;
  int lowered;
  int covers;
  String wrong = "";

  static final class SimFile {
    final long inode;
    int replication = 3;
    boolean open;
    boolean isProtected = true;
    boolean held;
    boolean deleted;
    final List<SimBlock> blocks = new ArrayList<>();

    SimFile(long inode) {
      this.inode = inode;
    }
  }

  static final class SimBlock {
    final long id;
    long stamp;
    long length;
    final Set<String> replicas = new HashSet<>();

    SimBlock(long id, long stamp, long length) {
      this.id = id;
      this.stamp = stamp;
      this.length = length;
    }
  }

  private static final class SimCopy {
    final SimBlock block;
    final SimFile file;
    final long stamp;
    final CopyPlan plan;
    int patience = 20;

    SimCopy(SimFile file, SimBlock block, CopyPlan plan) {
      this.file = file;
      this.block = block;
      this.stamp = block.stamp;
      this.plan = plan;
    }
  }

  static final class SimRow {
    final long superchunk;
    long stamp;
    long covered;
    boolean whole;

    SimRow(long superchunk) {
      this.superchunk = superchunk;
    }
  }

  /**
   * @param shared of all storages, as many share superchunks with each other
   */
  SimAdoption(Random random, int storages, int shared) {
    this.random = random;
    this.storages = storages;
    this.shared = shared;
    for (int i = 0; i < storages; i++) {
      rows.put(name(i), new HashMap<>());
      claims.put(name(i), new HashMap<>());
    }
  }

  private static String name(int storage) {
    return "s" + storage;
  }

  void addFile(int blocks) {
    SimFile file = new SimFile(order.size() + 1);
    for (int i = 0; i < blocks; i++) {
      SimBlock block = new SimBlock(nextBlock++, nextStamp++, 1 + random.nextInt((int) UNIT * 3));
      while (block.replicas.size() < 3) {
        block.replicas.add(name(random.nextInt(storages)));
      }
      file.blocks.add(block);
    }
    files.put(file.inode, file);
    order.add(file.inode);
  }

  // ------------------------------------------------------------------ time and events

  void pass() {
    for (SimCopy copy : List.copyOf(copies.values())) {
      if (copy.file.deleted || copy.block.stamp != copy.stamp || copy.patience-- == 0) {
        copies.remove(copy.block.id);
      } else if (!away.contains(copy.plan.farStorageId()) && random.nextDouble() < arriving) {
        copies.remove(copy.block.id);
        arrive(copy);
      }
    }
    for (Map.Entry<String, Map<Long, Long>> each : claims.entrySet()) {
      if (!away.contains(each.getKey()) && random.nextBoolean()) {
        each.getValue()
            .forEach((id, superchunk) -> rows.get(each.getKey()).put(id, new SimRow(superchunk)));
        each.getValue().clear();
      }
    }
    for (SimFile file : files.values()) {
      for (SimBlock block : file.blocks) {
        for (String storage : block.replicas) {
          SimRow row = rows.get(storage).get(block.id);
          if (row != null && !away.contains(storage) && !file.open) {
            if (random.nextInt(3) == 0) {
              row.stamp = block.stamp;
            }
            row.covered = Math.min(block.length, row.covered + random.nextInt((int) UNIT));
            row.whole =
                row.covered == block.length
                    && isCoveredElsewhere(block, storage, row)
                    && (row.whole || random.nextBoolean());
          }
        }
      }
    }
  }

  private void arrive(SimCopy copy) {
    String far = copy.plan.farStorageId();
    SharedSuperchunk home = copy.plan.superchunk();
    if (random.nextDouble() < failing) {
      return;
    }
    copy.block.replicas.add(far);
    if (random.nextDouble() >= failing) {
      rows.get(far).put(copy.block.id, new SimRow(home.id()));
      // HDFS drops a stranger of four.
      List<String> strangers =
          copy.block.replicas.stream().filter(each -> !home.sides().contains(each)).toList();
      if (copy.block.replicas.size() > 3 && random.nextBoolean()) {
        copy.block.replicas.remove(strangers.get(random.nextInt(strangers.size())));
      }
    }
  }

  private boolean isCoveredElsewhere(SimBlock block, String storage, SimRow row) {
    return block.replicas.stream()
        .filter(other -> !other.equals(storage))
        .map(other -> rows.get(other).get(block.id))
        .anyMatch(
            other ->
                other != null
                    && other.superchunk == row.superchunk
                    && other.covered == block.length);
  }

  void happen() {
    SimFile file = files.get(order.get(random.nextInt(order.size())));
    String storage = name(random.nextInt(storages));
    switch (random.nextInt(10)) {
      case 0 -> append(file);
      case 1 -> {
        file.open = false;
        file.blocks.forEach(this::unsettle);
        // As the recovery of a lease that finds the length as it was.
        file.blocks.stream().limit(1).forEach(block -> block.stamp = nextStamp++);
      }
      case 2 -> file.deleted |= random.nextInt(4) == 0;
      case 3 -> away.add(storage);
      case 4, 5, 6 -> away.remove(storage);
      case 7 -> claims.get(storage).clear();
      case 8 -> file.held ^= random.nextInt(4) == 0;
      default -> {
        lost = random.nextDouble() * 0.3;
        failing = random.nextDouble() * 0.5;
      }
    }
  }

  private void append(SimFile file) {
    if (!file.blocks.isEmpty() && !file.deleted) {
      file.open = true;
      SimBlock last = file.blocks.get(file.blocks.size() - 1);
      last.stamp = nextStamp++;
      last.length += 1 + random.nextInt(1000);
      unsettle(last);
    }
  }

  private void unsettle(SimBlock block) {
    block.replicas.stream()
        .map(storage -> rows.get(storage).get(block.id))
        .filter(row -> row != null && row.covered < block.length)
        .forEach(row -> row.whole = false);
  }

  void calm() {
    away.clear();
    lost = 0;
    failing = 0;
    files.values().forEach(file -> file.open = false);
    files.values().forEach(file -> file.held = false);
  }

  // ------------------------------------------------------------------ what is true

  /** Whether both sides of a superchunk cover a block as it is now. */
  boolean isSettled(SimBlock block) {
    return block.replicas.stream()
            .map(storage -> rows.get(storage).get(block.id))
            .filter(row -> row != null && row.whole)
            .filter(row -> row.covered == block.length && row.stamp == block.stamp)
            .count()
        >= 2;
  }

  boolean isAdoptable(SimFile file) {
    return !file.deleted
        && file.isProtected
        && file.blocks.stream().allMatch(block -> isCoverable(block));
  }

  private boolean isCoverable(SimBlock block) {
    List<String> replicas = List.copyOf(block.replicas);
    return isSettled(block) || areShared(replicas) || copyTarget(replicas, 1).isPresent();
  }

  // ------------------------------------------------------------------ the source

  FileSource source() {
    return new FileSource() {
      private int at;

      @Override
      public List<AdoptableFile> next(int maxBlocks) {
        List<AdoptableFile> next = new ArrayList<>();
        int blocks = 0;
        while (at < order.size() && blocks < maxBlocks) {
          SimFile file = files.get(order.get(at++));
          if (!file.deleted) {
            next.add(view(file));
            blocks += file.blocks.size();
          }
        }
        return next;
      }

      @Override
      public boolean isOver() {
        return at >= order.size();
      }

      @Override
      public Totals count() {
        return Totals.UNKNOWN;
      }

      @Override
      public Optional<AdoptableFile> look(long inodeId) {
        return Optional.of(files.get(inodeId)).filter(file -> !file.deleted).map(f -> view(f));
      }
    };
  }

  private static AdoptableFile view(SimFile file) {
    Set<Trait> traits = EnumSet.noneOf(Trait.class);
    if (file.isProtected) {
      traits.add(Trait.PROTECTED);
    }
    if (file.open) {
      traits.add(Trait.OPEN);
    }
    if (file.held && file.replication > 2) {
      traits.add(Trait.HELD_BY_SNAPSHOT);
    }
    return new AdoptableFile(
        file.inode,
        "/f" + file.inode,
        file.replication,
        file.blocks.stream().mapToLong(block -> block.length).sum(),
        traits,
        file.blocks.stream()
            .map(
                block ->
                    new AdoptableBlock(
                        block.id,
                        block.stamp,
                        block.length,
                        true,
                        List.copyOf(block.replicas),
                        List.of()))
            .toList());
  }

  // ------------------------------------------------------------------ the cluster

  private Optional<SharedSuperchunk> pair(String one, String other) {
    int a = Integer.parseInt(one.substring(1));
    int b = Integer.parseInt(other.substring(1));
    int low = Math.min(a, b);
    int high = Math.max(a, b);
    boolean apart = ring && high - low != 1 && high - low != shared - 1;
    return low == high || high >= shared || apart
        ? Optional.empty()
        : Optional.of(new SharedSuperchunk(1000L * low + high, 1, name(low), name(high)));
  }

  private List<SharedSuperchunk> pairs(List<String> storageIds) {
    return storageIds.stream()
        .flatMap(one -> storageIds.stream().flatMap(other -> pair(one, other).stream()))
        .distinct()
        .toList();
  }

  @Override
  public Optional<SharedSuperchunk> active(long id) {
    return pair(name((int) (id / 1000)), name((int) (id % 1000)));
  }

  @Override
  public boolean areShared(List<String> storageIds) {
    return !pairs(storageIds).isEmpty();
  }

  @Override
  public Optional<SharedSuperchunk> roomiest(List<String> storageIds, long lengthBytes) {
    return pairs(storageIds).stream()
        .filter(pair -> room.getOrDefault(pair.id(), 1000) > 0)
        .findFirst();
  }

  @Override
  public Optional<CopyPlan> copyTarget(List<String> storageIds, long lengthBytes) {
    List<CopyPlan> plans = new ArrayList<>();
    for (String near : storageIds) {
      for (int i = 0; i < storages; i++) {
        if (!storageIds.contains(name(i))) {
          pair(near, name(i))
              .filter(pair -> room.getOrDefault(pair.id(), 1000) > 0)
              .ifPresent(pair -> plans.add(new CopyPlan(pair, near)));
        }
      }
    }
    return plans.isEmpty()
        ? Optional.empty()
        : Optional.of(plans.get(random.nextInt(plans.size())));
  }

  @Override
  public Optional<CopyPlan> copyInto(SharedSuperchunk superchunk, List<String> storageIds) {
    return superchunk.sides().stream()
        .filter(storageIds::contains)
        .map(near -> new CopyPlan(superchunk, near))
        .filter(plan -> !storageIds.contains(plan.farStorageId()))
        .findFirst();
  }

  @Override
  public void mayLackSide(long blockId) {
    reported.add(blockId);
  }

  @Override
  public CopyStart copy(long blockId, long generationStamp, CopyPlan plan) {
    for (SimFile file : files.values()) {
      for (SimBlock block : file.blocks) {
        if (block.id == blockId) {
          return copy(file, block, generationStamp, plan);
        }
      }
    }
    throw new AssertionError("no such block");
  }

  private CopyStart copy(SimFile file, SimBlock block, long stamp, CopyPlan plan) {
    if (file.deleted
        || file.open
        || block.stamp != stamp
        || block.replicas.contains(plan.farStorageId())
        || copies.containsKey(block.id)) {
      return CopyStart.REFUSED;
    }
    SimRow near = rows.get(plan.nearStorageId()).get(block.id);
    if (near == null || near.superchunk != plan.superchunk().id()) {
      wrong = "copied before the near side was covered: " + block.id;
    }
    if (random.nextDouble() < lost) {
      return CopyStart.BUSY;
    }
    copies.put(block.id, new SimCopy(file, block, plan));
    begun++;
    maxUnderWay = Math.max(maxUnderWay, copies.size());
    return CopyStart.BEGUN;
  }

  @Override
  public boolean isCopying(long blockId) {
    return copies.containsKey(blockId);
  }

  @Override
  public boolean promise(SharedSuperchunk superchunk, long lengthBytes) {
    room.merge(superchunk.id(), 999, (left, one) -> left - 1);
    return true;
  }

  void fill(int left) {
    for (int i = 0; i < shared; i++) {
      for (int j = i + 1; j < shared; j++) {
        room.put(1000L * i + j, left);
      }
    }
  }

  private void reach(String storage) throws IOException {
    if (away.contains(storage) || random.nextDouble() < lost) {
      throw new IOException("away");
    }
  }

  @Override
  public List<BlockRow> findRows(String storageId, List<Long> blockIds) throws IOException {
    asked.run();
    reach(storageId);
    return blockIds.stream()
        .filter(rows.get(storageId)::containsKey)
        .map(
            id -> {
              SimRow row = rows.get(storageId).get(id);
              return new BlockRow(
                  id, storageId, row.superchunk, 1, row.stamp, row.covered, row.whole, false);
            })
        .toList();
  }

  @Override
  public List<Long> cover(String storageId, SharedSuperchunk superchunk, List<Long> blockIds)
      throws IOException {
    reach(storageId);
    if (!superchunk.sides().contains(storageId)) {
      wrong = "covered outside its superchunk: " + storageId + " " + superchunk;
    }
    List<Long> taken = new ArrayList<>();
    for (long id : blockIds) {
      covers++;
      SimRow row = rows.get(storageId).get(id);
      if (row == null && isHeld(storageId, id)) {
        claims.get(storageId).put(id, superchunk.id());
        taken.add(id);
      } else if (row != null && row.superchunk == superchunk.id()) {
        taken.add(id);
      }
    }
    if (random.nextDouble() < lost) {
      throw new IOException("the answer is lost");
    }
    return taken;
  }

  private boolean isHeld(String storageId, long blockId) {
    return files.values().stream()
        .filter(file -> !file.deleted)
        .flatMap(file -> file.blocks.stream())
        .anyMatch(block -> block.id == blockId && block.replicas.contains(storageId));
  }

  @Override
  public Lowering lower(long inodeId, Map<Long, Long> settled) {
    SimFile file = files.get(inodeId);
    if (file.deleted) {
      return Lowering.GONE;
    }
    if (file.replication <= 2) {
      return Lowering.NOT_HIGHER;
    }
    Map<Long, Long> now = new HashMap<>();
    file.blocks.forEach(block -> now.put(block.id, block.stamp));
    if (file.open || !now.equals(settled)) {
      return Lowering.CHANGED;
    }
    if (!file.blocks.stream().allMatch(this::isSettled)) {
      wrong = "lowered before its blocks were covered: " + inodeId;
    }
    file.replication = 2;
    lowered++;
    for (SimBlock block : file.blocks) {
      block.replicas.removeIf(storage -> !rows.get(storage).containsKey(block.id));
    }
    return Lowering.LOWERED;
  }
}
