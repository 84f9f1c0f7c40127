/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage.log;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.ecupdate.ajx.LogRecord;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What of the log is still needed, by sequence. Not thread-safe.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>a slot needs its last snapshot and the changes behind it, until it is kept elsewhere;
 *   <li>a replica needs every change that is not applied to its file. A fold lies behind its
 *       changes, so it outlives them, and what is played back without one was never folded;
 *   <li>a change that was moved to reserved space is not needed, but its fold is still to come;
 *   <li>a fold that is not applied is needed from its first part on, whatever its changes are: the
 *       file may be half written;
 *   <li>{@code foldBytes} is the sum of what the changes in no complete fold may need for theirs;
 *   <li>a replica is known while anything of it is needed or any record of it lies behind the head:
 *       so long it may have to be dropped.
 * </ul>
 */
final class LogIndex {
  static final long NOTHING = Long.MAX_VALUE;

  private record Unapplied(long sequence, long foldBytes) {}

  private static final class Slot {
    long snapshot = NOTHING;
    final Deque<Long> changes = new ArrayDeque<>();
    long last;

    long firstNeeded() {
      return snapshot != NOTHING || changes.isEmpty() ? snapshot : changes.getFirst();
    }
  }

  private static final class Replica {
    final Map<SlotKey, Slot> slots = new HashMap<>();
    final Deque<Unapplied> unapplied = new ArrayDeque<>();
    final Deque<Unapplied> moved = new ArrayDeque<>();
    long lastRecord;
    long foldedUpTo;
    long foldStart;
    long foldSequence;
    boolean isFoldPending;
    long partsStart;
    int nextPart;

    boolean isNeeded() {
      return isFoldPending || !(slots.isEmpty() && unapplied.isEmpty() && moved.isEmpty());
    }

    long firstNeeded() {
      long first = unapplied.isEmpty() ? NOTHING : unapplied.getFirst().sequence();
      first = isFoldPending ? Math.min(first, foldStart) : first;
      for (Slot slot : slots.values()) {
        first = Math.min(first, slot.firstNeeded());
      }
      return first;
    }
  }

  private final UpdateLogOptions options;
  private final Map<ReplicaKey, Replica> replicas = new HashMap<>();
  private long foldBytes;
  private long headSequence = 1;

  LogIndex(UpdateLogOptions options) {
    this.options = options;
  }

  /** Room that folds and drops of what is in the log may need. */
  long keptBytes() {
    return foldBytes + (long) replicas.size() * EntryCodec.DROPPED_RECORD_BYTES;
  }

  /** What a change that touches so many bytes of a replica adds to {@link #keptBytes} at most. */
  static long keptBytes(UpdateLogOptions options, int changedBytes) {
    return options.foldBytes(changedBytes) + EntryCodec.DROPPED_RECORD_BYTES;
  }

  /** Bytes of a replica that a change touches. */
  static int changedBytes(LogRecord record) {
    if (record instanceof LogRecord.Swapped swapped) {
      return swapped.patch().bytes().length();
    } else if (record instanceof LogRecord.Added added) {
      return added.delta().bytes().length();
    }
    return record instanceof LogRecord.Reconstructed done ? done.block().length() : 0;
  }

  /** Whether anything of a replica is needed, or lies in the log. */
  boolean knows(ReplicaKey key) {
    return replicas.containsKey(key);
  }

  /** Whether a record of a replica that is not dropped lies in the log. */
  boolean hasRecords(ReplicaKey key) {
    Replica replica = replicas.get(key);
    return replica != null && replica.lastRecord >= headSequence;
  }

  /** The head is at a record: those before it are no more. */
  void headMoved(long sequence) {
    headSequence = sequence;
    replicas.values().removeIf(this::isForgotten);
  }

  private boolean isForgotten(Replica replica) {
    return !replica.isNeeded() && replica.lastRecord < headSequence;
  }

