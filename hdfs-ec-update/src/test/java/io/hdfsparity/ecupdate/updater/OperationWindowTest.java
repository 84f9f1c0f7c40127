/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who gets into a window with operations that nobody waits for any more. */
@Timeout(600)
class OperationWindowTest {
  private static final int MAX = 16;
  private static final int OF_KIND = 2;
  private static final long LONG_MS = 300_000;
  private static final OperationWindow.Kind DEAD = new OperationWindow.Kind("read", 3, 1);

  private final OperationWindow window = new OperationWindow(MAX);

  private OperationWindow.Place enter(OperationWindow.Kind kind) throws InterruptedException {
    return Objects.requireNonNull(window.enter(kind, LONG_MS));
  }

  private boolean isFull(OperationWindow.Kind kind) throws InterruptedException {
    return window.enter(kind, 0) == null;
  }

  /** All at once. */
  private List<OperationWindow.Place> abandon(OperationWindow.Kind kind, int count)
      throws InterruptedException {
    List<OperationWindow.Place> places = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      places.add(enter(kind));
    }
    places.forEach(OperationWindow.Place::abandon);
    return places;
  }

  @Test
  void whatIsUnderWayFillsIt() throws Exception {
    OperationWindow.Place first = enter(DEAD);
    for (int i = 1; i < MAX; i++) {
      enter(DEAD);
    }
    assertThat(isFull(DEAD)).isTrue();
    first.leave();
    enter(DEAD);
    assertThat(isFull(DEAD)).isTrue();
  }

  @Test
  void whatIsAbandonedKeepsItsOwnKindOut() throws Exception {
    List<OperationWindow.Place> places = abandon(DEAD, OF_KIND);
    assertThat(isFull(DEAD)).isTrue();
    assertThat(window.state(DEAD)).isEqualTo("2 of the same kind, 2 in all");
    for (OperationWindow.Kind other :
        List.of(
            new OperationWindow.Kind("read", 3, 2),
            new OperationWindow.Kind("read", 4, 1),
            new OperationWindow.Kind("write", 3, OperationWindow.Kind.SEVERAL_UNITS))) {
      enter(other).leave();
    }
    places.get(0).leave();
    enter(DEAD).leave();
  }

  @Test
  void whoWaitsForItsKindEntersWhenOneEnds() throws Exception {
    List<OperationWindow.Place> places = abandon(DEAD, OF_KIND);
    AtomicReference<OperationWindow.Place> entered = new AtomicReference<>();
    Thread waiter =
        new Thread(
            () -> {
              try {
                entered.set(window.enter(DEAD, LONG_MS));
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    waiter.start();
    await().until(() -> waiter.getState() == Thread.State.TIMED_WAITING);
    places.get(1).leave();
    waiter.join();
    assertThat(entered.get()).isNotNull();
  }

  /** So that what they hold in memory is bounded. */
  @Test
  void noMoreThanTheWindowHasLeaveIt() throws Exception {
    List<OperationWindow.Place> places = abandon(DEAD, MAX);
    OperationWindow.Kind other = new OperationWindow.Kind("write", 5, 0);
    List<OperationWindow.Place> kept = abandon(other, MAX);
    OperationWindow.Kind healthy = new OperationWindow.Kind("read", 6, 0);
    assertThat(isFull(healthy)).isTrue();
    kept.get(0).leave();
    enter(healthy).leave();
    places.forEach(OperationWindow.Place::leave);
    kept.subList(1, MAX).forEach(OperationWindow.Place::leave);
    for (int i = 0; i < MAX; i++) {
      enter(DEAD);
    }
    assertThat(isFull(healthy)).isTrue();
  }

  @Test
  void whatHasEndedIsNotAbandoned() throws Exception {
    for (int i = 0; i < 2 * MAX; i++) {
      OperationWindow.Place place = enter(DEAD);
      place.leave();
      place.abandon();
    }
    assertThat(isFull(DEAD)).isFalse();
  }
}
