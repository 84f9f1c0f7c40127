/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.namenode.RecoveryStatus.Waiting;
import io.hdfsparity.raidp.wire.message.Assignment;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What a view says of whether a recovery is needed, was begun, and can go on. Pure. */
final class RecoveryNeeds {
  private RecoveryNeeds() {}

  /**
   * A manager that has just started must not take frames for gone that only have not reported to it
   * yet.
   */
  static List<Waiting> unsettled(ClusterView view) {
    return view.all().stream()
        .filter(s -> !s.settled())
        .map(
            s ->
                new Waiting(
                    s.id(),
                    "UNHEARD",
                    "a frame of it has not been reported since this NameNode started; it has time until the dead timeout"))
        .toList();
  }

  /**
   * Pairs that are half stored and will be whole, whoever has ordered them: nothing is to be done
   * for their superchunks. A frame whose Lstor has failed stores nothing.
   *
   * @param unfit disks that do not store pairings either
   */
  static List<Assignment> completions(ClusterView view, Set<String> unfit) {
    return view.completions().values().stream()
        .filter(
            a ->
                view.frame(a.frame())
                    .filter(f -> !FailedLstors.isOn(view, f) && !unfit.contains(f.diskId()))
                    .isPresent())
        .toList();
  }

  /** Superchunks that wait for the other half of their pair. */
  static List<Waiting> pairing(ClusterView view, Set<String> unfit) {
    return completions(view, unfit).stream()
        .map(
            a ->
                new Waiting(
                    a.pairing().superchunkId(),
                    "PAIRING",
                    "frame "
                        + view.name(a.frame())
                        + " has yet to store what its partner has stored"))
        .toList();
  }

  /**
   * Whether a superchunk lacks a side that it can get.
   *
   * @param postponed superchunks that shall not get one yet
   */
  static boolean isNeeded(ClusterView view, Set<Long> postponed) {
    return view.all().stream()
        .filter(SuperchunkView::settled)
        .filter(s -> !postponed.contains(s.id()))
        .anyMatch(
            s ->
                s.state() == SuperchunkState.LOST
                    || s.state() == SuperchunkState.DEGRADED && s.survivor().isPresent());
  }

  /**
   * Whether an earlier manager had begun: a superchunk of a dead disk has gone on under a newer
   * epoch while another one of the same disk has not, or a receiver stands alone.
   *
   * @param postponed superchunks that had to stay, whatever was recovered
   */
  static boolean isBegun(ClusterView view, Set<Long> postponed) {
    Set<String> left = new HashSet<>();
    for (SuperchunkView s : view.all()) {
      if (standsAlone(s)) {
        return true;
      }
      s.gone().stream()
          .filter(f -> SuperchunkRules.epoch(f) < s.epoch())
          .forEach(f -> left.add(f.diskId()));
    }
    return view.all().stream()
        .filter(s -> s.state() != SuperchunkState.ACTIVE && s.settled())
        .filter(s -> !postponed.contains(s.id()))
        .flatMap(s -> s.gone().stream().filter(f -> SuperchunkRules.epoch(f) == s.epoch()))
        .anyMatch(f -> left.contains(f.diskId()));
  }

  /** Whether its survivor is a receiver without a partner, which may lack blocks. */
  static boolean standsAlone(SuperchunkView superchunk) {
    return superchunk.survivor().flatMap(FrameView::pairing).filter(Pairing::isAlone).isPresent();
  }
}
