/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.bridge.wire.BindHosts;
import io.hdfsparity.ecupdate.channel.ChannelServer;
import io.hdfsparity.ecupdate.channel.ServerTimeouts;
import io.hdfsparity.ecupdate.config.ChannelProtection;
import io.hdfsparity.ecupdate.protocol.UpdateNode;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves updates of a DataNode's replicas: the data channel, and reports to the session managers.
 * Begins when the DataNode has registered, which plugins are not notified of; if it cannot, the
 * DataNode continues, and no file with a unit on it is opened for updates. Thread-safe.
 */
final class UpdateServing implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(UpdateServing.class);
  private static final long LOOK_EVERY_MS = 50;
  private static final long CLOSE_TIMEOUT_MS = 2000;

  private final DataNode datanode;
  private final int controlPort;
  private final Thread starter;
  private volatile Optional<String> trouble = Optional.empty();

  /** Guarded by this. */
  private boolean isClosed;

  private @Nullable UpdateMetrics metrics;
  private @Nullable NodeSessions sessions;
  private @Nullable ChannelServer server;
  private @Nullable Admissions admissions;

  private UpdateServing(DataNode datanode, int controlPort) {
    this.datanode = datanode;
    this.controlPort = controlPort;
    starter = new Thread(this::run, "ec-update-start");
    starter.setDaemon(true);
  }

  /**
   * Begins as soon as the DataNode is ready.
   *
   * @param controlPort of the DataNode's server, by which updates are controlled
   */
  static UpdateServing start(DataNode datanode, int controlPort) {
    UpdateServing serving = new UpdateServing(datanode, controlPort);
    serving.starter.start();
    return serving;
  }

  /** Why no update is served; empty: they are, or will be. */
  Optional<String> trouble() {
    return trouble;
  }

  /** To the update channel; -1: it is not up. */
  synchronized int connections() {
    return server == null ? -1 : server.connections();
  }

  private void run() {
    try {
      ServingOptions options = ServingOptions.of(datanode.getConf());
      UpdateReplicas replicas = awaitReplicas();
      if (replicas != null) {
        serve(options, replicas);
      }
    } catch (IOException | RuntimeException e) {
      LOG.error("No update is served by this DataNode", e);
      trouble = Optional.of("no update is served: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Null: closed before. */
  private @Nullable UpdateReplicas awaitReplicas() throws InterruptedException {
    while (true) {
      synchronized (this) {
        if (isClosed) {
          return null;
        }
      }
      try {
        UpdateReplicas replicas = EcUpdateDataNodeFeature.replicasOf(datanode);
        datanode.getDNRegistrationForBP(replicas.blockPool());
        return replicas;
      } catch (IOException e) {
        LOG.debug("The DataNode is not ready yet", e);
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MS);
    }
  }

  private synchronized void serve(ServingOptions options, UpdateReplicas replicas)
      throws IOException {
    if (isClosed) {
      return;
    }
    requireTokens(options, replicas.blockPool());
    UpdateMetrics counters =
        UpdateMetrics.register(
            datanode.getDisplayName(),
            EcUpdateDataNodeFeature.hooksOf(datanode)::movesRefused,
            replicas::receiptBytes);
    metrics = counters;
    NodeSessions live = new NodeSessions(new Configuration(datanode.getConf()));
    Admissions admitting = new Admissions(replicas);
    admissions = admitting;
    ChannelServer listening =
        ChannelServer.start(
            BindHosts.ofDataNode(datanode.getConf(), options.address()),
            options.limits(),
            ServerTimeouts.standard(),
            new SessionAccess(datanode, replicas, live, admitting, options.isProtectionRequired()),
            new ReplicaService(replicas, live, counters));
    server = listening;
    sessions = live;
    UpdateNode self = self(replicas, listening.address());
    live.report(
        self,
        new ServedSessionEnds(listening, replicas, live::isOpen, live::overByNumber),
        replicas::givenUp);
    LOG.info("Updates are served at {}:{}", self.host(), self.port());
  }

  /** Connections are protected by the passwords of block tokens. */
  private void requireTokens(ServingOptions options, String blockPool) throws IOException {
    if (options.isProtectionRequired() && !SessionAccess.isTokenEnabled(datanode, blockPool)) {
      throw new IOException(ChannelProtection.needsTokens());
    }
  }

  private UpdateNode self(UpdateReplicas replicas, InetSocketAddress bound) throws IOException {
    String host =
        bound.getAddress().isAnyLocalAddress()
            ? datanode.getDNRegistrationForBP(replicas.blockPool()).getIpAddr()
            : bound.getAddress().getHostAddress();
    return new UpdateNode(
        datanode.getDatanodeUuid(),
        new SecureRandom().nextLong(),
        host,
        bound.getPort(),
        controlPort);
  }

  /**
   * Ends the service. A request that waits for room in an engine ends only when that is closed,
   * which the DataNode does next: so it is not waited for long.
   */
  @Override
  public void close() {
    ChannelServer listening;
    synchronized (this) {
      isClosed = true;
      listening = server;
      server = null;
      if (metrics != null) {
        metrics.close();
        metrics = null;
      }
      if (sessions != null) {
        sessions.close();
      }
      if (admissions != null) {
        admissions.close();
      }
    }
    starter.interrupt();
    if (listening == null) {
      return;
    }
    Thread closer = new Thread(() -> close(listening), "ec-update-close");
    closer.setDaemon(true);
    closer.start();
    try {
      closer.join(CLOSE_TIMEOUT_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void close(ChannelServer server) {
    try {
      server.close();
    } catch (IOException e) {
      LOG.warn("The update channel has not ended in good time", e);
    }
  }
}
