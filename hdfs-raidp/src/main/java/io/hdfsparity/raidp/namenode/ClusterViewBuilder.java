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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Derives a {@link ClusterView} from reports. Pure and used once; what it says depends on its input
 * only.
 *
 * <p>Rules: of the claims on a superchunk those with the highest epoch count. A live frame holds
 * the superchunk when it claims it under that epoch, or when such a claim names it as partner: the
 * new partner may have stored the new epoch before the survivor did. A frame in conflict is
 * nobody's partner and no spare.
 *
 * <p>A claim names its partner by volume: it is the frame there that claims the same superchunk. A
 * volume has one frame in a superchunk. Of two the one with the higher epoch counts, and the other
 * one is superseded; under one epoch neither is used.
 *
 * <p>Two volumes share one superchunk. A second one is named a problem and gets no new blocks, and
 * none is completed: both would die with these two disks, and of a block with replicas on the two
 * volumes nobody could tell by them which superchunk it is in. Its blocks stay where they are, so
 * it remains active. The same holds for a pair whose frames are on one node.
 */
final class ClusterViewBuilder {
  private final Map<String, NodeState> nodes;
  private final Map<String, LstorState> lstors;
  private final Map<FrameRef, Assignment> assigned;
  private final Coefficients coefficients;
  private final boolean allHadTime;

  private final ReportedFrames reported;
  private final Map<String, DiskView> disks;
  private final Map<Long, SuperchunkView> superchunks = new HashMap<>();
  private final Map<VolumePair, Long> shared = new HashMap<>();
  private final List<Claim> open = new ArrayList<>();
  private final Map<FrameRef, Assignment> completions = new HashMap<>();

  /** Live frames that must not be used because of a problem. */
  private final Set<FrameRef> barred;

  private final Set<FrameRef> superseded = new HashSet<>();

  /** Two volumes, the one with the lower storage id first. */
  private record VolumePair(String low, String high) {
    static VolumePair of(String a, String b) {
      return a.compareTo(b) < 0 ? new VolumePair(a, b) : new VolumePair(b, a);
    }
  }

  /**
   * What a live frame has stored and its partner has not.
   *
   * @param by the frame that has stored it
   * @param partner the frame that holds the superchunk under an older epoch; empty: a free frame of
   *     the named volume is to take it
   */
  private record Claim(FrameView by, Optional<FrameView> partner) {
    Pairing pairing() {
      return by.pairing().orElseThrow();
    }

