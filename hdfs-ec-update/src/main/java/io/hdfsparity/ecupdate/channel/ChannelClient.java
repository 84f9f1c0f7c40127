/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.updater.Endpoint;
import io.hdfsparity.ecupdate.updater.NodeCalls;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.Closeable;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * A client's connections to storage nodes, one an endpoint, opened when they are needed and closed
 * when they are not. Calls are pipelined; a connection that breaks is opened again for as long as
 * somebody waits. Thread-safe; one is enough for all updaters of a process.
 */
public final class ChannelClient implements NodeCalls, Closeable {
  private static final int LOOPS = 2;
  private static final long STOP_SECONDS = 5;

  /**
   * At a failover of the NameNode all lanes ask for a token at once, one for each replica. They
   * wait for the answer to one question, and more of them would not come sooner.
   */
  static final int MAX_TOKEN_THREADS = 16;

  /** Never used before: a node ends an earlier connection of the same name. */
  private final String instance = UUID.randomUUID().toString();

  private final EventLoopGroup loops =
      new NioEventLoopGroup(LOOPS, new DefaultThreadFactory("ec-update-client", true));
  private final ThreadPoolExecutor mayBlock =
      new ThreadPoolExecutor(
          MAX_TOKEN_THREADS,
          MAX_TOKEN_THREADS,
          60,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          new DefaultThreadFactory("ec-update-tokens", true));
  private final Map<Endpoint, RequestPipeline> lanes = new ConcurrentHashMap<>();
  private final AtomicInteger nextLane = new AtomicInteger();
  private final ClientShared shared;
  private volatile boolean isClosed;

  /** No connection is opened yet. */
  public ChannelClient(ClientLimits limits, TokenSource tokens) {
    mayBlock.allowCoreThreadTimeOut(true);
    shared =
        new ClientShared(
            limits,
            tokens,
            new FrameCodec(limits.maxPayloadBytes()),
            mayBlock,
            NioSocketChannel::new,
            new LongAdder(),
            new LongAdder());
  }

  @Override
  public void call(Endpoint node, SlotKey slot, Request request, Listener listener) {
    RequestPipeline lane = lane(node);
    try {
      lane.loop()
          .execute(
              () -> {
                if (isClosed) {
                  listener.failed("the client's channels are closed");
                } else {
                  lane.call(new Call(slot, request, listener, 0));
                }
              });
    } catch (RejectedExecutionException e) {
      listener.failed("the client's channels are closed");
    }
  }

  @Override
  public void giveUp(Endpoint node, ReplicaKey replica) {
    RequestPipeline lane = lanes.get(node);
    if (lane != null) {
      shared.later(lane.loop(), () -> lane.giveUp(replica));
    }
  }

  private RequestPipeline lane(Endpoint node) {
    return lanes.computeIfAbsent(
        node,
        key ->
            new RequestPipeline(
                key, instance + "-" + nextLane.getAndIncrement(), shared, loops.next()));
  }

  /** Requests sent so far. */
  public long sentMessages() {
    return shared.sentMessages().sum();
  }

  /** Answers received so far. */
  public long receivedMessages() {
    return shared.receivedMessages().sum();
  }

  /** Ends all calls as failed, and the connections. */
  @Override
  public void close() {
    isClosed = true;
    lanes.values().forEach(lane -> shared.later(lane.loop(), lane::close));
    mayBlock.shutdown();
    mayBlock.getQueue().clear(); // nobody needs these tokens any more
    loops.shutdownGracefully(0, STOP_SECONDS, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
