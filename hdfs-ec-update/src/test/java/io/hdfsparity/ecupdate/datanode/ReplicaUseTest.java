/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.framing.FormatException;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.protocol.SessionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReplicaUseTest {
  private static final ReplicaKey KEY = new ReplicaKey("BP-1", -7);
  private static final long SETTLE_MS = 50;

  /** All that ever happened, looked through again each time. */
  private record Event(char what, SessionId session, long untilMs) {}

  private static boolean isAtRest(List<Event> history, long nowMs) {
    List<SessionId> inside = new ArrayList<>();
    int entering = 0;
    long untilMs = 0;
    for (Event event : history) {
      switch (event.what) {
        case 'b' -> entering++;
        case 'e' -> entering--;
        case '+' -> inside.add(event.session);
        case '-' -> inside.removeIf(event.session::equals);
        default -> throw new AssertionError(event);
      }
      untilMs = Math.max(untilMs, event.untilMs);
    }
    return inside.isEmpty() && entering == 0 && nowMs >= untilMs;
  }

  @Test
  void isAtRestAsItsHistorySays() throws FormatException {
    int restful = 0;
    for (int run = 0; run < 300; run++) {
      Random random = new Random(run);
      List<Event> history = new ArrayList<>();
      ReplicaUse use = new ReplicaUse(ReplicaUse.Kept.FRESH, 0);
      long nowMs = 0;
      int entering = 0;
      for (int step = 0; step < 60; step++) {
        nowMs += random.nextInt(40);
        SessionId session = new SessionId(1 + random.nextInt(2));
        long before = use.changes();
        switch (random.nextInt(5)) {
          case 0 -> {
            use.beginEntering();
            entering++;
            history.add(new Event('b', session, 0));
            assertThat(use.changes()).isGreaterThan(before);
          }
          case 1, 2 -> {
            if (entering > 0) {
              entering--;
              use.endEntering(nowMs + 20);
              history.add(new Event('e', session, nowMs + 20));
            }
          }
          case 3 -> {
            if (entering > 0) {
              use.enter(session);
              history.add(new Event('+', session, 0));
              assertThat(use.changes()).isGreaterThan(before);
            }
          }
          default -> {
            if (use.leave(session, nowMs + SETTLE_MS)) {
              history.add(new Event('-', session, nowMs + SETTLE_MS));
              assertThat(use.changes()).isGreaterThan(before);
            }
          }
        }
        assertThat(use.isAtRest(nowMs))
            .as("run %d step %d", run, step)
            .isEqualTo(isAtRest(history, nowMs));
        restful += use.isAtRest(nowMs) ? 1 : 0;
        ReplicaUse.Kept kept = use.kept();
        assertThat(ReplicaUse.Kept.decode(kept.encode(KEY), KEY, "here")).isEqualTo(kept);
      }
    }
    assertThat(restful).isBetween(100, 300 * 60 - 1000);
  }

  @Test
  void whoIsNotKnownNeverLeaves() {
    ReplicaUse use = new ReplicaUse(ReplicaUse.Kept.NOTHING, 0);
    assertThat(use.leave(ReplicaUse.UNKNOWN, 0)).isFalse();
    assertThat(use.isAtRest(Long.MAX_VALUE / 2)).isFalse();
  }

  @Test
  void ofTooManySessionsItIsKnownThatThereWereSome() {
    ReplicaUse use = new ReplicaUse(ReplicaUse.Kept.FRESH, 0);
    for (int i = 1; i < 5000; i++) {
      use.enter(new SessionId(i));
    }
    assertThat(use.kept().sessions()).hasSizeLessThan(1100);
    for (int i = 1; i < 5000; i++) {
      use.leave(new SessionId(i), 0);
    }
    assertThat(use.isAtRest(1)).isFalse();
  }

  @Test
  void aNoteOfAnotherReplicaIsRefused() {
    byte[] note = ReplicaUse.Kept.FRESH.encode(KEY);
    assertThatThrownBy(() -> ReplicaUse.Kept.decode(note, new ReplicaKey("BP-1", -8), "here"))
        .isInstanceOf(FormatException.class);
  }
}
