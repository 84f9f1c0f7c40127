/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.LockId;
import io.hdfsparity.ecupdate.ajx.LockMode;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.ajx.Tid;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node's end of the channel, and peers that mean well, harm, or nothing at all. */
@Timeout(600)
class ChannelServerTest {
  private static final SlotKey SLOT = new SlotKey(new ReplicaKey("BP-1", 7), 0);
  private static final int MAX_PAYLOAD = 4096;
  private static final int OUTSTANDING = 8;
  private static final long BUDGET = 3 * MAX_PAYLOAD;

  private final ScriptedService service = new ScriptedService();
  private ChannelServer server;

  private static ServerTimeouts patient() {
    return new ServerTimeouts(120_000, 120_000, 120_000, 5_000, 120_000);
  }

  /** One user may occupy four of its workers. */
  private InetSocketAddress start(ServerTimeouts timeouts) throws IOException {
    server =
        ChannelServer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            new ServerLimits(MAX_PAYLOAD, OUTSTANDING, 6, 6, BUDGET, BUDGET, 1 << 20, 6),
            timeouts,
            TestAccess.INSTANCE,
            service);
    return server.address();
  }

  @AfterEach
  void stop() throws IOException {
    service.permits.release(1000);
    if (server != null) {
      server.close();
    }
  }

  private static Request read(int offset) {
    return new Request.Read(offset, 4);
  }

  @Test
  void requestsAreAnsweredInAnyOrder() throws Exception {
    InetSocketAddress address = start(patient());
    try (RawPeer peer = RawPeer.welcomed(address, "c", "alice")) {
      peer.ask(1, SLOT, read(ScriptedService.HELD));
      peer.ask(2, SLOT, read(0));
      assertThat(peer.next())
          .isEqualTo(new Message.Answer(2, new Reply.ReadReply(Bytes.zeros(4), LockMode.UNL)));
      service.permits.release();
      assertThat(((Message) peer.next()).call()).isEqualTo(1);
    }
    await().until(() -> server.connections() == 0);
    await().until(() -> server.freeBytes() == BUDGET);
  }

  @Test
  void whoTakesARightAwayWaitsForWhatHasBegunAndNothingElseBegins() throws Exception {
    AtomicBoolean isAllowed = new AtomicBoolean(true);
    ChannelAccess revocable =
        (blockPool, client, token) ->
            new ChannelAccess.Grant() {
              @Override
              public String owner() {
                return "alice";
              }

              @Override
              public String user() {
                return "alice";
              }

              @Override
              public boolean ownsClient(long client) {
                return true;
              }

              @Override
              public boolean permits(ReplicaKey replica, ChannelAccess.Use use) {
                return isAllowed.get();
              }

              @Override
              public boolean isOf(long session) {
                return true;
              }
            };
    server =
        ChannelServer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            new ServerLimits(MAX_PAYLOAD, OUTSTANDING, 6, 6, BUDGET, BUDGET, 1 << 20, 1),
            patient(),
            revocable,
            service);
    try (RawPeer peer = RawPeer.welcomed(server.address(), "c", "alice")) {
      peer.ask(1, SLOT, read(ScriptedService.HELD));
      await().until(() -> service.holding.get() == 1);
      long freeBytes = server.freeBytes();
      peer.ask(2, SLOT, read(0));
      await("it is accepted, and waits for the one worker")
          .until(() -> server.freeBytes() < freeBytes);
      isAllowed.set(false);
      CompletableFuture<Void> over =
          CompletableFuture.runAsync(
              () -> {
                try {
                  server.awaitNone(grant -> grant.owner().equals("alice"), Long.MAX_VALUE);
                } catch (InterruptedException e) {
                  throw new CompletionException(e);
                }
              });
      assertThatThrownBy(() -> over.get(100, TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);
      service.permits.release();
      over.get(120, TimeUnit.SECONDS);
      assertThat(service.executed).as("the one that had begun").hasValue(1);
    }
    await().until(() -> server.connections() == 0);
    assertThat(service.executed).hasValue(1);
    assertThat(server.freeBytes()).isEqualTo(BUDGET);
  }

  @Test
  void anotherProtocolIsToldSo() throws Exception {
    InetSocketAddress address = start(patient());
    try (RawPeer peer = new RawPeer(address)) {
      peer.send(ByteBuffer.wrap("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));
      peer.assertClosed(ChannelError.MALFORMED, "magic");
    }
    try (RawPeer peer = new RawPeer(address)) {
      peer.send(ByteBuffer.wrap(ControlCodecTest.forged(2, 1, 0, new byte[0])));
      peer.assertClosed(ChannelError.MALFORMED, "version=2");
    }
    try (RawPeer peer = new RawPeer(address)) {
      peer.send(ControlCodec.encode(new Control.Welcome(1, 1)));
      peer.assertClosed(ChannelError.MALFORMED, "expected hello");
    }
  }

  @Test
  void aFrameThatIsTooLongEndsTheConnectionBeforeItComes() throws Exception {
    InetSocketAddress address = start(patient());
    try (RawPeer peer = RawPeer.welcomed(address, "c", "alice")) {
      Request swap = new Request.Swap(new Patch(0, Bytes.zeros(MAX_PAYLOAD + 1)), new Tid(1, 1, 0));
      ByteBuffer frame = new FrameCodec(1 << 20).encode(new Message.Ask(1, SLOT, swap));
      peer.send(frame.slice(0, FrameCodec.HEADER_BYTES));
      peer.assertClosed(ChannelError.MALFORMED, "expected 0.." + MAX_PAYLOAD);
    }
  }

  @Test
  void whoIsSilentOrSlowIsNotWaitedFor() throws Exception {
    InetSocketAddress address = start(new ServerTimeouts(200, 200, 20_000, 5_000, 20_000));
    try (RawPeer silent = new RawPeer(address)) {
      silent.assertClosed(ChannelError.SLOW, "ms=200");
    }
    server.close();
    address = start(new ServerTimeouts(20_000, 200, 20_000, 5_000, 20_000));
    try (RawPeer slow = RawPeer.welcomed(address, "c", "alice")) {
      ByteBuffer frame = new FrameCodec(1 << 20).encode(new Message.Ask(1, SLOT, read(0)));
      slow.send(frame.slice(0, FrameCodec.HEADER_BYTES + 1));
      slow.assertClosed(ChannelError.SLOW, "ms=200");
    }
    await().until(() -> server.freeBytes() == BUDGET);
  }

  @Test
  void whoAsksNothingIsLetGo() throws Exception {
    InetSocketAddress address = start(new ServerTimeouts(20_000, 20_000, 200, 5_000, 20_000));
    try (RawPeer peer = RawPeer.welcomed(address, "c", "alice")) {
      peer.ask(1, SLOT, read(0));
      assertThat(((Message) peer.next()).call()).isEqualTo(1);
      peer.assertClosed(ChannelError.IDLE, "ms=200");
    }
  }

  @Test
  void tokensAndReplicasAreJudged() throws Exception {
    InetSocketAddress address = start(patient());
    try (RawPeer peer = new RawPeer(address)) {
      peer.hello("c", "forged");
      peer.assertClosed(ChannelError.FORBIDDEN, "token");
    }
    try (RawPeer peer = RawPeer.welcomed(address, "c", "alice")) {
      peer.ask(1, new SlotKey(new ReplicaKey("BP-1", 8), 0), read(0));
      peer.assertClosed(ChannelError.FORBIDDEN, "replica=BP-1/8");
    }
    try (RawPeer peer = RawPeer.welcomed(address, "c", "alice")) {
      peer.ask(1, new SlotKey(new ReplicaKey("BP-2", 7), 0), read(0));
      peer.assertClosed(ChannelError.FORBIDDEN, "replica=BP-2/7");
    }
    try (RawPeer peer = RawPeer.welcomed(address, "c", "reader")) {
      peer.ask(1, SLOT, read(0));
      assertThat(((Message) peer.next()).call()).isEqualTo(1);
      peer.ask(2, SLOT, new Request.GcOld(List.of()));
      peer.assertClosed(ChannelError.FORBIDDEN, "allows to CHANGE");
    }
    // A session leaves for itself: that of these connections is 7.
    try (RawPeer peer = RawPeer.welcomed(address, "c", "alice")) {
      peer.ask(1, SLOT, new Request.Leave(7));
      assertThat(((Message) peer.next()).call()).isEqualTo(1);
      peer.ask(2, SLOT, new Request.Leave(8));
      peer.assertClosed(ChannelError.FORBIDDEN, "replica=");
    }
    assertThat(service.executed).hasValue(2);
  }

  @Test
  void whoAsksMoreThanAllowedIsTurnedOut() throws Exception {
    InetSocketAddress address = start(patient());
    try (RawPeer peer = RawPeer.welcomed(address, "c", "alice")) {
      for (int call = 0; call <= OUTSTANDING; call++) {
        peer.ask(call, SLOT, read(ScriptedService.HELD));
      }
      peer.assertClosed(ChannelError.OVERRUN, "expected <= " + OUTSTANDING);
    }
    service.permits.release(1000);
    await().until(() -> server.freeBytes() == BUDGET);
    assertThat(service.executed.get()).as("what had begun, and no more").isLessThanOrEqualTo(4);
  }

  @Test
  void tooManyConnectionsAreToldSo() throws Exception {
    InetSocketAddress address = start(patient());
    List<RawPeer> peers = new ArrayList<>();
    try {
      for (int i = 0; i < 6; i++) {
        peers.add(RawPeer.welcomed(address, "c" + i, "alice"));
      }
      try (RawPeer last = new RawPeer(address)) {
        last.assertClosed(ChannelError.BUSY, "expected <= 6");
      }
    } finally {
      for (RawPeer peer : peers) {
        peer.close();
      }
    }
  }

  /** Many large requests while none is answered: most are left in the peers' own memory. */
  @Test
  void memoryIsBoundedWhateverPeersSend() throws Exception {
    InetSocketAddress address = start(patient());
    List<RawPeer> peers = new ArrayList<>();
    Request large =
        new Request.Swap(new Patch(0, Bytes.zeros(MAX_PAYLOAD - 200)), new Tid(1, 1, 0));
    try {
      for (int i = 0; i < 5; i++) {
        RawPeer peer = RawPeer.welcomed(address, "c" + i, "alice");
        peers.add(peer);
        peer.ask(0, SLOT, read(ScriptedService.HELD));
      }
      await().until(() -> service.holding.get() == 4);
      for (RawPeer peer : peers) {
        for (int call = 1; call < OUTSTANDING; call++) {
          peer.ask(call, SLOT, large);
        }
      }
      await().until(() -> server.freeBytes() < MAX_PAYLOAD);
      // One reply for each loop beyond the budget, and one partly read frame.
      assertThat(server.freeBytes()).isGreaterThan(-4L * MAX_PAYLOAD);
      service.permits.release(1000);
      for (RawPeer peer : peers) {
        Set<Long> answered = new HashSet<>();
        for (int call = 0; call < OUTSTANDING; call++) {
          answered.add(((Message) peer.next()).call());
        }
        assertThat(answered).hasSize(OUTSTANDING);
      }
      await().until(() -> server.freeBytes() == BUDGET);
    } finally {
      for (RawPeer peer : peers) {
        peer.close();
      }
    }
  }

  @Test
  void failuresAreNamedAndTheConnectionStays() throws Exception {
    InetSocketAddress address = start(patient());
    try (RawPeer peer = RawPeer.welcomed(address, "c", "alice")) {
      peer.ask(1, SLOT, read(ScriptedService.REFUSED));
      assertThat(peer.next()).isEqualTo(new Message.Refusal(1, "Cannot read: offset=1001"));
      peer.ask(2, SLOT, read(ScriptedService.BROKEN));
      Message.Failure broken = (Message.Failure) peer.next();
      assertThat(broken.reason()).contains("the disk is gone");
      peer.ask(3, SLOT, read(ScriptedService.NEVER_DURABLE));
      assertThat(((Message.Failure) peer.next()).reason()).contains("the log is gone");
      peer.ask(4, SLOT, new Request.Read(0, 2 * MAX_PAYLOAD));
      assertThat(((Message.Failure) peer.next()).reason()).contains("payloadBytes=");
      peer.ask(5, SLOT, read(0));
      assertThat(peer.next()).isInstanceOf(Message.Answer.class);
    }
    await().until(() -> server.freeBytes() == BUDGET);
  }

  /** More of them than threads that judge tokens. */
  @Test
  void connectionsThatWaitForADiskHoldUpNoOthers() throws Exception {
    CompletableFuture<Void> disk = new CompletableFuture<>();
    ChannelAccess slow =
        new ChannelAccess() {
          @Override
          public Grant judge(String blockPool, String client, Bytes token) throws IOException {
            return TestAccess.INSTANCE.judge(blockPool, client, token);
          }

          @Override
          public CompletableFuture<Void> admit(Grant grant) {
            return grant.user().equals("slow")
                ? disk
                : grant.user().equals("refused")
                    ? CompletableFuture.failedFuture(new AccessRefusedException("no room"))
                    : CompletableFuture.completedFuture(null);
          }
        };
    server =
        ChannelServer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            new ServerLimits(MAX_PAYLOAD, OUTSTANDING, 6, 4, BUDGET, BUDGET, 1 << 20, 6),
            patient(),
            slow,
            service);
    List<RawPeer> waiting = new ArrayList<>();
    try {
      for (int i = 0; i < 4; i++) {
        RawPeer peer = new RawPeer(server.address());
        waiting.add(peer);
        peer.hello("c" + i, "slow");
      }
      try (RawPeer other = RawPeer.welcomed(server.address(), "c", "alice")) {
        other.ask(1, SLOT, read(0));
        assertThat(((Message) other.next()).call()).isEqualTo(1);
      }
      try (RawPeer refused = new RawPeer(server.address())) {
        refused.hello("c", "refused");
        refused.assertClosed(ChannelError.FORBIDDEN, "no room");
      }
      // Those that wait count for their user, too.
      await()
          .untilAsserted(
              () -> {
                try (RawPeer more = new RawPeer(server.address())) {
                  more.hello("more", "slow");
                  more.assertClosed(ChannelError.BUSY, "of one user, expected <= 4");
                }
              });
      assertThat(waiting.get(0).hasInput()).isFalse();
      waiting.get(1).close();
      disk.complete(null);
      assertThat(waiting.get(0).next()).isInstanceOf(Control.Welcome.class);
    } finally {
      for (RawPeer peer : waiting) {
        peer.close();
      }
    }
  }

  /** What ADR 0010 asks of the transport. */
  @Test
  void anEarlierConnectionIsOverBeforeTheNextOneIsWelcome() throws Exception {
    InetSocketAddress address = start(patient());
    try (RawPeer first = RawPeer.welcomed(address, "c", "alice");
        RawPeer second = new RawPeer(address)) {
      for (int call = 0; call < 6; call++) {
        first.ask(call, SLOT, read(ScriptedService.HELD));
      }
      await().until(() -> service.holding.get() == 4);
      second.hello("c", "alice");
      first.assertClosed(ChannelError.SUPERSEDED, "connected again");
      // Not while any of the four is being executed.
      service.permits.release(3);
      await().until(() -> service.holding.get() == 1);
      assertThat(second.hasInput()).isFalse();
      service.permits.release(1);
      assertThat(second.next()).isInstanceOf(Control.Welcome.class);
      assertThat(service.holding).hasValue(0);
      assertThat(service.executed).as("the other two never began").hasValue(4);
      service.permits.release(10);
      second.ask(1, SLOT, read(0));
      assertThat(((Message) second.next()).call()).isEqualTo(1);
      assertThat(service.executed).hasValue(5);
    }
  }

  @Test
  void anEarlierConnectionThatDoesNotEndKeepsTheNextOneOut() throws Exception {
    InetSocketAddress address = start(new ServerTimeouts(2_000, 20_000, 20_000, 5_000, 20_000));
    try (RawPeer first = RawPeer.welcomed(address, "c", "alice")) {
      first.ask(1, SLOT, read(ScriptedService.HELD));
      await().until(() -> service.holding.get() == 1);
      for (int attempt = 0; attempt < 2; attempt++) {
        try (RawPeer next = new RawPeer(address)) {
          next.hello("c", "alice");
          next.assertClosed(ChannelError.BUSY, "still being executed");
        }
      }
      service.permits.release(1);
      await().until(() -> service.holding.get() == 0);
      RawPeer.welcomed(address, "c", "alice").close();
    }
  }

  @Test
  void anotherOwnersClientIsLeftAlone() throws Exception {
    InetSocketAddress address = start(patient());
    try (RawPeer first = RawPeer.welcomed(address, "c", "alice");
        RawPeer second = RawPeer.welcomed(address, "c", "bob")) {
      first.ask(1, SLOT, read(0));
      assertThat(((Message) first.next()).call()).isEqualTo(1);
      second.ask(2, SLOT, read(0));
      assertThat(((Message) second.next()).call()).isEqualTo(2);
    }
  }

  @Test
  void locksOfAClientThatIsGoneExpireUnlessItComesBack() throws Exception {
    InetSocketAddress address = start(new ServerTimeouts(20_000, 20_000, 20_000, 5_000, 300));
    long holder = 76;
    boolean isInTime = false;
    // A machine that stands still for a moment has it come back too late; then once more.
    while (!isInTime) {
      holder++;
      try (RawPeer peer = RawPeer.welcomed(address, "c", "alice")) {
        peer.ask(1, SLOT, lock(holder));
        assertThat(peer.next()).isInstanceOf(Message.Answer.class);
      }
      long leftNanos = System.nanoTime();
      try (RawPeer peer = RawPeer.welcomed(address, "c", "alice")) {
        isInTime = System.nanoTime() - leftNanos < 100_000_000;
        await().pollDelay(java.time.Duration.ofMillis(isInTime ? 600 : 0)).until(() -> true);
        assertThat(!isInTime || !service.expired.contains(holder)).as("it is back").isTrue();
        peer.ask(1, SLOT, read(0));
        assertThat(peer.next()).isInstanceOf(Message.Answer.class);
      }
    }
    long gone = holder;
    await().until(() -> service.expired.contains(gone));
    long letGo = holder + 1;
    try (RawPeer peer = RawPeer.welcomed(address, "d", "alice")) {
      peer.ask(1, SLOT, lock(letGo));
      assertThat(peer.next()).isInstanceOf(Message.Answer.class);
      peer.ask(2, SLOT, new Request.SetLock(LockMode.UNL, new LockId(letGo, 0)));
      assertThat(peer.next()).isInstanceOf(Message.Answer.class);
    }
    await().pollDelay(java.time.Duration.ofMillis(600)).until(() -> true);
    assertThat(service.expired).as("it had let go").doesNotContain(letGo);
  }

  @Test
  void aClientMayHoldManyStripesOfAUnit() throws Exception {
    InetSocketAddress address = start(patient());
    try (RawPeer peer = RawPeer.welcomed(address, "c", "alice")) {
      for (int stripe = 0; stripe < 5_000; stripe++) {
        peer.ask(stripe, new SlotKey(SLOT.replica(), stripe), lock(1));
        assertThat(peer.next()).isInstanceOf(Message.Answer.class);
      }
    }
  }

  private static Request lock(long client) {
    return new Request.TryLock(LockMode.L1, new LockId(client, 0));
  }

  @Test
  void peersAreToldThatTheNodeStops() throws Exception {
    InetSocketAddress address = start(patient());
    try (RawPeer peer = RawPeer.welcomed(address, "c", "alice")) {
      server.close();
      peer.assertClosed(ChannelError.SHUTDOWN, "stops");
    }
    server = null;
  }
}
