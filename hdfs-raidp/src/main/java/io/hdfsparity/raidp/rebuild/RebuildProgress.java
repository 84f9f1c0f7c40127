/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.rebuild;

import io.hdfsparity.core.check.Clock;
import io.hdfsparity.raidp.recovery.DecodeListener;
import io.hdfsparity.raidp.recovery.DecodeReport;
import io.hdfsparity.raidp.wire.message.RebuildCounts;
import io.hdfsparity.raidp.wire.message.RebuildObstacle;
import io.hdfsparity.raidp.wire.message.RebuildPhase;
import io.hdfsparity.raidp.wire.message.RebuildStatus;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Where a rebuild stands, over all its attempts. Thread-safe. */
final class RebuildProgress implements DecodeListener {
  /**
   * A report goes out every second: it must stay small when thousands of blocks fail for one
   * reason.
   */
  private static final int MAX_ERRORS = 50;

  private final long rebuildId;
  private final long superchunkId;
  private final Clock clock;
  private final long startNanos;
  private final Map<Long, DecodeReport.Failure> failures = new LinkedHashMap<>();
  private final Set<Long> done = new HashSet<>();
  private RebuildPhase phase = RebuildPhase.RUNNING;
  private String fatal = "";
  private boolean unanswered;
  private boolean receiverFailed;
  private boolean plannedOnce;
  private int blocksTotal;
  private long bytesTotal;
  private long bytesDecoded;
  private long bytesOfDone;
  private long endNanos;

  RebuildProgress(long rebuildId, long superchunkId, Clock clock) {
    this.rebuildId = rebuildId;
    this.superchunkId = superchunkId;
    this.clock = clock;
    this.startNanos = clock.nanoTime();
  }

  @Override
  public synchronized void planned(int blocks, long bytes) {
    if (!plannedOnce) {
      plannedOnce = true;
      blocksTotal = blocks;
      bytesTotal = bytes;
    }
    failures.clear();
    bytesDecoded = bytesOfDone;
  }

  @Override
  public synchronized void decoded(long bytes) {
    bytesDecoded += bytes;
  }

  @Override
  public synchronized void blockDone(long blockId, long lengthBytes) {
    if (done.add(blockId)) {
      bytesOfDone += lengthBytes;
    } else {
      bytesDecoded -= lengthBytes;
    }
  }

  @Override
  public synchronized void blockFailed(DecodeReport.Failure failure) {
    failures.put(failure.blockId(), failure);
  }

  /** An attempt has ended; whether a source has not answered in it. */
  synchronized void unanswered(boolean now) {
    unanswered = now;
  }

  /** The receiver cannot go on, whatever its sources give. */
  synchronized void receiverFailed() {
    receiverFailed = true;
  }

  /** Ends it: done when nothing that must be there is missing. */
  synchronized void end(boolean complete, String why) {
    phase = complete ? RebuildPhase.DONE : RebuildPhase.FAILED;
    fatal = why;
    endNanos = clock.nanoTime();
  }

  synchronized boolean isRunning() {
    return phase == RebuildPhase.RUNNING;
  }

  synchronized RebuildStatus status() {
    List<String> errors = new ArrayList<>();
    if (!fatal.isEmpty()) {
      errors.add(fatal);
    }
    failures.values().stream().limit(MAX_ERRORS).forEach(failure -> errors.add(failure.toString()));
    if (failures.size() > MAX_ERRORS) {
      errors.add("and " + (failures.size() - MAX_ERRORS) + " more blocks");
    }
    long nanos = (isRunning() ? clock.nanoTime() : endNanos) - startNanos;
    return new RebuildStatus(
        rebuildId,
        superchunkId,
        phase,
        new RebuildCounts(
            bytesTotal, Math.max(0, Math.min(bytesDecoded, bytesTotal)), blocksTotal, done.size()),
        errors,
        TimeUnit.NANOSECONDS.toMillis(nanos),
        obstacle());
  }

  private RebuildObstacle obstacle() {
    if (receiverFailed
        || failures.values().stream()
            .anyMatch(failure -> failure.origin() == DecodeReport.Origin.RECEIVER)) {
      return RebuildObstacle.RECEIVER_FAILED;
    }
    return unanswered ? RebuildObstacle.SOURCE_UNANSWERED : RebuildObstacle.NONE;
  }
}
