/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.localcluster.torture.check.HistoryChecker;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LastReadsTest {
  private long nowNanos;
  private final LastReads reads =
      new LastReads(() -> nowNanos, () -> nowNanos += TimeUnit.SECONDS.toNanos(5));

  private final List<String> clients = new ArrayList<>();

  /** A read of which the answer comes at some attempt. */
  private LastReads.Read answeredAt(int attempt) {
    int before = clients.size();
    return client -> {
      clients.add(client);
      return clients.size() - before >= attempt;
    };
  }

  @Test
  void anEarlierAttemptNeedsNoAnswer() throws IOException {
    reads.read(answeredAt(3));
    assertThat(clients).hasSize(3).containsOnly(HistoryChecker.EARLIER_LAST_READER);
  }

  @Test
  void theLastAttemptNeedsOne() throws IOException {
    reads.read(answeredAt(Integer.MAX_VALUE));
    assertThat(clients).hasSize(18).endsWith(HistoryChecker.LAST_READER);
    assertThat(clients.subList(0, 17)).containsOnly(HistoryChecker.EARLIER_LAST_READER);
  }

  @Test
  void aClusterThatDoesNotHealIsNotWaitedForAtEachRead() throws IOException {
    nowNanos = TimeUnit.MINUTES.toNanos(3);
    for (int i = 0; i < 5; i++) {
      reads.read(answeredAt(Integer.MAX_VALUE));
    }
    assertThat(clients).hasSize(3).containsOnly(HistoryChecker.LAST_READER);
  }
}
