/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.bridge.wire.ActiveNameNode.ClosedConnection;
import io.hdfsparity.bridge.wire.NameNodeNotReadyException;
import io.hdfsparity.core.gf.GfMatrix;
import io.hdfsparity.core.gf.ScalarKernel;
import io.hdfsparity.ecupdate.ajx.Bounds;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.ajx.StripeCode;
import io.hdfsparity.ecupdate.channel.ChannelClient;
import io.hdfsparity.ecupdate.channel.ClientLimits;
import io.hdfsparity.ecupdate.protocol.AttachRequest;
import io.hdfsparity.ecupdate.protocol.LeaseTimes;
import io.hdfsparity.ecupdate.protocol.OpenRequest;
import io.hdfsparity.ecupdate.protocol.RefusalKind;
import io.hdfsparity.ecupdate.protocol.SessionAnswer;
import io.hdfsparity.ecupdate.protocol.SessionFile;
import io.hdfsparity.ecupdate.protocol.SessionId;
import io.hdfsparity.ecupdate.protocol.SessionProtocol;
import io.hdfsparity.ecupdate.protocol.UnitStorage;
import io.hdfsparity.ecupdate.protocol.UpdateCode;
import io.hdfsparity.ecupdate.protocol.UpdateGroup;
import io.hdfsparity.ecupdate.protocol.UpdateNode;
import io.hdfsparity.ecupdate.protocol.UpdateSession;
import io.hdfsparity.ecupdate.protocol.UpdateUnit;
import io.hdfsparity.ecupdate.updater.Endpoint;
import io.hdfsparity.ecupdate.updater.FileLayout;
import io.hdfsparity.ecupdate.updater.NodeCalls;
import io.hdfsparity.ecupdate.updater.SessionTerms;
import io.hdfsparity.ecupdate.updater.StripeSession;
import io.hdfsparity.ecupdate.wire.SessionManagers;
import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of groups that others write anew, or that lose units; the NameNode is played. */
class NameNodeSessionTest {
  private static final SessionId ID = new SessionId(42);
  private static final int CELL_BYTES = 64;
  private static final int UNITS = 3;
  private static final StripeCode CODE =
      new StripeCode(new ScalarKernel(), GfMatrix.cauchyParity(2, 1));
  private static final StripeSession.Healer HEALER =
      new StripeSession.Healer() {
        @Override
        public Closeable yielding() {
          return () -> {};
        }

        @Override
        public void requireWanted() {}
      };

  /** Ids of the groups that the file has. */
  private final long[] groups = {-16, -32};

  /** Blocks that no DataNode has. */
  private final Set<Long> missing = new HashSet<>();

  private final Set<Long> told = ConcurrentHashMap.newKeySet();
  private final Set<Long> asked = ConcurrentHashMap.newKeySet();
  private final List<LostUnits> healings = new ArrayList<>();
  private final ChannelClient channels =
      new ChannelClient(
          new ClientLimits(16384, 16, 1000, 5_000, 5_000, 60_000, 2, 20), node -> Bytes.zeros(1));
  private NameNodeSession session;
  private boolean isKnown = true;
  private final AtomicInteger locationsInVain = new AtomicInteger();
  private Set<Long> inUse = Set.of();

  private final NodeCalls nodes =
      new NodeCalls() {
        @Override
        public void call(Endpoint node, SlotKey slot, Request request, Listener listener) {
          if (request instanceof Request.Leave) {
            told.add(slot.replica().blockId());
          } else {
            asked.add(slot.replica().blockId());
          }
          listener.answered(new Reply.Done());
        }

        @Override
        public void giveUp(Endpoint node, ReplicaKey replica) {}
      };

  private final Renewal renewal =
      new Renewal() {
        @Override
        public void renew(UpdateSession of, int group) {
          throw new AssertionError("renew");
        }

        @Override
        public boolean heal(UpdateSession of, int group, LostUnits lost) {
          healings.add(lost);
          return true;
        }
      };

  private SessionAnswer granted() {
    List<UpdateGroup> described = new ArrayList<>();
    for (int i = 0; i < groups.length; i++) {
      List<UpdateUnit> units = new ArrayList<>();
      for (int unit = 0; unit < UNITS; unit++) {
        long block = groups[i] + unit;
        if (!missing.contains(block)) {
          units.add(
              new UpdateUnit(
                  unit,
                  block,
                  1,
                  CELL_BYTES,
                  new UnitStorage(new UpdateNode("uuid" + block, 1, "n" + block, 7), "DS", "DISK"),
                  Bytes.zeros(1),
                  Optional.empty()));
        }
      }
      described.add(
          new UpdateGroup(groups[i], 1, 2L * i * CELL_BYTES, 2L * CELL_BYTES, units, false));
    }
    return new SessionAnswer.Granted(
        new UpdateSession(
            ID,
            new SessionFile(
                "/f",
                1,
                4L * CELL_BYTES,
                "BP",
                new UpdateCode("p", "rs", 2, 1, CELL_BYTES, Map.of())),
            described,
            "PLR",
            0,
            new LeaseTimes(1000, 300)));
  }

  private SessionAnswer ask(ClosedConnection closed, SessionManagers.Call<SessionAnswer> call)
      throws IOException {
    return call.at(
        (SessionProtocol)
            Proxy.newProxyInstance(
                SessionProtocol.class.getClassLoader(),
                new Class<?>[] {SessionProtocol.class},
                (proxy, method, args) ->
                    switch (method.getName()) {
                      case "open" -> granted();
                      case "locate" -> {
                        if (locationsInVain.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                          throw new NameNodeNotReadyException("no NameNode is active", null);
                        }
                        yield granted();
                      }
                      case "renew" ->
                          isKnown
                              ? new SessionAnswer.Renewed(new LeaseTimes(1000, 300))
                              : new SessionAnswer.Refused(
                                  RefusalKind.UNKNOWN_SESSION.because("a", "b", "c", "/f"));
                      case "attach" -> {
                        inUse = ((AttachRequest) args[0]).form().groups();
                        yield granted();
                      }
                      default -> throw new AssertionError(method.getName());
                    }));
  }

