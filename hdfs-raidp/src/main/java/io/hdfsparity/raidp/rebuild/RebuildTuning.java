/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.rebuild;

import io.hdfsparity.raidp.config.LockGranularity;
import io.hdfsparity.raidp.recovery.DecodeOptions;
import io.hdfsparity.raidp.recovery.LockScope;

/**
 * What the receiver itself decides about rebuilds; chunk size, lock and throttle come with the
 * order.
 *
 * @param memoryBytes bound on the buffers of one rebuild
 * @param fetchThreads most reads at a time
 * @param parallelBlocks most blocks at a time
 * @param parallelRebuilds most rebuilds at a time
 * @param attempts how often what failed is tried, at least 1
 * @param retryPauseMs milliseconds between two attempts
 */
public record RebuildTuning(
    long memoryBytes,
    int fetchThreads,
    int parallelBlocks,
    int parallelRebuilds,
    int attempts,
    long retryPauseMs) {
  public RebuildTuning {
    if (parallelRebuilds < 1 || attempts < 1 || retryPauseMs < 0) {
      throw new IllegalArgumentException(
          "Cannot rebuild: parallelRebuilds="
              + parallelRebuilds
              + " attempts="
              + attempts
              + " retryPauseMs="
              + retryPauseMs
              + ", expected parallelRebuilds >= 1, attempts >= 1, retryPauseMs >= 0");
    }
  }

  /**
   * Defaults; a rebuild takes at most an eighth of the heap's size in direct memory and as much of
   * the heap.
   */
  public static RebuildTuning defaults() {
    return new RebuildTuning(Runtime.getRuntime().maxMemory() / 4, 16, 4, 2, 3, 1_000);
  }

  DecodeOptions decode(int chunkBytes, LockGranularity lock) {
    return new DecodeOptions(
        chunkBytes,
        lock == LockGranularity.RANGE ? LockScope.RANGE : LockScope.SUPERCHUNK,
        memoryBytes,
        fetchThreads,
        parallelBlocks);
  }
}
