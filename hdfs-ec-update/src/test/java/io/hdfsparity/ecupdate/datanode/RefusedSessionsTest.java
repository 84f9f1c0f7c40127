/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.ManualClock;
import io.hdfsparity.ecupdate.channel.AccessRefusedException;
import io.hdfsparity.ecupdate.protocol.SessionId;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

/** A token outlives its session: what it costs a DataNode then. */
class RefusedSessionsTest {
  private static final SessionId ENDED = new SessionId(7);

  @Test
  void anEndedSessionIsAskedAboutOnceForAllItsBlocks() throws Exception {
    Configuration conf = new Configuration(false);
    conf.set("fs.defaultFS", "hdfs://127.0.0.1:1");
    try (NodeSessions sessions = new NodeSessions(conf)) {
      long waitMs = 500;
      long begunNanos = System.nanoTime();
      assertRefused(sessions, -1024, waitMs);
      assertThat(System.nanoTime() - begunNanos)
          .as("no NameNode answers")
          .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(waitMs));
      begunNanos = System.nanoTime();
      for (int i = 0; i < 100; i++) {
        assertRefused(sessions, -1024 - 16 * i, 600_000);
      }
      assertThat(System.nanoTime() - begunNanos).isLessThan(TimeUnit.SECONDS.toNanos(300));
    }
  }

  private static void assertRefused(NodeSessions sessions, long blockId, long waitMs) {
    assertThatThrownBy(() -> sessions.requireLive(ENDED, blockId, waitMs))
        .isInstanceOf(AccessRefusedException.class)
        .hasMessageContaining("session=" + ENDED);
  }

  @Test
  void oneIsRefusedForAWhileAndOnlyForItsBlock() {
    ManualClock clock = new ManualClock();
    RefusedSessions refused = new RefusedSessions(100, clock::millis);
    refused.refuse(ENDED, -16);
    assertThat(refused.isRefused(ENDED, -16)).isTrue();
    assertThat(refused.isRefused(ENDED, -32)).isFalse();
    assertThat(refused.isRefused(new SessionId(8), -16)).isFalse();
    clock.advance(100);
    assertThat(refused.isRefused(ENDED, -16)).isFalse();
  }

  @Test
  void aSessionThatIsNotKnownIsRefusedForAllItsBlocks() {
    ManualClock clock = new ManualClock();
    RefusedSessions refused = new RefusedSessions(100, clock::millis);
    refused.refuse(ENDED);
    assertThat(refused.isRefused(ENDED, -16)).isTrue();
    assertThat(refused.isRefused(ENDED, -32)).isTrue();
    assertThat(refused.isRefused(new SessionId(8), -16)).isFalse();
    clock.advance(100);
    assertThat(refused.isRefused(ENDED, -16)).isFalse();
  }

  @Test
  void noMoreAreKeptThanSomeThousands() {
    ManualClock clock = new ManualClock();
    RefusedSessions refused = new RefusedSessions(100, clock::millis);
    for (int i = 0; i < 100_000; i++) {
      refused.refuse(new SessionId(i), -16);
    }
    assertThat(refused.size()).isLessThanOrEqualTo(4096);
    assertThat(refused.isRefused(new SessionId(99_999), -16)).isTrue();
  }
}
