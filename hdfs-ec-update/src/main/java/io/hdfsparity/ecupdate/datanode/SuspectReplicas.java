/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replicas of a volume of which a read has failed with an error of the disk. A sector may be lost,
 * and so may the whole disk, or its controller is reset: then reads of all its replicas fail, and
 * nothing is wrong with them. So HDFS checks the disk first. If the disk passes, the read is
 * repeated, and a replica whose read fails again is damaged. Thread-safe.
 */
final class SuspectReplicas {
  private static final Logger LOG = LoggerFactory.getLogger(SuspectReplicas.class);

  /** The read that has failed, once more. It waits for the disk. */
  @FunctionalInterface
  interface RepeatedRead {
    void run() throws IOException;
  }

  private final String storageId;
  private final Executor later;
  private final BooleanSupplier passesCheck;
  private final Set<Long> suspects = ConcurrentHashMap.newKeySet();

  /**
   * None yet.
   *
   * @param later runs what waits for the disk, when a reset has ended
   * @param passesCheck whether the volume is in service after HDFS has checked its disk
   */
  SuspectReplicas(String storageId, Executor later, BooleanSupplier passesCheck) {
    this.storageId = storageId;
    this.later = later;
    this.passesCheck = passesCheck;
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

  private void judge(long blockId, RepeatedRead again, Runnable damaged) {
    try {
      @Nullable IOException failure = passesCheck.getAsBoolean() ? repeat(again) : null;
      if (failure != null && ReadFailures.isDamageOrDiskError(failure)) {
        LOG.error(
            "Replica cannot be read, though its disk has passed a check: storageId={} block={}",
            storageId,
            blockId,
            failure);
        damaged.run();
      }
    } catch (RuntimeException e) {
      LOG.warn("Cannot judge a replica: storageId={} block={}", storageId, blockId, e);
    } finally {
      suspects.remove(blockId);
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
