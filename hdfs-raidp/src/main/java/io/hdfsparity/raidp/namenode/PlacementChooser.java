/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.bridge.namenode.PairPlacement;
import io.hdfsparity.raidp.config.RaidpKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Places new blocks on ACTIVE superchunks: the writer's own node or the nodes that it favours
 * first, else anywhere, and of two candidates the one with more room (two random choices spread
 * load nearly as evenly as the best of all would).
 *
 * <p>Thread-safe as far as its random generator is; takes no lock but that of {@link Grants}, for a
 * moment.
 */
final class PlacementChooser implements PairPlacement {
  private final Supplier<ClusterView> views;
  private final Grants grants;
  private final NodeRoster roster;
  private final BooleanSupplier allHadTime;
  private final int unitBytes;
  private final long maxBlockBytes;
  private final LongSupplier clockMs;
  private final Supplier<? extends RandomGenerator> random;
  private volatile Index index = new Index(null, List.of(), Map.of());

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

  @Override
  public List<Target> chooseNew(
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
            (int) Math.max(1, (blockBytes + unitBytes - 1) / unitBytes),
            blockBytes,
            new HashSet<>(excludedNodeUuids),
            usable,
            clockMs.getAsLong());
    Index now = index();
    List<SuperchunkView> all = now.usable();
    List<String> wanted = new ArrayList<>(favoredNodeUuids);
    writerNodeUuid.ifPresent(wanted::add);
    for (String node : wanted) {
      if (!excludedNodeUuids.contains(node)) {
        Optional<SuperchunkView> local = pick(now.byNode().getOrDefault(node, List.of()), request);
        if (local.isPresent()) {
          return targets(local.get(), node, replicas);
        }
      }
    }
    SuperchunkView anywhere = pick(all, request).orElseThrow(() -> refusal(path, request, all));
    boolean leaderFirst = random.get().nextBoolean();
    return targets(
        anywhere, (leaderFirst ? anywhere.leader() : anywhere.follower()).nodeUuid(), replicas);
  }

  @Override
  public Optional<Target> partnerOf(String storageId) {
    SuperchunkView superchunk =
        views.get().superchunksOn(storageId).stream().findFirst().orElse(null);
    if (superchunk == null || superchunk.state() != SuperchunkState.ACTIVE) {
      return Optional.empty();
    }
    FrameView partner =
        superchunk.leader().storageId().equals(storageId)
            ? superchunk.follower()
            : superchunk.leader();
    return Optional.of(new Target(partner.storageId(), partner.nodeUuid()));
  }

  /** Every data directory of a DataNode that reports is a frame. */
  @Override
  public boolean owns(String nodeUuid) {
    return roster.contains(nodeUuid);
  }

  /**
   * A frame has blocks only when its node was in the roster before. The time to report is for a
   * roster that was lost, or that an earlier version did not keep.
   */
  @Override
  public boolean leavesToHdfs(String nodeUuid) {
    return allHadTime.getAsBoolean() && !roster.contains(nodeUuid);
  }

  private record Request(
      int units, long blockBytes, Set<String> excluded, Usable usable, long nowMs) {}

  /** Usable superchunks of one view, so that a choice costs no walk over all. */
  private record Index(
      ClusterView of, List<SuperchunkView> usable, Map<String, List<SuperchunkView>> byNode) {}

  private Index index() {
    ClusterView now = views.get();
    Index known = index;
    if (known.of() == null || known.of().superchunks() != now.superchunks()) {
      List<SuperchunkView> usable = now.all().stream().filter(SuperchunkView::usable).toList();
      Map<String, List<SuperchunkView>> byNode = new HashMap<>();
      for (SuperchunkView superchunk : usable) {
        superchunk
            .holders()
            .forEach(
                f -> byNode.computeIfAbsent(f.nodeUuid(), n -> new ArrayList<>()).add(superchunk));
      }
      known = new Index(now, usable, byNode);
      index = known;
    }
    return known;
  }

  /**
   * Draws without putting back until a promise is made; every candidate is tried before it gives
   * up.
   */
  private Optional<SuperchunkView> pick(List<SuperchunkView> candidates, Request request) {
    List<SuperchunkView> left = new ArrayList<>(candidates);
    RandomGenerator draw = random.get();
    while (!left.isEmpty()) {
      int first = draw.nextInt(left.size());
      int second = draw.nextInt(left.size());
      int chosen =
          room(left.get(first), request) >= room(left.get(second), request) ? first : second;
      SuperchunkView superchunk = left.get(chosen);
      if (allowed(superchunk, request)
          && grants.grant(
              superchunk.leader().ref(),
              superchunk.follower().ref(),
              request.units(),
              request.nowMs())) {
        return Optional.of(superchunk);
      }
      left.set(chosen, left.get(left.size() - 1));
      left.remove(left.size() - 1);
    }
    return Optional.empty();
  }

  private int room(SuperchunkView superchunk, Request request) {
    return grants.available(
        superchunk.leader().ref(), superchunk.follower().ref(), request.nowMs());
  }

  private static boolean allowed(SuperchunkView superchunk, Request request) {
    return superchunk.holders().stream()
        .allMatch(
            f ->
                !request.excluded().contains(f.nodeUuid())
                    && request.usable().test(f.storageId(), f.nodeUuid(), request.blockBytes()));
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
      String path, Request request, List<SuperchunkView> all) {
    ClusterView view = views.get();
    long excluded =
        all.stream()
            .filter(
                s -> s.holders().stream().anyMatch(f -> request.excluded().contains(f.nodeUuid())))
            .count();
    long withRoom = all.stream().filter(s -> room(s, request) >= request.units()).count();
    String why =
        "Cannot place a block: units="
            + request.units()
            + ", expected an active superchunk with as many free units on both sides; superchunks="
            + view.superchunks().size()
            + " usable="
            + all.size()
            + " withRoom="
            + withRoom
            + " onExcludedNodes="
            + excluded
            + " degraded="
            + view.count(SuperchunkState.DEGRADED)
            + " lost="
            + view.count(SuperchunkState.LOST)
            + ", file="
            + path
            + (withRoom == 0 ? makeRoom(view) : "");
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
        + view.frames().spares().size()
        + " frames; add disks or delete files, or lower "
        + RaidpKey.LAYOUT_RECOVERY_ROOM.key()
        + " or "
        + RaidpKey.LAYOUT_SPARE_SHARE.key()
        + ", restart the NameNode and run -layout -apply";
  }
}
