/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.lstor.LstorGeometry;
import io.hdfsparity.raidp.namenode.Problem.Kind;
import io.hdfsparity.raidp.wire.message.FrameRef;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the claims on one superchunk make of it. Pure, used once for a superchunk; it looks at the
 * frames that claim it, and at the volumes that these name as their partners.
 *
 * <p>Rules: of the claims on a superchunk those with the highest epoch count. A live frame holds
 * the superchunk when it claims it under that epoch, or when such a claim names it as partner: the
 * new partner may have stored the new epoch before the survivor did. A frame in conflict is
 * nobody's partner and no spare.
 *
 * <p>A claim names its partner by volume: it is the frame there that claims the same superchunk. A
 * volume has one frame in a superchunk. Of two the one with the higher epoch counts, and the other
 * one is superseded; under one epoch neither is used.
 */
final class SuperchunkRules {
  private final FrameIndex frames;
  private final boolean allHadTime;

  /** Live frames that must not be used because of a problem. */
  private final Set<FrameRef> barred = new HashSet<>();

  private final Set<FrameRef> superseded = new HashSet<>();
  private final List<Claim> open = new ArrayList<>();
  private final List<Problem> problems = new ArrayList<>();

  /**
   * What a live frame has stored and its partner has not.
   *
   * @param by the frame that has stored it
   * @param partner the frame that holds the superchunk under an older epoch; empty: a free frame of
   *     the named volume is to take it
   */
  record Claim(FrameView by, Optional<FrameView> partner) {
    Pairing pairing() {
      return by.pairing().orElseThrow();
    }

    /** The volume that is to take the superchunk. */
    String volume() {
      return pairing().partnerStorageId();
    }
  }

  /**
   * What is unusual about a superchunk.
   *
   * @param others frames that claim it, but neither hold it nor are gone
   * @param superseded live frames whose superchunk went on without them
   * @param barred live frames that must not be used
   * @param open what its frames have stored and their partners have not
   * @param problems what cannot be right
   */
  record Remark(
      List<FrameView> others,
      Set<FrameRef> superseded,
      Set<FrameRef> barred,
      List<Claim> open,
      List<Problem> problems) {
    static final Remark NONE = new Remark(List.of(), Set.of(), Set.of(), List.of(), List.of());

    Remark {
      others = List.copyOf(others);
      superseded = Set.copyOf(superseded);
      barred = Set.copyOf(barred);
      open = List.copyOf(open);
      problems = List.copyOf(problems);
    }

    Remark withProblem(Problem problem) {
      List<Problem> more = new ArrayList<>(problems);
      more.add(problem);
      return new Remark(others, superseded, barred, open, more);
    }
  }

  /** A superchunk and what is unusual about it. */
  record Outcome(SuperchunkView view, Remark remark) {}

  private SuperchunkRules(FrameIndex frames, boolean allHadTime) {
    this.frames = frames;
    this.allHadTime = allHadTime;
  }

  /**
   * @param claims all frames that claim it, at least one, in the order of their names
   */
  static Outcome look(FrameIndex frames, boolean allHadTime, long id, List<FrameView> claims) {
    return new SuperchunkRules(frames, allHadTime).look(id, claims);
  }

  private Outcome look(long id, List<FrameView> claims) {
    findSuperseded(id, claims);
    SuperchunkView view = superchunk(id, claims);
    List<FrameView> others =
        claims.stream().filter(f -> !view.isHeldBy(f) && !isIn(view.gone(), f)).toList();
    Remark remark = new Remark(others, superseded, barred, open, problems);
    return new Outcome(view, remark.equals(Remark.NONE) ? Remark.NONE : remark);
  }

  private static boolean isIn(List<FrameView> frames, FrameView frame) {
    return frames.stream().anyMatch(f -> f.isSameFrame(frame));
  }

  private boolean isUsed(FrameView frame) {
    return frame.health().alive() && !barred.contains(frame.ref()) && !frames.isBarred(frame.ref());
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
    long highest = claims.stream().mapToLong(SuperchunkRules::epoch).max().orElse(0);
    return claims.stream().filter(f -> epoch(f) == highest).toList();
  }

  // ---------------------------------------------------------------- superseded frames

