/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.config.Coefficients;
import io.hdfsparity.raidp.lstor.LstorGeometry;
import io.hdfsparity.raidp.namenode.Problem.Kind;
import io.hdfsparity.raidp.wire.message.Assignment;
import io.hdfsparity.raidp.wire.message.FrameRef;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/** Twin of {@link ClusterViewBuilder}: derives everything from all reports at once, each time. */
final class WholeViewBuilder {
  private final Map<String, NodeState> nodes;
  private final Map<String, LstorState> lstors;
  private final boolean allHadTime;

  private final WholeFrames reported;
  private final Map<String, DiskView> disks;
  private final Map<Long, SuperchunkView> superchunks = new HashMap<>();
  private final Map<VolumePair, Long> shared = new HashMap<>();

  /** Live frames that must not be used because of a problem. */
  private final Set<FrameRef> barred;

  private final Set<FrameRef> superseded = new HashSet<>();
  private final WholeCompletions completions;

  /** Two volumes, the one with the lower storage id first. */
  private record VolumePair(String low, String high) {
    static VolumePair of(String a, String b) {
      return a.compareTo(b) < 0 ? new VolumePair(a, b) : new VolumePair(b, a);
    }
  }

  /**
   * @param nodes all nodes ever known
   * @param lstors all Lstors ever known, by disk id
   * @param failedByAdmin disks that an administrator declared failed
   * @param highestSeen highest pairing that each frame has ever reported to this manager
   * @param assigned pairings that are on their way to their frames
   * @param coefficients of the sides of pairs that are completed
   * @param allHadTime the manager has been up for so long that who has not reported is gone
   */
  WholeViewBuilder(
      Collection<NodeState> nodes,
      Collection<LstorState> lstors,
      Set<String> failedByAdmin,
      Map<FrameRef, Pairing> highestSeen,
      Map<FrameRef, Assignment> assigned,
      Coefficients coefficients,
      boolean allHadTime) {
    this.nodes = new TreeMap<>();
    nodes.forEach(n -> this.nodes.put(n.report().nodeUuid(), n));
    this.lstors = new TreeMap<>();
    lstors.forEach(l -> this.lstors.put(l.report().diskId(), l));
    this.allHadTime = allHadTime;
    this.reported = new WholeFrames(failedByAdmin, highestSeen, allHadTime);
    this.disks = reported.disks();
    this.barred = reported.barred();
    this.completions =
        new WholeCompletions(
            reported,
            superseded,
            assigned,
            coefficients,
            new WholeCompletions.Rules() {
              @Override
              public boolean onNamedNode(FrameView frame, FrameView partner) {
                return isOnNamedNode(frame, partner);
              }

              @Override
              public boolean mayShare(long superchunkId, FrameView frame, FrameView partner) {
                return areApart(frame, partner)
                    && isFirstOf(superchunkId, frame.storageId(), partner.storageId());
              }
            });
  }

  /** What it finds, as {@link ClusterView} has it. */
  record Whole(
      Map<String, DiskView> disks,
      Map<String, List<FrameView>> byVolume,
      List<FrameView> spares,
      List<FrameView> superseded,
      List<FrameView> cleared,
      Map<Long, SuperchunkView> superchunks,
      Map<FrameRef, Assignment> completions,
      List<Problem> problems) {}

  Whole build() {
    reported.add(nodes.values(), lstors.values());
    Map<Long, List<FrameView>> claims = new TreeMap<>();
    for (FrameView frame : reported.frames()) {
      frame
          .pairing()
          .ifPresent(
              p -> claims.computeIfAbsent(p.superchunkId(), id -> new ArrayList<>(2)).add(frame));
    }
    // Superseded frames first: one of them may have been given to another superchunk.
    claims.forEach(this::findSuperseded);
    claims.forEach(this::addSuperchunk);
    // Working pairs first: they share their volumes already.
    Map<FrameRef, Assignment> completed = completions.complete();
    List<FrameView> left =
        reported.frames().stream().filter(f -> superseded.contains(f.ref())).toList();
    return new Whole(
        disks,
        reported.byVolume(),
        spares(),
        left.stream().filter(f -> !f.isEmpty()).toList(),
        left.stream().filter(FrameView::isEmpty).toList(),
        superchunks,
        completed,
        reported.problems());
  }

  static long epoch(FrameView frame) {
    return frame.pairing().map(Pairing::epoch).orElse(0L);
  }

  /** The volume of a frame's partner. */
  private static String partner(FrameView frame) {
    return frame.pairing().map(Pairing::partnerStorageId).orElse("");
  }

  private static boolean claims(FrameView frame, long superchunkId) {
    return frame.pairing().filter(p -> p.superchunkId() == superchunkId).isPresent();
  }

  private static List<FrameView> current(List<FrameView> claims) {
    long highest = claims.stream().mapToLong(WholeViewBuilder::epoch).max().orElse(0);
    return claims.stream().filter(f -> epoch(f) == highest).toList();
  }

  // ---------------------------------------------------------------- superseded frames

