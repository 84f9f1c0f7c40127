/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.updater.Endpoint;
import io.hdfsparity.ecupdate.updater.NodeCalls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client's end of the channel, against a node's end behind a proxy that can cut. */
@Timeout(600)
class ChannelClientTest {
  private static final SlotKey SLOT = new SlotKey(new ReplicaKey("BP-1", 7), 0);
  private static final int MAX_PAYLOAD = 65536;

  private final ScriptedService service = new ScriptedService();
  volatile String token = "alice";
  private CuttingProxy proxy;
  private ChannelServer server;
  private ChannelClient client;

  /** How a call went. */
  private static final class Heard implements NodeCalls.Listener {
    final CompletableFuture<String> end = new CompletableFuture<>();
    final List<String> delays = new CopyOnWriteArrayList<>();
    volatile Reply reply;

    @Override
    public void answered(Reply answer) {
      reply = answer;
      end("answered");
    }

    @Override
    public void lost(String why) {
      end("lost: " + why);
    }

    @Override
    public void failed(String why) {
      end("failed: " + why);
    }

    @Override
    public void delayed(String why) {
      delays.add(why);
    }

    private void end(String how) {
      assertThat(end.complete(how)).as("notified once").isTrue();
    }

    String await() throws Exception {
      return end.get(120, TimeUnit.SECONDS);
    }
  }

  @BeforeEach
  void start() throws IOException {
    proxy = new CuttingProxy(new Random(1));
    startServer();
    client = client(60_000, 100);
  }

  private ChannelClient client(long callMs, int maxWaiting) {
    return new ChannelClient(
        new ClientLimits(MAX_PAYLOAD, 16, maxWaiting, 5_000, callMs, 5_000, 2, 50), tokens());
  }

  /** How connections are opened. */
  TokenSource tokens() {
    return node -> Bytes.copyOf(token.getBytes(StandardCharsets.US_ASCII));
  }

  /** How they are judged. */
  ChannelAccess access() {
    return TestAccess.INSTANCE;
  }

