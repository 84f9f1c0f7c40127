/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.namenode.verify;

import io.hdfsparity.bridge.verify.GroupLook;
import io.hdfsparity.izs.config.VerifyOptions;
import io.hdfsparity.izs.namenode.verify.WrongParity.Contradiction;
import io.hdfsparity.izs.verify.VerifyProgress;
import io.hdfsparity.izs.verify.VerifyQueue;
import io.hdfsparity.izs.verify.VerifyQueue.Stage;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.server.namenode.ParityGroups;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the block groups that are to be verified, in the active NameNode out of safe mode: HDFS
 * gives ids to groups in ascending order, so those that were not looked at are the ids above a
 * watermark. What was found, and is not verified, is kept beside it.
 *
 * <p><b>Crash</b> or failover at any point: what was verified since the last save is verified once
 * more. Used by one thread.
 */
final class VerifySweeper {
  private static final Logger LOG = LoggerFactory.getLogger(VerifySweeper.class);

  /** Holds of the lock in one round of the walk. */
  private static final int WALKS_A_ROUND = 20;

  /** Groups looked at again in one round. */
  private static final int LOOKS_A_ROUND = 500;

  /** Rebuilds looked at in one round; each takes the lock for writing, for one group. */
  private static final int REBUILDS_A_ROUND = 50;

  /** Holds of the lock to look again at groups that are being written. */
  private static final int WRITTEN_LOOKS = 20;

  private static final long LOOK_AGAIN_MS = 2_000;
  private static final long REBUILD_AGAIN_MS = 1_000;

  /**
   * The beginning of a doubt is saved sooner than the rest, for without it the next NameNode may
   * believe the group; and its end, for with it the next NameNode may not rebuild the group.
   */
  private static final long MAX_DOUBT_UNSAVED_MS = 5_000;

  private final ParityGroups groups;
  private final VerifyQueue queue;
  private final WrongParity wrongParity;
  private final ProgressStore store;
  private final VerifyOptions options;
  private final VerifyCounters counters;
  private final Predicate<String> wanted;
  private final LongSupplier clockMs;
  private volatile OptionalLong term = OptionalLong.empty();
  private VerifyProgress saved = VerifyProgress.NONE;
  private long savedMs;
  private long lookedAtWrittenMs;

  /** There was no room for a group that is not being written any more. */
  private boolean isClosedWaiting;

  private boolean isStored;
  private volatile boolean isRunning;
  private OptionalLong seenTerm = OptionalLong.empty();
  private volatile OptionalLong activeSinceMs = OptionalLong.empty();
  private volatile long idsLeft;

  /**
   * @param wanted codecs by name
   * @param clockMs monotonic
   */
  VerifySweeper(
      ParityGroups groups,
      VerifyQueue queue,
      WrongParity wrongParity,
      ProgressStore store,
      VerifyOptions options,
      VerifyCounters counters,
      Predicate<String> wanted,
      LongSupplier clockMs) {
    this.groups = groups;
    this.queue = queue;
    this.wrongParity = wrongParity;
    this.store = store;
    this.options = options;
    this.counters = counters;
    this.wanted = wanted;
    this.clockMs = clockMs;
  }

  /** Whether groups are handed out. */
  boolean isRunning() {
    return isRunning;
  }

  /**
   * Whether the queue has what was known before this term of the active NameNode; not so at the
   * first moments of one, nor where it cannot be read. Takes no lock.
   */
  boolean isLoaded() {
    OptionalLong loaded = term;
    return loaded.isPresent() && loaded.equals(groups.term());
  }

  /** How long this NameNode has been active and out of safe mode; 0: it is not, as far as known. */
  long activeMs(long nowMs) {
    OptionalLong since = activeSinceMs;
    return since.isEmpty() ? 0 : nowMs - since.getAsLong();
  }

  /** Whether groups of a codec are verified. */
  boolean isWanted(String codec) {
    return wanted.test(codec);
  }

  /** Ids that were not looked at. */
  long idsLeft() {
    return idsLeft;
  }

  /** One round; does nothing on a standby. */
  void round() throws IOException {
    OptionalLong now = groups.term();
    if (!now.equals(seenTerm)) {
      seenTerm = now;
      activeSinceMs = now.isEmpty() ? now : OptionalLong.of(clockMs.getAsLong());
    }
    if (now.isEmpty()) {
      isRunning = false;
      term = now;
      return;
    }
    if (!now.equals(term)) {
      isRunning = false;
      term = OptionalLong.empty();
      begin();
      term = now;
      isRunning = true;
    }
    lookAtWritten();
    lookAgain(Stage.SAMPLE, LOOKS_A_ROUND);
    lookAgain(Stage.WHOLE, LOOKS_A_ROUND);
    lookAgain(Stage.CONTRADICTORY, LOOKS_A_ROUND);
    checkRebuilds();
    walk();
    expire();
    List<Contradiction> scheduled = wrongParity.scheduled();
    if (isAllSaved(/* isSoon= */ !scheduled.isEmpty())) {
      drop(scheduled);
    }
  }

  /** The next NameNode would doubt none of these groups. */
  private void drop(List<Contradiction> scheduled) throws IOException {
    for (Contradiction each : scheduled) {
      long id = each.group().identity().groupId();
      long nowMs = clockMs.getAsLong();
      switch (wrongParity.drop(each)) {
        case DROPPED -> queue.dropped(id, nowMs);
        case CHANGED -> {
          LOG.debug("Wrong parity of block group {} is not dropped: it was changed", id);
          queue.doubt(id);
          if (!queue.retry(id, nowMs)) {
            counters.givenUp.increment();
            LOG.warn("Block group {} is not verified: it was changed too often", id);
          }
        }
        case GIVEN_UP -> {
          counters.givenUp.increment();
          queue.contradicts(id, nowMs);
        }
      }
    }
  }