  @BeforeEach
  void open() throws IOException {
    FileLayout layout =
        new FileLayout(
            CODE,
            CELL_BYTES,
            List.of(
                new FileLayout.Group(0, 2 * CELL_BYTES),
                new FileLayout.Group(2 * CELL_BYTES, 2 * CELL_BYTES)));
    session =
        new NameNodeSession(
            SessionHolder.open(this::ask, new OpenRequest("/f", "test", 0)),
            layout,
            new SessionTerms(1, new Bounds.Failures(1, 1), 1_000, 120_000),
            new Admission(nodes, 10_000),
            renewal,
            channels,
            /* operationMs= */ 1_000);
  }

  @AfterEach
  void close() {
    channels.close();
  }

  private Set<Long> attached() throws IOException {
    isKnown = false;
    session.renew();
    isKnown = true;
    return inUse;
  }

  /** A DataNode that is back may serve an old unit to whoever still goes by the old group. */
  @Test
  void namesAllGroupsThatAreInUseWhenItIsAttached() throws IOException {
    assertThat(attached()).isEmpty();
    session.locate(0);
    assertThat(attached()).containsExactly(-16L);
    groups[0] = -64;
    session.locate(0); // by what was learned when it was attached
    session.locate(0);
    assertThat(attached())
        .as("nobody has said that he knows")
        .containsExactlyInAnyOrder(-16L, -64L);
    session.following(1, -32);
    assertThat(attached()).containsExactlyInAnyOrder(-16L, -64L);
    session.following(0, -64);
    assertThat(attached()).containsExactly(-64L);
  }

  @Test
  void leavesTheUnitsThatItHasEntered() throws IOException {
    session.locate(0);
    session.leave(Set.of());
    assertThat(told).containsExactlyInAnyOrder(-16L, -15L, -14L);
  }

  @Test
  void doesNotLeaveWhatIsUnfinished() throws IOException {
    session.locate(0);
    session.locate(1);
    session.leave(Set.of(0));
    assertThat(told).containsExactlyInAnyOrder(-32L, -31L, -30L);
  }

  /** Its units refuse whoever goes on with them: to tell them would take all of the patience. */
  @Test
  void doesNotLeaveAGroupThatSomebodyElseHasWrittenAnew() throws IOException {
    session.locate(0);
    session.locate(1);
    groups[0] = -48;
    session.leave(Set.of());
    assertThat(told).containsExactlyInAnyOrder(-32L, -31L, -30L);
  }

  @Test
  void leavesWhatItHasEnteredSinceThen() throws IOException {
    session.locate(0);
    groups[0] = -48;
    session.locate(0);
    session.leave(Set.of());
    assertThat(told).containsExactlyInAnyOrder(-48L, -47L, -46L);
  }

  /** The old units' DataNodes would be asked for as long as an operation may take. */
  @Test
  void asksNoUnitOfAGroupThatWasRewrittenBeforeItsFirstUse() throws IOException {
    long openedNanos = System.nanoTime();
    groups[0] = -48;
    await().until(() -> System.nanoTime() - openedNanos > TimeUnit.MILLISECONDS.toNanos(1100));
    session.locate(0);
    assertThat(asked).containsExactlyInAnyOrder(-48L, -47L, -46L);
  }

  @Test
  void healsAGroupThatItHasUsedBefore() throws IOException {
    session.locate(0);
    assertThat(session.heal(0, HEALER)).as("nothing is lost").isFalse();
    missing.add(-15L);
    missing.add(-31L);
    session.locate(0);
    assertThat(session.heal(0, HEALER)).isTrue();
    assertThat(session.heal(1, HEALER)).as("never used").isFalse();
    assertThat(healings).hasSize(1);
    assertThat(healings.get(0).units()).containsExactly(1);
    assertThat(healings.get(0).nodes()).containsExactly("uuid-15");
  }

  @Test
  void whatWasHealedIsLostNoMore() throws IOException {
    session.locate(0);
    missing.add(-15L);
    session.locate(0);
    groups[0] = -48;
    assertThat(session.locate(0).id()).isEqualTo(-48);
    assertThat(session.heal(0, HEALER)).isFalse();
    missing.add(-48L);
    session.locate(0);
    assertThat(session.heal(0, HEALER)).isTrue();
    assertThat(healings.get(0).nodes()).containsExactly("uuid-48");
  }

  @Test
  void theFirstUseOfAGroupWaitsForAFailover() throws IOException {
    locationsInVain.set(3);
    assertThat(session.locate(0).id()).isEqualTo(-16);
    assertThat(locationsInVain).hasValue(0);
  }

  @Test
  void theFirstUseOfAGroupFailsWhenThereIsNoNameNodeForTooLong() {
    locationsInVain.set(Integer.MAX_VALUE);
    assertThatThrownBy(() -> session.locate(0))
        .isInstanceOf(NameNodeNotReadyException.class)
        .hasMessage("no NameNode is active");
  }

  /** Who looks it up does so again: a thread that waited would only keep what was said before. */
  @Test
  void aLaterLookAtAGroupDoesNotWait() throws IOException {
    session.locate(0);
    locationsInVain.set(1);
    assertThatThrownBy(() -> session.locate(0)).isInstanceOf(NameNodeNotReadyException.class);
    assertThat(session.locate(0).id()).isEqualTo(-16);
  }
}
