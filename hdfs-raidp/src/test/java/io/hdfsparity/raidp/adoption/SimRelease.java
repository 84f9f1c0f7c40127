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
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * A cluster in memory whose files are covered. DataNodes release rows as real ones do: a side is
 * out of the parity first, its row goes when the other side is out too, and what is not asked for
 * again in a minute is covered again. It judges each side that is asked to release.
 */
final class SimRelease implements ReleaseCluster {
  static final long LEAVING_MS = 60_000;
  private static final int STORAGES = 8;

  private final Random random;
  final Map<Long, SimFile> files = new TreeMap<>();
  final Set<String> away = new HashSet<>();
  final Set<Long> released = new LinkedHashSet<>();
  private long nowMs = 1_000_000;
  private long nextId = 1;
  private final Map<Long, Long> lookedMs = new HashMap<>();

  /** Whether HDFS makes replicas that are missing. */
  boolean copies = true;

  /** How long a question takes. */
  long askingMs;

  long oldestLookMs;
  int orders;
  String wrong = "";

  static final class SimFile {
    final long inode;
    int replication = 2;
    boolean open;
    boolean isProtected;
    boolean deleted;
    boolean stale;
    Raising raising = Raising.ENOUGH;
    final List<SimBlock> blocks = new ArrayList<>();

    SimFile(long inode) {
      this.inode = inode;
    }
  }

  static final class SimBlock {
    final long id;
    long stamp;
    final String near;
    final String far;
    final Set<String> replicas = new LinkedHashSet<>();
    final Map<String, SimRow> rows = new HashMap<>();

    SimBlock(long id, String near, String far) {
      this.id = id;
      this.stamp = 1000 + id;
      this.near = near;
      this.far = far;
      replicas.add(near);
      replicas.add(far);
    }

    private boolean covers(String side) {
      SimRow row = rows.get(side);
      return row != null && row.covered;
    }
  }

  static final class SimRow {
    boolean covered = true;
    long leavingUntilMs = -1;
  }

  SimRelease(Random random) {
    this.random = random;
  }

  long nowMs() {
    return nowMs;
  }

  private static String name(int storage) {
    return "s" + storage;
  }

  SimFile addFile(int blocks) {
    SimFile file = addPlainFile(blocks);
    for (SimBlock block : file.blocks) {
      block.rows.put(block.near, new SimRow());
      block.rows.put(block.far, new SimRow());
    }
    return file;
  }

  SimFile addPlainFile(int blocks) {
    SimFile file = new SimFile(nextId++);
    for (int i = 0; i < blocks; i++) {
      int near = random.nextInt(STORAGES);
      int far = (near + 1 + random.nextInt(STORAGES - 1)) % STORAGES;
      file.blocks.add(new SimBlock(nextId++, name(near), name(far)));
    }
    files.put(file.inode, file);
    return file;
  }

  long rowCount() {
    return blocks().stream().mapToLong(block -> block.rows.size()).sum();
  }

  /** Blocks that one side covers and the other does not. */
  List<Long> halfCovered() {
    return blocks().stream()
        .filter(block -> block.covers(block.near) != block.covers(block.far))
        .map(block -> block.id)
        .toList();
  }

  private List<SimBlock> blocks() {
    return files.values().stream().flatMap(file -> file.blocks.stream()).toList();
  }

  // ------------------------------------------------------------------ time and events

  void pass(long ms) {
    nowMs += ms;
    for (SimFile file : files.values()) {
      for (SimBlock block : file.blocks) {
        if (copies && !file.open && block.replicas.size() < file.replication) {
          block.replicas.add(name(random.nextInt(STORAGES)));
        }
        List.copyOf(block.rows.keySet()).forEach(side -> settle(file, block, side));
      }
    }
  }

  private void settle(SimFile file, SimBlock block, String side) {
    SimRow row = block.rows.get(side);
    if (row == null || away.contains(side) || file.open) {
      return;
    }
    String other = side.equals(block.near) ? block.far : block.near;
    if (row.leavingUntilMs < nowMs && !file.deleted) {
      row.covered = true;
      // It tells the other side, which takes its replica in.
      if (!away.contains(other)) {
        block.rows.computeIfAbsent(other, id -> new SimRow());
      }
      return;
    }
    if (row.covered) {
      row.covered = random.nextBoolean();
    } else if (!block.covers(other) && !away.contains(other)) {
      block.rows.remove(side);
    }
  }

  void happen() {
    List<SimFile> all = List.copyOf(files.values());
    SimFile file = all.get(random.nextInt(all.size()));
    String storage = name(random.nextInt(STORAGES));
    switch (random.nextInt(9)) {
      case 0 -> file.open = !file.deleted;
      case 1 -> append(file);
      case 2 -> file.deleted |= random.nextInt(4) == 0;
      case 3 -> away.add(storage);
      case 4, 5 -> away.remove(storage);
      case 6 -> loseAReplica(file);
      case 7 -> file.stale ^= true;
      default -> file.replication = Math.max(2, file.replication - random.nextInt(2));
    }
  }

  /** Closes a file, whose last block was written to by a pipeline that may have lost a node. */
  private void append(SimFile file) {
    file.open = false;
    SimBlock last = file.blocks.get(file.blocks.size() - 1);
    last.stamp += 1_000_000;
    last.replicas.removeIf(
        each -> !each.equals(last.near) && !each.equals(last.far) && random.nextBoolean());
    last.rows.values().forEach(row -> row.leavingUntilMs = -1);
  }