  private void findSuperseded(long id, List<FrameView> claims) {
    List<FrameView> current = current(claims);
    barEqualsOfOneVolume(id, claims);
    for (FrameView frame : claims) {
      boolean named = current.stream().anyMatch(f -> partner(f).equals(frame.storageId()));
      boolean behind = claims.stream().anyMatch(f -> isAheadOnItsVolume(f, frame));
      if (isUsed(frame) && (behind || !current.contains(frame) && !named)) {
        superseded.add(frame.ref());
        if (!frame.isEmpty()) {
          problem(
              Kind.SUPERSEDED,
              frames.name(frame),
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
            .filter(f -> isUsed(f) && claims.stream().anyMatch(o -> isEqualTo(f, o)))
            .toList();
    for (FrameView frame : equals) {
      barred.add(frame.ref());
      problem(
          Kind.CLAIMED_TWICE_ON_VOLUME,
          frames.name(frame),
          "superchunk="
              + id
              + " epoch="
              + epoch(frame)
              + ", expected one frame of a volume in a superchunk");
    }
  }

  private boolean isEqualTo(FrameView frame, FrameView other) {
    return isUsed(other)
        && frame.storageId().equals(other.storageId())
        && frame.frameIndex() != other.frameIndex()
        && epoch(frame) == epoch(other);
  }

  // ---------------------------------------------------------------- superchunks

  private SuperchunkView superchunk(long id, List<FrameView> claims) {
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
                Comparator.comparingLong(SuperchunkRules::epoch)
                    .reversed()
                    .thenComparing(FrameView::ref))
            .toList();
    SuperchunkView view;
    if (pair.isPresent()) {
      barThird(id, good, pair.get());
      boolean usable =
          pair.get().stream().allMatch(f -> f.health() == FrameHealth.USABLE)
              & sameShape(id, pair.get())
              & areApart(frames, pair.get().get(0), pair.get().get(1), problems);
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
    return view;
  }

  private boolean partnerHeardOf(FrameView frame) {
    return partner(frame).isEmpty() || !frames.framesOn(partner(frame)).isEmpty();
  }

  private boolean isGood(FrameView frame) {
    return isUsed(frame) && !superseded.contains(frame.ref());
  }

  private Optional<List<FrameView>> mutualPair(List<FrameView> good) {
    for (FrameView a : good) {
      for (FrameView b : good) {
        if (a.storageId().compareTo(b.storageId()) < 0
            && partner(a).equals(b.storageId())
            && partner(b).equals(a.storageId())
            && isOnNamedNode(frames, a, b, problems)
            && isOnNamedNode(frames, b, a, problems)) {
          return Optional.of(List.of(a, b));
        }
      }
    }
    return Optional.empty();
  }

  /** Whether a frame is on the node that its partner names. */
  static boolean isOnNamedNode(
      FrameIndex frames, FrameView frame, FrameView partner, List<Problem> problems) {
    String named = frame.pairing().map(Pairing::partnerNodeUuid).orElse("");
    if (named.equals(partner.nodeUuid())) {
      return true;
    }
    problem(
        problems,
        Kind.PARTNER_ON_OTHER_NODE,
        frames.name(partner),
        "node="
            + partner.nodeUuid()
            + ", expected "
            + named
            + " as frame "
            + frames.name(frame)
            + " has stored");
    return false;
  }

  private boolean sameShape(long id, List<FrameView> pair) {
    LstorGeometry a = frames.geometry(pair.get(0).diskId()).orElse(null);
    LstorGeometry b = frames.geometry(pair.get(1).diskId()).orElse(null);
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

  /** Whether two frames may be a pair: what takes one does not take the other. */
  static boolean areApart(
      FrameIndex frames, FrameView frame, FrameView partner, List<Problem> problems) {
    boolean apart =
        !frame.nodeUuid().equals(partner.nodeUuid()) && !frame.diskId().equals(partner.diskId());
    if (!apart) {
      problem(
          problems,
          Kind.PAIR_ON_ONE_NODE,
          frames.name(frame),
          "partner="
              + partner.storageId()
              + " superchunk="
              + frame.pairing().orElseThrow().superchunkId()
              + ", expected a partner on another node than "
              + frame.nodeUuid());
    }
    return apart;
  }

  private void barThird(long id, List<FrameView> good, List<FrameView> pair) {
    for (FrameView frame : good) {
      if (!pair.contains(frame)) {
        barred.add(frame.ref());
        problem(
            Kind.PARTNER_CLAIMED_TWICE,
            frames.name(frame),
            "partner="
                + partner(frame)
                + " superchunk="
                + id
                + ", expected only "
                + frames.name(pair.get(0))
                + " and "
                + frames.name(pair.get(1))
                + " to claim it");
      }
    }
  }

  /** Frames that hold a superchunk which is not a working pair; notes what would make it one. */
  private List<FrameView> holders(long id, List<FrameView> claims, List<FrameView> good) {
    List<FrameView> holders = new ArrayList<>();
    for (FrameView frame : current(claims)) {
      List<FrameView> named = frames.framesOn(partner(frame));
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
          && isUsed(frame)
          && !named.isEmpty()
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
    return frames.isBarred(frame.ref())
        && frames
            .highestOf(frame.ref())
            .filter(last -> last.superchunkId() == superchunkId)
            .isPresent()
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
                + frames.name(rival)
                + " and "
                + frames.name(frame)
                + ", expected one");
      }
    }
  }

  private void problem(Kind kind, String subject, String detail) {
    problem(problems, kind, subject, detail);
  }

  private static void problem(List<Problem> problems, Kind kind, String subject, String detail) {
    problems.add(new Problem(kind, subject, detail));
  }
}
