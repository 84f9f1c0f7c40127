/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.LockId;
import io.hdfsparity.ecupdate.ajx.LockMode;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.ajx.Tid;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the holder of one good token can do to the others of a node: mallory has one. */
@Timeout(600)
class HostileClientTest {
  private static final SlotKey SLOT = new SlotKey(new ReplicaKey("BP-1", 7), 0);
  private static final int MAX_PAYLOAD = 4096;
  private static final long BUDGET = 8 * MAX_PAYLOAD;
  private static final long USER_BUDGET = 2 * MAX_PAYLOAD;
  private static final int USER_CONNECTIONS = 6;
  private static final int USER_LOCKS = 10;
  private static final Request LARGE =
      new Request.Swap(new Patch(0, Bytes.zeros(MAX_PAYLOAD - 200)), new Tid(7L << 32, 1, 0));

  private final ScriptedService service = new ScriptedService();
  private final List<RawPeer> peers = new ArrayList<>();
  private ChannelServer server;

  @BeforeEach
  void start() throws IOException {
    start(new ServerTimeouts(120_000, 120_000, 120_000, 5_000, 200));
  }

  private void start(ServerTimeouts timeouts) throws IOException {
    if (server != null) {
      server.close();
    }
    server =
        ChannelServer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            new ServerLimits(
                MAX_PAYLOAD, 8, 20, USER_CONNECTIONS, BUDGET, USER_BUDGET, USER_LOCKS, 2),
            timeouts,
            TestAccess.INSTANCE,
            service);
  }

  @AfterEach
  void stop() throws IOException {
    service.permits.release(1000);
    for (RawPeer peer : peers) {
      peer.close();
    }
    await("nothing is left of anybody").until(() -> server.users() == 0);
    assertThat(server.freeBytes()).isEqualTo(BUDGET);
    server.close();
  }

  private RawPeer welcomed(String client, String user) throws IOException {
    RawPeer peer = RawPeer.welcomed(server.address(), client, user);
    peers.add(peer);
    return peer;
  }

  private static ByteBuffer frame(Request request) {
    return new FrameCodec(1 << 20).encode(new Message.Ask(1, SLOT, request));
  }

  private static void assertAnswered(RawPeer peer, long call) throws IOException {
    Object answer = peer.next();
    assertThat(answer).isInstanceOf(Message.Answer.class);
    assertThat(((Message) answer).call()).isEqualTo(call);
  }

  @Test
  void whatIsOnlyAnnouncedTakesNoMemory() throws Exception {
    for (int i = 0; i < USER_CONNECTIONS; i++) {
      welcomed("c" + i, "mallory").send(frame(LARGE).slice(0, FrameCodec.HEADER_BYTES + 1));
    }
    long come = USER_CONNECTIONS * (FrameCodec.HEADER_BYTES + 1L);
    await().until(() -> server.freeBytes() == BUDGET - come);
    RawPeer alice = welcomed("c", "alice");
    alice.ask(2, SLOT, LARGE);
    assertAnswered(alice, 2);
  }

  @Test
  void oneUsersFramesLeaveRoomForOthers() throws Exception {
    ByteBuffer most = frame(LARGE);
    for (int i = 0; i < USER_CONNECTIONS; i++) {
      welcomed("c" + i, "mallory").send(most.slice(0, most.limit() - 1));
    }
    await().until(() -> server.freeBytes() < BUDGET - most.limit());
    for (int call = 0; call < 20; call++) {
      RawPeer alice = welcomed("c", "alice");
      alice.ask(call, SLOT, LARGE);
      assertAnswered(alice, call);
      assertThat(server.freeBytes())
          .as("mallory has his share, and a frame")
          .isGreaterThan(BUDGET - USER_BUDGET - 4 * MAX_PAYLOAD);
      alice.close();
    }
  }

  /** Each holds a part of the memory and waits for more: one after the other they go on. */
  @Test
  void partsOfFramesThatTakeAllMemoryBecomeWhole() throws Exception {
    ByteBuffer whole = frame(LARGE);
    int part = whole.limit() / 2;
    List<RawPeer> all = new ArrayList<>();
    for (int i = 0; i < USER_CONNECTIONS; i++) {
      RawPeer peer = welcomed("c" + i, "alice");
      all.add(peer);
      peer.send(whole.slice(0, part));
    }
    await().until(() -> server.freeBytes() <= BUDGET - USER_BUDGET + part);
    for (RawPeer peer : all) {
      peer.send(whole.slice(part, whole.limit() - part));
    }
    for (RawPeer peer : all) {
      assertAnswered(peer, 1);
    }
  }

  /** All others wait for this frame, and not for as long as for any. */
  @Test
  void whoGoesBeyondTheMemoryHasLittleTime() throws Exception {
    ByteBuffer whole = frame(LARGE);
    int part = whole.limit() - 10;
    RawPeer first = welcomed("c1", "mallory");
    RawPeer second = welcomed("c2", "mallory");
    RawPeer third = welcomed("c3", "mallory");
    first.send(whole.slice(0, part));
    second.send(whole.slice(0, part));
    await().until(() -> server.freeBytes() == BUDGET - 2L * part);
    third.ask(3, SLOT, LARGE);
    first.send(whole.slice(part, 1)); // the third waits before it, unless it comes first
    second.send(whole.slice(part, 1));
    assertAnswered(third, 3);
  }

  /** Takes all of a user's memory but for frames that lack ten bytes each, and a part of one. */
  private RawPeer takeAllMemory(String user, ByteBuffer whole, int partBytes) throws IOException {
    for (int i = 0; i < 2; i++) {
      welcomed("full" + i, user).send(whole.slice(0, whole.limit() - 10));
    }
    RawPeer last = welcomed("last", user);
    last.send(whole.slice(0, partBytes));
    await().until(() -> server.freeBytes() == BUDGET - USER_BUDGET);
    return last;
  }

  /** Each lacks a byte of a small request for a long answer, and all are whole at once. */
  @Test
  void answersGoBeyondTheMemoryOneAfterTheOther() throws Exception {
    ByteBuffer whole = frame(new Request.Read(ScriptedService.DURABLE_LATER, MAX_PAYLOAD - 200));
    int part = whole.limit() - 1;
    List<RawPeer> all = new ArrayList<>();
    for (int i = 0; i < USER_CONNECTIONS; i++) {
      RawPeer peer = welcomed("c" + i, "mallory");
      all.add(peer);
      peer.send(whole.slice(0, part));
    }
    await().until(() -> server.freeBytes() == BUDGET - (long) USER_CONNECTIONS * part);
    for (RawPeer peer : all) {
      peer.send(whole.slice(part, 1));
    }
    await().until(() -> server.freeBytes() < BUDGET - 3 * (MAX_PAYLOAD - 200));
    // An answer for each loop, and one that has gone beyond the memory.
    await()
        .during(Duration.ofMillis(300))
        .until(() -> server.freeBytes() > BUDGET - USER_BUDGET - 3 * MAX_PAYLOAD);
    service.permits.release(USER_CONNECTIONS);
    for (RawPeer peer : all) {
      assertAnswered(peer, 1);
    }
  }

  /** A piece of a frame that comes buys time, so a slow link is served. */
  @Test
  void whoGoesBeyondTheMemoryAndSendsOnIsServed() throws Exception {
    start(new ServerTimeouts(120_000, 120_000, 120_000, 5_000, 200, 300, 10));
    ByteBuffer whole = frame(LARGE);
    int part = (int) USER_BUDGET - 2 * (whole.limit() - 10);
    RawPeer slow = takeAllMemory("alice", whole, part);
    int more = whole.limit() / 2;
    slow.send(whole.slice(part, more));
    await()
        .pollDelay(Duration.ofMillis(900)) // three times what nobody may pause
        .until(() -> server.freeBytes() == BUDGET - USER_BUDGET - more);
    slow.send(whole.slice(part + more, whole.limit() - part - more));
    assertAnswered(slow, 1);
  }

  /** A byte now and then is no progress. */
  @Test
  void whoGoesBeyondTheMemoryByTricklesIsClosed() throws Exception {
    ByteBuffer whole = frame(LARGE);
    int part = (int) USER_BUDGET - 2 * (whole.limit() - 10);
    RawPeer trickle = takeAllMemory("mallory", whole, part);
    AtomicInteger at = new AtomicInteger(part);
    await()
        .until(
            () -> {
              if (trickle.hasInput()) {
                return true;
              }
              trickle.send(whole.slice(at.getAndIncrement(), 1));
              return false;
            });
    trickle.assertClosed(ChannelError.SLOW, "no whole frame");
    assertThat(at.get()).as("it was not the frame that was whole").isLessThan(whole.limit() - 1);
  }

  /** What is under way counts until it has ended, whatever becomes of the connection. */
  @ParameterizedTest
  @ValueSource(ints = {ScriptedService.HELD, ScriptedService.DURABLE_LATER})
  void aNewConnectionBringsNoNewMemory(int offset) throws Exception {
    for (int i = 0; i < 2; i++) {
      RawPeer peer = welcomed("held" + i, "mallory");
      long before = server.freeBytes();
      peer.ask(0, SLOT, new Request.Read(offset, MAX_PAYLOAD - 200));
      await().until(() -> server.freeBytes() < before - MAX_PAYLOAD + 200);
      peer.close();
    }
    await().until(() -> server.connections() == 0);
    long free = server.freeBytes();
    assertThat(free).isLessThan(BUDGET - USER_BUDGET + MAX_PAYLOAD);
    RawPeer again = welcomed("again", "mallory");
    again.send(frame(LARGE));
    await()
        .during(Duration.ofMillis(300))
        .until(() -> server.freeBytes() == free && !again.hasInput());
    service.permits.release(2);
    assertAnswered(again, 1);
  }

  /** Requests can wait long: for room in a log, or for a NameNode. */
  @Test
  void requestsThatWaitLeaveAWorkerForOthers() throws Exception {
    RawPeer mallory = welcomed("c", "mallory");
    for (int call = 0; call < 8; call++) {
      mallory.ask(call, SLOT, read(ScriptedService.HELD));
    }
    await().until(() -> service.holding.get() > 0);
    for (int call = 0; call < 5; call++) {
      RawPeer alice = welcomed("c", "alice");
      alice.ask(call, SLOT, read(0));
      assertAnswered(alice, call);
    }
    assertThat(service.holding).as("of two workers").hasValue(1);
    service.permits.release(8);
    Set<Long> answered = new HashSet<>();
    for (int call = 0; call < 8; call++) {
      answered.add(((Message) mallory.next()).call());
    }
    assertThat(answered).hasSize(8);
  }

  private static Request read(int offset) {
    return new Request.Read(offset, 4);
  }

  @Test
  void connectionsOfOneUserLeaveRoomForOthers() throws Exception {
    for (int i = 0; i < USER_CONNECTIONS; i++) {
      welcomed("c" + i, "mallory");
    }
    RawPeer more = new RawPeer(server.address());
    peers.add(more);
    more.hello("another", "mallory");
    more.assertClosed(ChannelError.BUSY, "of one user, expected <= " + USER_CONNECTIONS);
    RawPeer alice = welcomed("c1", "alice");
    alice.ask(1, SLOT, new Request.Probe());
    assertThat(((Message) alice.next()).call()).isEqualTo(1);
    // One of those that there are may be opened anew, once the earlier one is gone.
    peers.get(0).close();
    await()
        .until(
            () -> {
              RawPeer again = new RawPeer(server.address());
              peers.add(again);
              again.hello("c0", "mallory");
              return again.next() instanceof Control.Welcome;
            });
  }

  private static Request lock(long client, long recovery) {
    return new Request.TryLock(LockMode.L1, new LockId(client, recovery));
  }

  @Test
  void anotherSessionsClientsAreNotSpokenFor() throws Exception {
    long other = 8L << 32 | 1;
    Patch patch = new Patch(0, Bytes.zeros(4));
    Tid tid = new Tid(other, 1, 0);
    for (Request request :
        List.of(
            lock(other, 0),
            new Request.SetLock(LockMode.UNL, new LockId(other, 0)),
            new Request.Swap(patch, tid),
            new Request.Add(patch, Request.Scaling.BY_NODE, tid, null, 0))) {
      RawPeer peer = welcomed("c", "mallory");
      peer.ask(1, SLOT, request);
      peer.assertClosed(ChannelError.FORBIDDEN, "by a client of its session");
      peer.close();
    }
    assertThat(service.executed).hasValue(0);
  }

  @Test
  void locksThatAreRefusedAreForgotten() throws Exception {
    RawPeer peer = welcomed("c", "mallory");
    for (int i = 0; i < 50 * USER_LOCKS; i++) {
      peer.ask(i, new SlotKey(SLOT.replica(), ScriptedService.STRIPES + i), lock(7L << 32 | i, i));
      assertThat(peer.next()).isInstanceOf(Message.Refusal.class);
      peer.ask(i, SLOT, lock(7L << 32 | i, ScriptedService.DENIED));
      assertAnswered(peer, i);
    }
    peer.close();
    await().until(() -> server.users() == 0);
    assertThat(service.passes).as("there is nothing to expire").hasValue(0);
  }

  @Test
  void locksOfAUserAreCountedAndExpireInOnePass() throws Exception {
    RawPeer one = welcomed("c1", "mallory");
    RawPeer two = welcomed("c2", "mallory");
    for (int i = 0; i < USER_LOCKS - 1; i++) {
      one.ask(i, new SlotKey(SLOT.replica(), i), lock(7L << 32 | i, 0));
      assertAnswered(one, i);
      one.ask(i, new SlotKey(SLOT.replica(), i), lock(7L << 32 | i, 0)); // sent again
      assertAnswered(one, i);
    }
    two.ask(1, new SlotKey(SLOT.replica(), 100), lock(7L << 32, 0));
    assertAnswered(two, 1);
    two.ask(2, new SlotKey(SLOT.replica(), 101), lock(7L << 32, 0));
    Object refused = two.next();
    assertThat(refused).isInstanceOf(Message.Failure.class);
    assertThat(((Message.Failure) refused).reason()).contains("expected <= " + USER_LOCKS);
    // The connection goes on: others of the user's calls use it.
    two.ask(3, SLOT, read(0));
    assertAnswered(two, 3);
    RawPeer alice = welcomed("c", "alice");
    alice.ask(1, new SlotKey(SLOT.replica(), 200), lock(7L << 32, 0));
    assertAnswered(alice, 1);
    one.close();
    two.close();
    await().until(() -> service.expired.size() == USER_LOCKS);
    assertThat(service.passes).as("one for each connection that had locks").hasValue(2);
  }
}
