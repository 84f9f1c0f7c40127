/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import static org.assertj.core.api.Assertions.assertThat;
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
import io.hdfsparity.ecupdate.channel.ChannelClient;
import io.hdfsparity.ecupdate.channel.ChannelServer;
import io.hdfsparity.ecupdate.channel.ClientLimits;
import io.hdfsparity.ecupdate.channel.ServerLimits;
import io.hdfsparity.ecupdate.channel.ServerTimeouts;
import io.hdfsparity.ecupdate.config.StorageKey;
import io.hdfsparity.ecupdate.protocol.Lease;
import io.hdfsparity.ecupdate.protocol.LiveSessions;
import io.hdfsparity.ecupdate.protocol.NodeAnswer;
import io.hdfsparity.ecupdate.protocol.NodeRegistry;
import io.hdfsparity.ecupdate.protocol.NodeReport;
import io.hdfsparity.ecupdate.protocol.OpenRequest;
import io.hdfsparity.ecupdate.protocol.RefusalKind;
import io.hdfsparity.ecupdate.protocol.SessionId;
import io.hdfsparity.ecupdate.protocol.SessionTable;
import io.hdfsparity.ecupdate.protocol.SessionTimes;
import io.hdfsparity.ecupdate.protocol.UpdateNode;
import io.hdfsparity.ecupdate.updater.Endpoint;
import io.hdfsparity.ecupdate.updater.NodeCalls;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A DataNode, real but for its reports, of which one request hangs inside the system: the trace of
 * its volume goes to a pipe that is full, and the request has read what it is to replace.
 */
@Timeout(600)
class HungDiskTest extends UpdateVolumeFixture {
  private static final SessionTimes TIMES = new SessionTimes(600_000, 600_000, 10, 100, 100);
  private static final Lease.End END =
      new Lease.End(RefusalKind.GONE.because("", "", "", ""), /* untouched= */ false);

  private final AtomicLong clockMs = new AtomicLong(1000);
  private final SessionTable table =
      new SessionTable(TIMES, clockMs::get, new AtomicLong(1)::incrementAndGet);
  private final NodeRegistry nodes = new NodeRegistry(TIMES, clockMs::get);
  private final LiveSessions live = new LiveSessions(clockMs::get);
  private final ChannelClient client =
      new ChannelClient(
          ClientLimits.standard(),
          node -> Bytes.copyOf(node.grant().getBytes(StandardCharsets.US_ASCII)));

  private final AtomicBoolean isClosed = new AtomicBoolean();
  private final Thread draining = new Thread(this::drain);
  private Path traced = Path.of("");
  private Path pipe;
  private RandomAccessFile pipeEnd;
  private UpdateReplicas replicas;
  private ChannelServer server;
  private AnswerApplier applier;

  /** Its request hangs. */
  private SessionId hung;

  private SessionId other;

  /** Open to the end. */
  private SessionId third;

  @Override
  void configure(Configuration conf) {
    if (!traced.toString().isEmpty()) {
      conf.set(StorageKey.IO_TRACE.key(), traced.toString());
    }
  }