  /** Takes note of an entry, in the order of the log. */
  void add(long sequence, LogEntry entry) {
    if (entry instanceof LogEntry.Dropped) {
      drop(entry.replica());
      return;
    }
    Replica replica = replicas.computeIfAbsent(entry.replica(), key -> new Replica());
    replica.lastRecord = sequence;
    if (entry instanceof LogEntry.Change change) {
      Slot slot = replica.slots.computeIfAbsent(change.slot(), key -> new Slot());
      slot.changes.add(sequence);
      slot.last = sequence;
      int changedBytes = changedBytes(change.record());
      if (changedBytes > 0) {
        replica.unapplied.add(new Unapplied(sequence, options.foldBytes(changedBytes)));
        foldBytes += options.foldBytes(changedBytes);
      }
    } else if (entry instanceof LogEntry.Snapshot snapshot) {
      Slot slot = replica.slots.computeIfAbsent(snapshot.slot(), key -> new Slot());
      slot.changes.clear();
      slot.snapshot = sequence;
      slot.last = sequence;
    } else if (entry instanceof LogEntry.Fold fold) {
      addPart(replica, sequence, fold);
    }
  }

  /** As {@link Recovered} counts folds: not without the first part. */
  private void addPart(Replica replica, long sequence, LogEntry.Fold fold) {
    if (fold.part() == 0) {
      replica.nextPart = 0;
      replica.partsStart = sequence;
    }
    if (fold.part() != replica.nextPart) {
      replica.nextPart = -1;
      return;
    }
    replica.nextPart++;
    if (replica.nextPart == fold.parts()) {
      foldBytes -= unfolded(replica, fold.upTo());
      replica.foldedUpTo = fold.upTo();
      replica.foldStart = replica.partsStart;
      replica.foldSequence = sequence;
      replica.isFoldPending = true;
    }
  }

  /** Room held for the changes up to a sequence that are in no fold. */
  private static long unfolded(Replica replica, long upTo) {
    return Stream.concat(replica.moved.stream(), replica.unapplied.stream())
        .filter(change -> change.sequence() > replica.foldedUpTo && change.sequence() <= upTo)
        .mapToLong(Unapplied::foldBytes)
        .sum();
  }

  /** Nothing of a replica is needed any more. */
  void drop(ReplicaKey key) {
    Replica gone = replicas.remove(key);
    if (gone != null) {
      foldBytes -= unfolded(gone, NOTHING);
    }
  }

  /** Refuses a fold before the one before it is applied. */
  void checkMayFold(ReplicaKey key, long upTo, long durable) {
    Replica replica = replicas.getOrDefault(key, new Replica());
    Checks.state(
        !replica.isFoldPending,
        "fold changes of " + key,
        "upTo",
        upTo,
        "that the fold up to " + replica.foldedUpTo + " is applied before");
    Checks.state(
        upTo > replica.foldedUpTo && upTo <= durable,
        "fold changes of " + key,
        "upTo",
        upTo,
        "folded up to " + replica.foldedUpTo + " < upTo <= durable up to " + durable);
  }

  /** The file has a fold, durably. */
  void applied(ReplicaKey key, long upTo, long durable) {
    Replica replica = replicas.getOrDefault(key, new Replica());
    Checks.state(
        replica.isFoldPending && replica.foldedUpTo == upTo && replica.foldSequence <= durable,
        "note that changes of " + key + " are applied",
        "upTo",
        upTo,
        "a durable fold that is to be applied");
    takeUpTo(replica.unapplied, upTo);
    takeUpTo(replica.moved, upTo);
    replica.isFoldPending = false;
    forgetIfEmpty(key, replica);
  }

  private static List<Unapplied> takeUpTo(Deque<Unapplied> changes, long upTo) {
    List<Unapplied> taken = new ArrayList<>();
    while (!changes.isEmpty() && changes.getFirst().sequence() <= upTo) {
      taken.add(changes.removeFirst());
    }
    return taken;
  }

