/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.config.Coefficients;
import io.hdfsparity.raidp.namenode.Problem.Kind;
import io.hdfsparity.raidp.namenode.SuperchunkRules.Claim;
import io.hdfsparity.raidp.wire.message.Assignment;
import io.hdfsparity.raidp.wire.message.FrameRef;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The second halves of pairs of which one side has stored its half: an earlier manager has ordered
 * both, and not all orders have arrived. Pure and used once, by {@link ClusterViewBuilder}.
 */
final class PairCompletions {
  private final Frames frames;
  private final Map<FrameRef, Assignment> assigned;
  private final Coefficients coefficients;
  private final Map<FrameRef, Assignment> completions = new HashMap<>();
  private final Set<FrameRef> barred = new HashSet<>();
  private final List<Problem> problems = new ArrayList<>();

  /** Frames, and which of them may be paired. */
  interface Frames {
    List<FrameView> framesOn(String storageId);

    /** Whether a frame must not be used because of a problem. */
    boolean isBarred(FrameView frame);

    /** Whether its superchunk went on without a frame. */
    boolean isSuperseded(FrameView frame);

    String name(FrameView frame);

    /** Whether a frame is on the node that its partner names; else that is a problem. */
    boolean onNamedNode(FrameView frame, FrameView partner, List<Problem> problems);

    /** Whether the volumes of two frames may share this superchunk; else that is a problem. */
    boolean mayShare(long superchunkId, FrameView frame, FrameView partner, List<Problem> problems);
  }

  /**
   * What came of all claims.
   *
   * @param completions by the frame that is to store one
   * @param barred frames that must not be used, since too many claim them
   * @param problems what is against completions
   */
  record Outcome(
      Map<FrameRef, Assignment> completions, Set<FrameRef> barred, List<Problem> problems) {
    static final Outcome NONE = new Outcome(Map.of(), Set.of(), List.of());

    Outcome {
      completions = Map.copyOf(completions);
      barred = Set.copyOf(barred);
      problems = List.copyOf(problems);
    }
  }

  /**
   * @param assigned pairings that are on their way to their frames
   */
  PairCompletions(Frames frames, Map<FrameRef, Assignment> assigned, Coefficients coefficients) {
    this.frames = frames;
    this.assigned = assigned;
    this.coefficients = coefficients;
  }

  /** Decides on all claims. */
  Outcome complete(List<Claim> claims) {
    List<Claim> open = new ArrayList<>(claims);
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
    return new Outcome(completions, barred, problems);
  }

  /** The frame that this manager has chosen already. */
  private Optional<FrameView> assigned(Claim claim) {
    return frames.framesOn(claim.volume()).stream()
        .filter(
            f -> {
              Assignment order = assigned.get(f.ref());
              return order != null
                  && order.pairing().superchunkId() == claim.pairing().superchunkId()
                  && isUsed(f);
            })
        .findFirst();
  }

  /** Each claim gets the free frame with the lowest index; where they are too few nobody does. */
  private void completeOnFreeFrames(String storageId, List<Claim> claims) {
    List<FrameView> usable = frames.framesOn(storageId).stream().filter(this::isUsed).toList();
    if (usable.isEmpty()) {
      // Its frames have turned out to be in conflict since.
      return;
    }
    List<FrameView> free = new ArrayList<>(usable.stream().filter(this::isFree).toList());
    Map<Long, FrameView> chosen = new LinkedHashMap<>();
    List<Claim> left = new ArrayList<>();
    for (Claim claim : claims) {
      Optional<FrameView> first =
          free.stream().filter(f -> SuperchunkRules.epoch(f) < claim.pairing().epoch()).findFirst();
      if (!frames.onNamedNode(claim.by(), usable.get(0), problems)) {
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
              + claims.stream().map(claim -> frames.name(claim.by())).toList()
              + ", expected at most as many claims as free frames, free="
              + (chosen.size() + free.size()));
    }
  }

  private boolean isBarred(FrameView frame) {
    return barred.contains(frame.ref()) || frames.isBarred(frame);
  }

  private boolean isUsed(FrameView frame) {
    return frame.health().alive() && !isBarred(frame);
  }

  private void problem(Kind kind, String subject, String detail) {
    problems.add(new Problem(kind, subject, detail));
  }

  /** Whether a frame holds no superchunk, and is to get none. */
  boolean isFree(FrameView frame) {
    return !assigned.containsKey(frame.ref())
        && !completions.containsKey(frame.ref())
        && (frame.pairing().isEmpty() || frames.isSuperseded(frame) && frame.isEmpty());
  }

  private boolean mayBecomeFree(FrameView frame) {
    return frame.pairing().isEmpty() || frames.isSuperseded(frame);
  }

  private void refuse(Claim claim, List<FrameView> usable) {
    problem(
        Kind.PARTNER_CLAIMS_OTHER,
        frames.name(claim.by()),
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
    if (isBarred(named)) {
      return;
    }
    if (earlier != null && !earlier.pairing().equals(wanted)) {
      completions.remove(named.ref());
      barred.add(named.ref());
      problem(
          Kind.PARTNER_CLAIMED_TWICE,
          frames.name(named),
          "claimed by "
              + earlier.pairing().partnerStorageId()
              + " and "
              + frame.storageId()
              + ", expected one");
    } else if (!frame.health().alive()
        || !frames.onNamedNode(frame, named, problems)
        || SuperchunkRules.epoch(named) >= p.epoch()) {
      return;
    } else if (frames.mayShare(p.superchunkId(), frame, named, problems)) {
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
}