  private void startServer() throws IOException {
    server =
        ChannelServer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            new ServerLimits(MAX_PAYLOAD, 8, 100, 100, 1 << 20, 1 << 20, 1 << 20, 4),
            new ServerTimeouts(60_000, 60_000, 60_000, 5_000, 60_000),
            access(),
            service);
    proxy.forwardTo(server.address());
  }

  @AfterEach
  void stop() throws IOException {
    service.permits.release(1000);
    client.close();
    proxy.close();
    server.close();
  }

  private Endpoint node() {
    return new Endpoint("127.0.0.1", proxy.port(), "BP-1", "all");
  }

  private Heard call(Request request) {
    return call(SLOT, request);
  }

  private Heard call(SlotKey slot, Request request) {
    Heard heard = new Heard();
    client.call(node(), slot, request, heard);
    return heard;
  }

  private static Request read(int offset) {
    return new Request.Read(offset, 4);
  }

  @Test
  void manyCallsShareAConnectionWithinWhatTheNodeAllows() throws Exception {
    List<Heard> calls = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      calls.add(call(new Request.Read(0, i)));
    }
    for (int i = 0; i < 100; i++) {
      assertThat(calls.get(i).await()).isEqualTo("answered");
      Reply.ReadReply reply = (Reply.ReadReply) calls.get(i).reply;
      assertThat(reply.bytes().length()).isEqualTo(i);
    }
    assertThat(server.connections()).isEqualTo(1);
    assertThat(client.sentMessages()).isEqualTo(100);
    assertThat(client.receivedMessages()).isEqualTo(100);
  }

  /** What ADR 0010 asks of the transport. */
  @Test
  void aCallIsLostOnlyWhenItWillNotBeExecutedAnyMore() throws Exception {
    Heard held = call(read(ScriptedService.HELD));
    await().until(() -> service.holding.get() == 1);
    proxy.cutAll();
    await().until(() -> !held.delays.isEmpty());
    await().pollDelay(java.time.Duration.ofMillis(300)).until(() -> true);
    assertThat(held.end).isNotDone();
    service.permits.release();
    assertThat(held.await()).startsWith("lost");
    assertThat(service.holding).hasValue(0);
  }

  @Test
  void aNodeThatIsDownIsWaitedFor() throws Exception {
    proxy.forwardTo(null);
    Heard call = call(read(0));
    await().until(() -> call.delays.size() > 2);
    assertThat(call.end).isNotDone();
    proxy.forwardTo(server.address());
    assertThat(call.await()).isEqualTo("answered");
    assertThat(service.executed).hasValue(1);
  }

  @Test
  void aNodeThatDoesNotAnswerIsAskedOnANewConnection() throws Exception {
    client.close();
    client = client(200, 100);
    Heard call = call(read(ScriptedService.HELD));
    await().until(() -> !call.delays.isEmpty());
    assertThat(call.delays.get(0)).contains("no answer in ms=200");
    service.permits.release();
    assertThat(call.await()).startsWith("lost");
    // On a slow machine an answer may take longer than that, too.
    await().until(() -> call(read(0)).await().equals("answered"));
  }

  @Test
  void refusalsAndFailuresAreTold() throws Exception {
    assertThat(call(read(ScriptedService.REFUSED)).await())
        .startsWith("failed")
        .contains("Cannot read: offset=1001", "BP-1/7");
    Heard broken = call(read(ScriptedService.BROKEN));
    assertThat(broken.await()).startsWith("lost").contains("the disk is gone");
    assertThat(broken.delays).hasSize(1);
    assertThat(
            call(new Request.GcOld(
                    java.util.Collections.nCopies(
                        MAX_PAYLOAD / 16, new io.hdfsparity.ecupdate.ajx.Tid(1, 2, 0))))
                .await())
        .startsWith("failed")
        .contains("payloadBytes=");
  }

  /** It has left the queue by then: nobody else would say so. */
  @Test
  void aCallThatCannotBeEncodedEnds() throws Exception {
    // Longer than a string may be.
    SlotKey slot = new SlotKey(new ReplicaKey("x".repeat(70_000), 7), 0);
    assertThat(call(read(0)).await()).isEqualTo("answered");
    assertThat(call(slot, read(0)).await()).startsWith("failed");
    assertThat(call(read(0)).await()).isEqualTo("answered");
  }

  @Test
  void aTokenIsAskedForAgain() throws Exception {
    token = "forged";
    Heard call = call(read(0));
    await().until(() -> call.delays.size() > 1);
    assertThat(call.delays).allMatch(why -> why.contains("FORBIDDEN"));
    token = "alice";
    assertThat(call.await()).isEqualTo("answered");
  }

  @Test
  void aReplicaThatIsRetiredIsNotAskedAgain() throws Exception {
    Heard held = call(read(ScriptedService.HELD));
    await().until(() -> service.holding.get() == 1);
    token = "late";
    proxy.cutAll();
    List<Heard> calls = List.of(held, call(read(0)));
    for (Heard call : calls) {
      assertThat(call.await()).isEqualTo("failed: Cannot update: it is retired");
    }
    Heard next = call(read(0));
    assertThat(next.await()).isEqualTo("failed: Cannot update: it is retired");
    assertThat(next.delays).isEmpty();
  }

  @Test
  void aReplicaThatHasLeftIsNotWaitedFor() throws Exception {
    Heard held = call(read(ScriptedService.HELD));
    await().until(() -> service.holding.get() == 1);
    client.giveUp(node(), new ReplicaKey("BP-1", 8));
    Heard other = call(read(0));
    assertThat(other.await()).isEqualTo("answered");
    assertThat(held.end).isNotDone();
    client.giveUp(node(), SLOT.replica());
    assertThat(held.await()).startsWith("lost").contains("has left");
    service.permits.release();
    assertThat(call(read(0)).await()).as("the late answer does no harm").isEqualTo("answered");
  }

  @Test
  void closingEndsAllCalls() throws Exception {
    Heard held = call(read(ScriptedService.HELD));
    await().until(() -> service.holding.get() == 1);
    client.close();
    assertThat(held.await()).startsWith("failed");
    assertThat(call(read(0)).await()).startsWith("failed");
  }

  @Test
  void moreThanMayWaitIsSentBack() throws Exception {
    client.close();
    client = client(60_000, 3);
    proxy.forwardTo(null);
    List<Heard> calls = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      calls.add(call(read(0)));
    }
    assertThat(calls.get(3).await()).startsWith("lost").contains("too many calls");
    proxy.forwardTo(server.address());
    assertThat(calls.get(0).await()).isEqualTo("answered");
  }

  @Test
  void connectionsCutAtRandomBytesLoseNothing() throws Exception {
    proxy.cutWithin(2000);
    Semaphore slots = new Semaphore(10);
    List<CompletableFuture<Void>> all = new ArrayList<>();
    Random random = new Random(7);
    for (int i = 0; i < 500; i++) {
      slots.acquire();
      CompletableFuture<Void> done = new CompletableFuture<>();
      all.add(done.whenComplete((nothing, e) -> slots.release()));
      ask(random.nextInt(200), done);
    }
    CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get(120, TimeUnit.SECONDS);
    assertThat(proxy.cuts()).isGreaterThan(10);
    assertThat(service.executed.get()).isGreaterThanOrEqualTo(500);
  }

  /** Until it is answered. */
  private void ask(int lengthBytes, CompletableFuture<Void> done) {
    Heard heard = call(new Request.Read(0, lengthBytes));
    heard.end.thenAccept(
        how -> {
          if (how.equals("answered")) {
            assertThat(((Reply.ReadReply) heard.reply).bytes().length()).isEqualTo(lengthBytes);
            done.complete(null);
          } else if (how.startsWith("lost")) {
            ask(lengthBytes, done);
          } else {
            done.completeExceptionally(new AssertionError(how));
          }
        });
  }

  @Test
  void aConnectionThatNobodyUsesIsClosed() throws Exception {
    client.close();
    client =
        new ChannelClient(
            new ClientLimits(MAX_PAYLOAD, 16, 10, 5_000, 5_000, 100, 2, 50), tokens());
    assertThat(call(read(0)).await()).isEqualTo("answered");
    await().until(() -> server.connections() == 0);
    assertThat(call(read(0)).await()).isEqualTo("answered");
  }
}
