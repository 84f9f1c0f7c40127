/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire.message;

import io.hdfsparity.raidp.config.LockGranularity;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Options of a recovery; what is empty comes from the configuration.
 *
 * @param chunkBytes bytes of one rebuild request
 * @param lockGranularity what a rebuild thread locks
 * @param throttleBytesPerSecond 0: no limit
 */
public record RecoverRequest(
    OptionalInt chunkBytes,
    Optional<LockGranularity> lockGranularity,
    OptionalLong throttleBytesPerSecond) {
  /** Everything as configured. */
  public static RecoverRequest configured() {
    return new RecoverRequest(OptionalInt.empty(), Optional.empty(), OptionalLong.empty());
  }
}