  @BeforeEach
  void serve() throws Exception {
    traced = Files.createDirectory(root.resolve("traced"));
    pipe = traced.resolve(OneVolume.STORAGE + ".io");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    pipeEnd = new RandomAccessFile(pipe.toFile(), "rw");
    restart();
    replicas = new UpdateReplicas(OneVolume.POOL, List.of(volume), givenUp);
    server =
        ChannelServer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            ServerLimits.standard(),
            ServerTimeouts.standard(),
            (blockPool, name, token) -> grant(token),
            new ReplicaService(
                replicas, asked -> Set.of(), new UpdateMetrics("test", () -> 0, () -> 0)));
    applier =
        new AnswerApplier(
            live,
            new ServedSessionEnds(server, replicas, live::isLive, live::overByNumber),
            clockMs::get,
            late -> {},
            () -> {});
    table.in(1);
    clockMs.addAndGet(TIMES.graceMs());
    hung = open(1);
    other = open(2);
    third = open(3);
    report();
    clock.advance(QUIET_MS);
    for (SessionId each : List.of(hung, other, third)) {
      replicas.admit(BLOCK, descriptor(DATA), each);
    }
  }

  /** The disk answers first, or nothing could be closed. */
  @AfterEach
  void end() throws Exception {
    answer();
    applier.close();
    client.close();
    server.close();
    volume.close();
    isClosed.set(true);
    pipeEnd.write(0); // a read of a pipe does not end when another thread closes it
    draining.join();
    pipeEnd.close();
  }

  private SessionId open(long inode) {
    return table
        .open(inode, OptionalLong.of(inode), "/f", "u", new OpenRequest("/f", "c", 0))
        .id()
        .orElseThrow();
  }

  private SessionAccess.ReplicaGrant grant(Bytes token) {
    long number = Long.parseLong(new String(token.toArray(), StandardCharsets.US_ASCII));
    return new SessionAccess.ReplicaGrant(
        live::isLive,
        replicas,
        new SessionId(number),
        "u",
        new ReplicaKey(OneVolume.POOL, BLOCK),
        descriptor(DATA));
  }

  /** Of the DataNode, with its answer. */
  private void report() {
    LiveSessions.Applied applied = live.appliedOf("nn");
    nodes.reported(
        new NodeReport(
            new UpdateNode("dn", 1, "h", 2),
            applied.incarnation(),
            applied.version(),
            applied.lingering(),
            /* heedsReplaced= */ true,
            live.suspendedFor("nn"),
            Set.of()));
    live.accept(
        "nn", new NodeAnswer(true, 7, table.live(), TIMES.validMs(), 10, Set.of()), clockMs.get());
    applier.look();
  }

  private List<SessionId> fencedAfterReport() {
    report();
    return table.fenced(nodes).stream().map(Lease::id).toList();
  }

  private CompletableFuture<Reply> ask(SessionId session, int stripe, Request request) {
    CompletableFuture<Reply> answer = new CompletableFuture<>();
    client.call(
        new Endpoint(
            "127.0.0.1",
            server.address().getPort(),
            OneVolume.POOL,
            String.valueOf(session.value())),
        new SlotKey(new ReplicaKey(OneVolume.POOL, BLOCK), stripe),
        request,
        new NodeCalls.Listener() {
          @Override
          public void answered(Reply reply) {
            answer.complete(reply);
          }

          @Override
          public void delayed(String why) {
            // It is sent again.
          }

          @Override
          public void lost(String why) {
            failed(why);
          }

          @Override
          public void failed(String why) {
            answer.completeExceptionally(new IOException(why));
          }
        });
    return answer;
  }

  private static long clientOf(SessionId session) {
    return (long) session.number() << 32 | 1;
  }

  private void lock(SessionId session, int stripe) throws Exception {
    Reply reply =
        ask(session, stripe, new Request.TryLock(LockMode.L1, new LockId(clientOf(session), 1)))
            .get(120, TimeUnit.SECONDS);
    assertThat(reply).isInstanceOf(Reply.LockReply.class);
    assertThat(lockMode(stripe)).isEqualTo(LockMode.L1);
  }

  private LockMode lockMode(int stripe) throws Exception {
    Reply reply = ask(third, stripe, new Request.Probe()).get(120, TimeUnit.SECONDS);
    return ((Reply.ProbeReply) reply).lockMode();
  }

  /** Whoever writes to the trace hangs from now on. */
  private void hang() throws Exception {
    for (String bytes : List.of("4096", "1")) {
      Process filling =
          new ProcessBuilder("dd", "if=/dev/zero", "of=" + pipe, "bs=" + bytes, "oflag=nonblock")
              .redirectErrorStream(true)
              .start();
      String said = new String(filling.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(filling.waitFor()).as(said).isEqualTo(1);
    }
  }

  private CompletableFuture<Reply> writeThatHangs() throws Exception {
    hang();
    CompletableFuture<Reply> write =
        ask(
            hung,
            0,
            new Request.Swap(new Patch(0, Bytes.zeros(100)), new Tid(clientOf(hung), 1, 0)));
    await().until(() -> !server.running().isEmpty() && !volume.running().isQuiet(key()));
    return write;
  }

  private static ReplicaKey key() {
    return new ReplicaKey(OneVolume.POOL, BLOCK);
  }

  /** The disk answers again, until the volume is closed. */
  private void answer() {
    if (draining.getState() == Thread.State.NEW) {
      draining.setDaemon(true);
      draining.start();
    }
  }

  private void drain() {
    byte[] piece = new byte[1 << 16];
    try {
      while (!isClosed.get()) {
        assertThat(pipeEnd.read(piece)).isPositive(); // what was written is of no use
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aSessionEndsThoughARequestOfAnotherOneHangs() throws Exception {
    lock(other, 1);
    CompletableFuture<Reply> write = writeThatHangs();
    table.end(hung, END);
    table.end(other, END);
    await().until(() -> fencedAfterReport().contains(other));
    assertThat(lockMode(1)).as("whoever recovers the stripe takes it").isEqualTo(LockMode.EXP);
    for (int reports = 0; reports < 20; reports++) {
      assertThat(fencedAfterReport()).containsExactly(other);
    }
    assertThat(live.over(Set.of(hung, other), clockMs.get())).containsExactly(other);
    assertThat(write).isNotDone();
    answer();
    await().until(() -> fencedAfterReport().containsAll(Set.of(hung, other)));
    assertThat(server.running()).isEmpty();
    assertThat(live.over(Set.of(hung, other), clockMs.get()))
        .containsExactlyInAnyOrder(hung, other);
  }

  /** One that has not ended is in nobody's list, and hung all the same whoever ended others. */
  @Test
  void aSessionEndsThoughARequestOfAnOpenOneHangs() throws Exception {
    lock(other, 1);
    CompletableFuture<Reply> write = writeThatHangs();
    table.end(other, END);
    await().until(() -> fencedAfterReport().equals(List.of(other)));
    assertThat(lockMode(1)).isEqualTo(LockMode.EXP);
    assertThat(write).isNotDone();
    answer();
    assertThat(write.get(120, TimeUnit.SECONDS)).isInstanceOf(Reply.SwapReply.class);
  }
}
