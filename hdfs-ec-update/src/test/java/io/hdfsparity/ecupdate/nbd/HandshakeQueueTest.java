/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.nbd;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Which connection is closed for the next one, and how often the log says so. */
class HandshakeQueueTest {
  private final HandshakeQueue<String> queue = new HandshakeQueue<>(3);

  @Test
  void theHostWithTheMostConnectionsLosesItsOldest() {
    assertThat(queue.add("a1", "a")).isEmpty();
    assertThat(queue.add("b1", "b")).isEmpty();
    assertThat(queue.add("b2", "b")).isEmpty();
    assertThat(queue.add("b3", "b")).contains("b1");
    assertThat(queue.add("c1", "c")).contains("b2");
    assertThat(queue.remove("b2")).isFalse();
    assertThat(queue.remove("a1")).isTrue();
    assertThat(queue.add("c2", "c")).isEmpty();
  }

  @Test
  void ofHostsWithTheSameNumberTheOldestConnectionIsClosed() {
    queue.add("a1", "a");
    queue.add("b1", "b");
    queue.add("c1", "c");
    assertThat(queue.add("d1", "d")).contains("a1");
  }

  @Test
  void aLineIsWrittenOnceInAnIntervalAndCountsThoseBetween() {
    AtomicLong nanos = new AtomicLong(Long.MAX_VALUE);
    LineLimit limit = new LineLimit(nanos::get);
    assertThat(limit.next()).hasValue(0);
    nanos.addAndGet(LineLimit.INTERVAL_NANOS - 1);
    assertThat(limit.next()).isEmpty();
    assertThat(limit.next()).isEmpty();
    nanos.addAndGet(1);
    assertThat(limit.next()).hasValue(2);
    nanos.addAndGet(LineLimit.INTERVAL_NANOS);
    assertThat(limit.next()).hasValue(0);
  }
}
