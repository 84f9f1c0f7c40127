/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import java.util.concurrent.TimeUnit;

/**
 * A frame that goes beyond the memory there is, while others wait. It has a time to begin with, and
 * more for each byte that comes: a slow link is served, and nobody gains by sending little. A frame
 * of n bytes is whole or closed {@code timeMs + n / bytesPerSecond} after it began. Immutable.
 *
 * @param sinceNanos when it began
 * @param fromBytes what had come of the frame before
 * @param timeMs to begin with
 * @param bytesPerSecond below which a link is too slow
 */
record Overdraft(long sinceNanos, long fromBytes, long timeMs, long bytesPerSecond) {
  /**
   * How long it may continue if nothing more comes; not positive when its time is over.
   *
   * @param bytes that have come of the frame
   */
  long leftMs(long nowNanos, long bytes) {
    long boughtMs = TimeUnit.SECONDS.toMillis(bytes - fromBytes) / bytesPerSecond;
    return timeMs + boughtMs - TimeUnit.NANOSECONDS.toMillis(nowNanos - sinceNanos);
  }
}
