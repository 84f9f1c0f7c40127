/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import io.hdfsparity.raidp.layout.BalancePlan.Move;
import io.hdfsparity.raidp.layout.BalancePlan.Utilization;
import io.hdfsparity.raidp.layout.BalanceSpec.BalanceDisk;
import io.hdfsparity.raidp.layout.BalanceSpec.BalanceSuperchunk;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Plans which bytes go from superchunk to superchunk, until the utilization of each disk is within
 * the threshold of the mean. Pure: same spec, same plan.
 *
 * <p>The disk that is furthest from the mean is helped first: of a disk above it, blocks of the
 * superchunk with the fullest partner go to a superchunk of the emptiest disks; a disk below it
 * gets blocks in the same way. A move takes as much as makes both pairs equally full on average, if
 * so much is there, there is room, and a disk needs it. So each move lowers the sum of the squared
 * distances from the mean, and none goes to a pair that is fuller.
 *
 * <p>Disks of each storage type have a mean of their own, and blocks stay on disks of one type: the
 * storage policy of a file asks for it. A superchunk of two types neither gives nor takes.
 *
 * <p><b>Rules</b>: all four disks of a move are on different nodes, as a block has replicas on all
 * of them for a while. That both sides of a superchunk are apart is the layout's.
 */
public final class BalancePlanner {
  /** Disks at each end that are tried, and superchunks of each. */
  private static final int MAX_TRIES = 64;

  private static final int MAX_MOVES = 1_000_000;

  private final BalanceSpec spec;
  private final Map<DiskId, Load> loads = new TreeMap<>();
  private final NavigableSet<Load> byUtilization = new TreeSet<>(Load.BY_UTILIZATION);
  private final double mean;
  private final double threshold;

  /** A disk while it is planned. */
  private static final class Load {
    private static final Comparator<Load> BY_UTILIZATION =
        Comparator.<Load>comparingDouble(load -> load.utilization)
            .thenComparing(load -> load.disk.id());

    private final BalanceDisk disk;
    private final List<Chunk> chunks = new ArrayList<>();
    private double used;
    private double utilization;

    private Load(BalanceDisk disk) {
      this.disk = disk;
      set(disk.usedBytes());
    }

    private void set(double bytes) {
      used = bytes;
      utilization = used / disk.capacityBytes();
    }
  }

  /** A superchunk while it is planned. */
  private static final class Chunk {
    private final long id;
    private final Load a;
    private final Load b;
    private long used;
    private long room;

    private Chunk(BalanceSuperchunk superchunk, Load a, Load b) {
      this.id = superchunk.id();
      this.a = a;
      this.b = b;
      this.used = superchunk.usedBytes();
      this.room = superchunk.roomBytes();
    }

    private double sum() {
      return a.utilization + b.utilization;
    }

    private boolean isApart(Chunk other) {
      return isApart(other.a) && isApart(other.b);
    }

    private boolean isApart(Load load) {
      return !a.disk.node().equals(load.disk.node()) && !b.disk.node().equals(load.disk.node());
    }
  }

  /** A move that could be made. */
  private record Candidate(Chunk from, Chunk to, long bytes) {}

  private BalancePlanner(BalanceSpec spec) {
    this.spec = spec;
    this.threshold = spec.thresholdPercent() / 100;
    spec.disks().forEach(disk -> loads.put(disk.id(), new Load(disk)));
    for (BalanceSuperchunk superchunk : spec.superchunks()) {
      Load a = loads.get(superchunk.a());
      Load b = loads.get(superchunk.b());
      if (a != null && b != null) {
        Chunk chunk = new Chunk(superchunk, a, b);
        a.chunks.add(chunk);
        b.chunks.add(chunk);
      }
    }
    double used = loads.values().stream().mapToDouble(load -> load.used).sum();
    double capacity = loads.values().stream().mapToDouble(load -> load.disk.capacityBytes()).sum();
    this.mean = capacity > 0 ? used / capacity : 0;
    byUtilization.addAll(loads.values());
  }

  /** Plans the moves: those among disks of one storage type, then those of the next. */
  public static BalancePlan plan(BalanceSpec spec) {
    List<Move> moves = new ArrayList<>();
    Map<DiskId, Utilization> utilization = new HashMap<>();
    List<DiskId> outside = new ArrayList<>();
    for (BalanceSpec ofType : spec.byStorageType()) {
      BalancePlan part = new BalancePlanner(ofType).plan();
      moves.addAll(part.moves());
      utilization.putAll(part.utilization());
      outside.addAll(part.outside());
    }
    return new BalancePlan(moves, spec.meanPercent(), utilization, outside);
  }

  private BalancePlan plan() {
    Map<DiskId, Double> before = new HashMap<>();
    loads.forEach((id, load) -> before.put(id, load.utilization));
    List<Move> moves = new ArrayList<>();
    while (moves.size() < MAX_MOVES) {
      Candidate next = next().orElse(null);
      if (next == null) {
        break;
      }
      apply(next);
      moves.add(new Move(next.from().id, next.to().id, next.bytes()));
    }
    Map<DiskId, Utilization> utilization = new HashMap<>();
    loads.forEach(
        (id, load) ->
            utilization.put(
                id, new Utilization(100 * before.getOrDefault(id, 0.0), 100 * load.utilization)));
    return new BalancePlan(
        moves,
        100 * mean,
        utilization,
        loads.values().stream().filter(this::isOutside).map(load -> load.disk.id()).toList());
  }