    String volume() {
      return pairing().partnerStorageId();
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
  ClusterViewBuilder(
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
    this.assigned = assigned;
    this.coefficients = coefficients;
    this.allHadTime = allHadTime;
    this.reported = new ReportedFrames(failedByAdmin, highestSeen, allHadTime);
    this.disks = reported.disks();
    this.barred = reported.barred();
  }

  ClusterView build() {
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
    complete();
    List<FrameView> left =
        reported.frames().stream().filter(f -> superseded.contains(f.ref())).toList();
    return new ClusterView(
        nodes,
        disks,
        lstors,
        new ClusterView.Frames(
            reported.byVolume(),
            spares(),
            left.stream().filter(f -> !f.isEmpty()).toList(),
            left.stream().filter(FrameView::isEmpty).toList()),
        superchunks,
        completions,
        reported.problems());
  }

  private static long epoch(FrameView frame) {
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
    long highest = claims.stream().mapToLong(ClusterViewBuilder::epoch).max().orElse(0);
    return claims.stream().filter(f -> epoch(f) == highest).toList();
  }

  private List<FrameView> framesOn(String storageId) {
    return reported.byVolume().getOrDefault(storageId, List.of());
  }

  private boolean isUsedInPairs(FrameView frame) {
    return frame.health().alive() && !barred.contains(frame.ref());
  }

  // ---------------------------------------------------------------- superseded frames

  private void findSuperseded(long id, List<FrameView> claims) {
    List<FrameView> current = current(claims);
    barEqualsOfOneVolume(id, claims);
    for (FrameView frame : claims) {
      boolean named = current.stream().anyMatch(f -> partner(f).equals(frame.storageId()));
      boolean behind = claims.stream().anyMatch(f -> isAheadOnItsVolume(f, frame));
      if (isUsedInPairs(frame) && (behind || !current.contains(frame) && !named)) {
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
                  + frame.report().load().blocks());
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
            .filter(f -> isUsedInPairs(f) && claims.stream().anyMatch(o -> isEqualTo(f, o)))
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
    return isUsedInPairs(other)
        && frame.storageId().equals(other.storageId())
        && frame.report().frameIndex() != other.report().frameIndex()
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
                Comparator.comparingLong(ClusterViewBuilder::epoch)
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
    return partner(frame).isEmpty() || !framesOn(partner(frame)).isEmpty();
  }

  private boolean isGood(FrameView frame) {
    return isUsedInPairs(frame) && !superseded.contains(frame.ref());
  }

  private Optional<List<FrameView>> mutualPair(List<FrameView> good) {
    for (FrameView a : good) {
      for (FrameView b : good) {
        if (a.storageId().compareTo(b.storageId()) < 0
            && partner(a).equals(b.storageId())
            && partner(b).equals(a.storageId())
            && onNamedNode(a, b)
            && onNamedNode(b, a)) {
          return Optional.of(List.of(a, b));
        }
      }
    }
    return Optional.empty();
  }

  private boolean onNamedNode(FrameView frame, FrameView partner) {
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
      List<FrameView> named = framesOn(partner(frame));
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
                open.add(new Claim(frame, Optional.of(survivor)));
              });
      if (ours.isEmpty()
          && isUsedInPairs(frame)
          && named.stream().anyMatch(this::isUsedInPairs)
          && named.stream().noneMatch(f -> hasForgotten(f, id))) {
        open.add(new Claim(frame, Optional.empty()));
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

  // ---------------------------------------------------------------- completions

  private void complete() {
    open.sort(
        Comparator.comparingLong((Claim claim) -> claim.pairing().superchunkId())
            .thenComparing(claim -> claim.by().ref()));
    Map<String, List<Claim>> byVolume = new TreeMap<>();
    for (Claim claim : open) {
      Optional<FrameView> partner = claim.partner().or(() -> assigned(claim));
      if (partner.isPresent()) {
        complete(claim.by(), partner.get());
      } else {
        byVolume.computeIfAbsent(claim.volume(), id -> new ArrayList<>()).add(claim);
      }
    }
    byVolume.forEach(this::completeOnFreeFrames);
  }

  /** The frame that this manager has chosen already. */
  private Optional<FrameView> assigned(Claim claim) {
    return framesOn(claim.volume()).stream()
        .filter(
            f -> {
              Assignment order = assigned.get(f.ref());
              return order != null
                  && order.pairing().superchunkId() == claim.pairing().superchunkId()
                  && isUsedInPairs(f);
            })
        .findFirst();
  }

  /** Each claim gets the free frame with the lowest index; where they are too few nobody does. */
  private void completeOnFreeFrames(String storageId, List<Claim> claims) {
    List<FrameView> usable = framesOn(storageId).stream().filter(this::isUsedInPairs).toList();
    if (usable.isEmpty()) {
      // Its frames have turned out to be in conflict since.
      return;
    }
    List<FrameView> free = new ArrayList<>(usable.stream().filter(this::isFree).toList());
    Map<Long, FrameView> chosen = new LinkedHashMap<>();
    List<Claim> left = new ArrayList<>();
    for (Claim claim : claims) {
      Optional<FrameView> first =
          free.stream().filter(f -> epoch(f) < claim.pairing().epoch()).findFirst();
      if (!onNamedNode(claim.by(), usable.get(0))) {
        continue;
      }
      if (first.isEmpty() || chosen.containsKey(claim.pairing().superchunkId())) {
        left.add(claim);
      } else {
        chosen.put(claim.pairing().superchunkId(), first.get());
        free.remove(first.get());
      }
    }
    if (left.isEmpty()) {
      claims.stream()
          .filter(claim -> chosen.containsKey(claim.pairing().superchunkId()))
          .forEach(claim -> complete(claim.by(), chosen.get(claim.pairing().superchunkId())));
    } else if (chosen.isEmpty()) {
      if (usable.stream().noneMatch(this::mayBecomeFree)) {
        left.forEach(claim -> refuse(claim, usable));
      }
    } else {
      chosen.values().forEach(f -> barred.add(f.ref()));
      problem(
          Kind.PARTNER_CLAIMED_TWICE,
          storageId,
          "claimed by "
              + claims.stream().map(claim -> reported.name(claim.by())).toList()
              + ", expected at most as many claims as free frames, free="
              + (chosen.size() + free.size()));
    }
  }

  private boolean isFree(FrameView frame) {
    return !assigned.containsKey(frame.ref())
        && !completions.containsKey(frame.ref())
        && (frame.pairing().isEmpty() || superseded.contains(frame.ref()) && frame.isEmpty());
  }

  private boolean mayBecomeFree(FrameView frame) {
    return frame.pairing().isEmpty() || superseded.contains(frame.ref());
  }

  private void refuse(Claim claim, List<FrameView> usable) {
    problem(
        Kind.PARTNER_CLAIMS_OTHER,
        reported.name(claim.by()),
        "partner="
            + claim.volume()
            + " which is in superchunk "
            + usable.stream()
                .map(f -> String.valueOf(f.pairing().orElseThrow().superchunkId()))
                .collect(Collectors.joining(","))
            + ", expected "
            + claim.pairing().superchunkId());
  }

  private void complete(FrameView frame, FrameView named) {
    Pairing p = frame.pairing().orElseThrow();
    Pairing wanted =
        new Pairing(
            p.superchunkId(),
            p.epoch(),
            frame.storageId(),
            frame.nodeUuid(),
            coefficient(p, named));
    Assignment earlier = completions.get(named.ref());
    if (barred.contains(named.ref())) {
      return;
    }
    if (earlier != null && !earlier.pairing().equals(wanted)) {
      completions.remove(named.ref());
      barred.add(named.ref());
      problem(
          Kind.PARTNER_CLAIMED_TWICE,
          reported.name(named),
          "claimed by "
              + earlier.pairing().partnerStorageId()
              + " and "
              + frame.storageId()
              + ", expected one");
    } else if (!frame.health().alive() || !onNamedNode(frame, named) || epoch(named) >= p.epoch()) {
      return;
    } else if (areApart(frame, named)
        && isFirstOf(p.superchunkId(), frame.storageId(), named.storageId())) {
      completions.put(named.ref(), new Assignment(named.ref(), wanted));
    }
  }

  /** A side with blocks keeps their coefficient. */
  private int coefficient(Pairing ofPartner, FrameView named) {
    return named
        .pairing()
        .filter(own -> own.superchunkId() == ofPartner.superchunkId() && !named.isEmpty())
        .map(Pairing::coefficient)
        .orElseGet(() -> coefficients.ofNewSide(ofPartner.coefficient()));
  }

  private List<FrameView> spares() {
    return reported.frames().stream()
        .filter(f -> f.health() == FrameHealth.USABLE && isUsedInPairs(f))
        .filter(f -> f.isEmpty() && isFree(f))
        .sorted(Comparator.comparing(FrameView::diskId).thenComparing(f -> f.report().frameIndex()))
        .toList();
  }

  private void problem(Kind kind, String subject, String detail) {
    reported.problem(kind, subject, detail);
  }
}
