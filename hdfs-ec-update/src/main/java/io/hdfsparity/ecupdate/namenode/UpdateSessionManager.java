/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.namenode;

import io.hdfsparity.bridge.feature.FeatureContext;
import io.hdfsparity.bridge.feature.NameNodeFeature;
import io.hdfsparity.bridge.hold.FileHold;
import io.hdfsparity.bridge.hold.FileHolder;
import io.hdfsparity.bridge.level.CrashPoints;
import io.hdfsparity.bridge.page.PageSection;
import io.hdfsparity.core.check.Timers;
import io.hdfsparity.ecupdate.config.SchemeOptions;
import io.hdfsparity.ecupdate.config.SessionOptions;
import io.hdfsparity.ecupdate.doctor.UpdateCheck;
import io.hdfsparity.ecupdate.protocol.NodeRegistry;
import io.hdfsparity.ecupdate.protocol.SessionTable;
import io.hdfsparity.ecupdate.protocol.UpdateNode;
import io.hdfsparity.ecupdate.wire.UpdateProtocols;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.blockmanagement.WriteTokens;
import org.apache.hadoop.hdfs.server.namenode.GroupReplacer;
import org.apache.hadoop.hdfs.server.namenode.InterruptedChanges;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.StripedLevels;
import org.apache.hadoop.hdfs.server.namenode.UpdateFiles;
import org.apache.hadoop.security.authorize.Service;
import org.apache.hadoop.util.Time;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Update sessions in the NameNode, on every NameNode.
 *
 * <p>Fails closed: no call is served then, no file can be updated, and the feature holds every
 * file, since sessions of another NameNode may still be used.
 */
public class UpdateSessionManager implements NameNodeFeature, FileHolder {
  private static final Logger LOG = LoggerFactory.getLogger(UpdateSessionManager.class);

  private final CrashPoints points;
  private volatile Optional<SessionHolds> holds = Optional.empty();
  private volatile @Nullable Running made;
  private @Nullable ScheduledExecutorService sweeper;
  private @Nullable SessionMetrics metrics;

  /** What is started. */
  private record Running(
      ActiveTable sessions,
      SessionTable table,
      NodeRegistry nodes,
      SessionCounters counters,
      SessionSweeper sweeps,
      SessionOptions options) {}

  /** Made by the plugin. */
  public UpdateSessionManager() {
    this(CrashPoints.NONE);
  }

  /**
   * For tests.
   *
   * @param points notified where replacing a block group has come to
   */
  protected UpdateSessionManager(CrashPoints points) {
    this.points = points;
  }

  @Override
  public final String name() {
    return "ecupdate";
  }

  @Override
  public final List<Service> protocols() {
    return List.of(UpdateProtocols.SESSION, UpdateProtocols.NODE);
  }

  @Override
  public final synchronized void protect(NameNode nameNode) {
    metrics = SessionMetrics.register();
  }

