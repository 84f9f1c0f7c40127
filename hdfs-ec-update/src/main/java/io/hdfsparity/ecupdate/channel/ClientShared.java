/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import io.hdfsparity.ecupdate.updater.Endpoint;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.flush.FlushConsolidationHandler;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.LongAdder;

/**
 * What the lanes of a client have in common. Thread-safe.
 *
 * @param mayBlock gets tokens; its tasks do not wait for each other
 */
record ClientShared(
    ClientLimits limits,
    TokenSource tokens,
    FrameCodec codec,
    ExecutorService mayBlock,
    ChannelFactory<SocketChannel> sockets,
    LongAdder sentMessages,
    LongAdder receivedMessages) {
  private static final System.Logger LOG = System.getLogger(ClientShared.class.getName());

  /**
   * Runs a task on a thread that may block, unless the channels are being closed.
   *
   * @throws OutOfMemoryError if the system gives no thread more; the task does not run then
   */
  void blocking(Runnable task) {
    try {
      mayBlock.execute(task);
    } catch (RejectedExecutionException e) {
      LOG.log(Level.DEBUG, "The channels are being closed", e);
    }
  }

  void later(EventLoop loop, Runnable task) {
    try {
      loop.execute(task);
    } catch (RejectedExecutionException e) {
      LOG.log(Level.DEBUG, "The channels are being closed", e);
    }
  }

  ChannelFuture connect(Endpoint node, EventLoop loop, List<ChannelHandler> handlers) {
    return new Bootstrap()
        .group(loop)
        .channelFactory(sockets)
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, limits.connectMs())
        .option(ChannelOption.TCP_NODELAY, true)
        .option(ChannelOption.SO_KEEPALIVE, true)
        .handler(
            new ChannelInitializer<SocketChannel>() {
              @Override
              protected void initChannel(SocketChannel connection) {
                connection
                    .pipeline()
                    .addLast(new FlushConsolidationHandler(64, true))
                    .addLast(handlers.toArray(ChannelHandler[]::new));
              }
            })
        .connect(InetSocketAddress.createUnresolved(node.host(), node.port()));
  }
}
