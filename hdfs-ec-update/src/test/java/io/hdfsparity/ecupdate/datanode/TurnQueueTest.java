/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.ecupdate.channel.AccessRefusedException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class TurnQueueTest {
  private final Deque<Runnable> threads = new ArrayDeque<>();
  private final List<String> ran = new ArrayList<>();
  private final TurnQueue queue = new TurnQueue(3, threads::add);

  private CompletableFuture<Void> add(String user, long blockId) {
    return queue.add(new TurnQueue.Key(user, blockId, 1), () -> ran.add(user + blockId));
  }

  private void runAll() {
    assertThat(threads).as("one at a time").hasSizeLessThanOrEqualTo(1);
    for (Runnable next = threads.poll(); next != null; next = threads.poll()) {
      next.run();
    }
  }

  @Test
  void usersTakeTurns() {
    for (int i = 1; i <= 3; i++) {
      add("mallory", i);
    }
    CompletableFuture<Void> alice = add("alice", 1);
    add("bob", 1);
    add("bob", 2);
    runAll();
    assertThat(ran).containsExactly("mallory1", "alice1", "bob1", "mallory2", "bob2", "mallory3");
    assertThat(alice).isCompleted();
    // It goes on after a pause.
    add("alice", 2);
    runAll();
    assertThat(ran).endsWith("alice2");
  }

  @Test
  void whoAsksAgainKeepsHisPlace() {
    add("mallory", 1);
    CompletableFuture<Void> first = add("alice", 1);
    add("mallory", 2);
    assertThat(add("alice", 1)).isSameAs(first);
    runAll();
    assertThat(ran).containsExactly("mallory1", "alice1", "mallory2");
    assertThat(add("alice", 1)).as("it is done").isNotSameAs(first);
  }

  @Test
  void oneUserHasALimit() {
    for (int i = 1; i <= 3; i++) {
      assertThat(add("mallory", i)).isNotDone();
    }
    assertThatThrownBy(() -> add("mallory", 4).get())
        .hasCauseInstanceOf(AccessRefusedException.class)
        .hasMessageContaining("expected <= 3");
    assertThat(add("alice", 1)).isNotDone();
    runAll();
    assertThat(ran).hasSize(4);
    assertThat(add("mallory", 4)).isNotDone();
  }

  @Test
  void aTaskThatFailsHoldsUpNobody() {
    CompletableFuture<Void> broken =
        queue.add(
            new TurnQueue.Key("alice", 1, 1),
            () -> {
              throw new IOException("the disk is gone");
            });
    CompletableFuture<Void> bug =
        queue.add(
            new TurnQueue.Key("alice", 2, 1),
            () -> {
              throw new IllegalStateException("a bug");
            });
    CompletableFuture<Void> sound = add("alice", 3);
    runAll();
    assertThatThrownBy(broken::get).hasRootCauseMessage("the disk is gone");
    assertThatThrownBy(bug::get).hasRootCauseMessage("a bug");
    assertThat(sound).isCompleted();
  }

  /** Not for ever: the next one may get a thread. */
  @Test
  void aThreadThatCannotBeStartedFailsThoseThatWait() {
    AtomicBoolean isFull = new AtomicBoolean(true);
    TurnQueue other =
        new TurnQueue(
            3,
            work -> {
              if (isFull.get()) {
                throw new OutOfMemoryError("unable to create native thread");
              }
              work.run();
            });
    TurnQueue.Key key = new TurnQueue.Key("alice", 1, 1);
    assertThatThrownBy(() -> other.add(key, () -> ran.add("no")).get())
        .hasRootCauseMessage("unable to create native thread");
    isFull.set(false);
    assertThat(other.add(key, () -> ran.add("yes"))).isCompleted();
    assertThat(ran).containsExactly("yes");
  }

  @Test
  void whatHasNotBegunWhenItIsClosedNeverBegins() {
    CompletableFuture<Void> left = add("alice", 1);
    queue.close();
    assertThatThrownBy(left::get).hasMessageContaining("the node stops");
    assertThatThrownBy(() -> add("alice", 2).get()).hasMessageContaining("the node stops");
    runAll();
    assertThat(ran).isEmpty();
  }

  @Test
  void whoFindsNoThreadHearsThatTheNodeStops() {
    TurnQueue stopped =
        new TurnQueue(
            3,
            task -> {
              throw new RejectedExecutionException("shut down");
            });
    assertThatThrownBy(() -> stopped.add(new TurnQueue.Key("alice", 1, 1), () -> {}).get())
        .hasMessageContaining("the node stops");
  }
}
