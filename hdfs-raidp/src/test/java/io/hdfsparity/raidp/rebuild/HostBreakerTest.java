/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.rebuild;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.ManualClock;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import org.junit.jupiter.api.Test;

class HostBreakerTest {
  private static final InetSocketAddress HOST = new InetSocketAddress("127.0.0.1", 1);

  private static HostBreaker after(IOException failure) {
    HostBreaker breaker = new HostBreaker(new ManualClock());
    assertThatThrownBy(
            () ->
                breaker.run(
                    HOST,
                    () -> {
                      throw failure;
                    }))
        .isSameAs(failure);
    return breaker;
  }

  private static void assertOpen(HostBreaker breaker, boolean isOpen) {
    if (isOpen) {
      assertThatThrownBy(() -> breaker.run(HOST, () -> 1)).hasMessageContaining("Cannot reach");
    } else {
      assertThat(runs(breaker)).isEqualTo(1);
    }
  }

  private static int runs(HostBreaker breaker) {
    try {
      return breaker.run(HOST, () -> 1);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aHostWhoseConnectionEndsHasNotAnswered() {
    for (IOException failure :
        new IOException[] {
          new ConnectException(),
          new SocketTimeoutException(),
          new EOFException(),
          new ClosedChannelException()
        }) {
      HostBreaker breaker = after(failure);
      assertThat(breaker.isUnanswered()).as(failure.toString()).isTrue();
      assertOpen(breaker, true);
    }
  }

  @Test
  void aRefusalIsAnAnswer() {
    HostBreaker breaker = after(new IOException("no such frame"));
    assertThat(breaker.isUnanswered()).isFalse();
    assertOpen(breaker, false);
  }

  @Test
  void aCallerThatIsInterruptedKnowsNothing() {
    HostBreaker breaker = after(new ClosedByInterruptException());
    assertThat(breaker.isUnanswered()).isTrue();
    assertOpen(breaker, false);
  }
}
