/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.bridge.namenode.DegradedBlocks.Lacking;
import io.hdfsparity.raidp.recovery.LostEquations;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which superchunks would be lost for good if one more disk failed, while disks are dead that
 * recovery has not made up for. Pure.
 *
 * @param now superchunks that cannot be computed as it is; empty when it was not looked at
 * @param next disks whose failure would make more so, in the order of their ids; those without harm
 *     are left out
 * @param gap why there may be more; empty: these are all
 */
record FurtherFailures(Set<Long> now, List<Next> next, Optional<Gap> gap) {
  /** Two nodes of 12 disks: more dead disks make equations that take too long for a status. */
  private static final int MAX_DEAD_DISKS = 24;

  /** Why it is not known of all superchunks. */
  enum Gap {
    /** So many sides are dead that it would take too long; nothing was looked at. */
    TOO_MANY_DEAD_SIDES,
    /** It is not known yet which blocks lack a replica. */
    REPLICAS_NOT_COUNTED
  }

  /**
   * A disk that must not fail now.
   *
   * @param disk its id
   * @param alone superchunks that are lost if it fails, and its Lstor does not
   * @param withLstor superchunks that are lost if its Lstor fails with it
   */
  record Next(String disk, Set<Long> alone, Set<Long> withLstor) {}

  FurtherFailures {
    now = Set.copyOf(now);
    next = List.copyOf(next);
  }

  /**
   * Looks at a cluster.
   *
   * @param moves of the recovery: what is on its way to a new frame is not all there yet
   * @param lacking superchunks with blocks that lack a replica
   */
  static FurtherFailures of(ClusterView view, Collection<RecoveryMove> moves, Lacking lacking) {
    Known known = Known.of(view, moves, lacking.superchunkIds(), (frame, id) -> false);
    Optional<Gap> gap =
        lacking.isComplete() || view.all().stream().allMatch(each -> each.gone().isEmpty())
            ? Optional.empty()
            : Optional.of(Gap.REPLICAS_NOT_COUNTED);
    return known.dead().isEmpty()
        ? new FurtherFailures(Set.of(), List.of(), gap)
        : of(known.equations(), known.dead(), readable(view, known.dead()), gap);
  }

  /**
   * Superchunks that cannot be computed when more disks are missing, and their Lstors are read as
   * their daemons report them; empty when it would take too long.
   *
   * @param isIncomplete whether a frame lacks a good replica of a block of a superchunk
   */
  static Optional<Set<Long>> beyondParity(
      ClusterView view,
      Collection<RecoveryMove> moves,
      Set<Long> lacking,
      Set<String> missing,
      BiPredicate<FrameView, Long> isIncomplete) {
    Known known = Known.of(view, moves, lacking, isIncomplete);
    Set<String> dead = new TreeSet<>(known.dead());
    dead.addAll(missing);
    return dead.size() > MAX_DEAD_DISKS
        ? Optional.empty()
        : Optional.of(known.equations().undetermined(dead, readable(view, dead)));
  }

  /**
   * What a cluster has.
   *
   * @param dead disks with sides of superchunks
   */
  private record Known(LostEquations equations, Set<String> dead) {
    static Known of(
        ClusterView view,
        Collection<RecoveryMove> moves,
        Set<Long> lacking,
        BiPredicate<FrameView, Long> isIncomplete) {
      Map<Long, RecoveryMove> running = RecoveryMove.underWay(moves);
      List<LostEquations.Pair> pairs = new ArrayList<>();
      Set<String> dead = new TreeSet<>();
      for (SuperchunkView superchunk : view.all()) {
        List<LostEquations.Side> sides = new ArrayList<>();
        List<FrameView> whole = new ArrayList<>(superchunk.holders());
        whole.removeIf(frame -> isIncomplete.test(frame, superchunk.id()));
        for (FrameView frame :
            members(view, superchunk, whole, running.get(superchunk.id()), lacking)) {
          sides.add(side(frame));
          if (!frame.health().alive()) {
            dead.add(frame.diskId());
          }
        }
        while (sides.size() < 2) {
          // A side that nobody reports: dead, and its Lstor cannot be read.
          LostEquations.Side unknown =
              new LostEquations.Side("unknown-" + superchunk.id() + "-" + sides.size(), 1);
          sides.add(unknown);
          dead.add(unknown.disk());
        }
        pairs.add(new LostEquations.Pair(superchunk.id(), sides.get(0), sides.get(1)));
      }
      return new Known(new LostEquations(pairs), dead);
    }
  }

  /**
   * The two frames that have all of a superchunk, dead or alive; fewer when fewer are known. A
   * manager that took over knows no moves: of two frames that differ the fuller one has all.
   */
  private static List<FrameView> members(
      ClusterView view,
      SuperchunkView superchunk,
      List<FrameView> holders,
      @Nullable RecoveryMove running,
      Set<Long> lacking) {
    List<FrameView> members = new ArrayList<>(holders);
    if (running != null) {
      members.removeIf(running::isTo);
    } else if (members.size() == 2 && lacking.contains(superchunk.id())) {
      long first = view.blocks(members.get(0));
      long second = view.blocks(members.get(1));
      members.remove(first < second ? 0 : 1);
    }
    superchunk.gone().stream()
        .sorted(Comparator.comparingLong(FurtherFailures::epoch).reversed())
        .forEach(members::add);
    return members.subList(0, Math.min(2, members.size()));
  }

  private static long epoch(FrameView frame) {
    return frame.pairing().map(Pairing::epoch).orElse(-1L);
  }

  private static LostEquations.Side side(FrameView frame) {
    return new LostEquations.Side(
        frame.diskId(), frame.pairing().map(Pairing::coefficient).orElse(1));
  }

  /** Also those that a DataNode still holds: it lets go of them within seconds. */
  private static Set<String> readable(ClusterView view, Set<String> dead) {
    return dead.stream()
        .filter(
            disk -> {
              LstorState lstor = view.lstors().get(disk);
              return lstor != null && lstor.reachable() && lstor.report().failure().isEmpty();
            })
        .collect(Collectors.toSet());
  }

  private static FurtherFailures of(
      LostEquations equations, Set<String> dead, Set<String> readable, Optional<Gap> gap) {
    if (dead.size() > MAX_DEAD_DISKS) {
      return new FurtherFailures(Set.of(), List.of(), Optional.of(Gap.TOO_MANY_DEAD_SIDES));
    }
    Set<Long> now = equations.undetermined(dead, readable);
    List<Next> next = new ArrayList<>();
    for (String disk : equations.neighbours(dead)) {
      Set<String> more = with(dead, disk);
      Set<Long> alone = minus(equations.undetermined(more, with(readable, disk)), now);
      Set<Long> withLstor = minus(equations.undetermined(more, readable), now);
      if (!withLstor.isEmpty()) {
        next.add(new Next(disk, alone, withLstor));
      }
    }
    return new FurtherFailures(now, next, gap);
  }

  private static Set<String> with(Set<String> disks, String one) {
    Set<String> more = new HashSet<>(disks);
    more.add(one);
    return more;
  }

  private static Set<Long> minus(Set<Long> all, Set<Long> some) {
    Set<Long> left = new TreeSet<>(all);
    left.removeAll(some);
    return left;
  }
}
