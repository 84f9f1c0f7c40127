/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.namenode.access;

import io.hdfsparity.bridge.wire.BindHosts;
import io.hdfsparity.bridge.wire.ThisNameNode;
import io.hdfsparity.core.check.Clock;
import io.hdfsparity.core.check.Refusal;
import io.hdfsparity.izs.config.AccessOptions;
import io.hdfsparity.izs.history.HistoryView;
import io.hdfsparity.izs.wire.access.AccessServers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.namenode.AuditLoggers;
import org.apache.hadoop.hdfs.server.namenode.DelegationTokens;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.SuperuserCheck;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.util.ServicePlugin;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The access history of a NameNode, as a plugin ({@code dfs.namenode.plugins}): connects {@link
 * AccessAuditLogger} to a history on a local disk and answers {@code hdfs izs -advise}.
 *
 * <p>Nothing of HDFS depends on it: when it cannot start, HDFS logs that and goes on, nothing
 * listens, and -advise says so. Answers superusers only, because access counts of any path tell
 * what others do.
 */
public final class AccessPlugin implements ServicePlugin {
  private static final Logger LOG = LoggerFactory.getLogger(AccessPlugin.class);
  private static final long STOP_MS = 10_000;

  private @Nullable AccessMetrics metrics;
  private @Nullable AccessAuditLogger logger;
  private @Nullable HistoryHome home;
  private @Nullable AccessCollector collector;
  private @Nullable Thread thread;
  private RPC.@Nullable Server server;

  @Override
  public synchronized void start(Object service) {
    AccessMetrics gauges = AccessMetrics.register();
    metrics = gauges;
    try {
      start((NameNode) service, gauges);
    } catch (IOException | RuntimeException e) {
      LOG.error("The access history cannot start; accesses are not counted", e);
      release();
      gauges.failed(String.valueOf(e.getMessage()));
      throw e instanceof RuntimeException known
          ? known
          : new IllegalStateException(e.getMessage(), e);
    }
  }

  private void start(NameNode nameNode, AccessMetrics gauges) throws IOException {
    Configuration conf = new Configuration(nameNode.getConf());
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
    RPC.Server serves =
        AccessServers.build(
            conf,
            BindHosts.ofNameNode(
                conf, AccessOptions.address(conf, self.nameservice(), self.nameNodeId())),
            options.handlerCount(),
            paths -> counts(nameNode, collects, paths),
            DelegationTokens.of(nameNode.getNamesystem()));
    server = serves;
    Thread runs = new Thread(collects, "izs-access-collector");
    runs.setDaemon(true);
    runs.start();
    thread = runs;
    serves.start();
    logger = found;
    found.connect(queue);
    gauges.started(queue, collects);
    LOG.info("The access history is up at {}: {}", serves.getListenerAddress(), options);
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
          Refusal.to("count accesses")
              .value(
                  DFSConfigKeys.DFS_NAMENODE_AUDIT_LOGGERS_KEY,
                  nameNode.getConf().get(DFSConfigKeys.DFS_NAMENODE_AUDIT_LOGGERS_KEY))
              .expected("default," + AccessAuditLogger.class.getName() + ", each once")
              .message());
    }
    return found.get(0);
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

  private void release() {
    if (logger != null) {
      logger.disconnect();
      logger = null;
    }
    if (server != null) {
      server.stop();
      server = null;
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
