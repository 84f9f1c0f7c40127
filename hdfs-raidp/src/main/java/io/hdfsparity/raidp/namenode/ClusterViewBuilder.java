/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.config.Coefficients;
import io.hdfsparity.raidp.namenode.Problem.Kind;
import io.hdfsparity.raidp.namenode.SuperchunkRules.Claim;
import io.hdfsparity.raidp.namenode.SuperchunkRules.Outcome;
import io.hdfsparity.raidp.namenode.SuperchunkRules.Remark;
import io.hdfsparity.raidp.wire.message.Assignment;
import io.hdfsparity.raidp.wire.message.FrameRef;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Keeps a {@link ClusterView} up to date. A change looks at superchunks that the changed frames
 * claim or have claimed, at those that wait for their volumes, and at those that the same two
 * volumes share: at no other one. Not thread-safe.
 *
 * <p>Two volumes share one superchunk. A second one is named a problem and gets no new blocks, and
 * none is completed: both would die with these two disks, and of a block with replicas on the two
 * volumes nobody could tell by them which superchunk it is in. Its blocks stay where they are, so
 * it remains active. The same holds for a pair whose frames are on one node.
 *
 * <p><b>Invariant</b>: whatever the order of changes, the view is that of all reports at once.
 */
final class ClusterViewBuilder {
  private final Map<FrameRef, Assignment> assigned;
  private final Coefficients coefficients;
  private final FrameIndex frames;
  private ClusterView.Superchunks superchunks = ClusterView.Superchunks.NONE;

  /** By superchunk, only of those with something unusual. */
  private final Map<Long, Remark> remarks = new HashMap<>();

  /** Superchunks that are no working pairs, by the volumes that their frames name. */
  private final Map<String, IdBag> waiting = new HashMap<>();

  /** Superchunks with open claims. */
  private final Set<Long> open = new TreeSet<>();

  private PairCompletions.Outcome completions = PairCompletions.Outcome.NONE;
  private Map<String, List<Assignment>> completionsByVolume = Map.of();
  private PersistentMap<String, ClusterView.Special> special =
      PersistentMap.empty(ClusterView.Special::storageId);
  private Problems problems = Problems.NONE;

  /**
   * What a change has looked at.
   *
   * @param superchunkIds that may be others now
   * @param volumes with frames whose use may be another one now
   * @param epochs that superchunks had, where they have a lower one now or are not there
   */
  record Touched(Set<Long> superchunkIds, Set<String> volumes, Map<Long, Long> epochs) {}

  /** One change while it is worked on. */
  private final class Change {
    private final boolean allHadTime;
    private final FrameIndex.Changes frameChanges;
    private final Map<Long, Outcome> fresh = new TreeMap<>();
    private final Set<Long> gone = new HashSet<>();
    private final Map<Long, Long> passed = new HashMap<>();
    private final Map<String, Map<String, List<Long>>> shared = new HashMap<>();

    /** Volumes whose spare and superseded frames may be others now. */
    private final Set<String> touched;

    Change(FrameIndex.Changes frameChanges, boolean allHadTime) {
      this.frameChanges = frameChanges;
      this.allHadTime = allHadTime;
      this.touched = new HashSet<>(frameChanges.volumes());
    }

    void notePassed(long id) {
      SuperchunkView before = superchunks.all().get(id);
      if (before != null && before.epoch() > now(id).map(SuperchunkView::epoch).orElse(0L)) {
        passed.put(id, before.epoch());
      }
    }

    void look(long id) {
      if (fresh.containsKey(id) || gone.contains(id)) {
        return;
      }
      TreeMap<FrameRef, FrameView> claims = new TreeMap<>();
      Stream.concat(
              claimsBefore(id).map(FrameView::ref),
              frameChanges.claims().getOrDefault(id, Set.of()).stream())
          .forEach(
              ref ->
                  frames
                      .frame(ref)
                      .filter(f -> f.pairing().filter(p -> p.superchunkId() == id).isPresent())
                      .ifPresent(f -> claims.put(ref, f)));
      if (claims.isEmpty()) {
        gone.add(id);
      } else {
        fresh.put(id, SuperchunkRules.look(frames, allHadTime, id, List.copyOf(claims.values())));
      }
    }

