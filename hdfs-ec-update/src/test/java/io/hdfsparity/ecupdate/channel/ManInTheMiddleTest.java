/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.ajx.Tid;
import io.hdfsparity.ecupdate.updater.Endpoint;
import io.hdfsparity.ecupdate.updater.NodeCalls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What somebody between client and node hears, and can make them do. */
@Timeout(300)
class ManInTheMiddleTest {
  private static final String TEXT = "what nobody else is to read";
  private static final SlotKey SLOT = new SlotKey(new ReplicaKey("BP-1", 7), 0);

  private final ScriptedService service = new ScriptedService();
  private final List<String> delays = new CopyOnWriteArrayList<>();
  private final CompletableFuture<Reply> answer = new CompletableFuture<>();
  private final CompletableFuture<String> failure = new CompletableFuture<>();
  private ChannelServer server;

  @BeforeEach
  void start() throws IOException {
    server =
        ChannelServer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            new ServerLimits(65_536, 8, 100, 100, 1 << 20, 1 << 20, 1 << 20, 4),
            new ServerTimeouts(60_000, 60_000, 60_000, 5_000, 60_000),
            new ProtectedTestAccess(false),
            service);
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private static ChannelClient client(TokenSource tokens) {
    return new ChannelClient(
        new ClientLimits(65_536, 16, 10, 5_000, 60_000, 60_000, 2, 50), tokens);
  }

  private void swap(ChannelClient client, WireTap tap) {
    client.call(
        new Endpoint("127.0.0.1", tap.port(), "BP-1", "all"),
        SLOT,
        new Request.Swap(new Patch(0, ProtectedTestAccess.bytes(TEXT)), new Tid(1, 1, 0)),
        new NodeCalls.Listener() {
          @Override
          public void answered(Reply reply) {
            answer.complete(reply);
          }

          @Override
          public void lost(String why) {
            failure.complete(why);
          }

          @Override
          public void failed(String why) {
            failure.complete(why);
          }

          @Override
          public void delayed(String why) {
            delays.add(why);
          }
        });
  }

  private void assertAnswered() throws Exception {
    assertThat(answer.get(60, TimeUnit.SECONDS)).isInstanceOf(Reply.Done.class);
  }

  @Test
  void inClearAllIsHeard() throws Exception {
    try (WireTap tap = new WireTap(server.address(), UnaryOperator.identity());
        ChannelClient client = client(node -> ProtectedTestAccess.bytes("alice"))) {
      swap(client, tap);
      assertAnswered();
      assertThat(tap.hasHeard(TEXT)).isTrue();
    }
  }

  @Test
  void underProtectionNothingIsHeardButTheName() throws Exception {
    try (WireTap tap = new WireTap(server.address(), UnaryOperator.identity());
        ChannelClient client =
            client(ProtectedClientTest.protectedTokens(() -> "name of a token"))) {
      swap(client, tap);
      assertAnswered();
      assertThat(tap.hasHeard("name of a token")).isTrue();
      assertThat(tap.hasHeard(TEXT)).isFalse();
      assertThat(tap.hasHeard("password")).isFalse();
      assertThat(tap.hasHeard("ECUH")).as("hello and welcome").isFalse();
      assertThat(tap.hasHeard("ECUA")).isFalse();
    }
  }

  /** Even of a node that would take it, with the client's own words of an earlier connection. */
  @Test
  void aClientThatProtectsDoesNotFallBack() throws Exception {
    byte[] welcome = ControlCodec.encode(new Control.Welcome(8, 65_536)).array();
    try (WireTap tap = new WireTap(server.address(), bytes -> welcome);
        ChannelClient client = client(ProtectedClientTest.protectedTokens(() -> "alice"))) {
      swap(client, tap);
      await().until(() -> delays.size() > 2);
      assertThat(delays.get(0)).contains("the peer answers in clear");
      assertThat(answer).isNotDone();
      assertThat(failure).isNotDone();
      assertThat(tap.hasHeard(TEXT)).isFalse();
      assertThat(tap.hasHeard("alice")).isTrue();
    }
    assertThat(service.executed).hasValue(0);
  }

  /** That a replica is retired ends calls for good, so it must come from the node. */
  @Test
  void whatIsSaidInClearEndsNoCall() throws Exception {
    byte[] retired =
        ControlCodec.encode(new Control.ConnectionEnd(ChannelError.RETIRED, "so\nit is")).array();
    try (WireTap tap = new WireTap(server.address(), bytes -> retired);
        ChannelClient client = client(ProtectedClientTest.protectedTokens(() -> "alice"))) {
      swap(client, tap);
      await().until(() -> delays.size() > 2);
      assertThat(delays.get(0)).contains("has not proven who it is", "RETIRED", "so\\nit is");
      assertThat(failure).isNotDone();
    }
  }

  @Test
  void anAnswerThatWasChangedIsNotBelieved() throws Exception {
    AtomicInteger left = new AtomicInteger(3);
    UnaryOperator<byte[]> flipping =
        bytes -> {
          if (left.getAndDecrement() > 0) {
            bytes[bytes.length - 1] ^= 1;
          }
          return bytes;
        };
    try (WireTap tap = new WireTap(server.address(), flipping);
        ChannelClient client = client(ProtectedClientTest.protectedTokens(() -> "alice"))) {
      swap(client, tap);
      assertAnswered();
      assertThat(delays).hasSizeGreaterThanOrEqualTo(3);
      assertThat(delays.get(0)).contains("Cannot decrypt");
    }
  }
}
