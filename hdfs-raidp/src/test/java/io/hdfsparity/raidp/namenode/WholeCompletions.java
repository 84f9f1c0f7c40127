/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.config.Coefficients;
import io.hdfsparity.raidp.namenode.Problem.Kind;
import io.hdfsparity.raidp.wire.message.Assignment;
import io.hdfsparity.raidp.wire.message.FrameRef;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Twin of {@link PairCompletions}: part of {@link WholeViewBuilder}. */
final class WholeCompletions {
  private final WholeFrames reported;
  private final Set<FrameRef> superseded;
  private final Map<FrameRef, Assignment> assigned;
  private final Coefficients coefficients;
  private final Rules rules;
  private final List<Claim> open = new ArrayList<>();
  private final Map<FrameRef, Assignment> completions = new HashMap<>();

  /** Which frames may be paired. What is against it is noted as a problem. */
  interface Rules {
    /** Whether a frame is on the node that its partner names. */
    boolean onNamedNode(FrameView frame, FrameView partner);

    /** Whether the volumes of two frames may share this superchunk. */
    boolean mayShare(long superchunkId, FrameView frame, FrameView partner);
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
   * @param superseded frames whose superchunk went on without them
   * @param assigned pairings that are on their way to their frames
   */
  WholeCompletions(
      WholeFrames reported,
      Set<FrameRef> superseded,
      Map<FrameRef, Assignment> assigned,
      Coefficients coefficients,
      Rules rules) {
    this.reported = reported;
    this.superseded = superseded;
    this.assigned = assigned;
    this.coefficients = coefficients;
    this.rules = rules;
  }

  /**
   * Notes that a live frame has stored what its partner has not.
   *
   * @param partner the frame that holds the superchunk under an older epoch; empty: a free frame of
   *     the named volume is to take it
   */
  void add(FrameView by, Optional<FrameView> partner) {
    open.add(new Claim(by, partner));
  }

  /**
   * Decides on all claims.
   *
   * @return by the frame that is to store it
   */
  Map<FrameRef, Assignment> complete() {
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
    return completions;
  }

  /** The frame that this manager has chosen already. */
  private Optional<FrameView> assigned(Claim claim) {
    return reported.framesOn(claim.volume()).stream()
        .filter(
            f -> {
              Assignment order = assigned.get(f.ref());
              return order != null
                  && order.pairing().superchunkId() == claim.pairing().superchunkId()
                  && reported.isUsedInPairs(f);
            })
        .findFirst();
  }

  /** Each claim gets the free frame with the lowest index; where they are too few nobody does. */
  private void completeOnFreeFrames(String storageId, List<Claim> claims) {
    List<FrameView> usable =
        reported.framesOn(storageId).stream().filter(reported::isUsedInPairs).toList();
    if (usable.isEmpty()) {
      // Its frames have turned out to be in conflict since.
      return;
    }
    List<FrameView> free = new ArrayList<>(usable.stream().filter(this::isFree).toList());
    Map<Long, FrameView> chosen = new LinkedHashMap<>();
    List<Claim> left = new ArrayList<>();
    for (Claim claim : claims) {
      Optional<FrameView> first =
          free.stream()
              .filter(f -> WholeViewBuilder.epoch(f) < claim.pairing().epoch())
              .findFirst();
      if (!rules.onNamedNode(claim.by(), usable.get(0))) {
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
      chosen.values().forEach(f -> reported.barred().add(f.ref()));
      reported.problem(
          Kind.PARTNER_CLAIMED_TWICE,
          storageId,
          "claimed by "
              + claims.stream().map(claim -> reported.name(claim.by())).toList()
              + ", expected at most as many claims as free frames, free="
              + (chosen.size() + free.size()));
    }
  }

  /** Whether a frame holds no superchunk, and is to get none. */
  boolean isFree(FrameView frame) {
    return !assigned.containsKey(frame.ref())
        && !completions.containsKey(frame.ref())
        && (frame.pairing().isEmpty() || superseded.contains(frame.ref()) && frame.isEmpty());
  }

  private boolean mayBecomeFree(FrameView frame) {
    return frame.pairing().isEmpty() || superseded.contains(frame.ref());
  }

  private void refuse(Claim claim, List<FrameView> usable) {
    reported.problem(
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
    if (reported.barred().contains(named.ref())) {
      return;
    }
    if (earlier != null && !earlier.pairing().equals(wanted)) {
      completions.remove(named.ref());
      reported.barred().add(named.ref());
      reported.problem(
          Kind.PARTNER_CLAIMED_TWICE,
          reported.name(named),
          "claimed by "
              + earlier.pairing().partnerStorageId()
              + " and "
              + frame.storageId()
              + ", expected one");
    } else if (!frame.health().alive()
        || !rules.onNamedNode(frame, named)
        || WholeViewBuilder.epoch(named) >= p.epoch()) {
      return;
    } else if (rules.mayShare(p.superchunkId(), frame, named)) {
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
