/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class OverdraftTest {
  private static final ServerTimeouts STANDARD = ServerTimeouts.standard();
  private static final long FRAME_BYTES = ServerLimits.standard().maxPayloadBytes();

  /** Milliseconds after which a peer of a constant rate is closed, or its frame is whole. */
  private static long heldMs(long bytesPerSecond) {
    long start = Long.MAX_VALUE - 5; // nanoTime overflows
    Overdraft frame =
        new Overdraft(start, 0, STANDARD.overdraftMs(), STANDARD.overdraftBytesPerSecond());
    for (long ms = 0; ; ms++) {
      long bytes = bytesPerSecond * ms / 1000;
      if (bytes >= FRAME_BYTES
          || frame.leftMs(start + TimeUnit.MILLISECONDS.toNanos(ms), bytes) <= 0) {
        return bytes >= FRAME_BYTES ? -ms : ms;
      }
    }
  }

  @Test
  void aSlowLinkIsServed() {
    assertThat(heldMs(STANDARD.overdraftBytesPerSecond())).isNegative();
    assertThat(heldMs(125_000)).as("1 Mbit/s").isNegative();
  }

  @Test
  void whoSendsLittleOrNothingGainsLittle() {
    assertThat(heldMs(0)).isEqualTo(1000);
    assertThat(heldMs(1000)).isBetween(1000L, 1100L);
    long maxMs = STANDARD.overdraftMs() + 1000 * FRAME_BYTES / STANDARD.overdraftBytesPerSecond();
    for (long rate = 1; rate < 10_000_000; rate = rate * 5 / 4 + 1) {
      assertThat(Math.abs(heldMs(rate))).as("rate %d", rate).isLessThanOrEqualTo(maxMs);
    }
    assertThat(maxMs).isLessThan(STANDARD.frameMs() / 2);
  }
}
