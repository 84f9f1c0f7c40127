/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.ecupdate.protocol.LiveSessions;
import io.hdfsparity.ecupdate.protocol.NodeAnswer;
import io.hdfsparity.ecupdate.protocol.SessionId;
import io.hdfsparity.ecupdate.protocol.SessionList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** A request that does not end, on a clock that the test moves. */
class AnswerApplierTest {
  private static final SessionId ONE = new SessionId(0x1_0000_0001L);
  private static final SessionId TWO = new SessionId(0x1_0000_0002L);

  private final AtomicLong clockMs = new AtomicLong(1000);
  private final LiveSessions live = new LiveSessions(clockMs::get);

  private void answered(long version, Set<SessionId> ids) {
    live.accept(
        "nn",
        new NodeAnswer(true, 7, SessionList.whole(7, version, ids), 600_000, 10, Set.of()),
        clockMs.get());
  }

  /** Sessions of which a request is being executed. */
  private final Set<SessionId> executing = ConcurrentHashMap.newKeySet();

  private final List<Set<SessionId>> late = new CopyOnWriteArrayList<>();

  private AnswerApplier applier() {
    SessionEnds requests =
        (over, suspended, lingering) ->
            Stream.concat(over.stream(), suspended.stream())
                .filter(executing::contains)
                .collect(Collectors.toSet());
    return new AnswerApplier(live, requests, clockMs::get, late::add, () -> {});
  }

  private void await(AnswerApplier applier, long version, long appliedVersion) {
    Awaitility.await()
        .until(
            () -> {
              applier.look();
              LiveSessions.Applied applied = live.appliedOf("nn");
              return applied.version() == appliedVersion
                  && applied.lingering().version() == version;
            });
  }

  @Test
  void aSessionThatLingersIsNamedOnce() {
    try (AnswerApplier applier = applier()) {
      answered(1, Set.of(ONE, TWO));
      await(applier, 1, 1);
      executing.add(ONE);
      answered(2, Set.of(TWO));
      await(applier, 2, 1);
      assertThat(live.appliedOf("nn").lingering().ids()).containsExactly(ONE);
      clockMs.addAndGet(AnswerApplier.LATE_MS - 1);
      executing.add(TWO);
      answered(3, Set.of());
      await(applier, 3, 1);
      assertThat(late).isEmpty();
      clockMs.incrementAndGet();
      applier.look();
      applier.look();
      assertThat(late).containsExactly(Set.of(ONE));
      clockMs.addAndGet(AnswerApplier.LATE_MS - 1);
      applier.look();
      assertThat(late).as("each since it is over").containsExactly(Set.of(ONE), Set.of(TWO));
      executing.clear();
      await(applier, 3, 3);
      clockMs.addAndGet(2 * AnswerApplier.LATE_MS);
      applier.look();
      assertThat(late).hasSize(2);
    }
  }

  /** Not one that the last answer has only just ended. */
  @Test
  void onlyThoseThatLingeredBeforeAreNotWaitedFor() {
    List<Set<SessionId>> lingered = new CopyOnWriteArrayList<>();
    SessionEnds requests =
        (over, suspended, lingering) -> {
          lingered.add(lingering);
          return over;
        };
    try (AnswerApplier applier =
        new AnswerApplier(live, requests, clockMs::get, late::add, () -> {})) {
      answered(1, Set.of(ONE, TWO));
      await(applier, 1, 1);
      answered(2, Set.of(TWO));
      await(applier, 2, 1);
      answered(3, Set.of());
      Awaitility.await()
          .until(
              () -> {
                applier.look();
                return lingered.contains(Set.of(ONE, TWO));
              });
    }
    assertThat(lingered).startsWith(Set.of(), Set.of()).contains(Set.of(ONE));
  }

  /** Whatever keeps the thread: people learn of the sessions that wait for it. */
  @Test
  void whoDoesNotReturnIsNamedToo() throws Exception {
    CountDownLatch waits = new CountDownLatch(1);
    SessionEnds requests =
        (over, suspended, lingering) -> {
          waits.countDown();
          new CountDownLatch(1).await();
          return Set.of();
        };
    try (AnswerApplier applier =
        new AnswerApplier(live, requests, clockMs::get, late::add, () -> {})) {
      answered(1, Set.of(ONE));
      answered(2, Set.of());
      applier.look();
      waits.await();
      clockMs.addAndGet(AnswerApplier.LATE_MS);
      applier.look();
      assertThat(late).containsExactly(Set.of(ONE));
      assertThat(live.appliedOf("nn").version()).isZero();
    }
  }
}