    /** Superchunks that share their volumes with one, which is one of them if it has any. */
    List<Long> sharing(SuperchunkView view) {
      if (view.state() != SuperchunkState.ACTIVE) {
        return List.of();
      }
      String first = view.leader().storageId();
      String second = view.follower().storageId();
      boolean isSecondKnown = !shared.containsKey(first) && shared.containsKey(second);
      boolean isSecondChanged =
          !frameChanges.volumes().contains(first) && frameChanges.volumes().contains(second);
      return isSecondKnown || isSecondChanged ? sharing(second, first) : sharing(first, second);
    }

    private List<Long> sharing(String storageId, String partner) {
      return shared
          .computeIfAbsent(
              storageId,
              id -> {
                Map<String, List<Long>> byPartner = new HashMap<>();
                for (FrameView frame : frames.framesOn(id)) {
                  frame
                      .pairing()
                      .ifPresent(
                          p ->
                              byPartner
                                  .computeIfAbsent(p.partnerStorageId(), each -> new ArrayList<>(1))
                                  .add(p.superchunkId()));
                }
                return byPartner;
              })
          .getOrDefault(partner, List.of());
    }

    /** The superchunk as it is now, looked at or not. */
    Optional<SuperchunkView> now(long id) {
      Outcome outcome = fresh.get(id);
      if (outcome != null) {
        return Optional.of(outcome.view());
      }
      return gone.contains(id) ? Optional.empty() : Optional.ofNullable(superchunks.all().get(id));
    }

    /** Of superchunks on the same two volumes the first one is used. */
    void settle(long id) {
      Outcome outcome = fresh.get(id);
      SuperchunkView view = outcome.view();
      if (view.state() != SuperchunkState.ACTIVE) {
        return;
      }
      long first =
          sharing(view).stream()
              .filter(other -> now(other).filter(o -> o.isOnVolumesOf(view)).isPresent())
              .mapToLong(Long::longValue)
              .min()
              .orElse(id);
      if (first != id) {
        Problem problem =
            sharedTwice(id, first, view.leader().storageId(), view.follower().storageId());
        fresh.put(id, new Outcome(view.unusable(), outcome.remark().withProblem(problem)));
      }
    }
  }

  /**
   * @param assigned pairings that are on their way to their frames, as they are at each update
   * @param coefficients of the sides of pairs that are completed
   * @param frames without any report yet
   */
  ClusterViewBuilder(
      Map<FrameRef, Assignment> assigned, Coefficients coefficients, FrameIndex frames) {
    this.assigned = assigned;
    this.coefficients = coefficients;
    this.frames = frames;
  }

  FrameIndex frames() {
    return frames;
  }

  /** What frames of a volume are to store since their partners have stored it. */
  List<Assignment> completionsOn(String storageId) {
    return completionsByVolume.getOrDefault(storageId, List.of());
  }

