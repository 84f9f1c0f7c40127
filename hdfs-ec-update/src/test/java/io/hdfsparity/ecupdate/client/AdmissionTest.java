/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.updater.Endpoint;
import io.hdfsparity.ecupdate.updater.NodeCalls;
import io.hdfsparity.ecupdate.updater.UnitLocation;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How units learn of the end of a session, with nodes that are played. */
@Timeout(60)
class AdmissionTest {
  private static final long FOR_EVER_MS = TimeUnit.DAYS.toMillis(1);
  private static final List<UnitLocation> UNITS = List.of(unit(1), unit(2), unit(3));

  private final AtomicInteger calls = new AtomicInteger();

  private static UnitLocation unit(long id) {
    return new UnitLocation(new ReplicaKey("BP", id), new Endpoint("n" + id, 7, "BP", "blk_" + id));
  }

  /** How a node takes a call. */
  @FunctionalInterface
  private interface Node {
    void take(SlotKey slot, Request request, NodeCalls.Listener listener);
  }

  private Admission admission(long timeoutMs, Node node) {
    NodeCalls played =
        new NodeCalls() {
          @Override
          public void call(
              Endpoint endpoint, SlotKey slot, Request request, NodeCalls.Listener listener) {
            calls.incrementAndGet();
            node.take(slot, request, listener);
          }

          @Override
          public void giveUp(Endpoint endpoint, ReplicaKey replica) {
            throw new AssertionError("nobody gives up");
          }
        };
    return new Admission(played, timeoutMs, FOR_EVER_MS, 1);
  }

  @Test
  void whoseSessionIsOverDoesNotWaitForNodesThatLetNobodyIn() {
    AtomicInteger asked = new AtomicInteger();
    admission(FOR_EVER_MS, (slot, request, listener) -> listener.delayed("FORBIDDEN"))
        .leave(UNITS, 5, () -> asked.incrementAndGet() == 1);
    assertThat(asked).hasValue(1);
    assertThat(calls).hasValue(3);
  }

  @Test
  void unitsAreToldUntilAllHaveHeard() {
    // Counted for each unit: those that are notified again are notified at once, in any order.
    Map<Long, AtomicInteger> heard = new ConcurrentHashMap<>();
    admission(
            FOR_EVER_MS,
            (slot, request, listener) -> {
              assertThat(request).isEqualTo(new Request.Leave(5));
              long unit = slot.replica().blockId();
              int time = heard.computeIfAbsent(unit, key -> new AtomicInteger()).incrementAndGet();
              if (time == 1 || unit == 2 && time == 2) {
                listener.lost("the connection broke");
              } else {
                listener.answered(new Reply.Done());
              }
            })
        .leave(UNITS, 5, () -> false);
    assertThat(calls).hasValue(7);
  }

  /** At a failover DataNodes close the connections of sessions that they keep suspended. */
  @Test
  void aUnitWhoseConnectionBrokeIsAskedAgain() throws Exception {
    admission(
            FOR_EVER_MS,
            (slot, request, listener) -> {
              if (calls.get() <= 3) {
                listener.lost("the connection broke");
              } else {
                listener.answered(new Reply.Done());
              }
            })
        .await(UNITS);
    assertThat(calls).hasValue(6);
  }

  @Test
  void aUnitThatCannotAnswerIsNotAskedForEver() {
    Admission admission =
        admission(FOR_EVER_MS, (slot, request, listener) -> listener.lost("its disk is broken"));
    assertThatThrownBy(() -> admission.await(UNITS)).hasMessageContaining("its disk is broken");
    assertThat(calls).hasValue(3 * 5);
  }

  @Test
  void whenOneUnitTakesNoMoreUpdatesTheOthersAreNotWaitedFor() {
    Admission admission =
        admission(
            FOR_EVER_MS,
            (slot, request, listener) -> {
              if (slot.replica().blockId() == 2) {
                listener.retired("it was rebuilt");
              } else {
                listener.delayed("a decoder was here");
              }
            });
    assertThatThrownBy(() -> admission.await(UNITS))
        .isInstanceOf(GroupRetiredException.class)
        .hasMessage("it was rebuilt");
  }

  @Test
  void allUnitsAnswerOrThereIsNoAnswer() throws Exception {
    Request request = new Request.Sessions(Set.of(1L));
    Reply reply = new Reply.SessionsReply(Set.of(1L, 2L), Set.of(1L));
    Admission all =
        admission(
            FOR_EVER_MS,
            (slot, asked, listener) -> {
              if (calls.get() == 1) {
                listener.lost("the connection broke");
              } else {
                listener.answered(reply);
              }
            });
    assertThat(all.askAll(UNITS, request, "ask"))
        .hasSize(3)
        .allSatisfy((unit, answer) -> assertThat(answer).isEqualTo(reply));
    Admission not =
        admission(
            50,
            (slot, asked, listener) -> {
              if (slot.replica().blockId() == 2) {
                listener.delayed("it is down");
              } else {
                listener.answered(reply);
              }
            });
    assertThatThrownBy(() -> not.askAll(UNITS, request, "ask"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("it is down");
  }
}
