/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.core.check.Clock;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.ecupdate.protocol.SessionId;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which of a volume's admitted replicas are quiescent (see {@link ReplicaUse}); what must outlive a
 * restart is durable before it counts. Thread-safe.
 */
final class ReplicaUses {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaUses.class);

  private final Clock clock;
  private final long quietMs;

  /** How long data from before a change may be read, and then decoded. */
  private final long settleMs;

  private final Map<Long, ReplicaUse> uses = new HashMap<>();
  private volatile @Nullable UpdateDirectory directory;

  /** The latest state is what is written last. Taken before the monitor of this. */
  private final Object writing = new Object();

  ReplicaUses(Clock clock, StorageOptions options) {
    this.clock = clock;
    quietMs = options.quietMs();
    // An old snapshot, of a data block on any DataNode, is closed at the first sweep of its age.
    settleMs = options.snapshotAgeMs() + options.snapshotAgeMs() / 2 + options.quietMs();
  }

  private long nowMs() {
    return TimeUnit.NANOSECONDS.toMillis(clock.nanoTime());
  }

  /** Those that were admitted before this process began. */
  synchronized void start(UpdateDirectory here, Collection<Long> blockIds) {
    directory = here;
    for (long blockId : blockIds) {
      ReplicaUse use;
      try {
        use = new ReplicaUse(here.use(blockId), nowMs() + settleMs);
      } catch (IOException e) {
        LOG.warn("Replica takes no more updates, and is not copied: block={}", blockId, e);
        use = ReplicaUse.damaged(nowMs() + settleMs);
      }
      uses.put(blockId, use);
    }
  }

  /**
   * One that nobody has changed yet is about to be admitted: durable on return.
   *
   * @throws ReplicaRetiredException if it has been copied
   * @throws IOException if that is not known
   */
  void first(long blockId) throws IOException {
    synchronized (writing) {
      requireFirst(blockId);
      put(blockId, ReplicaUse.Kept.FRESH);
    }
  }

  /** As {@link #first}, looking only. */
  void requireFirst(long blockId) throws IOException {
    ReplicaUse.Kept kept;
    try {
      kept = here().use(blockId);
    } catch (IOException e) {
      throw damaged(blockId, e);
    }
    if (kept.isCopied()) {
      throw retired(blockId);
    }
  }

  /** A copy has come of which nothing is known: durable on return. */
  void arrived(long blockId) throws IOException {
    put(blockId, ReplicaUse.Kept.NOTHING);
  }

  private void put(long blockId, ReplicaUse.Kept kept) throws IOException {
    synchronized (this) {
      uses.put(blockId, new ReplicaUse(kept, nowMs() + settleMs));
    }
    keep(blockId);
  }

  private void keep(long blockId) throws IOException {
    synchronized (writing) {
      ReplicaUse use;
      ReplicaUse.Kept kept;
      synchronized (this) {
        use = uses.get(blockId);
        if (use == null || use.isDamaged()) {
          return;
        }
        kept = use.kept();
      }
      here().keepUse(blockId, kept);
      if (kept.isCopied()) {
        synchronized (this) {
          use.copyKept();
        }
      }
    }
  }

  private UpdateDirectory here() throws IOException {
    UpdateDirectory here = directory;
    if (here == null) {
      throw new IOException("Cannot note sessions: the storage is not in service");
    }
    return here;
  }

  // ---- decoders ----

  /** Empty unless a replica is quiescent; else what {@link #read} wants to know. */
  synchronized OptionalLong atRest(long blockId) {
    ReplicaUse use = uses.get(blockId);
    return use != null && use.isAtRest(nowMs())
        ? OptionalLong.of(use.changes())
        : OptionalLong.empty();
  }

  /**
   * Notes a reader that may decode, unless a session has come since.
   *
   * @param atRest what {@link #atRest} has said before its version was pinned
   * @param isCopy whether it may make a copy
   * @return whether it was noted
   */
  synchronized boolean read(long blockId, long atRest, boolean isCopy, Runnable note) {
    ReplicaUse use = uses.get(blockId);
    if (use == null || use.changes() != atRest || !use.isAtRest(nowMs())) {
      return false;
    }
    if (isCopy) {
      use.copied();
    }
    note.run();
    return true;
  }

  /** A reader is about to make a copy, perhaps of one that is not admitted: durable on return. */
  void keepCopied(long blockId) throws IOException {
    synchronized (writing) {
      boolean isAdmitted;
      synchronized (this) {
        ReplicaUse use = uses.get(blockId);
        isAdmitted = use != null;
        if (use != null) {
          if (use.isRetired() || use.isDamaged()) {
            return;
          }
          use.copied();
        }
      }
      if (isAdmitted) {
        keep(blockId);
      } else if (!here().isCopied(blockId)) {
        here().keepUse(blockId, new ReplicaUse.Kept(Set.of(), ReplicaUse.Copies.COPIED));
      }
    }
  }

  /**
   * A copy has come from another DataNode: durable on return. If it has come under the name of an
   * admitted replica, it only counts as copied.
   */
  void keepReceived(long blockId) throws IOException {
    synchronized (writing) {
      boolean isAdmitted;
      synchronized (this) {
        isAdmitted = uses.containsKey(blockId);
      }
      if (!isAdmitted) {
        here().keepUse(blockId, new ReplicaUse.Kept(Set.of(), ReplicaUse.Copies.RECEIVED));
        return;
      }
    }
    keepCopied(blockId);
  }

  /** Tries again to make durable that a replica was copied, if that has failed: so on return. */
  void keepCopyAgain(long blockId) throws IOException {
    boolean isPending;
    synchronized (this) {
      ReplicaUse use = uses.get(blockId);
      isPending = use != null && use.isCopied() && !use.isRetired();
    }
    if (isPending) {
      keepCopied(blockId);
    }
  }

  // ---- sessions ----

  /**
   * A session is about to enter: decoders are refused until {@link #endEntering}.
   *
   * @throws ReplicaRetiredException if nobody enters it any more
   * @throws IOException if it must not
   */
  synchronized void beginEntering(long blockId) throws IOException {
    ReplicaUse use = known(blockId);
    if (use.isDamaged()) {
      throw damaged(blockId, /* cause= */ null);
    }
    if (use.isRetired()) {
      throw retired(blockId);
    }
    if (use.isCopied()) {
      // Whether it will be known after a restart is not known yet.
      throw new IOException(
          ErrorMessage.to("update a replica")
              .value("is being copied", true)
              .expected("false; try again")
              .where("block", blockId)
              .message());
    }
    use.beginEntering();
  }

  /**
   * Sessions may be inside by what was noted, and be changing other units of the group: so it is
   * not rewritten by itself.
   */
  private static IOException damaged(long blockId, @Nullable IOException cause) {
    return new IOException(
        ErrorMessage.to("update a replica")
            .value("who has used it", "unknown")
            .expected("notes that can be read; rewrite the file (hdfs caso -rewrite)")
            .where("block", blockId)
            .message(),
        cause);
  }

  /**
   * The level was changed since the first session, so no session can know the code any more by
   * which the replica was updated. Returns if one has left something unfinished: then the level it
   * had can be given back, and what is unfinished can be recovered.
   *
   * @throws ReplicaRetiredException if nobody enters it from now on; durable
   */
  void retire(long blockId) throws IOException {
    synchronized (this) {
      ReplicaUse use = known(blockId);
      if (use.isDamaged() || !use.isLeft()) {
        return;
      }
    }
    keepCopied(blockId);
    throw new ReplicaRetiredException(
        ErrorMessage.to("update a replica")
            .value("was updated under another code", true)
            .expected(
                "a level that has not changed since; rewrite the group, which updaters do by"
                    + " themselves, or the file (hdfs caso -rewrite)")
            .where("block", blockId)
            .message());
  }

  private static ReplicaRetiredException retired(long blockId) {
    return new ReplicaRetiredException(
        ErrorMessage.to("update a replica")
            .value("rebuilt from or copied", true)
            .expected(
                "a block group of which HDFS has rebuilt and moved nothing: what was lost or moved"
                    + " could come back, and be older than the rest; rewrite the group, which"
                    + " updaters do by themselves, or the file (hdfs caso -rewrite)")
            .where("block", blockId)
            .message());
  }

  private ReplicaUse known(long blockId) throws IOException {
    ReplicaUse use = uses.get(blockId);
    if (use == null) {
      throw new IOException("Cannot update a replica: block=" + blockId + " is not admitted");
    }
    return use;
  }

  synchronized void endEntering(long blockId) {
    ReplicaUse use = uses.get(blockId);
    if (use != null) {
      use.endEntering(nowMs() + 2 * quietMs);
    }
  }

  /** While entering: the session is noted, durably on return. */
  void enter(long blockId, SessionId session) throws IOException {
    boolean isNew;
    synchronized (this) {
      isNew = known(blockId).enter(session);
    }
    if (!isNew) {
      return;
    }
    boolean isKept = false;
    try {
      keep(blockId);
      isKept = true;
    } finally {
      if (!isKept) {
        // It is not admitted, and the next try must write.
        synchronized (this) {
          known(blockId).leave(session, nowMs() + settleMs);
        }
      }
    }
  }

  /** All that a session has changed in the group has ended: durable on return. */
  void leave(long blockId, SessionId session) throws IOException {
    boolean wasThere;
    synchronized (this) {
      ReplicaUse use = uses.get(blockId);
      wasThere = use != null && use.leave(session, nowMs() + settleMs);
    }
    if (wasThere) {
      keep(blockId);
    }
  }

  /** Sessions that may have left something unfinished. */
  synchronized Set<SessionId> noted(long blockId) throws IOException {
    return known(blockId).kept().sessions();
  }

  /** As {@link #noted}, ascending; none of one that is not admitted. */
  synchronized List<SessionId> inside(long blockId) {
    ReplicaUse use = uses.get(blockId);
    return use == null ? List.of() : use.kept().sessions().stream().sorted().toList();
  }

  /**
   * Sessions are over on all units of the group, and nothing of theirs is left in any stripe:
   * durable on return. Somebody unknown stays.
   */
  void crossOut(long blockId, Set<SessionId> sessions) throws IOException {
    synchronized (this) {
      ReplicaUse use = known(blockId);
      sessions.forEach(session -> use.leave(session, nowMs() + settleMs));
    }
    keep(blockId);
  }

  /** A replica is gone. */
  synchronized void drop(long blockId) {
    uses.remove(blockId);
  }

  /** A replica that is not admitted is about to be deleted. */
  void deleting(long blockId) throws IOException {
    synchronized (writing) {
      UpdateDirectory here = directory;
      if (here != null) {
        here.forgetUse(blockId);
      }
    }
  }
}
