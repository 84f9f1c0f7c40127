/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.namenode;

import io.hdfsparity.bridge.hold.FileHold;
import io.hdfsparity.bridge.hold.FileHolder;
import io.hdfsparity.bridge.level.CrashPoints;
import io.hdfsparity.bridge.wire.BindHosts;
import io.hdfsparity.ecupdate.config.SchemeOptions;
import io.hdfsparity.ecupdate.config.SessionOptions;
import io.hdfsparity.ecupdate.session.NodeRegistry;
import io.hdfsparity.ecupdate.session.SessionTable;
import io.hdfsparity.ecupdate.session.wire.UpdateServers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.HAUtil;
import org.apache.hadoop.hdfs.server.blockmanagement.WriteTokens;
import org.apache.hadoop.hdfs.server.namenode.GroupReplacer;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.StripedLevels;
import org.apache.hadoop.hdfs.server.namenode.TornChanges;
import org.apache.hadoop.hdfs.server.namenode.UpdateFiles;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.util.ServicePlugin;
import org.apache.hadoop.util.Time;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Update sessions in the NameNode, named in {@code dfs.namenode.plugins} on every NameNode.
 *
 * <p>Fails closed: HDFS only logs what {@link #start} throws and goes on; then nothing listens, no
 * file can be updated, and the plugin holds every file, since sessions of another NameNode may
 * still be used.
 */
public class UpdateSessionManager implements ServicePlugin, FileHolder {
  private static final Logger LOG = LoggerFactory.getLogger(UpdateSessionManager.class);

  private final CrashPoints points;
  private volatile Optional<SessionHolds> holds = Optional.empty();
  private RPC.@Nullable Server server;
  private @Nullable ScheduledExecutorService sweeper;
  private @Nullable SessionMetrics metrics;

  /** Made by the NameNode, by name. */
  public UpdateSessionManager() {
    this(CrashPoints.NONE);
  }

  /**
   * For tests.
   *
   * @param points told where replacing a block group has come to
   */
  protected UpdateSessionManager(CrashPoints points) {
    this.points = points;
  }

  /**
   * Starts everything.
   *
   * @param service the NameNode
   */
  @Override
  public synchronized void start(Object service) {
    SessionMetrics registered = SessionMetrics.register();
    metrics = registered;
    try {
      start((NameNode) service, registered);
    } catch (IOException | RuntimeException e) {
      LOG.error("The session manager cannot start; no file can be updated", e);
      release();
      throw e instanceof RuntimeException known
          ? known
          : new IllegalStateException(e.getMessage(), e);
    }
  }

  private void start(NameNode nameNode, SessionMetrics registered) throws IOException {
    Configuration conf = new Configuration(nameNode.getConf());
    SessionOptions options = SessionOptions.of(conf);
    TornChanges torn = new TornChanges(nameNode, new StripedLevels(nameNode, points));
    torn.shelter();
    UpdateFiles files = new UpdateFiles(nameNode);
    SessionCounters counters = new SessionCounters();
    NodeRegistry nodes = new NodeRegistry(options.times(), Time::monotonicNow);
    SecureRandom random = new SecureRandom();
    SessionTable table = new SessionTable(options.times(), Time::monotonicNow, random::nextLong);
    ReplacedGroups replaced = new ReplacedGroups();
    ActiveTable sessions = new ActiveTable(files, table);
    SessionRules rules = new SessionRules(options.maxGroups(), SchemeOptions.of(conf), nodes);
    WriteTokens tokens = new WriteTokens(nameNode.getNamesystem().getBlockManager(), conf);
    SessionCalls calls =
        new SessionCalls(
            nameNode,
            files,
            sessions,
            rules,
            new SessionLayout(nodes, tokens, Time::now),
            options.times(),
            counters,
            new GroupReplacer(nameNode, points),
            new ReplayGuards(nameNode, conf, Time::monotonicNow),
            new GroupHealing(sessions::find, nodes, replaced, Time::monotonicNow));
    NodeAnswers answers = new NodeAnswers(nodes, replaced, options.times(), files::transactionId);
    RPC.Server built =
        UpdateServers.build(
            conf,
            bindAddress(conf),
            options.handlerCount(),
            calls,
            new NodeCalls(nameNode, sessions, answers));
    server = built;
    built.start();
    SessionSweeper sweeps =
        new SessionSweeper(files, sessions, rules, nodes, replaced, counters, torn);
    sweep(sweeps, counters, options);
    registered.inService(table, nodes, counters);
    holds = Optional.of(new SessionHolds(sessions));
    LOG.info("The session manager is up at {}: {}", built.getListenerAddress(), options);
  }

  private static InetSocketAddress bindAddress(Configuration conf) {
    String nameservice = DFSUtil.getNamenodeNameServiceId(conf);
    String nameNodeId = HAUtil.getNameNodeId(conf, nameservice);
    return BindHosts.ofNameNode(
        conf,
        SessionOptions.address(
            conf,
            Objects.requireNonNullElse(nameservice, ""),
            Objects.requireNonNullElse(nameNodeId, "")));
  }

  private void sweep(SessionSweeper sweeps, SessionCounters counters, SessionOptions options) {
    ScheduledExecutorService timer =
        Executors.newSingleThreadScheduledExecutor(
            r -> {
              Thread thread = new Thread(r, "ecupdate-session-sweeper");
              thread.setDaemon(true);
              return thread;
            });
    sweeper = timer;
    timer.scheduleWithFixedDelay(
        () -> round(sweeps, counters),
        options.sweepIntervalMs(),
        options.sweepIntervalMs(),
        TimeUnit.MILLISECONDS);
  }

  private static void round(SessionSweeper sweeps, SessionCounters counters) {
    try {
      sweeps.round();
    } catch (IOException | RuntimeException e) {
      // The timer would stop for good at an exception; the next round tries again.
      counters.failedSweeps.increment();
      LOG.error("A round of the session sweeper failed", e);
    }
  }

  @Override
  public Optional<FileHold> holdOn(long inodeId, FileHolder.Namespace namespace) {
    Optional<SessionHolds> now = holds;
    return now.isEmpty() ? Optional.of(SessionHolds.DOWN) : now.get().holdOn(inodeId, namespace);
  }

  /** Address that the server is bound to. */
  public synchronized InetSocketAddress address() {
    if (server == null) {
      throw new IllegalStateException("Cannot tell the address: started=false");
    }
    return server.getListenerAddress();
  }

  @Override
  public synchronized void stop() {
    release();
    if (metrics != null) {
      metrics.unregister();
      metrics = null;
    }
  }

  @Override
  public void close() {
    stop();
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
    if (server != null) {
      server.stop();
      server = null;
    }
  }
}
