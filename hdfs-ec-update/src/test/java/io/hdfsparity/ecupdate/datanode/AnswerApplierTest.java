/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.ecupdate.protocol.LiveSessions;
import io.hdfsparity.ecupdate.protocol.NodeAnswer;
import io.hdfsparity.ecupdate.protocol.SessionId;
import io.hdfsparity.ecupdate.protocol.SessionList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A request that does not end, on a clock that the test moves. */
class AnswerApplierTest {
  private static final SessionId ONE = new SessionId(0x1_0000_0001L);

  private final AtomicLong clockMs = new AtomicLong(1000);
  private final LiveSessions live = new LiveSessions(clockMs::get);

  private void answered(long version, Set<SessionId> ids) {
    live.accept(
        "nn",
        new NodeAnswer(true, 7, SessionList.whole(7, version, ids), 600_000, 10, Set.of()),
        clockMs.get());
  }

  @Test
  void aLongWaitIsNamedOnce() throws Exception {
    CountDownLatch waits = new CountDownLatch(1);
    CountDownLatch ends = new CountDownLatch(1);
    List<LiveSessions.Due> late = new CopyOnWriteArrayList<>();
    SessionEnds requests =
        (over, suspended) -> {
          if (over.contains(ONE)) {
            waits.countDown();
            ends.await();
          }
        };
    try (AnswerApplier applier =
        new AnswerApplier(live, requests, clockMs::get, late::add, () -> {})) {
      answered(1, Set.of(ONE));
      applier.look();
      await().until(() -> live.appliedOf("nn").version() == 1);
      answered(2, Set.of());
      applier.look();
      waits.await();
      clockMs.addAndGet(AnswerApplier.LATE_MS - 1);
      applier.look();
      assertThat(late).isEmpty();
      clockMs.incrementAndGet();
      applier.look();
      applier.look();
      assertThat(late)
          .singleElement()
          .satisfies(due -> assertThat(due.over()).containsExactly(ONE));
      ends.countDown();
      await().until(() -> live.appliedOf("nn").version() == 2);
      clockMs.addAndGet(AnswerApplier.LATE_MS);
      applier.look();
      assertThat(late).hasSize(1);
    }
  }
}
