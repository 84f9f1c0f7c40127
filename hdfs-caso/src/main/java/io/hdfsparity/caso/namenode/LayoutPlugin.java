/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.namenode;

import io.hdfsparity.bridge.guard.OrderMark;
import io.hdfsparity.bridge.swap.SwapPoints;
import io.hdfsparity.bridge.wire.BindHosts;
import io.hdfsparity.bridge.wire.ThisNameNode;
import io.hdfsparity.caso.config.LayoutOptions;
import io.hdfsparity.caso.fs.CasoFileSystem;
import io.hdfsparity.caso.layout.LayoutPointer;
import io.hdfsparity.caso.wire.LayoutServers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.namenode.ClientGuard;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.util.ServicePlugin;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts copies in stored order in the place of their files, in the active NameNode, as a plugin
 * ({@code dfs.namenode.plugins}); deletes indexes whose files are gone; and keeps files in stored
 * order from clients that know no orders, in every NameNode ({@link ClientGuard}). Fails closed:
 * when it cannot start, HDFS logs that and goes on, nothing listens, and no file changes its order;
 * files that are in stored order are guarded first.
 */
public class LayoutPlugin implements ServicePlugin {
  private static final Logger LOG = LoggerFactory.getLogger(LayoutPlugin.class);

  private static final OrderMark ORDERED =
      new OrderMark(
          LayoutPointer.XATTR,
          "fs.hdfs.impl=" + CasoFileSystem.class.getName() + " with the suite's jars",
          "hdfs caso -restore");

  private final SwapPoints points;
  private RPC.@Nullable Server server;
  private @Nullable ScheduledExecutorService sweeps;

  /** As HDFS makes it. */
  public LayoutPlugin() {
    this(SwapPoints.NONE);
  }

  /** For tests that end the NameNode at a point of a swap. */
  protected LayoutPlugin(SwapPoints points) {
    this.points = points;
  }

  @Override
  public final synchronized void start(Object service) {
    NameNode nameNode = (NameNode) service;
    Configuration conf = new Configuration(nameNode.getConf());
    try {
      // First: what is in stored order already is kept from stock clients even if all else fails.
      ClientGuard guard = ClientGuard.of(nameNode);
      guard.protect(ORDERED);
      LayoutOptions options = LayoutOptions.of(conf);
      ThisNameNode self = ThisNameNode.of(conf);
      RPC.Server serves =
          LayoutServers.build(
              conf,
              BindHosts.ofNameNode(
                  conf, LayoutOptions.address(conf, self.nameservice(), self.nameNodeId())),
              options.handlerCount(),
              new LayoutCalls(nameNode, points));
      serves.start();
      server = serves;
      IndexSweeper sweeper = new IndexSweeper(nameNode, options.folder());
      ScheduledExecutorService periodic =
          Executors.newSingleThreadScheduledExecutor(
              task -> {
                Thread thread = new Thread(task, "caso-index-sweeper");
                thread.setDaemon(true);
                return thread;
              });
      periodic.scheduleWithFixedDelay(
          sweeper, options.sweepPeriodMs(), options.sweepPeriodMs(), TimeUnit.MILLISECONDS);
      sweeps = periodic;
      LOG.info("CASO's part of the NameNode is up at {}", serves.getListenerAddress());
    } catch (IOException | RuntimeException e) {
      LOG.error("CASO's part of the NameNode cannot start; no file changes its order", e);
      throw e instanceof RuntimeException known
          ? known
          : new IllegalStateException(e.getMessage(), e);
    }
  }

  /** Address that the server is bound to. */
  public final synchronized InetSocketAddress address() {
    if (server == null) {
      throw new IllegalStateException("Cannot tell the address: started=false");
    }
    return server.getListenerAddress();
  }

  @Override
  public final synchronized void stop() {
    if (sweeps != null) {
      sweeps.shutdownNow();
      sweeps = null;
    }
    if (server != null) {
      server.stop();
      server = null;
    }
  }

  @Override
  public final void close() {
    stop();
  }
}