  /**
   * Takes in changed reports.
   *
   * @param mayBeSettled superchunks that wait for nobody are to be looked at again: all had time
   * @param ordered frames whose orders have changed
   * @return what was looked at
   */
  Touched update(FrameIndex.Update update, boolean mayBeSettled, Collection<FrameRef> ordered) {
    Change change = new Change(frames.update(update), update.allHadTime());
    ordered.forEach(ref -> change.touched.add(ref.storageId()));
    Set<Long> ids = new TreeSet<>(change.frameChanges.claims().keySet());
    for (String storageId :
        mayBeSettled ? List.copyOf(waiting.keySet()) : change.frameChanges.volumes()) {
      IdBag bag = waiting.remove(storageId);
      if (bag != null) {
        bag.forEach(ids::add);
      }
    }
    ids.forEach(change::look);
    for (long id : ids) {
      SuperchunkView before = superchunks.all().get(id);
      if (before != null) {
        change.sharing(before).forEach(change::look);
      }
      change.now(id).ifPresent(now -> change.sharing(now).forEach(change::look));
    }
    List.copyOf(change.fresh.keySet()).forEach(change::settle);
    Set<Long> looked = new HashSet<>(change.fresh.keySet());
    looked.addAll(change.gone);
    looked.forEach(change::notePassed);
    change.gone.forEach(id -> drop(id, change));
    change.fresh.forEach((id, outcome) -> take(id, outcome, change));
    complete(change);
    change.touched.forEach(this::findSpecial);
    return new Touched(looked, change.touched, change.passed);
  }

  ClusterView view(
      PersistentMap<String, NodeState> nodes, PersistentMap<String, LstorState> lstors) {
    return new ClusterView(
        nodes,
        frames.disks(),
        lstors,
        new ClusterView.Frames(frames.byVolume(), special),
        superchunks,
        completions.completions(),
        new ClusterView.AllProblems(frames.problems(), problems));
  }

  private Stream<FrameView> claimsBefore(long id) {
    SuperchunkView view = superchunks.all().get(id);
    return view == null
        ? Stream.empty()
        : Stream.of(view.holders(), view.gone(), remark(id).others()).flatMap(List::stream);
  }

  private Remark remark(long id) {
    return remarks.getOrDefault(id, Remark.NONE);
  }

  private static Problem sharedTwice(long id, long first, String storageId, String other) {
    return new Problem(
        Kind.VOLUMES_SHARE_TWICE,
        "superchunk " + id,
        "volumes="
            + storageId
            + ","
            + other
            + ", expected volumes that do not share superchunk "
            + first
            + " already; it gets no new blocks");
  }

  private void drop(long id, Change change) {
    touch(id, change);
    superchunks = superchunks.without(id);
    remarks.remove(id);
    open.remove(id);
    problems = problems.with(Problems.Source.superchunk(id), List.of());
  }

  private void take(long id, Outcome outcome, Change change) {
    touch(id, change);
    superchunks = superchunks.with(outcome.view());
    Remark remark = outcome.remark();
    if (remark.equals(Remark.NONE)) {
      remarks.remove(id);
    } else {
      remarks.put(id, remark);
    }
    problems = problems.with(Problems.Source.superchunk(id), remark.problems());
    if (remark.open().isEmpty()) {
      open.remove(id);
    } else {
      open.add(id);
    }
    if (outcome.view().state() != SuperchunkState.ACTIVE) {
      claimsBefore(id)
          .flatMap(f -> f.pairing().stream())
          .filter(p -> !p.isAlone())
          .forEach(p -> waiting.computeIfAbsent(p.partnerStorageId(), each -> new IdBag()).add(id));
    }
    touch(id, change);
  }

  /** Frames of a superchunk without remarks hold it, or are gone; only orders may be for others. */
  private void touch(long id, Change change) {
    if (remarks.containsKey(id) || !assigned.isEmpty()) {
      claimsBefore(id).forEach(f -> change.touched.add(f.storageId()));
    }
  }

  // ---------------------------------------------------------------- completions

  private void complete(Change change) {
    if (open.isEmpty() && completions.equals(PairCompletions.Outcome.NONE)) {
      return;
    }
    touchCompleted(change);
    List<Claim> claims = new ArrayList<>();
    open.forEach(id -> claims.addAll(remark(id).open()));
    completions =
        new PairCompletions(new PairableFrames(), assigned, coefficients).complete(claims);
    completionsByVolume =
        completions.completions().values().stream()
            .collect(Collectors.groupingBy(each -> each.frame().storageId()));
    problems = problems.with(Problems.Source.COMPLETIONS, completions.problems());
    touchCompleted(change);
  }

