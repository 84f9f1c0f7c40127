/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.core.check.Clock;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replicas of a volume of which a read has failed with an error of the disk. A sector may be lost,
 * and so may the whole disk, or its controller is reset: then reads of all its replicas fail, and
 * nothing is wrong with them. So HDFS checks the disk first. If the disk passes, the read is
 * repeated, and a replica whose read fails again is damaged.
 *
 * <p>A disk may pass the check and read nothing any more: what was just written is in memory. So
 * the disk is reported as failed when several replicas are found like this within a short time.
 * Thread-safe.
 */
final class SuspectReplicas {
  private static final Logger LOG = LoggerFactory.getLogger(SuspectReplicas.class);

  /** So many bad replicas within {@link #UNREADABLE_WITHIN_MS} are a failing disk. */
  static final int MAX_UNREADABLE = 5;

  static final long UNREADABLE_WITHIN_MS = 600_000;

  /** The read that has failed, once more. It waits for the disk. */
  @FunctionalInterface
  interface RepeatedRead {
    void run() throws IOException;
  }

  private final String storageId;
  private final Executor later;
  private final Disk disk;
  private final Clock clock;
  private final Set<Long> suspects = ConcurrentHashMap.newKeySet();

  /** Replicas whose repeated reads have failed, and when. Guarded by itself. */
  private final Map<Long, Long> unreadable = new HashMap<>();

  /** The volume, as HDFS has it. Waits for the disk and for HDFS's locks. */
  interface Disk {
    /** Whether the volume is in service after HDFS has checked its disk. */
    boolean passesCheck();

    /** HDFS is to take the volume out of service. */
    void failed(String reason);
  }

  /**
   * None yet.
   *
   * @param later runs what waits for the disk, when a reset has ended
   */
  SuspectReplicas(String storageId, Executor later, Disk disk, Clock clock) {
    this.storageId = storageId;
    this.later = later;
    this.disk = disk;
    this.clock = clock;
  }

  /**
   * Judges a replica later. Does nothing while that is still to come for the same one.
   *
   * @param damaged run if it is the replica that is damaged
   */
  void add(long blockId, RepeatedRead again, Runnable damaged) {
    if (!suspects.add(blockId)) {
      return;
    }
    LOG.warn(
        "Replica cannot be read; its disk is checked, and it is read again: storageId={} block={}",
        storageId,
        blockId);
    try {
      later.execute(() -> judge(blockId, again, damaged));
    } catch (RejectedExecutionException e) {
      suspects.remove(blockId);
      LOG.debug("The DataNode is being stopped", e);
    }
  }

  /**
   * A write has failed: HDFS checks the disk later, as after a write of its own. Not after a
   * shortage, which says nothing of the disk.
   */
  void writeFailed(IOException failure) {
    if (ReadFailures.isShortage(failure)) {
      return;
    }
    LOG.warn("A write has failed; its disk is checked: storageId={}", storageId, failure);
    try {
      later.execute(disk::passesCheck);
    } catch (RejectedExecutionException e) {
      LOG.debug("The DataNode is being stopped", e);
    }
  }

  private void judge(long blockId, RepeatedRead again, Runnable damaged) {
    try {
      @Nullable IOException failure = disk.passesCheck() ? repeat(again) : null;
      if (failure == null || !ReadFailures.isDamageOrDiskError(failure)) {
        return;
      }
      LOG.error(
          "Replica cannot be read, though its disk has passed a check: storageId={} block={}",
          storageId,
          blockId,
          failure);
      if (ReadFailures.isDiskError(failure) && isOneOfMany(blockId)) {
        disk.failed(
            MAX_UNREADABLE
                + " replicas could not be read within "
                + UNREADABLE_WITHIN_MS / 60_000
                + " minutes, the last one was block="
                + blockId
                + ": "
                + failure.getMessage());
      } else {
        damaged.run();
      }
    } catch (RuntimeException e) {
      LOG.warn("Cannot judge a replica: storageId={} block={}", storageId, blockId, e);
    } finally {
      suspects.remove(blockId);
    }
  }

  private boolean isOneOfMany(long blockId) {
    long nowMs = TimeUnit.NANOSECONDS.toMillis(clock.nanoTime());
    synchronized (unreadable) {
      unreadable.put(blockId, nowMs);
      unreadable.values().removeIf(atMs -> nowMs - atMs >= UNREADABLE_WITHIN_MS);
      return unreadable.size() >= MAX_UNREADABLE;
    }
  }

  private static @Nullable IOException repeat(RepeatedRead again) {
    try {
      again.run();
      return null;
    } catch (IOException e) {
      return e;
    }
  }
}
