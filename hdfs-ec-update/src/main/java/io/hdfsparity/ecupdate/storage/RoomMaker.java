/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.storage.log.UnfoldedReplicas;
import io.hdfsparity.ecupdate.storage.log.UpdateLog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Makes the oldest records of the log needless. Thread-safe. */
final class RoomMaker {
  private final UpdateLog log;
  private final ReplicaTable replicas;
  private final LogCheckpointer drain;

  /** Replicas whose slots could not be kept the last time, and why. */
  private final Map<ReplicaKey, String> notKept = new ConcurrentHashMap<>();

  RoomMaker(UpdateLog log, ReplicaTable replicas, LogCheckpointer drain) {
    this.log = log;
    this.replicas = replicas;
    this.drain = drain;
  }

  /** Whether somebody waits for room. */
  boolean isAwaited() {
    return log.waitingForRoom() > 0
        || replicas.all().stream().anyMatch(replica -> replica.bytes().isAwaited());
  }

  /**
   * Makes the older half of the log needless, or all of it if that does not help those who wait.
   *
   * @return bytes of the log that were released
   */
  long makeRoom() throws IOException {
    long freed = makeRoom(false);
    if (freed == 0 && isAwaited()) {
      freed = makeRoom(true);
      String why = freed > 0 ? "" : blockedBy();
      if (!why.isEmpty()) {
        log.refuseWaiting(why);
      }
    }
    return freed;
  }

  /**
   * Brings what the older half of the log has, or all of it, to where it stays, and cuts the log.
   *
   * @return bytes of the log that were released
   */
  private long makeRoom(boolean isAll) throws IOException {
    UnfoldedReplicas holdouts = log.holdouts(isAll ? Long.MAX_VALUE / 2 : log.usedBytes() / 2);
    Set<Replica> toFold = new LinkedHashSet<>();
    holdouts.toApply().forEach(key -> addOpen(key, toFold));
    if (isAll) {
      // Their folds are to come, and room is kept for them.
      replicas.all().stream().filter(r -> !r.reserved().isEmpty()).forEach(toFold::add);
    }
    for (Replica replica : toFold) {
      if (isAll || !replica.isPostponed()) { // it has its own rounds, unless somebody waits
        drain.fold(replica);
      }
    }
    Set<Replica> toKeep = new LinkedHashSet<>();
    holdouts.toKeep().forEach(slot -> addOpen(slot.replica(), toKeep));
    notKept.clear();
    for (Replica replica : toKeep) {
      String why = drain.keep(replica);
      if (!why.isEmpty()) {
        notKept.put(replica.key(), why);
      }
    }
    return log.truncate();
  }

  /**
   * Which replicas have something in the log that can be brought nowhere, for a message; empty if
   * there is none. Whoever waits behind them waits until they are abandoned.
   */
  private String blockedBy() {
    UnfoldedReplicas holdouts = log.holdouts(Long.MAX_VALUE / 2);
    Set<ReplicaKey> held = new LinkedHashSet<>(holdouts.toApply());
    holdouts.toKeep().forEach(slot -> held.add(slot.replica()));
    List<String> stuck = new ArrayList<>();
    notKept.forEach((key, why) -> stuck.add(key + ", whose state cannot be written: " + why));
    for (ReplicaKey key : held) {
      Replica replica = replicas.find(key);
      if (replica == null || replica.isDamaged()) {
        stuck.add(key + (replica == null ? ", which cannot be opened" : ", which is damaged"));
      } else if (replica.isPostponed()) {
        stuck.add(key + ", whose files cannot be read now: " + replica.whyPostponed());
      }
    }
    return stuck.isEmpty()
        ? ""
        : "the log has changes of "
            + stuck
            + "; make room on the disk, or delete these replicas on this DataNode, or make their"
            + " files whole and restart it";
  }

  /**
   * Replicas whose changes others wait for to make room, and that readers keep back: of overlays
   * that are full, and of the older half of the log if that is.
   */
  Set<ReplicaKey> heldBack() {
    Set<ReplicaKey> held = new LinkedHashSet<>();
    if (log.waitingForRoom() > 0) {
      held.addAll(log.holdouts(log.usedBytes() / 2).toApply());
    }
    replicas.all().stream()
        .filter(replica -> replica.bytes().isAwaited())
        .forEach(replica -> held.add(replica.key()));
    held.removeIf(
        key -> {
          Replica replica = replicas.find(key);
          return replica == null || !replica.bytes().isHeldBack();
        });
    return held;
  }

  private void addOpen(ReplicaKey key, Set<Replica> to) {
    Replica replica = replicas.find(key);
    if (replica != null) {
      to.add(replica);
    }
  }
}