  @Override
  public final synchronized void start(FeatureContext<NameNode> context) throws IOException {
    NameNode nameNode = context.daemon();
    Configuration conf = context.conf();
    SessionOptions options = SessionOptions.of(conf);
    InterruptedChanges interrupted =
        new InterruptedChanges(nameNode, new StripedLevels(nameNode, points));
    interrupted.shelter();
    UpdateFiles files = new UpdateFiles(nameNode);
    SessionCounters counters = new SessionCounters();
    NodeRegistry nodes = new NodeRegistry(options.times(), Time::monotonicNow);
    SecureRandom random = new SecureRandom();
    SessionTable table = new SessionTable(options.times(), Time::monotonicNow, random::nextLong);
    ReplacedGroups replaced = new ReplacedGroups();
    ActiveTable sessions = new ActiveTable(files, table);
    SessionRules rules = new SessionRules(options.maxGroups(), SchemeOptions.of(conf), nodes);
    WriteTokens tokens = new WriteTokens(nameNode.getNamesystem().getBlockManager(), conf);
    SessionLayout layout = new SessionLayout(nodes, tokens, Time::now);
    SessionCalls calls =
        new SessionCalls(
            nameNode,
            files,
            sessions,
            rules,
            layout,
            options.times(),
            counters,
            new GroupReplacer(nameNode, points),
            new ReplayGuards(nameNode, conf, Time::monotonicNow),
            new GroupHealing(sessions::find, nodes, replaced, Time::monotonicNow),
            new SessionAttach(files, sessions, rules, nodes, layout, options.times(), counters));
    NodeAnswers answers = new NodeAnswers(nodes, replaced, options.times(), files::transactionId);
    context.serve(UpdateProtocols.session(calls));
    context.serve(UpdateProtocols.node(new NodeCalls(nameNode, sessions, answers)));
    SessionSweeper sweeps =
        new SessionSweeper(
            files,
            sessions,
            rules,
            nodes,
            replaced,
            counters,
            interrupted,
            options.times().lateMs());
    made = new Running(sessions, table, nodes, counters, sweeps, options);
    LOG.info("The session manager is made: {}", options);
  }

  @Override
  public final synchronized void ready() {
    Running running = Objects.requireNonNull(made, "started first");
    sweep(running.sweeps(), running.counters(), running.options());
    Objects.requireNonNull(metrics)
        .inService(
            running.table(),
            running.nodes(),
            running.counters(),
            running.options().times().lateMs());
    holds = Optional.of(new SessionHolds(running.sessions()));
  }

  @Override
  public final Map<String, String> figures() {
    Running running = made;
    return running == null
        ? Map.of()
        : UpdateCheck.figures(running.table().open().size(), running.nodes().size());
  }

  @Override
  public final List<PageSection> page() {
    Running running = made;
    return running == null
        ? List.of()
        : List.of(
            SessionPage.of(running.table().list(), running.nodes().size(), running.counters()));
  }

  @Override
  public final Map<String, Integer> nodePorts() {
    Running running = made;
    return running == null
        ? Map.of()
        : running.nodes().capable().stream()
            .filter(each -> each.controlPort() > 0)
            .collect(Collectors.toUnmodifiableMap(UpdateNode::uuid, UpdateNode::controlPort));
  }

  /** No file can be updated, and all are held. */
  @Override
  public final synchronized void failed(Throwable cause) {
    release();
  }

  private void sweep(SessionSweeper sweeps, SessionCounters counters, SessionOptions options) {
    ScheduledExecutorService timer = Timers.daemon("ecupdate-session-sweeper");
    sweeper = timer;
    timer.scheduleWithFixedDelay(
        Timers.guarded(() -> round(sweeps, counters), e -> failed(counters, e)),
        options.sweepIntervalMs(),
        options.sweepIntervalMs(),
        TimeUnit.MILLISECONDS);
  }

  private static void round(SessionSweeper sweeps, SessionCounters counters) {
    try {
      sweeps.round();
    } catch (IOException e) {
      failed(counters, e);
    }
  }

  private static void failed(SessionCounters counters, Throwable e) {
    counters.failedSweeps.increment();
    LOG.error("A round of the session sweeper failed; it is tried again", e);
  }

  @Override
  public Optional<FileHold> holdOn(long inodeId, FileHolder.Namespace namespace) {
    Optional<SessionHolds> now = holds;
    return now.isEmpty() ? Optional.of(SessionHolds.DOWN) : now.get().holdOn(inodeId, namespace);
  }

  @Override
  public final synchronized void stop() {
    release();
    if (metrics != null) {
      metrics.unregister();
      metrics = null;
    }
  }

  /** Ends all but the metrics, which show that a manager that could not start is not there. */
  private void release() {
    holds = Optional.empty();
    if (metrics != null) {
      metrics.outOfService();
    }
    if (sweeper != null) {
      sweeper.shutdownNow();
      sweeper = null;
    }
  }
}
