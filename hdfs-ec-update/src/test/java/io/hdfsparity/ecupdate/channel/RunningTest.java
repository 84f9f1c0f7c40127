/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.ecupdate.ajx.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who is waited for. */
@Timeout(600)
class RunningTest {
  private static final long FOREVER = Long.MAX_VALUE;

  private static ChannelAccess.Grant grant(String owner) throws AccessRefusedException {
    return TestAccess.INSTANCE.judge(
        "BP", "client", Bytes.wrap(owner.getBytes(StandardCharsets.US_ASCII)));
  }

  @Test
  void whoDoesNotEndIsWaitedForNoLongerThanWanted() throws Exception {
    Running running = new Running();
    ChannelAccess.Grant one = grant("one");
    running.begin(one);
    running.begin(one);
    running.end(one);
    assertThat(running.awaitNone(grant -> grant == one, 0)).isFalse();
    assertThat(running.awaitNone(grant -> grant == one, 30)).isFalse();
    assertThat(running.all()).containsExactly(one);
  }

  @Test
  void onlyThoseThatAreMeantAreWaitedFor() throws Exception {
    Running running = new Running();
    ChannelAccess.Grant one = grant("one");
    ChannelAccess.Grant two = grant("two");
    running.begin(one);
    running.begin(one);
    running.begin(two);
    assertThat(running.awaitNone(grant -> grant.owner().equals("three"), FOREVER)).isTrue();
    Thread[] waiting = new Thread[1];
    CompletableFuture<Boolean> waited = new CompletableFuture<>();
    waiting[0] =
        new Thread(
            () -> {
              try {
                waited.complete(running.awaitNone(grant -> grant == one, FOREVER));
              } catch (InterruptedException e) {
                waited.completeExceptionally(e);
              }
            });
    waiting[0].start();
    await().until(() -> waiting[0].getState() == Thread.State.TIMED_WAITING);
    running.end(one);
    running.end(two);
    await().until(() -> waiting[0].getState() == Thread.State.TIMED_WAITING);
    assertThat(waited).isNotDone();
    running.end(one);
    assertThat(waited.get()).isTrue();
    assertThat(running.awaitNone(grant -> true, FOREVER)).isTrue();
    assertThat(running.all()).isEmpty();
  }
}