  private boolean isOutside(Load load) {
    return Math.abs(load.utilization - mean) > threshold;
  }

  private void apply(Candidate move) {
    move.from().used -= move.bytes();
    move.from().room += move.bytes();
    move.to().used += move.bytes();
    move.to().room -= move.bytes();
    for (Load load : List.of(move.from().a, move.from().b)) {
      change(load, -move.bytes());
    }
    for (Load load : List.of(move.to().a, move.to().b)) {
      change(load, move.bytes());
    }
  }

  private void change(Load load, long bytes) {
    byUtilization.remove(load);
    load.set(load.used + bytes);
    byUtilization.add(load);
  }

  // ---------------------------------------------------------------- the next move

  /** A move for the disk that is furthest outside and can be helped. */
  private Optional<Candidate> next() {
    Iterator<Load> fullest = byUtilization.descendingIterator();
    Iterator<Load> emptiest = byUtilization.iterator();
    Load full = outside(fullest);
    Load empty = outside(emptiest);
    for (int tries = 0; tries < 2 * MAX_TRIES && (full != null || empty != null); tries++) {
      boolean isFull =
          empty == null || full != null && full.utilization - mean >= mean - empty.utilization;
      Candidate found = isFull ? relieve(full) : fill(empty);
      if (found != null) {
        return Optional.of(found);
      }
      if (isFull) {
        full = outside(fullest);
      } else {
        empty = outside(emptiest);
      }
    }
    return Optional.empty();
  }

  /** The next disk outside; those that follow are nearer to the mean. */
  private @Nullable Load outside(Iterator<Load> each) {
    if (!each.hasNext()) {
      return null;
    }
    Load load = each.next();
    return isOutside(load) ? load : null;
  }

  private @Nullable Candidate relieve(@Nullable Load full) {
    if (full == null || full.utilization <= mean) {
      return null;
    }
    List<Chunk> sources = new ArrayList<>(full.chunks);
    sources.sort(
        Comparator.comparingDouble((Chunk chunk) -> -chunk.sum()).thenComparing(c -> c.id));
    return sources.stream()
        .filter(source -> source.used >= spec.minMoveBytes())
        .limit(MAX_TRIES)
        .map(source -> best(source, null))
        .filter(found -> found != null)
        .findFirst()
        .orElse(null);
  }

  private @Nullable Candidate fill(@Nullable Load empty) {
    if (empty == null || empty.utilization >= mean) {
      return null;
    }
    List<Chunk> targets = new ArrayList<>(empty.chunks);
    targets.sort(Comparator.comparingDouble(Chunk::sum).thenComparing(c -> c.id));
    return targets.stream()
        .filter(target -> target.room >= spec.minMoveBytes())
        .limit(MAX_TRIES)
        .map(target -> best(null, target))
        .filter(found -> found != null)
        .findFirst()
        .orElse(null);
  }

  /** The best partner of a superchunk that gives, or of one that takes, at the other end. */
  private @Nullable Candidate best(@Nullable Chunk source, @Nullable Chunk target) {
    NavigableSet<Load> ends = source == null ? byUtilization.descendingSet() : byUtilization;
    Candidate best = null;
    double bestGain = 0;
    int tries = 0;
    for (Load end : ends) {
      if (tries++ >= MAX_TRIES || best != null && tries > end.chunks.size() + 1) {
        break;
      }
      for (Chunk chunk : end.chunks) {
        Chunk from = source == null ? chunk : source;
        Chunk to = target == null ? chunk : target;
        double gain = from.sum() - to.sum();
        long bytes = gain > bestGain && from.isApart(to) ? bytes(from, to) : 0;
        if (bytes >= spec.minMoveBytes()) {
          best = new Candidate(from, to, bytes);
          bestGain = gain;
        }
      }
    }
    return best;
  }

  /** As much as is there, has room, makes the pairs equally full, and a disk needs. */
  private long bytes(Chunk from, Chunk to) {
    double inverse = 0;
    for (Load load : List.of(from.a, from.b, to.a, to.b)) {
      inverse += 1.0 / load.disk.capacityBytes();
    }
    double equal = (from.sum() - to.sum()) / inverse;
    double needed =
        Math.max(
            Math.max(need(from.a, 1), need(from.b, 1)), Math.max(need(to.a, -1), need(to.b, -1)));
    return (long) Math.min(Math.min(from.used, to.room), Math.min(equal, needed));
  }

  /** Bytes that bring a disk halfway into the threshold: blocks are not as small as bytes. */
  private double need(Load load, int sign) {
    double distance = sign * (load.utilization - mean) - threshold / 2;
    return Math.max(0, distance * load.disk.capacityBytes());
  }
}
