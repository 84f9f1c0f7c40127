/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a client asks of a storage node, about one block of one stripe. Immutable. */
public sealed interface Request {
  /** Fig. 4: the block's bytes. */
  record Read(int offset, int lengthBytes) implements Request {}

  /** Fig. 5 lines 27 to 34: write, and say what was there and who wrote last. */
  record Swap(Patch patch, Tid ntid) implements Request {}

  /** Who multiplies the delta by the coefficient of the parity block. */
  enum Scaling {
    /** The delta is multiplied already (Fig. 5 line 10), and where it goes. */
    BY_CLIENT,
    /**
     * Broadcast (section 3.11): the storage node multiplies. The delta is where it was in the data
     * block, from where bytes may move.
     */
    BY_NODE
  }

  /**
   * Fig. 5 lines 36 to 42: add a delta to a parity block.
   *
   * @param otid the write of the same data block that must have come before; null if none need have
   * @param epoch what the swap returned
   */
  record Add(Patch delta, Scaling scaling, Tid ntid, @Nullable Tid otid, long epoch)
      implements Request {}

  /** One write of an {@link AddAll}; as in {@link Add}. */
  record Part(Tid ntid, @Nullable Tid otid) {}

  /**
   * The adds of several data blocks' writes in one, all made or none. Not in the paper: a write
   * that touches several cells of a stripe brings each parity block their sum. If any of them must
   * wait for an earlier one, the answer is ORDER, and the client adds them one by one.
   *
   * @param delta sum of the deltas, each multiplied already
   * @param epoch what all the swaps returned
   */
  record AddAll(Patch delta, List<Part> parts, long epoch) implements Request {
    public AddAll {
      parts = List.copyOf(parts);
    }
  }

  /** Fig. 5 lines 43 to 45. */
  record CheckTid(Tid ntid, Tid otid) implements Request {}

  /** Fig. 6 lines 25 and 26. */
  record TryLock(LockMode mode, LockId caller) implements Request {}

  /** Fig. 6: the holder changes the mode, or releases it with {@code UNL} or {@code EXP}. */
  record SetLock(LockMode mode, LockId caller) implements Request {}

  /**
   * Fig. 6 lines 27 and 28; for the holder, or it would wait for writes that a lost lock refuses.
   */
  record GetState(LockId caller) implements Request {}

  /** Fig. 6: lock again and say which writes have come. */
  record GetRecent(LockMode mode, LockId caller) implements Request {}

  /**
   * Fig. 6 lines 29 and 30: write the recovered block.
   *
   * @param consistentSet the blocks that it was computed from
   * @param targetEpoch the epoch that this recovery will end with; not in the paper, see ADR 0010
   */
  record Reconstruct(Set<Integer> consistentSet, Bytes block, long targetEpoch, LockId caller)
      implements Request {
    public Reconstruct {
      consistentSet = Set.copyOf(consistentSet);
    }
  }

  /** What becomes of the lock at the end of a recovery. */
  enum LockAfter {
    /** As in the paper. */
    RELEASED,
    /** Another recovery follows: this one only completes what a crashed client began. */
    KEPT
  }

  /** Fig. 6 lines 31 to 33. */
  record FinalizeRecovery(long epoch, LockAfter lockAfter, LockId caller) implements Request {}

  /** Fig. 7: forget writes that all nodes hold in their old lists. */
  record GcOld(List<Tid> tids) implements Request {
    public GcOld {
      tids = List.copyOf(tids);
    }
  }

  /** Fig. 7: move completed writes to the old list. */
  record GcRecent(List<Tid> tids) implements Request {
    public GcRecent {
      tids = List.copyOf(tids);
    }
  }

  /**
   * Not AJX's: a session of this number has finished all that it began on all units of the block's
   * group, and makes no further change before it is admitted again (ADR 0014). For the whole
   * replica, whatever the stripe.
   */
  record Leave(long session) implements Request {}

  /**
   * Not AJX's: which sessions are noted at the replica, and which of those asked about are over at
   * this node, by what a NameNode says after the question has come (ADR 0014).
   */
  record Sessions(Set<Long> asked) implements Request {
    public Sessions {
      asked = Set.copyOf(asked);
    }
  }

  /**
   * Not AJX's: sessions that are over on all units of the block's group, and of which nothing is
   * left unfinished in any stripe. A node refuses it as long as one of them is not over for it.
   */
  record CrossOut(Set<Long> sessions) implements Request {
    public CrossOut {
      sessions = Set.copyOf(sessions);
    }
  }

  /** Section 3.10: what the monitor looks at. */
  record Probe() implements Request {}
}