  /** As the NameNode before this one has left it. */
  private void begin() throws IOException {
    Optional<VerifyProgress> stored = store.load();
    VerifyProgress progress =
        stored.orElseGet(
            () ->
                options.scope().areExistingVerified()
                    ? VerifyProgress.NONE
                    : new VerifyProgress(groups.lastId() + VerifyProgress.ID_STEP, List.of()));
    isStored = stored.isPresent();
    queue.restore(progress);
    wrongParity.clear();
    saved = progress;
    savedMs = clockMs.getAsLong();
    lookedAtWrittenMs = savedMs - LOOK_AGAIN_MS;
    LOG.info(
        "Verifying parity of block groups: from id {}, {} open below, {} doubted{}",
        progress.nextId(),
        progress.open().size(),
        progress.doubted().size(),
        progress.areDoubtsDropped() ? " and more that are not listed" : "");
  }

  /**
   * Groups that were closed meanwhile have room first, so that those in stage WRITTEN are not more
   * than are being written, and those that were added under one hold of the lock.
   */
  private void walk() {
    for (int i = 0; i < WALKS_A_ROUND && queue.room() > 0 && !isClosedWaiting; i++) {
      long from = queue.nextId();
      ParityGroups.Walk walk = groups.walk(from, options.sweep().batch(), queue.room(), wanted);
      for (GroupLook each : walk.found()) {
        queue.add(each.groupId(), stageOf(each), clockMs.getAsLong());
      }
      queue.walkedTo(walk.nextId());
      counters.idsLookedUp.add((walk.nextId() - from) / VerifyProgress.ID_STEP);
      idsLeft = Math.max(0, (walk.lastId() - walk.nextId()) / VerifyProgress.ID_STEP + 1);
      if (walk.nextId() > walk.lastId()) {
        break;
      }
    }
  }

  private static Stage stageOf(GroupLook look) {
    return look.state() == GroupLook.State.CLOSED ? Stage.SAMPLE : Stage.WRITTEN;
  }

  /** Each group once, unless there are very many: then the next ones. */
  private void lookAtWritten() {
    long nowMs = clockMs.getAsLong();
    if (nowMs - lookedAtWrittenMs < LOOK_AGAIN_MS) {
      return;
    }
    lookedAtWrittenMs = nowMs;
    isClosedWaiting = false;
    int left = queue.size(Stage.WRITTEN);
    for (int i = 0; i < WRITTEN_LOOKS && left > 0; i++) {
      left -= lookAgain(Stage.WRITTEN, Math.min(left, options.sweep().batch()));
    }
  }

  private int lookAgain(Stage stage, int max) {
    long nowMs = clockMs.getAsLong();
    List<Long> due = queue.due(stage, max, nowMs);
    if (due.isEmpty()) {
      return 0;
    }
    for (GroupLook each : groups.look(due, wanted)) {
      switch (each.state()) {
        case GONE -> queue.done(each.groupId());
        case UNWANTED -> queue.unwanted(each.groupId(), nowMs);
        case WRITTEN -> queue.postpone(each.groupId(), stage, Stage.WRITTEN, nowMs + LOOK_AGAIN_MS);
        case CLOSED -> {
          if (stage == Stage.WRITTEN && queue.room() == 0) {
            isClosedWaiting = true;
          } else if (stage == Stage.WRITTEN || stage == Stage.CONTRADICTORY) {
            queue.postpone(each.groupId(), stage, Stage.SAMPLE, nowMs);
          }
        }
      }
    }
    return due.size();
  }

  private void checkRebuilds() throws IOException {
    long nowMs = clockMs.getAsLong();
    for (long id : queue.due(Stage.REBUILDING, REBUILDS_A_ROUND, nowMs)) {
      switch (groups.rebuild(id, wrongParity.droppedOf(id))) {
        case GONE -> queue.done(id);
        case DONE -> queue.advance(id, Stage.SAMPLE, nowMs);
        case GOING_ON -> queue.advance(id, Stage.REBUILDING, nowMs + REBUILD_AGAIN_MS);
      }
    }
  }

  private void expire() {
    VerifyQueue.Expired expired = queue.expire(clockMs.getAsLong());
    counters.expiredTasks.add(expired.tasks());
    for (long id : expired.abandoned()) {
      counters.givenUp.increment();
      LOG.warn("Block group {} is not verified: no DataNode has reported in time", id);
    }
  }

  /**
   * Saves when it is time to.
   *
   * @param isSoon as for a doubt that has changed
   * @return whether what the queue held before is saved
   */
  private boolean isAllSaved(boolean isSoon) throws IOException {
    long nowMs = clockMs.getAsLong();
    long intervalMs = options.sweep().saveIntervalMs();
    if (isSoon || queue.hasChangedDoubt()) {
      intervalMs = Math.min(intervalMs, MAX_DOUBT_UNSAVED_MS);
    }
    if (nowMs - savedMs < intervalMs) {
      return false;
    }
    savedMs = nowMs;
    VerifyProgress progress = queue.progress();
    boolean isChanged = !progress.equals(saved);
    boolean hasDoubts = progress.areDoubtsDropped() || !progress.doubted().isEmpty();
    // An administrator has removed it, so that all doubts end: they are not to be saved again.
    if (isStored && (isChanged || hasDoubts) && store.load().isEmpty()) {
      LOG.warn("All doubts of parity are forgotten: somebody has removed the saved progress");
      begin();
      return false;
    }
    if (isChanged) {
      store.save(progress);
      saved = progress;
      isStored = true;
    }
    return true;
  }
}
