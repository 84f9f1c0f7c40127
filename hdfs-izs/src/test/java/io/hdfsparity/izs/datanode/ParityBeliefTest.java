/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.ipc.StandbyException;
import org.junit.jupiter.api.Test;

/** Whom a DataNode asks whether parity may be believed, and what it does without an answer. */
class ParityBeliefTest {
  private static final long WAIT_MS = 600_000;
  private static final long MINUTE_MS = 60_000;
  private static final ExtendedBlock GROUP = new ExtendedBlock("BP-1", -1600, 1, 1001);
  private static final ExtendedBlock ELSEWHERE = new ExtendedBlock("BP-2", -1600, 1, 1001);

  private long nowMs = 5_000;
  private ParityBelief.Question active = ParityBeliefTest::none;
  private ParityBelief.Question standby = ParityBeliefTest::standby;
  private final ParityBelief belief =
      new ParityBelief(
          List.of(
              new ParityBelief.Manager("nn1", (pool, id) -> active.mayBelieve(pool, id)),
              new ParityBelief.Manager("nn2", (pool, id) -> standby.mayBelieve(pool, id))),
          new ManagerSilence(WAIT_MS, () -> nowMs));

  private static boolean none(String pool, long groupId) throws IOException {
    throw new ConnectException("izs is not in service");
  }

  private static boolean standby(String pool, long groupId) throws IOException {
    throw new StandbyException("Cannot hand out groups to verify: state=not active");
  }

  private static boolean silent(String pool, long groupId) throws IOException {
    throw new SocketTimeoutException("120 s");
  }

  private void assertRefused(ExtendedBlock group, String why) {
    ParityBelief.Opinion opinion = belief.ask(group);
    assertThat(opinion.isBelieved()).as("without a comparison").isFalse();
    assertThatThrownBy(() -> opinion.require(group, List.of(4)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(why)
        .hasMessageContaining("or no level manager has said yes or no, for");
  }

  private void assertBelieved() {
    ParityBelief.Opinion opinion = belief.ask(GROUP);
    assertThat(opinion.isBelieved()).isTrue();
    assertThatCode(() -> opinion.require(GROUP, List.of(4))).doesNotThrowAnyException();
  }

  /** What can be compared is compared all the same. */
  private void assertBelievedForWantOfAnAnswer() {
    ParityBelief.Opinion opinion = belief.ask(GROUP);
    assertThat(opinion.isBelieved()).as("without a comparison").isFalse();
    assertThatCode(() -> opinion.require(GROUP, List.of(4))).doesNotThrowAnyException();
  }

  @Test
  void whereNoManagerIsParityIsBelieved() {
    standby = ParityBeliefTest::none;
    assertBelieved();
  }

  /** It is restarted: what it has said may hold for another group, and it knows which. */
  @Test
  void whereAManagerWasParityIsNotBelievedAtOnce() {
    standby = ParityBeliefTest::none;
    active = (pool, id) -> true;
    assertBelieved();
    active = ParityBeliefTest::none;
    assertRefused(GROUP, "no level manager any more");
    nowMs += WAIT_MS;
    assertBelievedForWantOfAnAnswer();
  }

  /** One that does not answer holds up one repair, not all. */
  @Test
  void whoHasSaidYesOrNoLastIsAskedFirst() {
    List<String> asked = new ArrayList<>();
    active =
        (pool, id) -> {
          asked.add("nn1");
          return silent(pool, id);
        };
    standby =
        (pool, id) -> {
          asked.add("nn2");
          return true;
        };
    assertBelieved();
    assertBelieved();
    assertThat(asked).containsExactly("nn1", "nn2", "nn2");
    standby = ParityBeliefTest::standby;
    active = (pool, id) -> true;
    assertBelieved();
    standby =
        (pool, id) -> {
          throw new IllegalStateException("not asked");
        };
    assertBelieved();
  }

  /** In the active NameNode the feature is not in service, and the standby says that it is none. */
  @Test
  void whereNobodySaysYesOrNoParityIsBelievedInTheEnd() {
    List<ParityBelief.Question> others = new ArrayList<>();
    others.add(ParityBeliefTest::standby);
    others.add(ParityBeliefTest::silent);
    for (long waitedMs = 0; waitedMs < WAIT_MS; waitedMs += MINUTE_MS) {
      standby = others.get((int) (waitedMs / MINUTE_MS % others.size()));
      assertRefused(GROUP, "nn2: ");
      nowMs += MINUTE_MS;
    }
    // Of another block pool it is asked for the first time.
    assertRefused(ELSEWHERE, "nn2: ");
    assertBelievedForWantOfAnAnswer();
    nowMs += MINUTE_MS;
    assertBelievedForWantOfAnAnswer();
  }

  @Test
  void whoSaysNoIsObeyed() {
    assertRefused(GROUP, "nn2: ");
    nowMs += WAIT_MS - 1;
    active = (pool, id) -> false;
    assertRefused(GROUP, "not verified");
    nowMs += WAIT_MS;
    assertRefused(GROUP, "not verified");
    // A failover: the next one has not said anything for no time yet.
    active = ParityBeliefTest::standby;
    assertRefused(GROUP, "nn1: ");
    standby = (pool, id) -> true;
    assertBelieved();
    standby = ParityBeliefTest::standby;
    nowMs += WAIT_MS;
    assertRefused(GROUP, "nn1: ");
  }

  /** Nobody was asked in between, and would have said yes or no. */
  @Test
  void questionsFarApartAreNotOneSilence() {
    assertRefused(GROUP, "nn2: ");
    nowMs += 31 * MINUTE_MS;
    assertRefused(GROUP, "nn2: ");
    nowMs += WAIT_MS;
    assertBelievedForWantOfAnAnswer();
  }
}
