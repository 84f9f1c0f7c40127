/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.updater.Endpoint;
import io.hdfsparity.ecupdate.updater.NodeCalls;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFactory;
import io.netty.channel.EventLoop;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A process that lacks threads, memory or sockets for a moment: its calls are made all the same.
 */
@Timeout(600)
class ConnectingErrorsTest {
  private static final SlotKey SLOT = new SlotKey(new ReplicaKey("BP-1", 7), 0);
  private static final int MAX_PAYLOAD = 65536;
  private static final ClientLimits LIMITS =
      new ClientLimits(MAX_PAYLOAD, 16, 100, 60_000, 60_000, 60_000, 2, 50);
  private static final Bytes TOKEN = Bytes.wrap("alice".getBytes(StandardCharsets.US_ASCII));

  private final NioEventLoopGroup loops =
      new NioEventLoopGroup(1, new DefaultThreadFactory("test-loop", true));
  private final EventLoop loop = loops.next();
  private final ExecutorService threads = new Threads(0);
  private ChannelServer server;

  /** Cannot begin the first tasks. */
  private static final class Threads extends ThreadPoolExecutor {
    private final AtomicInteger failures;

    Threads(int failures) {
      super(
          1,
          1,
          1,
          TimeUnit.MINUTES,
          new LinkedBlockingQueue<>(),
          new DefaultThreadFactory("test-tokens", true));
      this.failures = new AtomicInteger(failures);
    }

    @Override
    public void execute(Runnable task) {
      if (failures.getAndDecrement() > 0) {
        throw new OutOfMemoryError("unable to create native thread");
      }
      super.execute(task);
    }
  }

  /** How a call went. */
  private final class Heard implements NodeCalls.Listener {
    final CompletableFuture<String> end = new CompletableFuture<>();
    final List<String> delays = new CopyOnWriteArrayList<>();
    final AtomicBoolean isElsewhere = new AtomicBoolean();

    @Override
    public void answered(Reply answer) {
      end.complete("answered");
    }

    @Override
    public void lost(String why) {
      end.complete("lost: " + why);
    }

    @Override
    public void failed(String why) {
      end.complete("failed: " + why);
    }

    @Override
    public void delayed(String why) {
      delays.add(why);
      if (!loop.inEventLoop()) {
        isElsewhere.set(true);
      }
    }

    String await() throws Exception {
      return end.get(120, TimeUnit.SECONDS);
    }
  }

  @BeforeEach
  void start() throws IOException {
    server =
        ChannelServer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            new ServerLimits(MAX_PAYLOAD, 8, 100, 100, 1 << 20, 1 << 20, 1 << 20, 4),
            new ServerTimeouts(60_000, 60_000, 60_000, 5_000, 60_000),
            TestAccess.INSTANCE,
            new ScriptedService());
  }

  @AfterEach
  void stop() throws IOException {
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
    threads.shutdown();
    server.close();
  }

  private Endpoint node(String grant) {
    return new Endpoint("127.0.0.1", server.address().getPort(), "BP-1", grant);
  }

  private Heard call(
      TokenSource tokens, ExecutorService mayBlock, ChannelFactory<SocketChannel> sockets) {
    ClientShared shared =
        new ClientShared(
            LIMITS,
            tokens,
            new FrameCodec(MAX_PAYLOAD),
            mayBlock,
            sockets,
            new LongAdder(),
            new LongAdder());
    RequestPipeline pipeline = new RequestPipeline(node("all"), "c", shared, loop);
    Heard heard = new Heard();
    loop.execute(() -> pipeline.call(new Call(SLOT, new Request.Read(0, 4), heard, 0)));
    return heard;
  }

  @Test
  void aPipelineForWhichThereIsNoThreadConnectsLater() throws Exception {
    ExecutorService few = new Threads(3);
    try {
      Heard heard = call(node -> TOKEN, few, NioSocketChannel::new);
      assertThat(heard.await()).isEqualTo("answered");
      assertThat(heard.delays).hasSize(3).allMatch(why -> why.contains("native thread"));
    } finally {
      few.shutdown();
    }
  }

  @Test
  void anErrorWhileATokenIsTakenIsNotTheEnd() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    TokenSource tokens =
        node -> {
          if (asked.getAndIncrement() == 0) {
            throw new OutOfMemoryError("Java heap space");
          }
          return TOKEN;
        };
    Heard heard = call(tokens, threads, NioSocketChannel::new);
    assertThat(heard.await()).isEqualTo("answered");
    assertThat(heard.delays).hasSize(1).allMatch(why -> why.contains("Java heap space"));
  }

  /** Netty notifies on a thread of its own where no socket has a loop. */
  @Test
  void whereThereIsNoSocketAllStaysOnTheThreadOfTheLoop() throws Exception {
    AtomicInteger made = new AtomicInteger();
    Heard heard =
        call(
            node -> TOKEN,
            threads,
            () -> {
              if (made.getAndIncrement() < 3) {
                throw new ChannelException(
                    "Cannot open a socket", new IOException("Too many open files"));
              }
              return new NioSocketChannel();
            });
    assertThat(heard.await()).isEqualTo("answered");
    assertThat(heard.delays).hasSize(3).allMatch(why -> why.contains("Cannot open a socket"));
    assertThat(heard.isElsewhere).isFalse();
  }

  /** As after a failover of the NameNode, for which each of them waits. */
  @Test
  void manyPipelinesTakeFewThreads() throws Exception {
    CountDownLatch failover = new CountDownLatch(1);
    CountDownLatch waiting = new CountDownLatch(ChannelClient.MAX_TOKEN_THREADS);
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    TokenSource tokens =
        node -> {
          most.accumulateAndGet(now.incrementAndGet(), Math::max);
          waiting.countDown();
          awaitUninterrupted(failover);
          now.decrementAndGet();
          return TOKEN;
        };
    try (ChannelClient client = new ChannelClient(LIMITS, tokens)) {
      List<Heard> calls = new ArrayList<>();
      for (int i = 0; i < 3 * ChannelClient.MAX_TOKEN_THREADS; i++) {
        Heard heard = new Heard();
        calls.add(heard);
        client.call(node("blk_" + i), SLOT, new Request.Read(0, 4), heard);
      }
      assertThat(waiting.await(120, TimeUnit.SECONDS)).isTrue();
      failover.countDown();
      for (Heard heard : calls) {
        assertThat(heard.await()).isEqualTo("answered");
      }
    }
    assertThat(most).hasValue(ChannelClient.MAX_TOKEN_THREADS);
  }

  private static void awaitUninterrupted(CountDownLatch latch) throws IOException {
    try {
      assertThat(latch.await(120, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }
}
