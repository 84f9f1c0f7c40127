/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.device;

import io.hdfsparity.core.check.Checks;

/**
 * How a file is used as a device. Immutable.
 *
 * @param caching what a write is when it has ended
 * @param retryMs how long a request that fails is tried again, in another session where its own is
 *     over
 * @param pauseMs between two attempts
 */
public record DeviceOptions(Caching caching, long retryMs, long pauseMs) {
  private static final String DOING = "use a file as a block device";

  /** What a write is when it has ended. */
  public enum Caching {
    /** Durable. */
    WRITE_THROUGH,
    /** In the memory of this process, until a flush. */
    WRITE_BACK
  }

  public DeviceOptions {
    Checks.argument(retryMs >= 0, DOING, "retryMs", retryMs, ">= 0");
    Checks.argument(pauseMs > 0, DOING, "pauseMs", pauseMs, "> 0");
  }
}
