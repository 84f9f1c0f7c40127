/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A peer that asks and takes no answer: what a node holds for it. */
@Timeout(600)
class UnreadAnswersTest {
  private static final SlotKey SLOT = new SlotKey(new ReplicaKey("BP-1", 7), 0);
  private static final int MAX_PAYLOAD = 64 << 10;
  private static final int OUTSTANDING = 4;
  private static final long BUDGET = 64 << 20;

  @Test
  void anAnswerThatHasNotLeftCountsAsOutstanding() throws Exception {
    ScriptedService service = new ScriptedService();
    try (ChannelServer server =
            ChannelServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                new ServerLimits(MAX_PAYLOAD, OUTSTANDING, 6, 6, BUDGET, BUDGET, 1 << 20, 2),
                new ServerTimeouts(120_000, 120_000, 120_000, 5_000, 120_000),
                TestAccess.INSTANCE,
                service);
        RawPeer peer = RawPeer.welcomed(server.address(), "c", "alice")) {
      long leastFree = BUDGET - 2L * OUTSTANDING * MAX_PAYLOAD;
      int asked = 0;
      while (server.connections() > 0) {
        peer.ask(asked, SLOT, new Request.Read(0, MAX_PAYLOAD - 200));
        int executed = ++asked;
        await()
            .pollDelay(Duration.ZERO)
            .pollInterval(Duration.ofMillis(1))
            .until(
                () ->
                    service.executed.get() == executed
                        || server.connections() == 0
                        || server.freeBytes() < leastFree);
        assertThat(server.freeBytes()).isGreaterThanOrEqualTo(leastFree);
      }
      assertThat(asked).as("the system has room for some").isGreaterThan(OUTSTANDING);
      await().until(() -> server.freeBytes() == BUDGET);
    }
  }
}
