/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage.log;

import io.hdfsparity.ecupdate.ajx.DurableSlot;
import io.hdfsparity.ecupdate.ajx.LogRecord;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a log held when it was opened. Filled by {@link UpdateLog#open}; not changed afterwards.
 *
 * <p>For each replica, in this order: write {@link Replica#fold} to the file again, whether it is
 * there already or not; make that durable and tell {@link UpdateLog#applied}; put an overlay of
 * {@link Replica#overlay} over it; make a machine of {@link Slot#durable} for each slot. The
 * machine must not play the records back once more: their bytes are in the overlay.
 */
public final class Recovered {
  /** A change and its place in the log. */
  public record Change(long sequence, SlotKey slot, LogRecord record) {}

  /**
   * Bytes for a replica's file.
   *
   * @param upTo sequence of the last change in it
   * @param patches at places in the replica
   */
  public record Fold(long upTo, List<Patch> patches) {
    public Fold {
      patches = List.copyOf(patches);
    }
  }

  /** A change of a replica's bytes that is not in its file. */
  public record Pending(long sequence, BlockChange record) {}

  /** One slot. */
  public static final class Slot {
    private @Nullable DurableSlot snapshot;
    private long snapshotSequence;
    private final List<Change> changes = new ArrayList<>();

    /**
     * The slot as the log has it.
     *
     * @param home what is kept elsewhere, or {@link DurableSlot#untouched}
     * @param homeUpTo sequence of the last change in that; 0 if it is not from this log
     */
    public DurableSlot durable(DurableSlot home, long homeUpTo) {
      boolean isHomeNewer = snapshot == null || homeUpTo > snapshotSequence;
      DurableSlot start = isHomeNewer || snapshot == null ? home : snapshot;
      long from = isHomeNewer ? homeUpTo : snapshotSequence;
      return start.after(
          changes.stream().filter(change -> change.sequence() > from).map(Change::record).toList());
    }
  }

  /** One replica. */
  public static final class Replica {
    private final Map<SlotKey, Slot> slots = new LinkedHashMap<>();
    private final List<Change> changes = new ArrayList<>();
    private final List<Patch> parts = new ArrayList<>();
    private int nextPart;
    private @Nullable Fold fold;

    public Map<SlotKey, Slot> slots() {
      return Collections.unmodifiableMap(slots);
    }

    /** The last one that was complete, to be written again; null if there is none. */
    public @Nullable Fold fold() {
      return fold;
    }

    /** Changes that are in the log, in order; those that a fold has are among them. */
    public List<Change> changes() {
      return Collections.unmodifiableList(changes);
    }

    /**
     * Records for the overlay, versions from 1: the changes of bytes that are in no fold.
     *
     * @param cellBytes of the file: where in the replica a slot begins
     */
    public List<Pending> overlay(int cellBytes) {
      long folded = fold == null ? 0 : fold.upTo();
      List<Pending> pending = new ArrayList<>();
      for (Change change : changes) {
        if (change.sequence() > folded && LogIndex.changedBytes(change.record()) > 0) {
          pending.add(
              new Pending(
                  change.sequence(), overlayRecord(change, cellBytes, pending.size() + 1L)));
        }
      }
      return pending;
    }

    private void add(long sequence, LogEntry entry) {
      if (entry instanceof LogEntry.Change logged) {
        Change change = new Change(sequence, logged.slot(), logged.record());
        changes.add(change);
        slots.computeIfAbsent(change.slot(), key -> new Slot()).changes.add(change);
      } else if (entry instanceof LogEntry.Snapshot logged) {
        Slot slot = slots.computeIfAbsent(logged.slot(), key -> new Slot());
        slot.changes.clear();
        slot.snapshot = logged.state();
        slot.snapshotSequence = sequence;
      } else if (entry instanceof LogEntry.Fold part) {
        addPart(part);
      }
    }

    /**
     * Without its first part a fold does not count: either the log was cut off in the middle of it,
     * after it had been applied, and its changes are gone, or a crash has left a first part only.
     */
    private void addPart(LogEntry.Fold part) {
      if (part.part() == 0) {
        parts.clear();
        nextPart = 0;
      }
      if (part.part() != nextPart) {
        nextPart = -1;
        return;
      }
      parts.addAll(part.patches());
      nextPart++;
      if (nextPart == part.parts()) {
        fold = new Fold(part.upTo(), parts);
      }
    }
  }

  private final Map<ReplicaKey, Replica> replicas = new LinkedHashMap<>();
  private long records;
  private boolean isTorn;

  Recovered() {}

  /** A change of bytes, at its place in the replica. */
  public static BlockChange overlayRecord(Change change, int cellBytes, long version) {
    int start = Math.multiplyExact(change.slot().stripe(), cellBytes);
    LogRecord record = change.record();
    if (record instanceof LogRecord.Swapped swapped) {
      Patch patch = swapped.patch();
      return new BlockChange.Absolute(
          version, Math.addExact(start, patch.offset()), patch.bytes().toArray());
    } else if (record instanceof LogRecord.Added added) {
      Patch delta = added.delta();
      return new BlockChange.Delta(
          version, Math.addExact(start, delta.offset()), delta.bytes().toArray());
    } else if (record instanceof LogRecord.Reconstructed done) {
      return new BlockChange.Absolute(version, start, done.block().toArray());
    }
    throw new IllegalArgumentException(
        "Cannot overlay a change: record=" + record + ", expected one of bytes");
  }

  public Map<ReplicaKey, Replica> replicas() {
    return Collections.unmodifiableMap(replicas);
  }

  /** Records played back, paddings included. */
  public long records() {
    return records;
  }

  /** Whether remains of records that were never durable were cut off. */
  public boolean isTorn() {
    return isTorn;
  }

  void add(long sequence, @Nullable LogEntry entry) {
    records++;
    if (entry instanceof LogEntry.Dropped dropped) {
      replicas.remove(dropped.replica());
    } else if (entry != null) {
      replicas.computeIfAbsent(entry.replica(), key -> new Replica()).add(sequence, entry);
    }
  }

  void torn(boolean torn) {
    isTorn = torn;
  }
}
