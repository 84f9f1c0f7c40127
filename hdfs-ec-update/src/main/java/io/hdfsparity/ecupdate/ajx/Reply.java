/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a storage node answers. Immutable. A null block is the paper's bottom. */
public sealed interface Reply {
  /** To {@link Request.Read}. */
  record ReadReply(@Nullable Bytes bytes, LockMode lockMode) implements Reply {}

  /**
   * To {@link Request.Swap}.
   *
   * @param previous the bytes that the patch replaced; null if refused
   * @param otid the latest write before this one that is not known to be complete
   */
  record SwapReply(@Nullable Bytes previous, long epoch, @Nullable Tid otid, LockMode lockMode)
      implements Reply {}

  /** How an add went. */
  enum AddStatus {
    OK,
    /** The write named by otid has not come yet, or there is no room for more tids just now. */
    ORDER,
    /** Locked, not in normal mode, or of an old epoch. */
    REFUSED
  }

  /** To {@link Request.Add}. */
  record AddReply(AddStatus status, OpMode opMode, LockMode lockMode) implements Reply {}

  /** To {@link Request.CheckTid}. */
  enum CheckTidReply implements Reply {
    /** This node does not know the write itself: it lost it, or a recovery ended. */
    INIT,
    /** The earlier write is complete. */
    GC,
    NOCHANGE
  }

  /**
   * To {@link Request.TryLock}.
   *
   * @param isGranted whether the caller holds the lock now
   * @param previous the mode before, if granted; the mode that stands in the way if not
   */
  record LockReply(boolean isGranted, LockMode previous) implements Reply {}

  /** Done: to requests that have nothing else to say. */
  record Done() implements Reply {}

  /** The caller does not hold the lock (any more); nothing was changed. */
  record NotHolder(OpMode opMode, LockMode lockMode) implements Reply {}

  /**
   * To {@link Request.GetState}.
   *
   * @param targetEpoch that of the recovery in {@code consistentSet}; 0 unless RECONS
   * @param block null when it is garbage, that is when INIT
   */
  record StateReply(
      OpMode opMode,
      long epoch,
      Set<Integer> consistentSet,
      long targetEpoch,
      Set<Tid> oldList,
      Set<Tid> recentList,
      @Nullable Bytes block)
      implements Reply {
    public StateReply {
      consistentSet = Set.copyOf(consistentSet);
      oldList = Set.copyOf(oldList);
      recentList = Set.copyOf(recentList);
    }
  }

  /** To {@link Request.GetRecent}. */
  record RecentReply(Set<Tid> recentList) implements Reply {
    public RecentReply {
      recentList = Set.copyOf(recentList);
    }
  }

  /** Garbage collection is refused while locked or not in normal mode (Fig. 7). */
  record GcRefused(OpMode opMode, LockMode lockMode) implements Reply {}

  /**
   * To {@link Request.Sessions}.
   *
   * @param noted that may have left something unfinished; 0 is somebody unknown
   * @param over of those asked about: nothing of them is being executed at the node, and nothing
   *     will be
   */
  record SessionsReply(Set<Long> noted, Set<Long> over) implements Reply {
    public SessionsReply {
      noted = Set.copyOf(noted);
      over = Set.copyOf(over);
    }
  }

  /** To {@link Request.Probe}. */
  record ProbeReply(OpMode opMode, LockMode lockMode, long epoch, Set<Tid> recentList)
      implements Reply {
    public ProbeReply {
      recentList = Set.copyOf(recentList);
    }
  }
}
