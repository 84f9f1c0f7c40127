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
import io.hdfsparity.raidp.wire.message.Pairing;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Derives a {@link ClusterView} from reports. Pure and used once; what it says depends on its input
 * only.
 *
 * <p>Rules: of the claims on a superchunk those with the highest epoch count. A live frame holds
 * the superchunk when it claims it under that epoch, or when such a claim names it as partner: the
 * new partner may have stored the new epoch before the survivor did. A frame in conflict is
 * nobody's partner and no spare.
 */
final class ClusterViewBuilder {
  private final Map<String, NodeState> nodes;
  private final Map<String, LstorState> lstors;
  private final Set<String> assigned;
  private final Coefficients coefficients;
  private final boolean allHadTime;

  private final ReportedFrames reported;
  private final Map<String, DiskView> disks;
  private final Map<String, FrameView> frames;
  private final Map<Long, SuperchunkView> superchunks = new HashMap<>();
  private final Map<String, SuperchunkView> byStorage = new HashMap<>();
  private final Map<String, Assignment> completions = new HashMap<>();

  /** Live frames that must not be used because of a problem. */
  private final Set<String> barred;

  private final Set<String> superseded = new HashSet<>();

  /**
   * @param nodes all nodes ever known
   * @param lstors all Lstors ever known, by disk id
   * @param failedByAdmin disks that an administrator declared failed
   * @param highestSeen highest pairing that each frame has ever reported to this manager
   * @param assigned frames to which a pairing is on its way
   * @param coefficients of the sides of pairs that are completed
   * @param allHadTime the manager has been up for so long that who has not reported is gone
   */
  ClusterViewBuilder(
      Collection<NodeState> nodes,
      Collection<LstorState> lstors,
      Set<String> failedByAdmin,
      Map<String, Pairing> highestSeen,
      Set<String> assigned,
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
    this.frames = reported.frames();
    this.barred = reported.barred();
  }

  ClusterView build() {
    reported.add(nodes.values(), lstors.values());
    Map<Long, List<FrameView>> claims = new TreeMap<>();
    for (FrameView frame : frames.values()) {
      frame
          .pairing()
          .ifPresent(
              p -> claims.computeIfAbsent(p.superchunkId(), id -> new ArrayList<>()).add(frame));
    }
    // Superseded frames first: one of them may have been given to another superchunk.
    claims.values().forEach(this::findSuperseded);
    claims.forEach(this::addSuperchunk);
    return new ClusterView(
        nodes,
        disks,
        lstors,
        new ClusterView.Frames(
            frames,
            spares(),
            frames.values().stream()
                .filter(f -> superseded.contains(f.storageId()) && !f.isEmpty())
                .toList()),
        superchunks,
        byStorage,
        completions,
        reported.problems());
  }

  private static long epoch(FrameView frame) {
    return frame.pairing().map(Pairing::epoch).orElse(0L);
  }

  private static String partner(FrameView frame) {
    return frame.pairing().map(Pairing::partnerStorageId).orElse("");
  }

  private static List<FrameView> current(List<FrameView> claims) {
    long highest = claims.stream().mapToLong(ClusterViewBuilder::epoch).max().orElse(0);
    return claims.stream().filter(f -> epoch(f) == highest).toList();
  }

