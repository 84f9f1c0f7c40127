/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.namenode.access;

import io.hdfsparity.bridge.feature.FeatureContext;
import io.hdfsparity.bridge.feature.NameNodeFeature;
import io.hdfsparity.bridge.wire.ThisNameNode;
import io.hdfsparity.core.check.Clock;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.izs.config.AccessOptions;
import io.hdfsparity.izs.history.HistoryView;
import io.hdfsparity.izs.wire.access.AccessProtocols;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.namenode.AuditLoggers;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.SuperuserCheck;
import org.apache.hadoop.security.authorize.Service;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The access history of a NameNode, a part of the feature izs: connects {@link AccessAuditLogger}
 * to a history on a local disk and answers {@code hdfs izs -advise}.
 *
 * <p>Nothing of HDFS depends on it: when it cannot start, accesses are not counted, and -advise
 * says so. Answers superusers only, because access counts of any path tell what others do.
 */
public final class AccessFeature implements NameNodeFeature {
  private static final Logger LOG = LoggerFactory.getLogger(AccessFeature.class);
  private static final long STOP_MS = 10_000;

  private @Nullable AccessMetrics metrics;
  private @Nullable AccessAuditLogger logger;
  private @Nullable HistoryHome home;
  private @Nullable AccessCollector collector;
  private @Nullable Thread thread;
  private @Nullable Connection connection;

  /** What is to be connected when the server listens. */
  private record Connection(
      AccessAuditLogger logger, AccessQueue queue, AccessCollector collects) {}

  @Override
  public String name() {
    return "izs";
  }

  @Override
  public String part() {
    return "izs-access";
  }

  @Override
  public List<Service> protocols() {
    return List.of(AccessProtocols.ACCESS);
  }

  @Override
  public Optional<String> lacks(Configuration conf) {
    String logger = AccessAuditLogger.class.getName();
    return Arrays.asList(conf.getTrimmedStrings(DFSConfigKeys.DFS_NAMENODE_AUDIT_LOGGERS_KEY))
            .contains(logger)
        ? Optional.empty()
        : Optional.of(DFSConfigKeys.DFS_NAMENODE_AUDIT_LOGGERS_KEY + "=default," + logger);
  }

  @Override
  public synchronized void protect(NameNode nameNode) {
    metrics = AccessMetrics.register();
  }

  @Override
  public synchronized void start(FeatureContext<NameNode> context) throws IOException {
    NameNode nameNode = context.daemon();
    Configuration conf = context.conf();
    AccessOptions options = AccessOptions.of(conf);
    AccessAuditLogger found = loggerOf(nameNode);
    ThisNameNode self = ThisNameNode.of(conf);
    Path directory = options.directory();
    Clock clock = Clock.system();
    HistoryHome opened =
        HistoryHome.open(
            self.nameNodeId().isEmpty() ? directory : directory.resolve(self.nameNodeId()),
            nameNode.getNamesystem().getClusterId(),
            options.shape(),
            clock.millis());
    home = opened;
    AccessQueue queue = new AccessQueue(options.queueEvents());
    AccessCollector collects =
        new AccessCollector(
            queue,
            opened.history(),
            opened.file(),
            nameNode::isActiveState,
            clock,
            options.flushMs());
    collector = collects;
    context.serve(AccessProtocols.access(paths -> counts(nameNode, collects, paths)));
    Thread runs = new Thread(collects, "izs-access-collector");
    runs.setDaemon(true);
    runs.start();
    thread = runs;
    connection = new Connection(found, queue, collects);
    LOG.info("The access history is made: {}", options);
  }

  @Override
  public synchronized void ready() {
    Connection made = Objects.requireNonNull(connection, "started first");
    logger = made.logger();
    made.logger().connect(made.queue());
    Objects.requireNonNull(metrics).started(made.queue(), made.collects());
  }

  @Override
  public synchronized void failed(Throwable cause) {
    release();
    if (metrics != null) {
      metrics.failed(String.valueOf(cause.getMessage()));
    }
  }

  private static HistoryView counts(
      NameNode nameNode, AccessCollector collector, List<String> paths) throws IOException {
    SuperuserCheck.check(nameNode.getNamesystem(), "izsAccessCounts");
    return collector.view(paths);
  }

  private static AccessAuditLogger loggerOf(NameNode nameNode) {
    List<AccessAuditLogger> found =
        AuditLoggers.of(nameNode.getNamesystem(), AccessAuditLogger.class);
    if (found.size() != 1) {
      throw new IllegalStateException(
          ErrorMessage.to("count accesses")
              .value(
                  DFSConfigKeys.DFS_NAMENODE_AUDIT_LOGGERS_KEY,
                  nameNode.getConf().get(DFSConfigKeys.DFS_NAMENODE_AUDIT_LOGGERS_KEY))
              .expected("default," + AccessAuditLogger.class.getName() + ", each once")
              .message());
    }
    return found.get(0);
  }

  @Override
  public synchronized void stop() {
    release();
    if (metrics != null) {
      metrics.unregister();
      metrics = null;
    }
  }

  private void release() {
    if (logger != null) {
      logger.disconnect();
      logger = null;
    }
    if (collector != null && thread != null) {
      collector.stop();
      join(thread);
    }
    collector = null;
    thread = null;
    if (home != null) {
      try {
        home.close();
      } catch (IOException e) {
        LOG.warn("Cannot close the access history", e);
      }
      home = null;
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join(STOP_MS);
      if (thread.isAlive()) {
        LOG.warn("The collector did not end in {} ms; its last counts may be lost", STOP_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      LOG.warn("Interrupted; the last counts may be lost", e);
    }
  }
}
