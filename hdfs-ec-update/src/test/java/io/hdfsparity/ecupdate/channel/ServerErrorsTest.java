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
import io.hdfsparity.ecupdate.ajx.LockMode;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node that lacks memory or threads for a moment loses none of what it shares out. */
@Timeout(600)
class ServerErrorsTest {
  private static final SlotKey SLOT = new SlotKey(new ReplicaKey("BP-1", 7), 0);
  private static final int MAX_PAYLOAD = 4096;
  private static final long BUDGET = 3 * MAX_PAYLOAD;
  private static final Request SESSIONS = new Request.Sessions(Set.of(1L));

  private ChannelServer server;

  /** There is no memory for the frame of an answer that has one in a set. */
  private static final class NoMemory implements Comparable<NoMemory> {
    @Override
    public int compareTo(NoMemory other) {
      throw new OutOfMemoryError("Java heap space");
    }

    @Override
    public boolean equals(Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return 1;
    }
  }

  /** Answers a question for sessions by a given set. */
  private static SlotService answering(Set<?> noted) {
    return new SlotService() {
      @Override
      public CompletableFuture<Reply> handle(
          SlotKey slot, Request request, BooleanSupplier isPermitted) {
        return CompletableFuture.completedFuture(
            request instanceof Request.Sessions
                ? new Reply.SessionsReply(unchecked(noted), Set.of())
                : new Reply.ReadReply(Bytes.zeros(4), LockMode.UNL));
      }

      @Override
      public void expireLocks(List<HeldLock> locks) {}
    };
  }

  @SuppressWarnings("unchecked")
  private static Set<Long> unchecked(Set<?> numbers) {
    return (Set<Long>) numbers;
  }

  private void start(ChannelAccess access, SlotService service, int handshakeMs)
      throws IOException {
    server =
        ChannelServer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            limits(),
            new ServerTimeouts(handshakeMs, 120_000, 120_000, 5_000, 120_000),
            access,
            service);
  }

  private static ServerLimits limits() {
    return new ServerLimits(MAX_PAYLOAD, 8, 6, 6, BUDGET, BUDGET, 1 << 20, 2);
  }

  @AfterEach
  void stop() throws IOException {
    if (server != null) {
      await().until(() -> server.connections() == 0);
      await("nothing is left of anybody").until(() -> server.users() == 0);
      assertThat(server.freeBytes()).isEqualTo(BUDGET);
      server.close();
    }
  }

  @Test
  void anAnswerForWhichThereIsNoMemoryIsAFailure() throws Exception {
    start(TestAccess.INSTANCE, answering(Set.of(new NoMemory())), 120_000);
    try (RawPeer peer = RawPeer.welcomed(server.address(), "c", "alice")) {
      peer.ask(1, SLOT, SESSIONS);
      peer.ask(2, SLOT, new Request.Read(0, 4));
      assertThat(peer.next())
          .isEqualTo(new Message.Failure(1, "java.lang.OutOfMemoryError: Java heap space"));
      assertThat(peer.next()).isInstanceOf(Message.Answer.class);
      await().until(() -> server.freeBytes() == BUDGET);
    }
  }

  @Test
  void anAnswerThatCannotBeEncodedEndsItsConnection() throws Exception {
    start(TestAccess.INSTANCE, answering(Set.of("no number")), 120_000);
    try (RawPeer peer = RawPeer.welcomed(server.address(), "c", "alice")) {
      peer.ask(1, SLOT, SESSIONS);
      peer.assertClosed(ChannelError.INTERNAL, "ClassCastException");
    }
  }

  /** The second fails as a connection that needs a thread for its disk does. */
  @Test
  void anErrorWhileATokenIsJudgedEndsItsConnection() throws Exception {
    ChannelAccess access =
        new ChannelAccess() {
          @Override
          public Grant judge(String blockPool, String client, Bytes token) throws IOException {
            if (new String(token.toArray(), StandardCharsets.US_ASCII).equals("memory")) {
              throw new OutOfMemoryError("Java heap space");
            }
            return TestAccess.INSTANCE.judge(blockPool, client, token);
          }

          @Override
          public CompletableFuture<Void> admit(Grant grant) {
            throw new OutOfMemoryError("unable to create native thread");
          }
        };
    start(access, new ScriptedService(), 120_000);
    for (String token : List.of("memory", "alice")) {
      try (RawPeer peer = new RawPeer(server.address())) {
        peer.hello("c", token);
        peer.assertClosed(ChannelError.INTERNAL, "OutOfMemoryError");
      }
    }
  }

  /** Nothing is read of such a connection, so nothing else would end it. */
  @Test
  void aTokenIsNotJudgedForEver() throws Exception {
    CountDownLatch judging = new CountDownLatch(1);
    ChannelAccess access =
        (blockPool, client, token) -> {
          awaitUninterrupted(judging);
          return TestAccess.INSTANCE.judge(blockPool, client, token);
        };
    start(access, new ScriptedService(), 500);
    try {
      Control.ConnectionEnd end;
      do {
        end = endOfConnection();
      } while (end.error() == ChannelError.SLOW); // this machine stood still before the hello
      assertThat(end)
          .isEqualTo(
              new Control.ConnectionEnd(ChannelError.BUSY, "the token was not judged in ms=500"));
    } finally {
      judging.countDown();
    }
  }

  private Control.ConnectionEnd endOfConnection() throws IOException {
    try (RawPeer peer = new RawPeer(server.address())) {
      peer.hello("c", "alice");
      return (Control.ConnectionEnd) peer.next();
    }
  }

  private static void awaitUninterrupted(CountDownLatch latch) throws IOException {
    try {
      assertThat(latch.await(120, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  /** The thread that there is has just become free. */
  @Test
  void aRequestThatWaitsIsExecutedWithoutAnotherThread() {
    Deque<Runnable> begun = new ArrayDeque<>();
    AtomicBoolean hasThreads = new AtomicBoolean(true);
    Executor workers =
        task -> {
          if (!hasThreads.get()) {
            throw new InternalError(
                "unable to create native thread"); // JUnit ends at the other one
          }
          begun.add(task);
        };
    UserShares users = new UserShares(limits(), new FrameBudget(BUDGET), workers);
    List<Integer> executed = new ArrayList<>();
    users.execute("alice", () -> executed.add(1));
    users.execute("alice", () -> executed.add(2));
    users.execute("alice", () -> executed.add(3));
    assertThat(begun).as("one worker for one user").hasSize(1);
    hasThreads.set(false);
    begun.remove().run();
    assertThat(executed).containsExactly(1, 2, 3);
    assertThatThrownBy(() -> users.execute("alice", () -> executed.add(4)))
        .isInstanceOf(InternalError.class);
    hasThreads.set(true);
    users.execute("alice", () -> executed.add(5));
    begun.remove().run();
    assertThat(executed).as("4 was refused").containsExactly(1, 2, 3, 5);
  }
}
