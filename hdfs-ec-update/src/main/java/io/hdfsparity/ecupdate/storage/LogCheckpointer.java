/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import io.hdfsparity.ecupdate.ajx.DurableSlot;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.storage.log.UpdateLog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Moves changes from the log to where the scheme wants them, off the update path.
 *
 * <p>To the file ({@link #fold}): what is folded is logged first as whole chunks, and the log
 * sealed, then written and forced, then reserved space is declared void, then the log learns of it.
 * Each step may be the last before a crash: the fold in the log is written again, and reserved
 * space does not count up to it. To reserved space ({@link #move}): deltas that are in the log,
 * which is sealed, are written and forced there, then the log learns of it; sequences tell after a
 * crash which are there.
 *
 * <p>All methods take the replica's maintenance lock. What cannot be read, or opened to be written,
 * leaves changes where they are, and says so to the replica. An {@link IOException} means that a
 * disk has failed while it was written: the engine has to stop.
 */
final class LogCheckpointer {
  private final UpdateLog log;

  LogCheckpointer(UpdateLog log) {
    this.log = log;
  }

  /** Moves on what the replica's scheme does not want to leave in the log. */
  void drain(Replica replica) throws IOException {
    exclusively(
        replica,
        () -> {
          switch (replica.destination()) {
            case IN_PLACE -> foldAll(replica);
            case RESERVED_SPACE -> move(replica);
            case LOG -> {
              if (!replica.reserved().isEmpty()) {
                foldAll(replica); // left there by another scheme
              }
            }
          }
        });
  }

  /** What is done by one thread at a time to a replica that is not given up. */
  @FunctionalInterface
  private interface Step {
    void run() throws IOException;
  }

  private static void exclusively(Replica replica, Step step) throws IOException {
    replica.maintenance().lock();
    try {
      if (!replica.isClosed()) {
        step.run();
      }
    } finally {
      replica.maintenance().unlock();
    }
  }

  /**
   * Brings all that no reader's pin keeps back into the file: everything, unless there are pins.
   */
  void fold(Replica replica) throws IOException {
    exclusively(replica, () -> foldAll(replica));
  }

  private void foldAll(Replica replica) throws IOException {
    fold(replica, durableUpTo(replica));
  }

  private long durableUpTo(Replica replica) throws IOException {
    long upTo = replica.bytes().movableUpTo();
    if (upTo > log.durableSequence()) {
      log.commitGroup();
    }
    return upTo;
  }

  private void fold(Replica replica, long movableUpTo) throws IOException {
    Optional<VersionedBytes.Fold> planned = plan(replica, movableUpTo);
    if (planned.isEmpty()) {
      return;
    }
    VersionedBytes.Fold fold = planned.get();
    List<Patch> patches = fold.patches();
    log.fold(replica.key(), fold.upTo(), patches);
    // More than durable: if damage to the fold passed for a torn tail, the deltas that the file has
    // by then would be added to it once more.
    log.seal();
    replica.bytes().beginFold(fold);
    for (Patch patch : patches) {
      replica.store().write(patch.offset(), patch.bytes().toArray());
    }
    replica.store().force();
    replica.reserved().writeVoid(fold.upTo());
    replica.reserved().endWrite();
    log.applied(replica.key(), fold.upTo());
    replica.bytes().endFold(fold);
    replica.space(replica.space().merge());
  }

  /**
   * Nothing is begun of a fold that is planned, and all is open that it needs: what is in its way
   * is the replica's alone.
   */
  private static Optional<VersionedBytes.Fold> plan(Replica replica, long movableUpTo) {
    if (replica.isDamaged()) {
      return Optional.empty();
    }
    try {
      Optional<VersionedBytes.Fold> planned = replica.bytes().planFold(movableUpTo);
      if (planned.isPresent()) {
        prepareFold(replica);
      }
      replica.notPostponed();
      return planned;
    } catch (IOException e) {
      hinder(replica, e);
      return Optional.empty();
    }
  }

  private static void prepareFold(Replica replica) throws IOException {
    replica.reserved().prepareWrite();
    try {
      replica.store().prepareWrite();
    } catch (IOException e) {
      replica.reserved().endWrite();
      throw e;
    }
  }

  /** Nothing was begun that has failed: changes stay where they are. */
  private static void hinder(Replica replica, IOException why) {
    if (replica.store().isDamage(why)) {
      replica.notPostponed();
      replica.damaged(why);
    } else {
      replica.postponed(why);
    }
  }

  /** Whether reserved space is open to be written. */
  private static boolean isPrepared(Replica replica) {
    try {
      replica.reserved().prepareWrite();
      return true;
    } catch (IOException e) {
      hinder(replica, e);
      return false;
    }
  }

  /**
   * Brings deltas that are sealed in the log to reserved space, and merges when it is full. Who
   * calls this for many replicas seals the log first.
   */
  private void move(Replica replica) throws IOException {
    long upTo = Math.min(replica.bytes().movableUpTo(), log.sealedSequence());
    while (!replica.isDamaged()) {
      List<VersionedBytes.Movable> movable = replica.bytes().movable(upTo);
      if (movable.isEmpty()) {
        if (replica.bytes().hasPending(upTo)) {
          fold(replica, upTo); // a block that a recovery has written is not a delta
        }
        return;
      }
      List<VersionedBytes.Movable> fitting = new ArrayList<>();
      ReservedSpace space = replica.space();
      ReservedSpace.Placement placement = ReservedSpace.Placement.APPEND;
      for (VersionedBytes.Movable next : movable) {
        long recordBytes = ReservedDeltas.recordBytes(next.delta().bytes().length);
        placement = space.place(recordBytes);
        if (placement != ReservedSpace.Placement.APPEND) {
          break;
        }
        space = space.append(recordBytes);
        fitting.add(next);
      }
      if (!fitting.isEmpty()) {
        if (!hasArea(replica, fitting)) {
          fold(replica, upTo);
          return;
        }
        if (!isPrepared(replica)) {
          return;
        }
        append(replica, fitting);
        replica.space(space);
      }
      if (placement != ReservedSpace.Placement.APPEND) {
        // MERGE_THEN_APPEND and IN_PLACE alike: with what is in the way everything that came since
        // goes to the file at once, instead of back and forth.
        fold(replica, upTo);
        return;
      }
    }
  }

  /**
   * Makes reserved space if there is none yet.
   *
   * @return false if the storage has no room for it, or for a state that names it: without it
   *     changes go to the file
   */
  private boolean hasArea(Replica replica, List<VersionedBytes.Movable> moved) throws IOException {
    if (replica.reserved().hasArea()) {
      return true;
    }
    ReservedArea area;
    try {
      area =
          replica
              .store()
              .reserve(ReservedDeltas.areaBytes(replica.space().options().defaultBytes()));
      area.prepareWrite();
    } catch (IOException e) {
      if (!replica.store().isShortage(e)) {
        throw e;
      }
      return false;
    }
    replica.reserved().format(area, moved.get(0).delta().sequence());
    if (!keep(replica).isEmpty()) {
      // The next start would not know of deltas in it. What it takes is given back.
      replica.reserved().abandon();
      return false;
    }
    return true;
  }

  private void append(Replica replica, List<VersionedBytes.Movable> moved) throws IOException {
    long last = moved.get(moved.size() - 1).delta().sequence();
    // Sealed: else damage to their group could pass for a torn tail, and other changes get their
    // sequences: they would be taken for what lies there.
    List<ReservedDeltas.Entry> written =
        replica.reserved().write(moved.stream().map(VersionedBytes.Movable::delta).toList());
    replica.reserved().endWrite();
    log.moved(replica.key(), last);
    replica.bytes().moved(moved, written);
  }

  /** Ends a period of Algorithm 1. */
  void endPeriod(Replica replica, ShrinkMode mode) throws IOException {
    exclusively(
        replica,
        () -> {
          if (replica.reserved().hasArea()) {
            shrink(replica, replica.space().shrink());
            if (mode == ShrinkMode.SHRINK_AND_MERGE) {
              foldAll(replica);
            }
            if (replica.reserved().isEmpty()) {
              replica.space(replica.space().doMerge());
            }
          }
        });
  }

  private void shrink(Replica replica, ReservedSpace shrunk) throws IOException {
    boolean isSmaller = shrunk.reservedBytes() < replica.space().reservedBytes();
    if (isSmaller && !isPrepared(replica)) {
      return;
    }
    replica.space(shrunk);
    if (isSmaller) {
      replica.reserved().shrink(shrunk.reservedBytes());
      replica.reserved().endWrite();
    }
    // Without room it is written later (rest): how large the area is, the area itself says.
    keep(replica);
  }

  /**
   * Another scheme from now on; what the old one has left behind is brought into the file.
   *
   * @return why that could not be noted, and nothing was done; empty if it is done
   */
  String convert(Replica replica, String scheme, UpdateScheme chosen) throws IOException {
    String[] failure = {""};
    exclusively(
        replica,
        () -> {
          try {
            writeSlots(replica, replica.state().withScheme(scheme));
          } catch (NotKeptException e) {
            failure[0] = e.toString();
            return;
          }
          replica.scheme(chosen);
          foldAll(replica);
          if (replica.reserved().hasArea()) {
            resize(replica);
          }
        });
    return failure[0];
  }

  /** Gives reserved space back that the scheme has no use for, or takes it again. */
  private void resize(Replica replica) throws IOException {
    boolean isUsed = replica.destination() == UpdateScheme.Destination.RESERVED_SPACE;
    if (!isUsed && replica.reserved().isEmpty()) {
      shrink(replica, replica.space().doShrink(replica.space().reservedBytes()));
    } else if (isUsed && replica.reserved().reservedBytes() == 0) {
      try {
        replica
            .reserved()
            .takeArea(
                replica
                    .store()
                    .reserve(ReservedDeltas.areaBytes(replica.space().options().defaultBytes())));
      } catch (IOException e) {
        if (!replica.store().isShortage(e)) {
          throw e;
        }
        return; // changes go to the file
      }
      replica.space(ReservedSpace.initial(replica.space().options()));
      keep(replica); // as in shrink
    }
  }

  /**
   * Keeps the slots outside the log, so that it does not need their records.
   *
   * @return why they could not be kept, for which they stay in the log; empty if they are
   */
  String keep(Replica replica) throws IOException {
    String[] failure = {""};
    exclusively(
        replica,
        () -> {
          try {
            keepSlots(replica);
          } catch (NotKeptException e) {
            failure[0] = e.toString();
          }
        });
    return failure[0];
  }

  private void keepSlots(Replica replica) throws IOException {
    writeSlots(replica, replica.state());
  }

  /**
   * Writes the slots as they are, with the rest of a state, and retires machines that nobody needs.
   */
  private void writeSlots(Replica replica, ReplicaState rest) throws IOException {
    // Before any slot is looked at: a change gets its sequence under the lock of its slot, so all
    // up to this one are in the slots as they are found.
    long upTo = log.durableSequence();
    replica.stateStale(false);
    SortedMap<Integer, ReplicaState.Kept> listed = new TreeMap<>();
    SortedMap<Integer, Long> epochs = new TreeMap<>();
    Map<SlotKey, Long> homed = new LinkedHashMap<>();
    long newest = upTo;
    for (EngineSlot slot : replica.slots().all()) {
      slot.lock().lock();
      try {
        int stripe = slot.key().stripe();
        long last = log.lastSequence(slot.key());
        if (slot.machine().isQuiescent() && last <= upTo) {
          epochs.put(stripe, rest.listedEpoch(slot.machine().epoch()));
        } else {
          epochs.put(stripe, QuiescentSlots.NOT_LISTED);
          listed.put(stripe, new ReplicaState.Kept(Math.max(upTo, last), slot.machine().durable()));
        }
        if (last > 0) {
          homed.put(slot.key(), last);
          newest = Math.max(newest, last);
        }
      } finally {
        slot.lock().unlock();
      }
    }
    // As in append; and the lists of tids would name changes whose bytes are lost, so that no peer
    // could tell.
    log.sealUpTo(newest);
    long reservedBytes =
        replica.reserved().hasArea()
            ? replica.reserved().reservedBytes()
            : ReplicaState.NEVER_RESERVED;
    write(
        replica,
        rest.withReserved(reservedBytes, replica.space().utility())
            .withSlots(upTo, rest.quiescent().with(epochs), listed));
    homed.forEach(log::homed);
    replica.slots().retire(slot -> isKept(replica, slot));
  }

  /** Whether nothing of a quiescent slot would be lost with its machine. Under the slot's lock. */
  private boolean isKept(Replica replica, EngineSlot slot) {
    DurableSlot kept = replica.state().slot(slot.key().stripe()).slot();
    return log.lastSequence(slot.key()) == 0
        && kept.isQuiescent()
        && kept.epoch() == slot.machine().epoch();
  }

  /**
   * Leaves nothing in memory of quiescent slots but their epochs, and not more in the file. Keeps
   * the slots first if the log or the file has more of them.
   *
   * @return whether the slots were kept again, so that the log may need less
   */
  boolean rest(Replica replica) throws IOException {
    boolean[] isKept = new boolean[1];
    exclusively(
        replica,
        () -> {
          replica.slots().retire(slot -> isKept(replica, slot));
          if (isRewriteDue(replica)) {
            isKept[0] = keep(replica).isEmpty();
          }
        });
    return isKept[0];
  }

  private static boolean isRewriteDue(Replica replica) {
    int active = 0;
    boolean isAnyQuiescent = false;
    for (EngineSlot slot : replica.slots().all()) {
      slot.lock().lock();
      try {
        active += slot.machine().isQuiescent() ? 0 : 1;
        isAnyQuiescent |= slot.machine().isQuiescent();
      } finally {
        slot.lock().unlock();
      }
    }
    return isAnyQuiescent || replica.listedSlots() > active || replica.isStateStale();
  }

  private static void write(Replica replica, ReplicaState state) throws IOException {
    byte[] bytes = state.encode(replica.key());
    try {
      NotKeptException.write(replica.store(), bytes);
    } catch (IOException e) {
      replica.stateStale(true);
      throw e;
    }
    replica.state(state);
  }
}
