/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.bridge.namenode.PairPlacement;
import io.hdfsparity.bridge.wire.BindHosts;
import io.hdfsparity.bridge.wire.ThisNameNode;
import io.hdfsparity.raidp.config.ManagerAddresses;
import io.hdfsparity.raidp.config.ManagerOptions;
import io.hdfsparity.raidp.config.RaidpOptions;
import io.hdfsparity.raidp.wire.RaidpServers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.CorruptReplica;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.util.ServicePlugin;
import org.apache.hadoop.util.Time;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * RAIDP's part of the NameNode, named in {@code dfs.namenode.plugins}.
 *
 * <p>Fails closed: HDFS only logs what {@link #start} throws and goes on; the placement policy is
 * attached last, so after a failure every new block is refused. Which nodes are RAIDP's is known
 * then all the same, so that erasure-coded blocks keep off them.
 */
public final class RaidpManager implements ServicePlugin {
  private static final Logger LOG = LoggerFactory.getLogger(RaidpManager.class);
  private static final long HEAL_PERIOD_MS = 3_000;

  private @Nullable ManagerMetrics metrics;
  private @Nullable NameNodeAccess access;
  private @Nullable NodeRoster roster;
  private @Nullable RefusingPlacement refusing;
  private @Nullable ManagerState state;
  private RPC.@Nullable Server server;
  private @Nullable ScheduledExecutorService timer;
  private @Nullable ScheduledFuture<?> rounds;
  private @Nullable ScheduledExecutorService healer;

  /**
   * Starts everything, attaches the placement last.
   *
   * @param service the NameNode
   */
  @Override
  public synchronized void start(Object service) {
    metrics = ManagerMetrics.register();
    try {
      start((NameNode) service);
    } catch (IOException | RuntimeException e) {
      LOG.error("RAIDP manager cannot start; the NameNode refuses new blocks", e);
      release();
      metrics.failedClosed(String.valueOf(e.getMessage()));
      refuse(String.valueOf(e.getMessage()));
      throw e instanceof RuntimeException known
          ? known
          : new IllegalStateException(e.getMessage(), e);
    }
  }

  private void start(NameNode nameNode) throws IOException {
    Configuration conf = new Configuration(nameNode.getConf());
    access = new NameNodeAccess(nameNode);
    roster = NodeRoster.open(directory(conf), access.clusterId());
    ManagerOptions options = RaidpOptions.manager(conf);
    LongSupplier clockMs = Time::monotonicNow;
    HdfsNamespace namespace = new HdfsNamespace(access, nameNode.getRpcServer());
    PeerConnections peers = new PeerConnections(conf, options.peerTimeoutMs());
    state =
        new ManagerState(options, namespace, peers, roster, clockMs, ThreadLocalRandom::current);
    NodeReports reports =
        new NodeReports(
            state.map(),
            roster,
            namespace::registered,
            state.grants(),
            state.recovery(),
            access::clusterId,
            access::isActive,
            clockMs,
            options.nodeDeadTimeoutMs());
    AdminCalls admin =
        new AdminCalls(
            access,
            namespace,
            state,
            peers,
            new LstorRebuildCalls(state.map()::view, namespace, peers, peers),
            () -> TimeUnit.MILLISECONDS.sleep(Math.max(500, 2 * options.reportIntervalMs())),
            clockMs,
            Time::now);
    server = RaidpServers.manager(conf, bindAddress(conf), options.handlerCount(), reports, admin);
    server.start();
    metrics.started(state);
    attach();
    timer = thread("raidp-manager");
    rounds =
        timer.scheduleWithFixedDelay(
            this::tick,
            options.reportIntervalMs(),
            options.reportIntervalMs(),
            TimeUnit.MILLISECONDS);
    ReplicaHealing healing = new ReplicaHealing(state.map()::view, marks(access), peers::heal);
    healer = thread("raidp-healer");
    healer.scheduleWithFixedDelay(
        () -> heal(healing), HEAL_PERIOD_MS, HEAL_PERIOD_MS, TimeUnit.MILLISECONDS);
    LOG.info("RAIDP manager is up at {}: {}", server.getListenerAddress(), options);
  }

  /** The first of the directories that hold the image. */
  private static Path directory(Configuration conf) {
    return Path.of(FSNamesystem.getNamespaceDirs(conf).iterator().next().getPath());
  }

  private void refuse(String failure) {
    if (access == null || roster == null) {
      return;
    }
    refusing = new RefusingPlacement(failure, roster);
    try {
      access.attach(refusing);
    } catch (IOException e) {
      // Another policy class is configured, and refuses nothing: the failure was logged.
      LOG.debug("Nothing to attach to", e);
    }
  }

  private static ScheduledExecutorService thread(String name) {
    return Executors.newSingleThreadScheduledExecutor(
        r -> {
          Thread thread = new Thread(r, name);
          thread.setDaemon(true);
          return thread;
        });
  }

  private static ReplicaHealing.Marks marks(NameNodeAccess access) {
    return new ReplicaHealing.Marks() {
      @Override
      public List<CorruptReplica> list(int limit, Predicate<CorruptReplica> wanted) {
        return access.corruptReplicas(limit, wanted);
      }

      @Override
      public boolean clear(CorruptReplica replica) {
        return access.clearCorrupt(replica);
      }
    };
  }

  /** On a thread of its own: a round takes as long as reading the replicas. */
  private void heal(ReplicaHealing healing) {
    try {
      if (access.isActive() && !access.isInSafeMode()) {
        healing.round(Time.monotonicNow());
      }
    } catch (RuntimeException e) {
      // The timer would stop for good at an exception; the next round tries again.
      LOG.error("RAIDP manager: a round of healing failed", e);
    }
  }

  private static InetSocketAddress bindAddress(Configuration conf) {
    ThisNameNode self = ThisNameNode.of(conf);
    return BindHosts.ofNameNode(
        conf, ManagerAddresses.bindAddress(conf, self.nameservice(), self.nameNodeId()));
  }

  /** A reconfiguration of the NameNode makes a new policy object, so this is repeated. */
  private void attach() throws IOException {
    access.attach(state.chooser());
    state.attached();
  }

  private void tick() {
    try {
      state.map().advance(Time.monotonicNow());
      attach();
      if (!access.isActive()) {
        state.recovery().stop();
      } else if (!access.isInSafeMode()) {
        state.recovery().tick(Time.monotonicNow());
      }
    } catch (IOException | RuntimeException e) {
      // The timer would stop for good at an exception; the next round tries again.
      LOG.error("RAIDP manager: a periodic round failed", e);
    }
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
    if (rounds != null) {
      rounds.cancel(true);
      rounds = null;
    }
    if (timer != null) {
      timer.shutdownNow();
      timer = null;
    }
    if (healer != null) {
      healer.shutdownNow();
      healer = null;
    }
    if (server != null) {
      server.stop();
      server = null;
    }
    if (state != null) {
      state.detached();
      detach(state.chooser());
    }
    if (refusing != null) {
      detach(refusing);
      refusing = null;
    }
  }

  private void detach(PairPlacement placement) {
    try {
      access.detach(placement);
    } catch (IOException e) {
      // Another policy class is configured, so this one never was attached.
      LOG.debug("Nothing to detach", e);
    }
  }
}