  /** Reserved space has changes, durably. */
  void moved(ReplicaKey key, long upTo, long durable) {
    Replica replica = replicas.getOrDefault(key, new Replica());
    Checks.state(
        !replica.isFoldPending && upTo <= durable,
        "note that changes of " + key + " are in reserved space",
        "upTo",
        upTo,
        "<= durable up to " + durable + ", and no fold that is to be applied");
    replica.moved.addAll(takeUpTo(replica.unapplied, upTo));
  }

  /** After an opening: what reserved space has, whether it is in the log too or not. */
  void adoptMoved(ReplicaKey key, SortedMap<Long, Integer> changedBytes) {
    if (changedBytes.isEmpty()) {
      return;
    }
    Replica replica = replicas.computeIfAbsent(key, k -> new Replica());
    if (!replica.moved.isEmpty()) {
      return; // by an earlier attempt to load the replica
    }
    takeUpTo(replica.unapplied, changedBytes.lastKey())
        .forEach(
            change -> foldBytes -= change.sequence() > replica.foldedUpTo ? change.foldBytes() : 0);
    changedBytes.forEach(
        (sequence, bytes) -> {
          if (sequence > replica.foldedUpTo) {
            replica.moved.add(new Unapplied(sequence, options.foldBytes(bytes)));
            foldBytes += options.foldBytes(bytes);
          }
        });
    forgetIfEmpty(key, replica);
  }

  /** A slot is kept elsewhere, durably, with its changes up to a sequence. */
  void homed(SlotKey key, long upTo, long durable) {
    Checks.state(
        upTo <= durable,
        "keep slot " + key + " elsewhere",
        "upTo",
        upTo,
        "<= durable up to " + durable + ": what is not durable may come back as another change");
    Replica replica = replicas.get(key.replica());
    Slot slot = replica == null ? null : replica.slots.get(key);
    if (replica == null || slot == null) {
      return;
    }
    if (slot.snapshot != NOTHING && slot.snapshot <= upTo) {
      slot.snapshot = NOTHING;
    }
    if (slot.snapshot == NOTHING) {
      while (!slot.changes.isEmpty() && slot.changes.getFirst() <= upTo) {
        slot.changes.removeFirst();
      }
      if (slot.changes.isEmpty()) {
        replica.slots.remove(key);
        forgetIfEmpty(key.replica(), replica);
      }
    }
  }

  private void forgetIfEmpty(ReplicaKey key, Replica replica) {
    if (isForgotten(replica)) {
      replicas.remove(key);
    }
  }

  /** Sequence of the last entry of a slot; 0 if all are kept elsewhere. */
  long last(SlotKey key) {
    Replica replica = replicas.get(key.replica());
    Slot slot = replica == null ? null : replica.slots.get(key);
    return slot == null ? 0 : slot.last;
  }

  /** Sequence of the first entry that is needed; {@link #NOTHING} if none is. */
  long firstNeeded() {
    return replicas.values().stream().mapToLong(Replica::firstNeeded).min().orElse(NOTHING);
  }

  /** Who needs an entry up to a sequence. */
  UnfoldedReplicas holdouts(long upTo) {
    Set<ReplicaKey> toApply = new TreeSet<>(UnfoldedReplicas.ORDER);
    Set<SlotKey> toKeep = new TreeSet<>(UnfoldedReplicas.SLOT_ORDER);
    replicas.forEach(
        (key, replica) -> {
          if (!replica.unapplied.isEmpty() && replica.unapplied.getFirst().sequence() <= upTo) {
            toApply.add(key);
          }
          replica.slots.forEach(
              (slotKey, slot) -> {
                if (slot.firstNeeded() <= upTo) {
                  toKeep.add(slotKey);
                }
              });
        });
    return new UnfoldedReplicas(toApply, toKeep);
  }
}