  private void loseAReplica(SimFile file) {
    for (SimBlock block : file.blocks) {
      block.replicas.removeIf(
          each -> !each.equals(block.near) && !each.equals(block.far) && random.nextBoolean());
    }
  }

  void calm() {
    away.clear();
    for (SimFile file : files.values()) {
      file.open = false;
      file.stale = false;
      file.deleted = false;
    }
  }

  // ------------------------------------------------------------------ the source

  FileSource source() {
    List<Long> order = new ArrayList<>(files.keySet());
    return new FileSource() {
      @Override
      public List<AdoptableFile> next(int maxBlocks) {
        List<AdoptableFile> next = new ArrayList<>();
        int blocks = 0;
        while (!order.isEmpty() && blocks < maxBlocks) {
          Optional<AdoptableFile> file = look(order.remove(0));
          file.ifPresent(next::add);
          blocks += file.map(each -> each.blocks().size()).orElse(0);
        }
        return next;
      }

      @Override
      public boolean isOver() {
        return order.isEmpty();
      }

      @Override
      public Totals count() {
        return Totals.UNKNOWN;
      }

      @Override
      public Optional<AdoptableFile> look(long inodeId) {
        lookedMs.put(inodeId, nowMs);
        return Optional.of(files.get(inodeId)).filter(file -> !file.deleted).map(SimRelease::view);
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
    if (file.stale) {
      traits.add(Trait.STALE_REPORTS);
    }
    return new AdoptableFile(
        file.inode,
        "/f" + file.inode,
        file.replication,
        file.blocks.size() * 100L,
        traits,
        file.blocks.stream()
            .map(
                block ->
                    new AdoptableBlock(
                        block.id, block.stamp, 100, true, List.copyOf(block.replicas), List.of()))
            .toList());
  }

  // ------------------------------------------------------------------ the cluster

  private static long id(SimBlock block) {
    return Long.parseLong(block.near.substring(1)) * 1000 + Long.parseLong(block.far.substring(1));
  }

  @Override
  public Optional<SharedSuperchunk> home(BlockRow row) {
    long id = row.superchunkId();
    String near = name((int) (id / 1000));
    String far = name((int) (id % 1000));
    return away.contains(near) || away.contains(far)
        ? Optional.empty()
        : Optional.of(new SharedSuperchunk(id, 1, near, far));
  }

  @Override
  public List<BlockRow> findRows(String storageId, List<Long> blockIds) throws IOException {
    nowMs += askingMs;
    if (away.contains(storageId)) {
      throw new IOException("away");
    }
    return blocks().stream()
        .filter(block -> blockIds.contains(block.id) && block.rows.containsKey(storageId))
        .map(
            block ->
                new BlockRow(
                    block.id,
                    storageId,
                    id(block),
                    1,
                    block.stamp,
                    block.covers(storageId) ? 100 : 0,
                    block.covers(storageId),
                    false))
        .toList();
  }

  @Override
  public Raising raise(long inodeId, int replication) {
    SimFile file = files.get(inodeId);
    if (file.deleted) {
      return Raising.GONE;
    }
    if (file.open) {
      return Raising.OPEN;
    }
    if (file.raising == Raising.ENOUGH && file.replication > 1) {
      file.replication = Math.max(file.replication, replication);
    }
    return file.raising;
  }

  @Override
  public void release(
      String storageId,
      SharedSuperchunk superchunk,
      Map<Long, Long> stamps,
      BooleanSupplier isFresh)
      throws IOException {
    orders++;
    for (SimFile file : files.values()) {
      for (SimBlock block : file.blocks) {
        Long stamp = stamps.get(block.id);
        if (stamp != null) {
          oldestLookMs = Math.max(oldestLookMs, nowMs - lookedMs.get(file.inode));
          judge(file, block, storageId, superchunk, stamp);
        }
      }
    }
    if (away.contains(storageId) || random.nextInt(10) == 0) {
      throw new IOException("lost on its way");
    }
    for (SimFile file : files.values()) {
      for (SimBlock block : file.blocks) {
        SimRow row = block.rows.get(storageId);
        if (row != null && stamps.containsKey(block.id) && !file.open) {
          row.leavingUntilMs = nowMs + LEAVING_MS;
        }
      }
    }
  }

  private void judge(
      SimFile file, SimBlock block, String storageId, SharedSuperchunk superchunk, long stamp) {
    int wanted = Math.min(3, file.replication < 2 ? 1 : 3);
    if (block.stamp != stamp
        || block.replicas.size() < wanted
        || file.replication < wanted
        || file.open
        || file.isProtected
        || file.stale
        || !superchunk.sides().contains(storageId)) {
      wrong = "let go too early: file=" + file.inode + " block=" + block.id + " " + storageId;
    }
  }

  @Override
  public void released(Collection<Long> blockIds) {
    for (SimBlock block : blocks()) {
      if (blockIds.contains(block.id) && !block.rows.isEmpty() && away.isEmpty()) {
        wrong = "has a row: " + block.id;
      }
    }
    released.addAll(blockIds);
  }
}