  private void findSuperseded(long id, List<FrameView> claims) {
    List<FrameView> current = current(claims);
    barEqualsOfOneVolume(id, claims);
    for (FrameView frame : claims) {
      boolean named = current.stream().anyMatch(f -> partner(f).equals(frame.storageId()));
      boolean behind = claims.stream().anyMatch(f -> isAheadOnItsVolume(f, frame));
      if (reported.isUsedInPairs(frame) && (behind || !current.contains(frame) && !named)) {
        superseded.add(frame.ref());
        if (!frame.isEmpty()) {
          problem(
              Kind.SUPERSEDED,
              reported.name(frame),
              "epoch="
                  + epoch(frame)
                  + ", expected "
                  + epoch(current.get(0))
                  + " of superchunk "
                  + id
                  + "; it may be used again when HDFS has removed its blocks, blocks="
                  + frame.blocks());
        }
      }
    }
  }

  private static boolean isAheadOnItsVolume(FrameView frame, FrameView other) {
    return frame.storageId().equals(other.storageId())
        && frame.health().alive()
        && epoch(frame) > epoch(other);
  }

  private void barEqualsOfOneVolume(long id, List<FrameView> claims) {
    List<FrameView> equals =
        claims.stream()
            .filter(
                f -> reported.isUsedInPairs(f) && claims.stream().anyMatch(o -> isEqualTo(f, o)))
            .toList();
    for (FrameView frame : equals) {
      barred.add(frame.ref());
      problem(
          Kind.CLAIMED_TWICE_ON_VOLUME,
          reported.name(frame),
          "superchunk="
              + id
              + " epoch="
              + epoch(frame)
              + ", expected one frame of a volume in a superchunk");
    }
  }

  private boolean isEqualTo(FrameView frame, FrameView other) {
    return reported.isUsedInPairs(other)
        && frame.storageId().equals(other.storageId())
        && frame.frameIndex() != other.frameIndex()
        && epoch(frame) == epoch(other);
  }

  // ---------------------------------------------------------------- superchunks

  private void addSuperchunk(long id, List<FrameView> claims) {
    List<FrameView> current = current(claims);
    long epoch = epoch(current.get(0));
    List<FrameView> good =
        current.stream()
            .filter(this::isGood)
            .sorted(Comparator.comparing(FrameView::storageId))
            .toList();
    Optional<List<FrameView>> pair = mutualPair(good);
    List<FrameView> gone =
        claims.stream()
            .filter(f -> !f.health().alive())
            .sorted(
                Comparator.comparingLong(WholeViewBuilder::epoch)
                    .reversed()
                    .thenComparing(FrameView::ref))
            .toList();
    SuperchunkView view;
    if (pair.isPresent()) {
      barThird(id, good, pair.get());
      boolean usable =
          pair.get().stream().allMatch(f -> f.health() == FrameHealth.USABLE)
              & sameShape(id, pair.get())
              & areApart(pair.get().get(0), pair.get().get(1))
              & isFirstOf(id, pair.get().get(0).storageId(), pair.get().get(1).storageId());
      view = new SuperchunkView(id, epoch, SuperchunkState.ACTIVE, pair.get(), gone, usable, true);
    } else {
      List<FrameView> holders = holders(id, claims, good);
      // A live frame in conflict may hold the newest content: rebuilding past it would lose
      // acknowledged bytes.
      boolean lost = holders.isEmpty() && current.stream().noneMatch(f -> f.health().alive());
      view =
          new SuperchunkView(
              id,
              epoch,
              lost ? SuperchunkState.LOST : SuperchunkState.DEGRADED,
              holders,
              gone,
              false,
              allHadTime || current.stream().allMatch(this::partnerHeardOf));
    }
    superchunks.put(id, view);
  }

  private boolean partnerHeardOf(FrameView frame) {
    return partner(frame).isEmpty() || !reported.framesOn(partner(frame)).isEmpty();
  }

  private boolean isGood(FrameView frame) {
    return reported.isUsedInPairs(frame) && !superseded.contains(frame.ref());
  }

  private Optional<List<FrameView>> mutualPair(List<FrameView> good) {
    for (FrameView a : good) {
      for (FrameView b : good) {
        if (a.storageId().compareTo(b.storageId()) < 0
            && partner(a).equals(b.storageId())
            && partner(b).equals(a.storageId())
            && isOnNamedNode(a, b)
            && isOnNamedNode(b, a)) {
          return Optional.of(List.of(a, b));
        }
      }
    }
    return Optional.empty();
  }

  private boolean isOnNamedNode(FrameView frame, FrameView partner) {
    String named = frame.pairing().map(Pairing::partnerNodeUuid).orElse("");
    if (named.equals(partner.nodeUuid())) {
      return true;
    }
    problem(
        Kind.PARTNER_ON_OTHER_NODE,
        reported.name(partner),
        "node="
            + partner.nodeUuid()
            + ", expected "
            + named
            + " as frame "
            + reported.name(frame)
            + " has stored");
    return false;
  }

