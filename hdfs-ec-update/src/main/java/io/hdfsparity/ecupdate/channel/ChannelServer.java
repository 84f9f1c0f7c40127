/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.handler.timeout.WriteTimeoutHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.Closeable;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * A node's end of the data channel: takes connections, judges each once, and has a {@link
 * SlotService} answer their requests, in any order. Memory is bounded by {@link ServerLimits}: who
 * sends more than the node can do is not read from. Thread-safe.
 */
public final class ChannelServer implements Closeable {
  private static final System.Logger LOG = System.getLogger(ChannelServer.class.getName());
  private static final int LOOPS = 2;
  private static final int ENTRIES = 2;
  private static final int HANDSHAKES = 1;
  private static final int LOW_WATER_BYTES = 256 << 10;
  private static final int HIGH_WATER_BYTES = 1 << 20;

  private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
  private final ServerShared shared;
  private final Channel listening;

  private ChannelServer(
      InetSocketAddress address,
      ServerLimits limits,
      ServerTimeouts timeouts,
      ChannelAccess access,
      SlotService service)
      throws IOException {
    ServerThreads threads =
        new ServerThreads(
            new NioEventLoopGroup(1, daemons("accept")),
            new NioEventLoopGroup(LOOPS, daemons("loop")),
            Executors.newFixedThreadPool(limits.workers(), daemons("worker")),
            Executors.newFixedThreadPool(ENTRIES, daemons("entry")),
            Executors.newFixedThreadPool(HANDSHAKES, daemons("handshake")));
    shared =
        new ServerShared(
            limits,
            timeouts,
            access,
            new RequestExecutor(service),
            new UserShares(limits, new FrameBudget(limits.inFlightBytes()), threads.workers()),
            new ConnectionPermits(),
            new AtomicInteger(),
            threads);
    ChannelFuture bound = bootstrap().bind(address).awaitUninterruptibly();
    listening = bound.channel();
    if (!bound.isSuccess()) {
      threads.shutDown();
      throw new IOException(
          "Cannot listen for updates: address=" + address + ", expected one that is free",
          bound.cause());
    }
  }

  private static ThreadFactory daemons(String name) {
    return new DefaultThreadFactory("ec-update-" + name, true);
  }

  /**
   * Begins to listen.
   *
   * @param address port 0 takes any that is free
   */
  public static ChannelServer start(
      InetSocketAddress address,
      ServerLimits limits,
      ServerTimeouts timeouts,
      ChannelAccess access,
      SlotService service)
      throws IOException {
    return new ChannelServer(address, limits, timeouts, access, service);
  }

  private ServerBootstrap bootstrap() {
    return new ServerBootstrap()
        .group(shared.threads().acceptor(), shared.threads().loops())
        .channel(NioServerSocketChannel.class)
        .option(ChannelOption.SO_REUSEADDR, true)
        .childOption(ChannelOption.TCP_NODELAY, true)
        .childOption(ChannelOption.SO_KEEPALIVE, true)
        .childOption(
            ChannelOption.WRITE_BUFFER_WATER_MARK,
            new WriteBufferWaterMark(LOW_WATER_BYTES, HIGH_WATER_BYTES))
        .childHandler(
            new ChannelInitializer<SocketChannel>() {
              @Override
              protected void initChannel(SocketChannel connection) {
                connections.add(connection);
                ConnectionProof proof = new ConnectionProof(shared.access());
                connection
                    .pipeline()
                    .addLast(new FlushConsolidationHandler(64, true))
                    .addLast(
                        new IdleStateHandler(
                            shared.timeouts().idleMs(), 0, 0, TimeUnit.MILLISECONDS))
                    .addLast(
                        new WriteTimeoutHandler(shared.timeouts().writeMs(), TimeUnit.MILLISECONDS))
                    .addLast(new ServerProtection(shared, proof))
                    .addLast(new ServerConnection(shared, proof));
              }
            });
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return (InetSocketAddress) listening.localAddress();
  }

  /** Connections that are open. */
  public int connections() {
    return shared.connections().get();
  }

  /**
   * Waits until no request of a connection with such a grant is being executed, for a time. Whoever
   * calls has seen to it before that {@link ChannelAccess.Grant#permits} says no: none begins any
   * more then.
   *
   * @return whether none is
   */
  public boolean awaitNone(Predicate<ChannelAccess.Grant> grants, long maxMs)
      throws InterruptedException {
    return shared.executor().awaitNone(grants, maxMs);
  }

  /**
   * Grants of the connections of which a request is being executed. One whose {@link
   * ChannelAccess.Grant#permits} has said no since before this was called, and that is not among
   * them, executes nothing any more. Does not wait.
   */
  public List<ChannelAccess.Grant> running() {
    return shared.executor().running();
  }

  /** For tests: memory that is not taken. */
  long freeBytes() {
    return shared.users().freeBytes();
  }

  /** For tests: users that take anything of the node. */
  int users() {
    return shared.users().size();
  }

  /**
   * Tells all peers, lets no request begin any more, and waits for those that have begun. A request
   * that waits for room in an engine ends when that is closed, so close that first or beside it.
   * Threads are not interrupted: that would close files that they read.
   *
   * @throws IOException if some are still being executed after the time for writes has passed
   */
  @Override
  public void close() throws IOException {
    listening.close().awaitUninterruptibly();
    for (Channel connection : connections) {
      ServerConnection handler = connection.pipeline().get(ServerConnection.class);
      if (handler != null) {
        connection
            .eventLoop()
            .execute(
                () -> {
                  ChannelHandlerContext there = connection.pipeline().context(handler);
                  if (there != null) {
                    handler.shutDown(there);
                  }
                });
      }
    }
    connections.newCloseFuture().awaitUninterruptibly(shared.timeouts().writeMs());
    connections.close().awaitUninterruptibly();
    shared.threads().shutDown();
    boolean isDone;
    try {
      isDone =
          shared
              .threads()
              .workers()
              .awaitTermination(shared.timeouts().writeMs(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      isDone = false;
    }
    if (!isDone) {
      throw new IOException(
          "Cannot stop serving updates: requests are still being executed, expected none after ms="
              + shared.timeouts().writeMs());
    }
    LOG.log(Level.DEBUG, "Stopped serving updates");
  }
}