  private void touchCompleted(Change change) {
    completions.completions().keySet().forEach(ref -> change.touched.add(ref.storageId()));
    completions.barred().forEach(ref -> change.touched.add(ref.storageId()));
  }

  /** What completions need to know of frames. */
  private final class PairableFrames implements PairCompletions.Frames {
    private final Map<Set<String>, Long> taken = new HashMap<>();

    @Override
    public List<FrameView> framesOn(String storageId) {
      return frames.framesOn(storageId);
    }

    @Override
    public boolean isBarred(FrameView frame) {
      return ClusterViewBuilder.this.isBarred(frame);
    }

    @Override
    public boolean isSuperseded(FrameView frame) {
      return ClusterViewBuilder.this.isSuperseded(frame);
    }

    @Override
    public String name(FrameView frame) {
      return frames.name(frame);
    }

    @Override
    public boolean onNamedNode(FrameView frame, FrameView partner, List<Problem> found) {
      return SuperchunkRules.isOnNamedNode(frames, frame, partner, found);
    }

    @Override
    public boolean mayShare(long id, FrameView frame, FrameView partner, List<Problem> found) {
      if (!SuperchunkRules.areApart(frames, frame, partner, found)) {
        return false;
      }
      Set<String> volumes = Set.of(frame.storageId(), partner.storageId());
      long first =
          activeOn(frame.storageId(), partner.storageId())
              .orElseGet(() -> taken.computeIfAbsent(volumes, each -> id));
      if (first != id) {
        found.add(sharedTwice(id, first, frame.storageId(), partner.storageId()));
      }
      return first == id;
    }

    private Optional<Long> activeOn(String storageId, String partner) {
      return frames.framesOn(storageId).stream()
          .flatMap(f -> f.pairing().stream())
          .filter(p -> p.partnerStorageId().equals(partner))
          .map(Pairing::superchunkId)
          .filter(id -> isPairOn(id, storageId, partner))
          .min(Long::compare);
    }

    private boolean isPairOn(long id, String storageId, String partner) {
      SuperchunkView view = superchunks.all().get(id);
      return view != null
          && view.state() == SuperchunkState.ACTIVE
          && view.holders().stream()
              .allMatch(f -> f.storageId().equals(storageId) || f.storageId().equals(partner));
    }
  }

  // ---------------------------------------------------------------- spare and superseded frames

  private boolean isBarred(FrameView frame) {
    FrameRef ref = frame.ref();
    return frames.isBarred(ref)
        || frame.pairing().filter(p -> remark(p.superchunkId()).barred().contains(ref)).isPresent();
  }

  private boolean isSuperseded(FrameView frame) {
    return frame
        .pairing()
        .filter(p -> remark(p.superchunkId()).superseded().contains(frame.ref()))
        .isPresent();
  }

  private void findSpecial(String storageId) {
    List<FrameView> spares = new ArrayList<>();
    List<FrameView> superseded = new ArrayList<>();
    List<FrameView> cleared = new ArrayList<>();
    for (FrameView frame : frames.framesOn(storageId)) {
      boolean isLeft = isSuperseded(frame);
      if (isLeft) {
        (frame.isEmpty() ? cleared : superseded).add(frame);
      }
      if (frame.health() == FrameHealth.USABLE
          && frame.isEmpty()
          && (isLeft || frame.pairing().isEmpty())
          && !isBarred(frame)
          && !completions.barred().contains(frame.ref())
          && !completions.completions().containsKey(frame.ref())
          && !assigned.containsKey(frame.ref())) {
        spares.add(frame);
      }
    }
    special =
        spares.isEmpty() && superseded.isEmpty() && cleared.isEmpty()
            ? special.without(storageId)
            : special.with(new ClusterView.Special(storageId, spares, superseded, cleared));
  }
}