  private void findSuperseded(List<FrameView> claims) {
    List<FrameView> current = current(claims);
    for (FrameView frame : claims) {
      boolean named = current.stream().anyMatch(f -> partner(f).equals(frame.storageId()));
      if (!current.contains(frame)
          && !named
          && frame.health().alive()
          && !barred.contains(frame.storageId())) {
        superseded.add(frame.storageId());
        if (!frame.isEmpty()) {
          problem(
              Kind.SUPERSEDED,
              frame.storageId(),
              "epoch="
                  + epoch(frame)
                  + ", expected "
                  + epoch(current.get(0))
                  + " of superchunk "
                  + frame.pairing().orElseThrow().superchunkId()
                  + "; it may be used again when HDFS has removed its blocks, blocks="
                  + frame.report().load().blocks());
        }
      }
    }
  }

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
                    .thenComparing(FrameView::storageId))
            .toList();
    SuperchunkView view;
    if (pair.isPresent()) {
      barThird(id, good, pair.get());
      boolean usable =
          pair.get().stream().allMatch(f -> f.health() == FrameHealth.USABLE)
              && sameShape(id, pair.get());
      view = new SuperchunkView(id, epoch, SuperchunkState.ACTIVE, pair.get(), gone, usable, true);
    } else {
      List<FrameView> holders = holders(id, current, good);
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
    view.holders().forEach(f -> byStorage.put(f.storageId(), view));
  }

  private boolean partnerHeardOf(FrameView frame) {
    return partner(frame).isEmpty() || frames.containsKey(partner(frame));
  }

  private boolean isGood(FrameView frame) {
    return frame.health().alive()
        && !barred.contains(frame.storageId())
        && !superseded.contains(frame.storageId());
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
        partner.storageId(),
        "node="
            + partner.nodeUuid()
            + ", expected "
            + named
            + " as frame "
            + frame.storageId()
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

  private void barThird(long id, List<FrameView> good, List<FrameView> pair) {
    for (FrameView frame : good) {
      if (!pair.contains(frame)) {
        barred.add(frame.storageId());
        problem(
            Kind.PARTNER_CLAIMED_TWICE,
            frame.storageId(),
            "partner="
                + partner(frame)
                + " superchunk="
                + id
                + ", expected only "
                + pair.get(0).storageId()
                + " and "
                + pair.get(1).storageId()
                + " to claim it");
      }
    }
  }

  /**
   * Frames that hold a superchunk which is not a working pair; fills in the completions that would
   * make it one.
   */
  private List<FrameView> holders(long id, List<FrameView> current, List<FrameView> good) {
    List<FrameView> holders = new ArrayList<>();
    for (FrameView frame : current) {
      FrameView named = frames.get(partner(frame));
      if (named == null || !named.health().alive() || barred.contains(named.storageId())) {
        continue;
      }
      boolean ours = named.pairing().map(p -> p.superchunkId() == id).orElse(false);
      // The survivor of an older epoch holds the content; its new partner was quicker to store the
      // pairing.
      if (ours && epoch(named) < epoch(frame)) {
        holders.add(named);
        complete(frame, named);
      } else if (!ours && frame.health().alive() && !barred.contains(frame.storageId())) {
        completeOrRefuse(frame, named);
      }
    }
    // Content first: a frame that only stored its part of a new pairing comes after the survivor.
    good.stream().filter(f -> !holders.contains(f)).forEach(holders::add);
    if (good.size() > 1) {
      refuseRivals(id, good);
    }
    return holders.stream().distinct().toList();
  }

  private void completeOrRefuse(FrameView frame, FrameView named) {
    boolean free =
        named.pairing().isEmpty() || superseded.contains(named.storageId()) && named.isEmpty();
    if (free) {
      complete(frame, named);
    } else if (!superseded.contains(named.storageId())) {
      problem(
          Kind.PARTNER_CLAIMS_OTHER,
          frame.storageId(),
          "partner="
              + named.storageId()
              + " which is in superchunk "
              + named.pairing().orElseThrow().superchunkId()
              + ", expected "
              + frame.pairing().orElseThrow().superchunkId());
    }
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
    Assignment earlier = completions.get(named.storageId());
    if (earlier != null && !earlier.pairing().equals(wanted)) {
      completions.remove(named.storageId());
      barred.add(named.storageId());
      problem(
          Kind.PARTNER_CLAIMED_TWICE,
          named.storageId(),
          "claimed by "
              + earlier.pairing().partnerStorageId()
              + " and "
              + frame.storageId()
              + ", expected one");
    } else if (frame.health().alive()
        && epoch(named) < p.epoch()
        && p.partnerNodeUuid().equals(named.nodeUuid())) {
      completions.put(named.storageId(), new Assignment(named.storageId(), wanted));
    } else if (!p.partnerNodeUuid().equals(named.nodeUuid())) {
      onNamedNode(frame, named);
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
                + rival.storageId()
                + " and "
                + frame.storageId()
                + ", expected one");
      }
    }
  }

  private List<FrameView> spares() {
    return frames.values().stream()
        .filter(f -> f.health() == FrameHealth.USABLE && !barred.contains(f.storageId()))
        .filter(f -> f.pairing().isEmpty() || superseded.contains(f.storageId()))
        .filter(
            f ->
                f.isEmpty()
                    && !assigned.contains(f.storageId())
                    && !completions.containsKey(f.storageId()))
        .sorted(Comparator.comparing(FrameView::diskId).thenComparing(f -> f.report().frameIndex()))
        .toList();
  }

  private void problem(Kind kind, String subject, String detail) {
    reported.problem(kind, subject, detail);
  }
}
