/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.namenode.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.izs.history.HistoryShape;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AccessQueueTest {
  private static final int CAPACITY = 100;

  private final AccessQueue queue = new AccessQueue(CAPACITY);
  private final List<AccessEvent> taken = new ArrayList<>();

  private static AccessEvent access(int chars) {
    return new AccessEvent(AccessEvent.Kind.ACCESS, "/" + "p".repeat(chars - 1), "");
  }

  @Test
  void asManyEventsAsItsCapacityHaveRoom() {
    for (int i = 0; i < CAPACITY + 1; i++) {
      queue.offer(access(HistoryShape.MEAN_PATH_CHARS));
    }
    assertThat(queue.droppedAccesses()).isEqualTo(1);
    assertThat(queue.bytes()).isEqualTo(queue.maxBytes());
    queue.takeAll(taken);
    assertThat(taken).hasSize(CAPACITY);
  }

  /** A client may give a path of megabytes: slashes that the NameNode skips. */
  @Test
  void longPathsAreDroppedThoughEventsHaveRoom() throws InterruptedException {
    queue.offer(access(10_000_000));
    queue.offer(new AccessEvent(AccessEvent.Kind.RENAME, "/from", "/" + "p".repeat(10_000_000)));
    assertThat(queue.droppedAccesses()).isEqualTo(1);
    assertThat(queue.droppedMoves()).isEqualTo(1);
    assertThat(queue.bytes()).isZero();

    int half = (int) (queue.maxBytes() / Character.BYTES / 2);
    queue.offer(access(half));
    queue.take(taken, 10, 1);
    assertThat(taken).hasSize(1);
    queue.offer(access(half));
    assertThat(queue.droppedAccesses()).as("the first is still in work").isEqualTo(2);
    taken.clear();
    queue.take(taken, 10, 1);
    assertThat(taken).isEmpty();
    queue.offer(access(half));
    assertThat(queue.droppedAccesses()).isEqualTo(2);
    queue.takeAll(taken);
    assertThat(taken).hasSize(1);
  }
}