  private boolean sameShape(long id, List<FrameView> pair) {
    LstorGeometry a = disks.get(pair.get(0).diskId()).geometry().orElse(null);
    LstorGeometry b = disks.get(pair.get(1).diskId()).geometry().orElse(null);
    boolean same =
        a == null
            || b == null
            || a.unitsPerFrame() == b.unitsPerFrame() && a.unitBytes() == b.unitBytes();
    if (!same) {
      problem(
          Kind.GEOMETRY_DIFFERS,
          "superchunk " + id,
          "leader=" + a + " follower=" + b + ", expected equal unitsPerFrame and unitBytes");
    }
    return same;
  }

  private boolean areApart(FrameView frame, FrameView partner) {
    boolean apart =
        !frame.nodeUuid().equals(partner.nodeUuid()) && !frame.diskId().equals(partner.diskId());
    if (!apart) {
      problem(
          Kind.PAIR_ON_ONE_NODE,
          reported.name(frame),
          "partner="
              + partner.storageId()
              + " superchunk="
              + frame.pairing().orElseThrow().superchunkId()
              + ", expected a partner on another node than "
              + frame.nodeUuid());
    }
    return apart;
  }

  /** Superchunks are looked at by id, those that work before those to be completed. */
  private boolean isFirstOf(long id, String storageId, String otherStorageId) {
    Long first = shared.putIfAbsent(VolumePair.of(storageId, otherStorageId), id);
    if (first == null || first == id) {
      return true;
    }
    problem(
        Kind.VOLUMES_SHARE_TWICE,
        "superchunk " + id,
        "volumes="
            + storageId
            + ","
            + otherStorageId
            + ", expected volumes that do not share superchunk "
            + first
            + " already; it gets no new blocks");
    return false;
  }

  private void barThird(long id, List<FrameView> good, List<FrameView> pair) {
    for (FrameView frame : good) {
      if (!pair.contains(frame)) {
        barred.add(frame.ref());
        problem(
            Kind.PARTNER_CLAIMED_TWICE,
            reported.name(frame),
            "partner="
                + partner(frame)
                + " superchunk="
                + id
                + ", expected only "
                + reported.name(pair.get(0))
                + " and "
                + reported.name(pair.get(1))
                + " to claim it");
      }
    }
  }

  /** Frames that hold a superchunk which is not a working pair; notes what would make it one. */
  private List<FrameView> holders(long id, List<FrameView> claims, List<FrameView> good) {
    List<FrameView> holders = new ArrayList<>();
    for (FrameView frame : current(claims)) {
      List<FrameView> named = reported.framesOn(partner(frame));
      List<FrameView> ours =
          claims.stream()
              .filter(f -> f.health().alive() && f.storageId().equals(partner(frame)))
              .toList();
      // The survivor of an older epoch holds the content; its new partner was quicker to store the
      // pairing.
      ours.stream()
          .filter(f -> isGood(f) && epoch(f) < epoch(frame))
          .forEach(
              survivor -> {
                holders.add(survivor);
                completions.add(frame, Optional.of(survivor));
              });
      if (ours.isEmpty()
          && reported.isUsedInPairs(frame)
          && named.stream().anyMatch(reported::isUsedInPairs)
          && named.stream().noneMatch(f -> hasForgotten(f, id))) {
        completions.add(frame, Optional.empty());
      }
    }
    // Content first: a frame that only stored its part of a new pairing comes after the survivor.
    good.stream().filter(f -> !holders.contains(f)).forEach(holders::add);
    refuseRivals(id, good);
    return holders.stream().distinct().toList();
  }

  /** It had this superchunk and does not say so any more: no other frame may take its place. */
  private boolean hasForgotten(FrameView frame, long superchunkId) {
    OptionalLong last = reported.lastSuperchunkOf(frame);
    return barred.contains(frame.ref())
        && last.isPresent()
        && last.getAsLong() == superchunkId
        && !claims(frame, superchunkId);
  }

  private void refuseRivals(long id, List<FrameView> good) {
    Map<String, FrameView> byPartner = new HashMap<>();
    for (FrameView frame : good) {
      FrameView rival = byPartner.put(partner(frame), frame);
      if (rival != null && !partner(frame).isEmpty()) {
        problem(
            Kind.PARTNER_CLAIMED_TWICE,
            partner(frame),
            "superchunk="
                + id
                + " claimed by "
                + reported.name(rival)
                + " and "
                + reported.name(frame)
                + ", expected one");
      }
    }
  }

  private List<FrameView> spares() {
    return reported.frames().stream()
        .filter(f -> f.health() == FrameHealth.USABLE && reported.isUsedInPairs(f))
        .filter(f -> f.isEmpty() && completions.isFree(f))
        .sorted(Comparator.comparing(FrameView::diskId).thenComparing(f -> f.frameIndex()))
        .toList();
  }

  private void problem(Kind kind, String subject, String detail) {
    reported.problem(kind, subject, detail);
  }
}
