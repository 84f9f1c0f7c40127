/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.bridge.namenode.PairPlacement;
import io.hdfsparity.bridge.namenode.PairPlacement.PlacementPendingException;
import io.hdfsparity.bridge.namenode.PairPlacement.PlacementRefusedException;
import io.hdfsparity.bridge.namenode.PairPlacement.Target;
import io.hdfsparity.bridge.namenode.PairPlacement.Usable;
import io.hdfsparity.raidp.config.RaidpKey;
import io.hdfsparity.raidp.lstor.LstorGeometry;
import io.hdfsparity.raidp.wire.message.FrameReport;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Places new blocks on ACTIVE superchunks: the writer's own node or the nodes that it favours
 * first, else anywhere, and of two candidates the one with more room on both sides (two random
 * choices spread load nearly as evenly as the best of all would). The candidates are superchunks,
 * so a disk gets blocks in proportion to how many it is in.
 *
 * <p>It runs in the handlers of the NameNode, also for whoever excludes all nodes, so its work is
 * bounded: a request tries at most {@value #MAX_TRIES} superchunks of the nodes that it prefers,
 * and as many elsewhere, each once, and a few draws beside. Where there are no more, each is tried.
 * Of more a random sample is tried: a cluster of which less than a thousandth has room may refuse a
 * block that would fit. What a refusal counts is counted in the sample.
 *
 * <p>Thread-safe as far as its random generator is; takes no lock but that of {@link Grants}, for a
 * moment.
 */
final class PlacementChooser {
  /** Superchunks that are tried at most, each once: each takes the lock of {@link Grants}. */
  static final int MAX_TRIES = 4_096;

  /** Draws before the candidates are copied. */
  private static final int QUICK_DRAWS = 16;

  private static final String MAKE_SPACE =
      "; disks that have no space for the block, or whose DataNodes do not answer, take none:"
          + " delete files or add disks";

  private static final String SAMPLED =
      "; of so many superchunks a random sample is tried and counted: write again, or make more"
          + " room";

  private final Supplier<ClusterView> views;
  private final Grants grants;
  private final NodeRoster roster;
  private final BooleanSupplier allHadTime;
  private final int unitBytes;
  private final long maxBlockBytes;
  private final LongSupplier clockMs;
  private final Supplier<? extends RandomGenerator> random;
  private volatile Index index = new Index(ClusterView.empty());

  /**
   * @param views newest view of the cluster
   * @param roster nodes of RAIDP
   * @param allHadTime whether each of them has had the time to report to this manager
   * @param unitBytes allocation unit
   * @param maxBlockBytes largest block that may be placed
   * @param clockMs the clock that grants are measured with
   * @param random a generator for the calling thread
   */
  PlacementChooser(
      Supplier<ClusterView> views,
      Grants grants,
      NodeRoster roster,
      BooleanSupplier allHadTime,
      int unitBytes,
      long maxBlockBytes,
      LongSupplier clockMs,
      Supplier<? extends RandomGenerator> random) {
    this.views = views;
    this.grants = grants;
    this.roster = roster;
    this.allHadTime = allHadTime;
    this.unitBytes = unitBytes;
    this.maxBlockBytes = maxBlockBytes;
    this.clockMs = clockMs;
    this.random = random;
  }

  /** As {@link PairPlacement#chooseNew}. */
  List<Target> chooseNew(
      String path,
      int replicas,
      Optional<String> writerNodeUuid,
      List<String> favoredNodeUuids,
      Set<String> excludedNodeUuids,
      long blockBytes,
      Usable usable)
      throws PlacementRefusedException {
    if (blockBytes > maxBlockBytes) {
      throw new PlacementRefusedException(
          "Cannot place a block: blockSize="
              + blockBytes
              + ", expected <= "
              + maxBlockBytes
              + " (dfs.parity.raidp.max.block.size), file="
              + path);
    }
    if (replicas < 1 || replicas > 2) {
      throw new PlacementRefusedException(
          "Cannot place a block: replicas="
              + replicas
              + ", expected 1 or 2: a superchunk has two frames, file="
              + path);
    }
    Request request =
        new Request(
            (int) LstorGeometry.unitsFor(blockBytes, unitBytes),
            blockBytes,
            new HashSet<>(excludedNodeUuids),
            usable,
            clockMs.getAsLong());
    Index now = index();
    List<String> wanted = new ArrayList<>(favoredNodeUuids);
    writerNodeUuid.ifPresent(wanted::add);
    int triesLeft = MAX_TRIES;
    for (String node : wanted) {
      if (triesLeft > 0 && !excludedNodeUuids.contains(node)) {
        List<SuperchunkView> there = now.on(node);
        Optional<SuperchunkView> local = pick(there, request, triesLeft);
        if (local.isPresent()) {
          return targets(local.get(), node, replicas);
        }
        triesLeft -= Math.min(triesLeft, there.size() + QUICK_DRAWS);
      }
    }
    SuperchunkView anywhere = draw(now.view.superchunks(), request).orElse(null);
    if (anywhere == null) {
      Candidates candidates = now.candidates(random.get());
      anywhere =
          pick(candidates.usable(), request, MAX_TRIES)
              .orElseThrow(() -> refusal(path, request, now.view, candidates));
    }
    boolean leaderFirst = random.get().nextBoolean();
    return targets(
        anywhere, (leaderFirst ? anywhere.leader() : anywhere.follower()).nodeUuid(), replicas);
  }

  /**
   * A frame has blocks only when its node was in the roster before. The time to report is for a
   * roster that was lost, or that an earlier version did not keep.
   */
  boolean leavesToHdfs(String nodeUuid) {
    return allHadTime.getAsBoolean() && !roster.contains(nodeUuid);
  }

  private record Request(
      int units, long blockBytes, Set<String> excluded, Usable usable, long nowMs) {}

  /**
   * Superchunks for a block that any node may have.
   *
   * @param superchunks all of a view, or a sample of more than {@link #MAX_TRIES}
   * @param usable those of them that may get new blocks
   */
  private record Candidates(List<SuperchunkView> superchunks, List<SuperchunkView> usable) {
    Candidates(List<SuperchunkView> superchunks) {
      this(superchunks, superchunks.stream().filter(SuperchunkView::usable).toList());
    }

    long count(SuperchunkState state) {
      return superchunks.stream().filter(s -> s.state() == state).count();
    }
  }

  /**
   * Usable superchunks of one view: each list is made when it is first needed, since a cluster has
   * millions, and changes with each of them. There is no list of more than {@link #MAX_TRIES} but
   * those of nodes.
   */
  private static final class Index {
    private final ClusterView view;
    private final Map<String, List<SuperchunkView>> byNode = new ConcurrentHashMap<>();
    private volatile @Nullable Candidates all;

    Index(ClusterView view) {
      this.view = view;
    }

    /** All, or another sample each time. */
    Candidates candidates(RandomGenerator draw) {
      Candidates known = all;
      if (known != null) {
        return known;
      }
      PersistentMap<Long, SuperchunkView> superchunks = view.superchunks();
      Candidates made =
          new Candidates(sample(superchunks.size(), superchunks::at, MAX_TRIES, draw));
      if (superchunks.size() <= MAX_TRIES) {
        all = made;
      }
      return made;
    }

    /** Those with a side on a node. */
    List<SuperchunkView> on(String nodeUuid) {
      NodeState node = view.nodes().get(nodeUuid);
      return node == null
          ? List.of()
          : byNode.computeIfAbsent(
              nodeUuid,
              uuid ->
                  node.report().disks().stream()
                      .flatMap(disk -> disk.frames().stream())
                      .map(FrameReport::storageId)
                      .distinct()
                      .flatMap(storageId -> view.superchunksOn(storageId).stream())
                      .filter(superchunk -> superchunk.usable() && hasSideOn(superchunk, uuid))
                      .toList());
    }

    private static boolean hasSideOn(SuperchunkView superchunk, String nodeUuid) {
      return superchunk.holders().stream().anyMatch(frame -> frame.nodeUuid().equals(nodeUuid));
    }
  }

  private Index index() {
    ClusterView now = views.get();
    Index known = index;
    if (!known.view.superchunks().isSame(now.superchunks())) {
      known = new Index(now);
      index = known;
    }
    return known;
  }

  /** A few draws among all superchunks: most are good, and a list of those takes long to make. */
  private Optional<SuperchunkView> draw(PersistentMap<Long, SuperchunkView> all, Request request) {
    RandomGenerator draw = random.get();
    for (int i = 0; i < QUICK_DRAWS && !all.isEmpty(); i++) {
      SuperchunkView first = all.at(draw.nextInt(all.size()));
      SuperchunkView second = all.at(draw.nextInt(all.size()));
      boolean isSecond =
          second.usable()
              && (!first.usable() || room(second, request.nowMs()) > room(first, request.nowMs()));
      SuperchunkView drawn = isSecond ? second : first;
      if (drawn.usable() && isPromised(drawn, request)) {
        return Optional.of(drawn);
      }
    }
    return Optional.empty();
  }

  /**
   * Draws until a promise is made: a few times among all, which costs nothing where most are good,
   * then without putting back, so that every candidate is tried before it gives up, or as many as
   * may be.
   */
  private Optional<SuperchunkView> pick(
      List<SuperchunkView> candidates, Request request, int maxTries) {
    RandomGenerator draw = random.get();
    for (int i = 0; i < QUICK_DRAWS && !candidates.isEmpty(); i++) {
      SuperchunkView drawn = candidates.get(roomier(candidates, request, draw));
      if (isPromised(drawn, request)) {
        return Optional.of(drawn);
      }
    }
    List<SuperchunkView> left = sample(candidates.size(), candidates::get, maxTries, draw);
    while (!left.isEmpty()) {
      int chosen = roomier(left, request, draw);
      if (isPromised(left.get(chosen), request)) {
        return Optional.of(left.get(chosen));
      }
      left.set(chosen, left.get(left.size() - 1));
      left.remove(left.size() - 1);
    }
    return Optional.empty();
  }

  /**
   * Superchunks at random positions, each once; all of them where there are no more than asked for.
   * The positions are drawn by Floyd's algorithm, which takes {@code maxCount} steps.
   *
   * @return a list that may be changed
   */
  private static List<SuperchunkView> sample(
      int size, IntFunction<SuperchunkView> at, int maxCount, RandomGenerator draw) {
    Set<Integer> positions = new LinkedHashSet<>();
    for (int last = Math.max(0, size - maxCount); last < size; last++) {
      if (size <= maxCount || !positions.add(draw.nextInt(last + 1))) {
        positions.add(last);
      }
    }
    List<SuperchunkView> sample = new ArrayList<>(positions.size());
    positions.forEach(position -> sample.add(at.apply(position)));
    return sample;
  }

  private int roomier(List<SuperchunkView> candidates, Request request, RandomGenerator draw) {
    int first = draw.nextInt(candidates.size());
    int second = draw.nextInt(candidates.size());
    return room(candidates.get(first), request.nowMs())
            >= room(candidates.get(second), request.nowMs())
        ? first
        : second;
  }

  private boolean isPromised(SuperchunkView superchunk, Request request) {
    return allowed(superchunk, request)
        && grants.grant(
            superchunk.leader().ref(),
            superchunk.follower().ref(),
            request.units(),
            request.nowMs());
  }

  private int room(SuperchunkView superchunk, long nowMs) {
    return grants.available(superchunk.leader().ref(), superchunk.follower().ref(), nowMs);
  }

  private static boolean allowed(SuperchunkView superchunk, Request request) {
    return superchunk.holders().stream().noneMatch(f -> request.excluded().contains(f.nodeUuid()))
        && isOnUsableDisks(superchunk, request);
  }

  private static boolean isOnUsableDisks(SuperchunkView superchunk, Request request) {
    return superchunk.holders().stream()
        .allMatch(f -> request.usable().test(f.storageId(), f.nodeUuid(), request.blockBytes()));
  }

  private static List<Target> targets(SuperchunkView superchunk, String firstNode, int replicas) {
    Target leader = new Target(superchunk.leader().storageId(), superchunk.leader().nodeUuid());
    Target follower =
        new Target(superchunk.follower().storageId(), superchunk.follower().nodeUuid());
    List<Target> both =
        leader.nodeUuid().equals(firstNode) ? List.of(leader, follower) : List.of(follower, leader);
    return replicas == 1 ? both.subList(0, 1) : both;
  }

  private PlacementRefusedException refusal(
      String path, Request request, ClusterView drawnFrom, Candidates tried) {
    ClusterView view = views.get();
    List<SuperchunkView> usable = tried.usable();
    int superchunks = drawnFrom.superchunks().size();
    boolean isSample = tried.superchunks().size() < superchunks;
    long excluded =
        usable.stream()
            .filter(
                s -> s.holders().stream().anyMatch(f -> request.excluded().contains(f.nodeUuid())))
            .count();
    long withRoom =
        usable.stream().filter(s -> room(s, request.nowMs()) >= request.units()).count();
    long onUsableDisks = usable.stream().filter(s -> isOnUsableDisks(s, request)).count();
    String why =
        "Cannot place a block: units="
            + request.units()
            + ", expected an active superchunk with as many free units on both sides; superchunks="
            + superchunks
            + (isSample ? " sample=" + tried.superchunks().size() : "")
            + " usable="
            + usable.size()
            + " withRoom="
            + withRoom
            + " onUsableDisks="
            + onUsableDisks
            + " onExcludedNodes="
            + excluded
            + " degraded="
            + tried.count(SuperchunkState.DEGRADED)
            + " lost="
            + tried.count(SuperchunkState.LOST)
            + ", file="
            + path
            + (withRoom == 0 ? makeRoom(view) : onUsableDisks == 0 ? MAKE_SPACE : "")
            + (isSample ? SAMPLED : "");
    Set<String> awaited = awaited(view);
    return awaited.isEmpty()
        ? new PlacementRefusedException(why)
        : new PlacementPendingException(
            why
                + "; nodes that have not reported yet to this NameNode: "
                + awaited
                + ", try again");
  }

  /**
   * Nodes whose pairs are not known yet: a NameNode that has just started learns of them a moment
   * after their DataNodes have registered.
   */
  private Set<String> awaited(ClusterView view) {
    if (allHadTime.getAsBoolean()) {
      return Set.of();
    }
    Set<String> awaited = new TreeSet<>(roster.nodeUuids());
    awaited.removeAll(view.nodes().keySet());
    return awaited;
  }

  private static String makeRoom(ClusterView view) {
    return "; sparesForRecovery="
        + view.frames().spareCount()
        + " frames; add disks or delete files, or lower "
        + RaidpKey.LAYOUT_RECOVERY_ROOM.key()
        + " or "
        + RaidpKey.LAYOUT_SPARE_SHARE.key()
        + ", restart the NameNode and run -layout -apply";
  }
}
