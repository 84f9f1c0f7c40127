/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.namenode;

import io.hdfsparity.bridge.level.CrashPoints;
import io.hdfsparity.bridge.swap.SwapPoints;
import io.hdfsparity.bridge.wire.BindHosts;
import io.hdfsparity.bridge.wire.ThisNameNode;
import io.hdfsparity.izs.config.LevelOptions;
import io.hdfsparity.izs.namenode.verify.Verification;
import io.hdfsparity.izs.wire.LevelServers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.namenode.ClientGuard;
import org.apache.hadoop.hdfs.server.namenode.DelegationTokens;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.StripedLevels;
import org.apache.hadoop.hdfs.server.namenode.TornChanges;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.util.ServicePlugin;
import org.apache.hadoop.util.Time;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Levels in the NameNode, named in {@code dfs.namenode.plugins} on every NameNode, beside {@code
 * dfs.block.placement.ec.classname}.
 *
 * <p>Fails closed: HDFS only logs what {@link #start} throws and goes on; then nothing listens, and
 * no level can be changed. Files whose level was changed need the guard, which is not this
 * plugin's, and nothing else of the suite.
 */
public class LevelManager implements ServicePlugin {
  private static final Logger LOG = LoggerFactory.getLogger(LevelManager.class);

  /** Pause between two looks whether torn changes can be completed now. */
  private static final long TORN_POLL_MS = 200;

  private final CrashPoints points;
  private final SwapPoints swapPoints;
  private RPC.@Nullable Server server;
  private @Nullable ScheduledExecutorService sweeper;
  private @Nullable LevelMetrics metrics;
  private @Nullable Verification verification;

  /** As HDFS makes it. */
  public LevelManager() {
    this(CrashPoints.NONE);
  }

  /** For tests that end the NameNode at a point of a change. */
  protected LevelManager(CrashPoints points) {
    this(points, SwapPoints.NONE);
  }

  /** For tests that end the NameNode at a point of a change, or of a swap. */
  protected LevelManager(CrashPoints points, SwapPoints swapPoints) {
    this.points = points;
    this.swapPoints = swapPoints;
  }

  /**
   * Starts everything.
   *
   * @param service the NameNode
   */
  @Override
  public final synchronized void start(Object service) {
    LevelMetrics registered = LevelMetrics.register();
    metrics = registered;
    try {
      start((NameNode) service, registered);
    } catch (IOException | RuntimeException e) {
      LOG.error("The level manager cannot start; no level can be changed", e);
      release();
      throw e instanceof RuntimeException known
          ? known
          : new IllegalStateException(e.getMessage(), e);
    }
  }

  private void start(NameNode nameNode, LevelMetrics registered) throws IOException {
    // First: clients that do not know the codec are refused even if all else fails.
    ClientGuard guard = ClientGuard.of(nameNode);
    StripedLevels levels = new StripedLevels(nameNode, points);
    TornChanges torn = new TornChanges(nameNode, levels);
    torn.shelter();
    Configuration conf = new Configuration(nameNode.getConf());
    LevelOptions options = LevelOptions.of(conf);
    PeerGuards peers = PeerGuards.of(conf, options, Time::monotonicNow);
    guard.require((policy, codec) -> peers.requireClientsGuarded(policy));
    LevelCounters counters = new LevelCounters();
    Verification verifying = Verification.start(nameNode, guard.writers());
    verification = verifying;
    LevelCalls calls =
        new LevelCalls(
            nameNode,
            levels,
            options,
            counters,
            peers,
            new SwapCalls(nameNode, swapPoints),
            verifying::status,
            Time::monotonicNow);
    server =
        LevelServers.build(
            conf,
            bindAddress(conf),
            options.handlerCount(),
            calls,
            verifying,
            DelegationTokens.of(nameNode.getNamesystem()));
    server.start();
    sweeper =
        Executors.newSingleThreadScheduledExecutor(
            r -> {
              Thread thread = new Thread(r, "izs-level-sweeper");
              thread.setDaemon(true);
              return thread;
            });
    LevelSweeper sweeps = new LevelSweeper(levels, torn, counters);
    repeat(sweeper, sweeps::completeTorn, TORN_POLL_MS, counters);
    repeat(sweeper, sweeps::round, options.sweepIntervalMs(), counters);
    registered.inService(calls, counters);
    LOG.info("The level manager is up at {}: {}", server.getListenerAddress(), options);
  }

  private static InetSocketAddress bindAddress(Configuration conf) {
    ThisNameNode self = ThisNameNode.of(conf);
    return BindHosts.ofNameNode(
        conf, LevelOptions.address(conf, self.nameservice(), self.nameNodeId()));
  }

  /** What a timer does again and again. */
  private interface Round {
    void run() throws IOException;
  }

  private static void repeat(
      ScheduledExecutorService timer, Round round, long pauseMs, LevelCounters counters) {
    timer.scheduleWithFixedDelay(
        () -> run(round, counters), pauseMs, pauseMs, TimeUnit.MILLISECONDS);
  }

  private static void run(Round round, LevelCounters counters) {
    try {
      round.run();
    } catch (IOException | RuntimeException e) {
      // The timer would stop for good at an exception; the next round tries again.
      counters.failedSweeps.increment();
      LOG.error("A round of the level sweeper failed", e);
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
    release();
    if (metrics != null) {
      metrics.unregister();
      metrics = null;
    }
  }

  @Override
  public final void close() {
    stop();
  }

  /** Ends all but the metrics, which show that a manager that could not start is not there. */
  private void release() {
    if (metrics != null) {
      metrics.outOfService();
    }
    if (verification != null) {
      verification.close();
      verification = null;
    }
    if (sweeper != null) {
      sweeper.shutdownNow();
      sweeper = null;
    }
    if (server != null) {
      server.stop();
      server = null;
    }
  }
}
