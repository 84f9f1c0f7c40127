/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.namenode;

import io.hdfsparity.bridge.feature.FeatureContext;
import io.hdfsparity.bridge.feature.NameNodeFeature;
import io.hdfsparity.bridge.level.CrashPoints;
import io.hdfsparity.bridge.level.ParityDoubts;
import io.hdfsparity.bridge.namenode.SwapCalls;
import io.hdfsparity.bridge.page.PageSection;
import io.hdfsparity.bridge.swap.OwnOrderCondition;
import io.hdfsparity.bridge.swap.SwapPoints;
import io.hdfsparity.bridge.swap.wire.SwapService;
import io.hdfsparity.core.check.Timers;
import io.hdfsparity.izs.config.LevelOptions;
import io.hdfsparity.izs.doctor.IzsCheck;
import io.hdfsparity.izs.namenode.verify.Verification;
import io.hdfsparity.izs.wire.LevelProtocols;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.namenode.ClientGuard;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.StripedLevels;
import org.apache.hadoop.security.authorize.Service;
import org.apache.hadoop.util.Time;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Levels in the NameNode, on every NameNode, beside {@code dfs.block.placement.ec.classname}.
 *
 * <p>Fails closed: no call is served then, and no level can be changed. Files whose level was
 * changed need the guard, which is not this feature's, and nothing else of the suite.
 */
public class LevelManager implements NameNodeFeature, ParityDoubts {
  private static final Logger LOG = LoggerFactory.getLogger(LevelManager.class);

  private final CrashPoints points;
  private final SwapPoints swapPoints;
  private volatile @Nullable Running made;
  private @Nullable Protection protection;
  private @Nullable ScheduledExecutorService sweeper;
  private @Nullable LevelMetrics metrics;
  private @Nullable Verification verification;

  /** What verification has found stays in force when the rest fails, known or not. */
  private volatile ParityDoubts doubts = ParityDoubts.NONE;

  /** What is there whatever else fails, and where levels are switched off. */
  private record Protection(
      ClientGuard guard,
      StripedLevels levels,
      LevelCounters counters,
      InterruptedChangeCompletion completion) {}

  /** What is started. */
  private record Running(LevelCalls calls, LevelSweeper sweeps, long sweepIntervalMs) {}

  /** As the plugin makes it. */
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

  @Override
  public final String name() {
    return "izs";
  }

  @Override
  public final List<Service> protocols() {
    return List.of(LevelProtocols.LEVEL, LevelProtocols.FORM_SWAP);
  }

  /** Clients that do not know the codec are refused, and interrupted changes completed. */
  @Override
  public final synchronized void protect(NameNode nameNode) throws IOException {
    doubts = Verification.unknown(nameNode.getConf());
    metrics = LevelMetrics.register();
    protectFiles(nameNode);
  }

  /** Files of the codec, and a change that a crash left, stay when levels are switched off. */
  @Override
  public final synchronized void protectWhenOff(NameNode nameNode) throws IOException {
    protectFiles(nameNode);
  }

  private void protectFiles(NameNode nameNode) throws IOException {
    ClientGuard guard = ClientGuard.of(nameNode);
    StripedLevels levels = new StripedLevels(nameNode, points);
    LevelCounters counters = new LevelCounters();
    protection =
        new Protection(
            guard, levels, counters, InterruptedChangeCompletion.start(nameNode, levels, counters));
  }

  @Override
  public final synchronized void start(FeatureContext<NameNode> context) throws IOException {
    NameNode nameNode = context.daemon();
    Configuration conf = context.conf();
    Protection first = Objects.requireNonNull(protection, "protected first");
    ClientGuard guard = first.guard();
    StripedLevels levels = first.levels();
    // First: it knows what was found, unless the rest fails before it is loaded.
    Verification verifying = Verification.start(nameNode, guard.writers());
    verification = verifying;
    doubts = verifying;
    LevelOptions options = LevelOptions.of(conf);
    PeerGuards peers = PeerGuards.of(conf, options, Time::monotonicNow);
    guard.require((policy, codec) -> peers.requireClientsGuarded(policy));
    LevelCounters counters = first.counters();
    LevelCalls calls =
        new LevelCalls(
            nameNode,
            levels,
            options,
            counters,
            peers,
            verifying::status,
            verifying,
            Time::monotonicNow);
    context.serve(LevelProtocols.level(calls, verifying));
    SwapCalls swaps = new SwapCalls(nameNode, new OwnOrderCondition(guard::orderMark), swapPoints);
    context.serve(SwapService.of(LevelProtocols.FORM_SWAP, swaps));
    made = new Running(calls, new LevelSweeper(levels, counters), options.sweepIntervalMs());
    LOG.info("The level manager is made: {}", options);
  }

  @Override
  public final synchronized void ready() {
    Running running = Objects.requireNonNull(made, "started first");
    LevelCounters counters = Objects.requireNonNull(protection).counters();
    ScheduledExecutorService timer = Timers.daemon("izs-level-sweeper");
    sweeper = timer;
    long pauseMs = running.sweepIntervalMs();
    timer.scheduleWithFixedDelay(
        Timers.guarded(() -> sweep(running.sweeps(), counters), e -> failed(counters, e)),
        pauseMs,
        pauseMs,
        TimeUnit.MILLISECONDS);
    Objects.requireNonNull(metrics).inService(running.calls(), counters);
  }

  @Override
  public final Map<String, String> figures() {
    Running running = made;
    return running == null ? Map.of() : IzsCheck.figures(running.calls().status());
  }

  @Override
  public final List<PageSection> page() {
    Running running = made;
    return running == null ? List.of() : List.of(LevelPage.of(running.calls().status()));
  }

  @Override
  public final Doubt doubt(String codec, long groupId) {
    return doubts.doubt(codec, groupId);
  }

  @Override
  public final Doubt doubtOfRebuild(String codec, long groupId) {
    return doubts.doubtOfRebuild(codec, groupId);
  }

  @Override
  public final void load() {
    doubts.load();
  }

  /** No level can be changed; what protects files stays. */
  @Override
  public final synchronized void failed(Throwable cause) {
    release();
  }

  private static void sweep(LevelSweeper sweeps, LevelCounters counters) {
    try {
      sweeps.round();
    } catch (IOException e) {
      failed(counters, e);
    }
  }

  private static void failed(LevelCounters counters, Throwable e) {
    counters.failedSweeps.increment();
    LOG.error("A round of the level sweeper failed; it is tried again", e);
  }

  @Override
  public final synchronized void stop() {
    release();
    if (protection != null) {
      protection.completion().close();
      protection = null;
    }
    if (metrics != null) {
      metrics.unregister();
      metrics = null;
    }
  }

  /** Ends what changes levels. The metrics stay: they show a manager that could not start. */
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
  }
}
