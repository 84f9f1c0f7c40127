/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire.message;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.raidp.config.LockGranularity;
import io.hdfsparity.raidp.config.RaidpOptions;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Options of a recovery; what is empty comes from the configuration, whose rules they follow: a
 * DataNode would refuse others only after its superchunk was paired.
 *
 * @param chunkBytes bytes of one rebuild request: a multiple of 64 KiB, at most 64 MiB
 * @param lockGranularity what a rebuild thread locks
 * @param throttleBytesPerSecond at least 64 KiB; 0: no limit
 * @param acceptLoss whether superchunks are re-paired that wait now as they may lack blocks, though
 *     no Lstor can be read that has them; false takes that back
 */
public record RecoverRequest(
    OptionalInt chunkBytes,
    Optional<LockGranularity> lockGranularity,
    OptionalLong throttleBytesPerSecond,
    boolean acceptLoss) {
  /**
   * @throws IllegalArgumentException if a value cannot be used
   */
  public RecoverRequest {
    if (chunkBytes.isPresent()
        && (chunkBytes.getAsInt() < RaidpOptions.REBUILD_CHUNK_STEP_BYTES
            || chunkBytes.getAsInt() > RaidpOptions.MAX_RPC_CHUNK_BYTES
            || chunkBytes.getAsInt() % RaidpOptions.REBUILD_CHUNK_STEP_BYTES != 0)) {
      throw new IllegalArgumentException(
          ErrorMessage.to("recover")
              .value("chunkSize", chunkBytes.getAsInt())
              .expected("a multiple of 64k up to 64m, as in -chunkSize 4m")
              .message());
    }
    if (throttleBytesPerSecond.isPresent()
        && throttleBytesPerSecond.getAsLong() != 0
        && throttleBytesPerSecond.getAsLong() < RaidpOptions.MIN_THROTTLE_BYTES_PER_SECOND) {
      throw new IllegalArgumentException(
          ErrorMessage.to("recover")
              .value("throttle", throttleBytesPerSecond.getAsLong())
              .expected("0, or at least 64k bytes a second, as in -throttle 10m")
              .message());
    }
  }

  /** Everything as configured. */
  public static RecoverRequest configured() {
    return new RecoverRequest(OptionalInt.empty(), Optional.empty(), OptionalLong.empty(), false);
  }
}
