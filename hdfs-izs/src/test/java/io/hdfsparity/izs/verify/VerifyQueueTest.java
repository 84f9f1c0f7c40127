/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.izs.verify.VerifyQueue.Expired;
import io.hdfsparity.izs.verify.VerifyQueue.Limits;
import io.hdfsparity.izs.verify.VerifyQueue.Stage;
import io.hdfsparity.izs.verify.VerifyQueue.Task;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class VerifyQueueTest {
  private static final Limits LIMITS = new Limits(4, 100, 10, 3);

  @Test
  void oneNodeAtATime() {
    VerifyQueue queue = new VerifyQueue(LIMITS);
    queue.add(16, Stage.SAMPLE, 0);
    assertThat(queue.due(Stage.SAMPLE, 10, 0)).containsExactly(16L);
    Task task = queue.take(16, Stage.SAMPLE, "a", 0, 0).orElseThrow();
    assertThat(queue.take(16, Stage.SAMPLE, "b", 0, 0)).isEmpty();
    assertThat(queue.due(Stage.SAMPLE, 10, 0)).isEmpty();
    assertThat(queue.find(16, task.taskId(), "b")).isEmpty();
    assertThat(queue.find(16, task.taskId(), "a")).contains(task);
    queue.release("b");
    assertThat(queue.find(16, task.taskId(), "a")).contains(task);
    assertThat(queue.expire(99).tasks()).isZero();
    assertThat(queue.expire(100)).isEqualTo(new Expired(1, List.of()));
    assertThat(queue.find(16, task.taskId(), "a")).isEmpty();
    Task again = queue.take(16, Stage.SAMPLE, "b", 0, 110).orElseThrow();
    assertThat(queue.find(16, task.taskId(), "a")).as("a late report").isEmpty();
    queue.release("a");
    assertThat(queue.find(16, again.taskId(), "b")).contains(again);
    queue.release("b");
    assertThat(queue.find(16, again.taskId(), "b")).isEmpty();
    assertThat(queue.due(Stage.SAMPLE, 10, 110)).containsExactly(16L);
  }

  /** A group that is too much for every node is not tried for ever. */
  @Test
  void anExpiredTaskIsAnAttempt() {
    VerifyQueue queue = new VerifyQueue(LIMITS);
    queue.add(16, Stage.SAMPLE, 0);
    long nowMs = 0;
    for (int attempt = 1; attempt < LIMITS.maxAttempts(); attempt++) {
      assertThat(queue.take(16, Stage.SAMPLE, "a", 0, nowMs)).isPresent();
      nowMs += 100;
      assertThat(queue.expire(nowMs)).isEqualTo(new Expired(1, List.of()));
      assertThat(queue.due(Stage.SAMPLE, 1, nowMs)).as("at once").isEmpty();
      nowMs += 100;
    }
    assertThat(queue.take(16, Stage.SAMPLE, "a", 0, nowMs)).isPresent();
    assertThat(queue.expire(nowMs + 100)).isEqualTo(new Expired(1, List.of(16L)));
    assertThat(queue.size()).isZero();
  }

  /** Begins with the sample again, so that all bytes are read by few nodes at a time. */
  @Test
  void anExpiredComparisonOfAllBytesBeginsAgain() {
    VerifyQueue queue = new VerifyQueue(LIMITS);
    queue.add(16, Stage.WHOLE, 0);
    assertThat(queue.take(16, Stage.WHOLE, "a", 1000, 0)).isPresent();
    assertThat(queue.expire(1099).tasks()).isZero();
    assertThat(queue.expire(1100).tasks()).isEqualTo(1);
    assertThat(queue.due(Stage.SAMPLE, 1, 1110)).containsExactly(16L);
  }

  @Test
  void retriesComeLaterAndEnd() {
    VerifyQueue queue = new VerifyQueue(LIMITS);
    queue.add(16, Stage.WHOLE, 0);
    assertThat(queue.retry(16, 0)).isTrue();
    assertThat(queue.due(Stage.SAMPLE, 1, 9)).isEmpty();
    assertThat(queue.due(Stage.SAMPLE, 1, 10)).containsExactly(16L);
    assertThat(queue.retry(16, 10)).isTrue();
    assertThat(queue.due(Stage.SAMPLE, 1, 29)).isEmpty();
    assertThat(queue.due(Stage.SAMPLE, 1, 30)).containsExactly(16L);
    assertThat(queue.retry(16, 30)).isFalse();
    assertThat(queue.size()).isZero();
  }

  /** It is no more awaited than a verified group, but not forgotten. */
  @Test
  void aContradictionIsRemembered() {
    VerifyQueue queue = new VerifyQueue(LIMITS);
    queue.add(16, Stage.SAMPLE, 0);
    queue.walkedTo(32);
    assertThat(queue.isDoubted(16)).isFalse();
    queue.doubt(16);
    queue.advance(16, Stage.WHOLE, 0);
    assertThat(queue.isDoubted(16)).isTrue();
    queue.contradicts(16, 0);
    assertThat(queue.isDoubted(16)).isTrue();
    assertThat(queue.isOpen(16)).isTrue();
    assertThat(queue.room()).isEqualTo(LIMITS.maxOpen());
    assertThat(queue.due(Stage.CONTRADICTORY, 1, 3_600_000)).isEmpty();
    assertThat(queue.due(Stage.CONTRADICTORY, 1, 6 * 3_600_000)).containsExactly(16L);
    assertThat(queue.progress().doubted()).as("for the next NameNode").containsExactly(16L);
    queue.postpone(16, Stage.CONTRADICTORY, Stage.SAMPLE, 0);
    assertThat(queue.isDoubted(16)).isTrue();
    assertThat(queue.room()).isEqualTo(LIMITS.maxOpen() - 1);
    queue.done(16);
    assertThat(queue.isDoubted(16)).isFalse();
    assertThat(queue.room()).isEqualTo(LIMITS.maxOpen());
  }

  /** The NameNode asks while it holds its own lock. */
  @Test
  void whoAsksForADoubtWaitsForNobody() throws Exception {
    VerifyQueue queue = new VerifyQueue(LIMITS);
    queue.add(16, Stage.SAMPLE, 0);
    queue.doubt(16);
    synchronized (queue) {
      assertThat(CompletableFuture.supplyAsync(() -> queue.isDoubted(16)).get(30, TimeUnit.SECONDS))
          .isTrue();
      assertThat(
              CompletableFuture.supplyAsync(queue::wasContradictionDropped)
                  .get(30, TimeUnit.SECONDS))
          .isFalse();
    }
  }

  /** What is left of it was compared and fits. */
  @Test
  void aGroupWhoseWrongParityWasDroppedIsNotDoubted() {
    VerifyQueue queue = new VerifyQueue(LIMITS);
    queue.add(16, Stage.WHOLE, 0);
    queue.doubt(16);
    queue.dropped(16, 5);
    assertThat(queue.isDoubted(16)).isFalse();
    assertThat(queue.isOpen(16)).isTrue();
    assertThat(queue.due(Stage.REBUILDING, 1, 5)).containsExactly(16L);
    queue.dropped(17, 5);
    assertThat(queue.size()).isEqualTo(1);
  }

  /** Else the next NameNode doubts a group that lacks units, and never has it rebuilt. */
  @Test
  void theEndOfADoubtIsSavedAsSoonAsItsBeginning() {
    VerifyQueue queue = new VerifyQueue(LIMITS);
    for (int i = 1; i <= 3; i++) {
      queue.add(id(i), Stage.WHOLE, 0);
    }
    queue.doubt(id(1));
    queue.doubt(id(2));
    assertThat(queue.hasChangedDoubt()).as("begun").isTrue();
    assertThat(queue.progress().doubted()).containsExactly(id(1), id(2));
    queue.done(id(3));
    assertThat(queue.hasChangedDoubt()).as("of another group").isFalse();
    queue.dropped(id(1), 5);
    assertThat(queue.hasChangedDoubt()).as("wrong parity was dropped").isTrue();
    assertThat(queue.progress().doubted()).containsExactly(id(2));
    assertThat(queue.hasChangedDoubt()).as("saved").isFalse();
    queue.done(id(2));
    assertThat(queue.hasChangedDoubt()).as("it fits, or is gone").isTrue();
    assertThat(queue.progress().doubted()).isEmpty();
  }

  /** Else the next NameNode can find the group doubted, and a part of its wrong units rebuilt. */
  @Test
  void theEndOfADoubtIsSavedBeforeParityIsDropped() throws IOException {
    VerifyQueue queue = new VerifyQueue(LIMITS);
    queue.add(id(1), Stage.WHOLE, 0);
    queue.walkedTo(id(2));
    queue.doubt(id(1));
    assertThat(afterFailover(queue, 4096).isDoubted(id(1))).isTrue();
    queue.dropping(id(1), 0);
    assertThat(queue.hasChangedDoubt()).as("to be saved soon").isTrue();
    VerifyQueue next = afterFailover(queue, 4096);
    assertThat(next.isDoubted(id(1))).isFalse();
    assertThat(next.due(Stage.WRITTEN, 10, 0)).as("verified again").containsExactly(id(1));
    assertThat(queue.isDoubted(id(1))).as("its units are there").isTrue();
    queue.dropped(id(1), 5);
    assertThat(queue.isDoubted(id(1))).isFalse();
    assertThat(queue.due(Stage.REBUILDING, 1, 5)).containsExactly(id(1));
  }

  @Test
  void aDoubtGoesOnIfParityWasNotDropped() throws IOException {
    VerifyQueue queue = new VerifyQueue(LIMITS);
    queue.add(id(1), Stage.WHOLE, 0);
    queue.walkedTo(id(2));
    queue.doubt(id(1));
    queue.dropping(id(1), 0);
    queue.progress();
    queue.doubt(id(1));
    assertThat(queue.retry(id(1), 0)).isTrue();
    assertThat(queue.hasChangedDoubt()).as("to be saved soon").isTrue();
    assertThat(afterFailover(queue, 4096).isDoubted(id(1))).isTrue();
    assertThat(queue.due(Stage.SAMPLE, 1, Long.MAX_VALUE)).containsExactly(id(1));
  }

  /** Attempts may run out between what did not fit and the comparison of all bytes. */
  @Test
  void aDoubtedGroupIsNotForgottenWhenItIsGivenUp() {
    VerifyQueue queue = new VerifyQueue(LIMITS);
    queue.add(16, Stage.SAMPLE, 0);
    queue.doubt(16);
    for (int attempt = 1; attempt < LIMITS.maxAttempts(); attempt++) {
      assertThat(queue.retry(16, 0)).isTrue();
    }
    assertThat(queue.retry(16, 0)).isFalse();
    assertThat(queue.isDoubted(16)).isTrue();
    assertThat(queue.due(Stage.CONTRADICTORY, 1, Long.MAX_VALUE)).containsExactly(16L);
  }

  private static long id(int number) {
    return Long.MIN_VALUE + 16L * number;
  }

  private static VerifyQueue afterFailover(VerifyQueue queue, int maxBytes) throws IOException {
    byte[] kept = ProgressFormat.encode(queue.progress(), "p", maxBytes);
    VerifyQueue next = new VerifyQueue(LIMITS);
    next.restore(ProgressFormat.decode(kept, "p", "memory"));
    return next;
  }

  /**
   * Until all fits, or the group is gone, and in the next NameNode, too: when HDFS has rebuilt one
   * unit of parity from the wrong data, a comparison finds fault with the others only.
   */
  @Test
  void dataStaysSuspectedWhateverIsFoundLater() throws IOException {
    VerifyQueue queue = new VerifyQueue(LIMITS);
    for (int i = 1; i <= 3; i++) {
      queue.add(id(i), Stage.WHOLE, 0);
    }
    queue.walkedTo(id(4));
    queue.doubt(id(2));
    queue.progress();
    queue.suspectData(id(1));
    queue.contradicts(id(1), 0);
    assertThat(queue.hasChangedDoubt()).as("to be saved soon").isTrue();
    assertThat(queue.isDataSuspected(id(1))).isTrue();
    assertThat(queue.isDataSuspected(id(2))).as("may be wrong parity").isFalse();
    queue.progress();
    queue.doubt(id(2));
    assertThat(queue.hasChangedDoubt()).as("nothing new").isFalse();
    queue.suspectData(id(2));
    assertThat(queue.hasChangedDoubt()).as("not saved yet of this group").isTrue();
    for (int round = 0; round < 2; round++) {
      queue = afterFailover(queue, 4096);
      assertThat(queue.isDataSuspected(id(1))).isTrue();
      assertThat(queue.isDoubted(id(1))).isTrue();
      queue.postpone(id(1), Stage.WRITTEN, Stage.SAMPLE, 0);
      queue.doubt(id(1));
      queue.advance(id(1), Stage.WHOLE, 0);
      queue.contradicts(id(1), 0);
      queue.unwanted(id(1), 0);
      while (queue.retry(id(1), 0)) {
        assertThat(queue.isDataSuspected(id(1))).isTrue();
      }
    }
    assertThat(queue.isDataSuspected(id(1))).isTrue();
    queue.done(id(1));
    assertThat(queue.isDataSuspected(id(1))).isFalse();
    assertThat(afterFailover(queue, 4096).progress().suspected()).containsExactly(id(2));
    queue.suspectData(id(9));
    assertThat(queue.isDataSuspected(id(9))).as("not open").isFalse();
  }

  private static Set<ParityReplica> parity(String... storageIds) {
    Set<ParityReplica> parity = new HashSet<>();
    for (int i = 0; i < storageIds.length; i++) {
      parity.add(new ParityReplica(4 + i, storageIds[i]));
    }
    return parity;
  }

  /** HDFS may rebuild parity from the data in doubt before all bytes are compared. */
  @Test
  void parityThatWasMadeDuringADoubtIsKnown() {
    VerifyQueue queue = new VerifyQueue(LIMITS);
    queue.add(id(1), Stage.SAMPLE, 0);
    assertThat(queue.hasOtherWitnesses(id(1), parity("a", "b"))).as("no doubt").isFalse();
    queue.doubt(id(1), parity("a", "b"));
    assertThat(queue.hasOtherWitnesses(id(1), parity("a", "b"))).isFalse();
    queue.doubt(id(1), parity("a", "c"));
    assertThat(queue.hasOtherWitnesses(id(1), parity("a", "c"))).isTrue();
    assertThat(queue.hasOtherWitnesses(id(1), parity("b", "a"))).as("swapped").isTrue();
    queue.dropped(id(1), 0);
    queue.doubt(id(1), parity("a", "c"));
    assertThat(queue.hasOtherWitnesses(id(1), parity("a", "c"))).as("another doubt").isFalse();
    assertThat(queue.hasOtherWitnesses(id(2), parity("a"))).as("not open").isFalse();
  }

  /** A unit that was missing can be rebuilt where it was. */
  @Test
  void parityMayBeAnotherOneOnceAUnitWasMissing() {
    VerifyQueue queue = new VerifyQueue(LIMITS);
    queue.add(id(1), Stage.SAMPLE, 0);
    queue.voidWitnesses(id(1));
    queue.doubt(id(1), parity("a", "b"));
    assertThat(queue.hasOtherWitnesses(id(1), parity("a", "b"))).as("before the doubt").isFalse();
    queue.voidWitnesses(id(1));
    queue.doubt(id(1), parity("a", "b"));
    assertThat(queue.hasOtherWitnesses(id(1), parity("a", "b"))).isTrue();
    queue.dropped(id(1), 0);
    queue.doubt(id(1), parity("a", "b"));
    assertThat(queue.hasOtherWitnesses(id(1), parity("a", "b"))).as("another doubt").isFalse();
  }

  /** Which parity was there when the doubt began is not saved. */
  @Test
  void parityMayBeAnotherOneAfterAFailover() throws IOException {
    VerifyQueue queue = new VerifyQueue(LIMITS);
    queue.add(id(1), Stage.SAMPLE, 0);
    queue.add(id(2), Stage.SAMPLE, 0);
    queue.walkedTo(id(3));
    queue.doubt(id(1), parity("a", "b"));
    VerifyQueue next = afterFailover(queue, 4096);
    for (int i = 1; i <= 2; i++) {
      next.postpone(id(i), Stage.WRITTEN, Stage.SAMPLE, 0);
      next.doubt(id(i), parity("a", "b"));
    }
    assertThat(next.hasOtherWitnesses(id(1), parity("a", "b"))).isTrue();
    assertThat(next.isDataSuspected(id(1))).as("all parity may be wrong").isFalse();
    assertThat(next.hasOtherWitnesses(id(2), parity("a", "b"))).as("doubted since").isFalse();
    next.done(id(1));
    next.add(id(1), Stage.SAMPLE, 0);
    next.doubt(id(1), parity("a", "b"));
    assertThat(next.hasOtherWitnesses(id(1), parity("a", "b"))).as("another doubt").isFalse();
  }

  /** Else its parity is believed once too few units are left to compare. */
  @Test
  void aContradictionIsRememberedAfterAFailover() throws IOException {
    VerifyQueue queue = new VerifyQueue(LIMITS);
    for (int i = 1; i <= 3; i++) {
      queue.add(id(i), Stage.SAMPLE, 0);
    }
    queue.walkedTo(id(4));
    queue.contradicts(id(2), 0);
    assertThat(queue.hasChangedDoubt()).isTrue();
    VerifyQueue next = afterFailover(queue, 4096);
    assertThat(next.isDoubted(id(2))).isTrue();
    assertThat(next.isDoubted(id(1))).isFalse();
    assertThat(next.due(Stage.WRITTEN, 10, 0)).containsExactly(id(1), id(2), id(3));
    next.postpone(id(2), Stage.WRITTEN, Stage.SAMPLE, 0);
    assertThat(afterFailover(next, 4096).isDoubted(id(2))).as("until it is compared").isTrue();
    next.done(id(2));
    assertThat(next.isDoubted(id(2))).isFalse();
    assertThat(afterFailover(next, 4096).isDoubted(id(2))).isFalse();
  }

  /** The next NameNode learns that there were more than it knows. */
  @Test
  void noContradictionIsForgottenUnsaidWhateverHasRoom() throws IOException {
    VerifyQueue queue = new VerifyQueue(LIMITS);
    for (int i = 1; i <= 600; i++) {
      queue.add(id(i), Stage.SAMPLE, 0);
      if (i % 2 == 0) {
        queue.contradicts(id(i), 0);
      }
    }
    queue.walkedTo(id(601));
    for (int maxBytes : new int[] {60, 100, 400, 4096}) {
      VerifyQueue next = afterFailover(queue, maxBytes);
      int doubted = next.progress().doubted().size();
      assertThat(next.wasContradictionDropped()).as("%s bytes", maxBytes).isEqualTo(doubted < 300);
      for (int i = 2; i <= 600; i += 2) {
        assertThat(next.isDoubted(id(i)))
            .as("id %s, %s bytes", i, maxBytes)
            .isEqualTo(i <= 2 * doubted);
      }
    }
    assertThat(afterFailover(queue, 4096).progress().doubted()).hasSize(300);
    assertThat(queue.wasContradictionDropped()).as("this one knows them all").isFalse();
  }

  /** An id above the first that was not looked at would not be read back. */
  @Test
  void aDoubtThatEndsBeforeItsIdIsLookedAtIsNotSaved() throws IOException {
    VerifyQueue queue = new VerifyQueue(LIMITS);
    queue.restore(
        new VerifyProgress(id(2), /* areDoubtsDropped= */ false, List.of(id(5)), List.of(id(1))));
    queue.dropped(id(5), 0);
    assertThat(afterFailover(queue, 4096).progress().open()).containsExactly(id(1));
  }

  /** Which group is doubted beyond the bound is not known, and no sound one is doubted for it. */
  @Test
  void contradictoryGroupsAreBounded() throws IOException {
    VerifyQueue queue = new VerifyQueue(LIMITS);
    for (int i = 1; i <= VerifyQueue.MAX_CONTRADICTORY; i++) {
      queue.add(id(i), Stage.SAMPLE, 0);
      queue.contradicts(id(i), 0);
    }
    assertThat(queue.wasContradictionDropped()).isFalse();
    assertThat(queue.room()).isEqualTo(LIMITS.maxOpen());
    assertThat(queue.progress().areDoubtsDropped()).isFalse();
    assertThat(queue.hasChangedDoubt()).isFalse();
    long beyond = id(VerifyQueue.MAX_CONTRADICTORY + 10);
    queue.add(beyond, Stage.SAMPLE, 0);
    queue.walkedTo(beyond + 16 * 20);
    queue.contradicts(beyond, 1000);
    assertThat(queue.size()).isEqualTo(VerifyQueue.MAX_CONTRADICTORY);
    assertThat(queue.hasChangedDoubt()).as("to be saved soon").isTrue();
    VerifyQueue next = afterFailover(queue, 1 << 15);
    for (VerifyQueue each : List.of(queue, next, afterFailover(next, 1 << 15))) {
      assertThat(each.wasContradictionDropped()).isTrue();
      assertThat(each.isDoubted(id(1))).isTrue();
      assertThat(each.isDoubted(beyond)).as("not listed").isFalse();
      assertThat(each.isDoubted(beyond + 16)).as("verified").isFalse();
      assertThat(each.nextId()).as("new groups are verified").isEqualTo(beyond + 16 * 20);
    }
    next.restore(VerifyProgress.NONE);
    assertThat(next.wasContradictionDropped()).as("the attribute was removed").isFalse();
  }

  /** A NameNode of another configuration does not end what this one has found. */
  @Test
  void aDoubtDoesNotEndWhereItsCodecIsNotWanted() throws IOException {
    VerifyQueue queue = new VerifyQueue(LIMITS);
    queue.add(id(1), Stage.SAMPLE, 0);
    queue.add(id(2), Stage.SAMPLE, 0);
    queue.walkedTo(id(3));
    queue.contradicts(id(1), 0);
    VerifyQueue other = afterFailover(queue, 4096);
    other.unwanted(id(1), 5);
    other.unwanted(id(2), 5);
    assertThat(other.size()).isEqualTo(1);
    assertThat(other.room()).as("takes no room").isEqualTo(LIMITS.maxOpen());
    assertThat(other.due(Stage.CONTRADICTORY, 1, 3_600_000)).as("postponed").isEmpty();
    VerifyQueue again = afterFailover(other, 4096);
    assertThat(again.isDoubted(id(1))).isTrue();
    assertThat(again.due(Stage.WRITTEN, 10, 0)).containsExactly(id(1));
  }

  @Test
  void goesRound() {
    VerifyQueue queue = new VerifyQueue(LIMITS);
    for (long id = 16; id <= 64; id += 16) {
      queue.add(id, Stage.SAMPLE, 0);
    }
    assertThat(queue.room()).isZero();
    assertThat(queue.due(Stage.SAMPLE, 3, 0)).containsExactly(16L, 32L, 48L);
    assertThat(queue.due(Stage.SAMPLE, 3, 0)).containsExactly(64L, 16L, 32L);
    assertThat(queue.due(Stage.WRITTEN, 3, 0)).isEmpty();
  }

  /** Anybody can keep many files open for ever. */
  @Test
  void groupsThatAreBeingWrittenKeepNoOtherFromBeingVerified() throws IOException {
    VerifyQueue queue = new VerifyQueue(LIMITS);
    int many = 5 * LIMITS.maxOpen();
    for (int i = 1; i <= many; i++) {
      queue.add(id(i), Stage.WRITTEN, 0);
    }
    queue.walkedTo(id(many + 1));
    assertThat(queue.room()).isEqualTo(LIMITS.maxOpen());
    queue.add(id(many + 1), Stage.SAMPLE, 0);
    queue.walkedTo(id(many + 2));
    assertThat(queue.due(Stage.SAMPLE, many, 0)).containsExactly(id(many + 1));
    queue.done(id(many + 1));
    VerifyQueue next = afterFailover(queue, 4096);
    for (VerifyQueue each : List.of(queue, next)) {
      assertThat(each.nextId()).isEqualTo(id(many + 2));
      assertThat(each.isOpen(id(1))).isTrue();
      assertThat(each.isOpen(id(many + 1))).isFalse();
      assertThat(each.size(Stage.WRITTEN)).isEqualTo(many);
      assertThat(each.due(Stage.WRITTEN, 2 * many, 0)).hasSize(many);
      each.postpone(id(2), Stage.WRITTEN, Stage.SAMPLE, 0);
      each.postpone(id(2), Stage.WRITTEN, Stage.WHOLE, 0);
      assertThat(each.room()).as("closed").isEqualTo(LIMITS.maxOpen() - 1);
      assertThat(each.due(Stage.SAMPLE, many, 0)).containsExactly(id(2));
      each.advance(id(2), Stage.WRITTEN, 0);
      assertThat(each.room()).as("opened again").isEqualTo(LIMITS.maxOpen());
      assertThat(each.size()).isEqualTo(many);
    }
  }

  /** A saved value has not room for all of them. */
  @Test
  void veryManyGroupsThatAreBeingWrittenAreNotForgotten() throws IOException {
    VerifyQueue queue = new VerifyQueue(LIMITS);
    int many = 2 * VerifyQueue.MAX_DURABLE;
    queue.add(id(1), Stage.SAMPLE, 0);
    queue.contradicts(id(1), 0);
    queue.add(id(2), Stage.SAMPLE, 0);
    for (int i = 3; i <= many; i++) {
      queue.add(id(i), Stage.WRITTEN, 0);
    }
    queue.walkedTo(id(many + 1));
    assertThat(queue.progress().open()).hasSize(VerifyQueue.MAX_DURABLE).startsWith(id(2), id(3));
    assertThat(queue.progress().nextId()).isEqualTo(id(VerifyQueue.MAX_DURABLE + 2));
    for (int maxBytes : new int[] {100, 1 << 14, 1 << 15, 1 << 17}) {
      VerifyQueue next = afterFailover(queue, maxBytes);
      assertThat(next.nextId()).isLessThanOrEqualTo(id(VerifyQueue.MAX_DURABLE + 2));
      for (int i = 1; i <= many; i++) {
        assertThat(next.isOpen(id(i))).as("%s of %s bytes", i, maxBytes).isTrue();
      }
    }
  }

  /** Its file may be opened again. */
  @Test
  void aDoubtDoesNotEndWhileTheGroupIsBeingWritten() throws IOException {
    VerifyQueue queue = new VerifyQueue(LIMITS);
    queue.add(id(1), Stage.SAMPLE, 0);
    queue.walkedTo(id(2));
    queue.suspectData(id(1));
    queue.contradicts(id(1), 0);
    queue.postpone(id(1), Stage.CONTRADICTORY, Stage.WRITTEN, 0);
    assertThat(queue.room()).isEqualTo(LIMITS.maxOpen());
    for (VerifyQueue each : List.of(queue, afterFailover(queue, 4096))) {
      assertThat(each.isDoubted(id(1))).isTrue();
      assertThat(each.isDataSuspected(id(1))).isTrue();
      each.unwanted(id(1), 0);
      assertThat(each.size(Stage.CONTRADICTORY)).isEqualTo(1);
      assertThat(each.room()).as("takes no room").isEqualTo(LIMITS.maxOpen());
      each.advance(id(1), Stage.WRITTEN, 0);
      each.postpone(id(1), Stage.WRITTEN, Stage.SAMPLE, 0);
      assertThat(each.room()).isEqualTo(LIMITS.maxOpen() - 1);
      assertThat(each.isDoubted(id(1))).isTrue();
      each.advance(id(1), Stage.WRITTEN, 0);
      each.done(id(1));
      assertThat(each.isDoubted(id(1))).isFalse();
      assertThat(each.size()).isZero();
    }
  }

  /** Whatever happens, an id below the watermark is open or was ended. */
  @Test
  void nothingIsForgottenOverRestarts() {
    SeededRuns.of(200)
        .check(
            random -> {
              Limits limits = new Limits(8, 5, 1, 1000);
              VerifyQueue queue = new VerifyQueue(limits);
              TreeSet<Long> allocated = new TreeSet<>();
              TreeSet<Long> ended = new TreeSet<>();
              TreeSet<Long> beingWritten = new TreeSet<>();
              Map<Long, Task> tasks = new HashMap<>();
              long id = Long.MIN_VALUE;
              long now = 0;
              for (int step = 0; step < 400; step++) {
                now += random.nextInt(3);
                switch (random.nextInt(7)) {
                  case 0 -> {
                    allocated.add(id += 16);
                    beingWritten.add(id);
                  }
                  case 1 -> {
                    for (long each : allocated.tailSet(queue.nextId())) {
                      if (queue.room() == 0) {
                        break;
                      }
                      queue.add(
                          each, beingWritten.contains(each) ? Stage.WRITTEN : Stage.SAMPLE, now);
                      queue.walkedTo(each + 16);
                    }
                  }
                  case 5 -> {
                    beingWritten.removeIf(each -> random.nextInt(4) == 0);
                    for (long each : queue.due(Stage.WRITTEN, 3, now)) {
                      if (!beingWritten.contains(each) && queue.room() > 0) {
                        queue.postpone(each, Stage.WRITTEN, Stage.SAMPLE, now);
                      }
                    }
                  }
                  case 2 -> {
                    for (long due : queue.due(Stage.SAMPLE, 2, now)) {
                      Task task = queue.take(due, Stage.SAMPLE, "n", 0, now).orElseThrow();
                      tasks.put(due, task);
                    }
                  }
                  case 3 -> {
                    for (Task task : List.copyOf(tasks.values())) {
                      Optional<Task> found = queue.find(task.groupId(), task.taskId(), "n");
                      if (found.isPresent() && random.nextBoolean()) {
                        queue.done(task.groupId());
                        ended.add(task.groupId());
                      }
                    }
                    tasks.clear();
                  }
                  case 4 -> queue.expire(now);
                  default -> {
                    if (random.nextInt(4) == 0) {
                      byte[] kept = ProgressFormat.encode(queue.progress(), "p", 80);
                      queue = new VerifyQueue(limits);
                      queue.restore(ProgressFormat.decode(kept, "p", "memory"));
                      tasks.clear();
                    }
                  }
                }
                assertThat(queue.size() - queue.size(Stage.WRITTEN)).isLessThanOrEqualTo(8);
                TreeSet<Long> below = new TreeSet<>(allocated.headSet(queue.nextId()));
                below.removeAll(ended);
                assertThat(queue.progress().open()).containsAll(below);
              }
            });
  }
}
