/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.bridge.feature.FeatureContext;
import io.hdfsparity.bridge.feature.NameNodeFeature;
import io.hdfsparity.bridge.namenode.PairPlacement;
import io.hdfsparity.bridge.page.PageSection;
import io.hdfsparity.bridge.wire.ServedProtocol;
import io.hdfsparity.raidp.config.ManagerOptions;
import io.hdfsparity.raidp.config.RaidpOptions;
import io.hdfsparity.raidp.wire.RaidpProtocols;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.CorruptReplica;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.Node;
import org.apache.hadoop.hdfs.server.blockmanagement.PairPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.PlacedBlocks;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.security.authorize.Service;
import org.apache.hadoop.util.Time;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * RAIDP's part of the NameNode.
 *
 * <p>Fails closed: the placement policy is attached last, so after a failure every new block is
 * refused.
 */
public final class RaidpManager implements NameNodeFeature {
  private static final Logger LOG = LoggerFactory.getLogger(RaidpManager.class);
  private static final long HEAL_PERIOD_MS = 3_000;

  /** DataNodes that list rows at once. */
  private static final int ROW_READERS = 4;

  /** DataNodes that heal replicas at once. */
  private static final int HEALERS = 16;

  private @Nullable ManagerMetrics metrics;

  /** DataNodes as HDFS knows them. */
  private volatile Supplier<List<Node>> nodes = List::of;

  private @Nullable NameNodeAccess access;
  private @Nullable UnmanagedBlocks unmanaged;
  private @Nullable NodeRoster roster;
  private @Nullable RefusingPlacement refusing;

  /** Held while the placement is attached or released, as rounds end later than the manager. */
  private final Object attaching = new Object();

  private boolean isReleased;
  private @Nullable ManagerState state;
  private final ManagerRounds rounds = new ManagerRounds();
  private @Nullable ReplicaHealing healing;
  private long reportIntervalMs;
  private @Nullable BlockRepair repair;
  private @Nullable SuperchunkAnswers answers;
  private long repairIntervalMs;
  private @Nullable ExecutorService rowReaders;
  private @Nullable ExecutorService healers;
  private @Nullable AdoptionService adoptions;

  @Override
  public String name() {
    return "raidp";
  }

  @Override
  public List<Service> protocols() {
    return List.of(RaidpProtocols.NODE, RaidpProtocols.ADMIN, RaidpProtocols.READ);
  }

  @Override
  public Optional<String> lacks(Configuration conf) {
    Class<?> policy =
        conf.getClass(
            DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY,
            DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_DEFAULT);
    return PairPlacementPolicy.class.isAssignableFrom(policy)
        ? Optional.empty()
        : Optional.of(
            DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY
                + "="
                + PairPlacementPolicy.class.getName());
  }

  /** What a refusal needs, before all else. */
  @Override
  public synchronized void protect(NameNode nameNode) throws IOException {
    metrics = ManagerMetrics.register();
    access = new NameNodeAccess(nameNode);
    unmanaged = new UnmanagedBlocks(nameNode, access);
    roster = NodeRoster.open(directory(nameNode.getConf()), access.clusterId());
  }

  @Override
  public synchronized void start(FeatureContext<NameNode> context) throws IOException {
    NameNode nameNode = context.daemon();
    Configuration conf = context.conf();
    NameNodeAccess access = Objects.requireNonNull(this.access, "protected first");
    NodeRoster roster = Objects.requireNonNull(this.roster, "protected first");
    ManagerOptions options = RaidpOptions.manager(conf);
    LongSupplier clockMs = Time::monotonicNow;
    HdfsNamespace namespace = new HdfsNamespace(access, nameNode.getRpcServer());
    nodes = namespace::nodes;
    PeerConnections peers = new PeerConnections(conf, options.peerTimeoutMs());
    rowReaders = waiters("raidp-row-reader", ROW_READERS);
    healers = waiters("raidp-healers", HEALERS);
    state =
        new ManagerState(
            options,
            namespace,
            peers,
            peers,
            rowReaders,
            roster,
            clockMs,
            ThreadLocalRandom::current);
    PlacedBlocks placed = new PlacedBlocks(nameNode.getNamesystem());
    HomeQuestions rows = state.questions(peers, rowReaders, placed::find);
    answers = state.answers(placed::find, placed::lastAllocated, rows);
    NodeReports reports =
        new NodeReports(
            state.map(),
            roster,
            namespace::registered,
            state.grants(),
            state.nodeOrders(),
            access::clusterId,
            access::isActive,
            clockMs,
            options.silence().deadMs());
    AdoptionService newAdoptions =
        new AdoptionService(
            access,
            nameNode.getNamesystem(),
            options.placement(),
            state,
            new AdoptionCalls.Peers(state.adoptionRows(peers), state.covers(peers)),
            state.releases(peers),
            state.filesToLower(),
            namespace,
            new BalanceCalls.Rows(peers, peers));
    adoptions = newAdoptions;
    AdminCalls admin =
        new AdminCalls(
            access,
            namespace,
            state,
            peers,
            new LstorRebuildCalls(state.map()::view, namespace, peers, peers),
            newAdoptions.calls(),
            newAdoptions.balances(),
            new AdminCalls.Times(
                () -> TimeUnit.MILLISECONDS.sleep(Math.max(500, 2 * options.reportIntervalMs())),
                clockMs,
                Time::now));
    PlacementQuestions questions =
        new PlacementQuestions(
            namespace::registered,
            state.chooser()::leavesToHdfs,
            access::isActive,
            access::clusterId,
            access::blockPoolId,
            answers);
    context.serve(RaidpProtocols.node(new NodeCalls(reports, questions)));
    context.serve(RaidpProtocols.admin(admin));
    context.serve(
        RaidpProtocols.read(
            new LostBlockCalls(
                state.map()::view,
                namespace,
                namespace::registered,
                access::isActive,
                state.recovery().asked())));
    reportIntervalMs = options.reportIntervalMs();
    BlockRepair newRepair =
        new BlockRepair(
            access.repair(state.placement(), state.superchunks()),
            rows,
            state::isPaired,
            options.recovery().repair().maxStreams(),
            access::pendingTimeoutMs);
    state.repairBy(newRepair);
    repair = newRepair;
    repairIntervalMs = options.recovery().repair().intervalMs();
    ProtectionState healed = state.protection();
    healing =
        new ReplicaHealing(
            state.map()::view,
            replica -> healed.isHealed(replica, rows),
            marks(access),
            peers::heal,
            healers);
    LOG.info("RAIDP manager is made: {}", options);
  }

  /** Attaches the placement, and begins the rounds. */
  @Override
  public synchronized void ready() throws IOException {
    ReplicaHealing heals = Objects.requireNonNull(healing, "started first");
    BlockRepair copies = Objects.requireNonNull(repair, "started first");
    Objects.requireNonNull(metrics).started(state, nodes);
    synchronized (attaching) {
      isReleased = false;
    }
    attach();
    rounds.start("raidp-manager", reportIntervalMs, this::advance);
    rounds.start("raidp-recovery", reportIntervalMs, this::recover);
    rounds.start("raidp-healer", HEAL_PERIOD_MS, () -> heal(heals));
    rounds.start("raidp-repairer", repairIntervalMs, () -> repair(copies));
    rounds.start("raidp-sweeper", reportIntervalMs, this::sweep);
    rounds.start("raidp-sides", reportIntervalMs, this::compareSides);
    Objects.requireNonNull(adoptions, "started first").start();
  }

  @Override
  public synchronized Map<String, String> figures() {
    return state == null ? Map.of() : ManagerFigures.of(state, nodes.get());
  }

  /** Made outside the lock: it may look at millions of superchunks. */
  @Override
  public List<PageSection> page() {
    ManagerState now;
    synchronized (this) {
      now = state;
    }
    return now == null ? List.of() : List.of(ManagerPage.of(now, nodes.get()));
  }

  @Override
  public synchronized Map<String, Integer> nodePorts() {
    return state == null ? Map.of() : ManagerFigures.nodePorts(state);
  }

  /** Every new block of a protected file is refused. */
  @Override
  public synchronized void failed(Throwable cause) {
    String why = String.valueOf(cause.getMessage());
    release();
    if (metrics == null) {
      metrics = ManagerMetrics.register();
    }
    metrics.failedClosed(why);
    refuse(why);
  }

  /** DataNodes ask for each block, also of files that are not protected. */
  @Override
  public synchronized List<ServedProtocol> servedWhenFailed() {
    return refusing == null
        ? List.of()
        : List.of(RaidpProtocols.node(Objects.requireNonNull(unmanaged).calls(refusing.failure())));
  }

  @Override
  public synchronized void answersWhenFailed() {
    if (refusing != null) {
      refusing.leaveOthersToHdfs();
    }
  }

  /** The first of the directories that hold the image. */
  private static Path directory(Configuration conf) {
    return Path.of(FSNamesystem.getNamespaceDirs(conf).iterator().next().getPath());
  }

  private void refuse(String failure) {
    if (access == null || unmanaged == null) {
      return;
    }
    refusing = unmanaged.placement(failure);
    try {
      access.attach(refusing);
    } catch (IOException e) {
      // Another policy class is configured, and refuses nothing: the failure was logged.
      LOG.debug("Nothing to attach to", e);
    }
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

  /** A DataNode that does not answer holds one of its threads. */
  private static ExecutorService waiters(String name, int threads) {
    ThreadPoolExecutor waiters =
        new ThreadPoolExecutor(
            threads,
            threads,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, name);
              thread.setDaemon(true);
              return thread;
            });
    waiters.allowCoreThreadTimeOut(true);
    return waiters;
  }

  /** It waits for the NameNode's lock. */
  private void heal(ReplicaHealing healing) {
    if (access.isActive() && !access.isInSafeMode()) {
      healing.round(Time.monotonicNow());
    }
  }

  /** It waits for the NameNode's lock many times. */
  private void repair(BlockRepair copies) {
    if (!access.isActive()) {
      copies.stop();
      answers.stop();
      state.protection().stop();
      state.scans().clear();
    } else if (!access.isInSafeMode()) {
      state.scans().round(Time.monotonicNow());
      copies.round(Time.monotonicNow());
    }
  }

  /** It waits for DataNodes. */
  private void sweep() {
    if (access.isActive() && !access.isInSafeMode()) {
      state.recovery().sweep(Time.monotonicNow());
    }
  }

  /** It waits for DataNodes. */
  private void compareSides() {
    if (!access.isActive()) {
      state.stopComparing();
    } else if (!access.isInSafeMode()) {
      state.compareSides(Time.monotonicNow());
    }
  }

  /** A reconfiguration of the NameNode makes a new policy object, so this is repeated. */
  private void attach() throws IOException {
    synchronized (attaching) {
      if (!isReleased) {
        access.attach(state.placement());
        state.attached();
      }
    }
  }

  /** Notices silent nodes. It waits for no daemon, but in the end for the NameNode's lock. */
  private void advance() throws IOException {
    try {
      attach();
    } finally {
      state.advance(Time.monotonicNow());
    }
  }

  /** It waits for Lstor daemons, and longest for those that hang. */
  private void recover() {
    if (!access.isActive()) {
      state.recovery().stop();
      state.map().takeOrdersBack();
      // Who takes over does not know of them. If they came back later, nobody would expect it.
      state.map().withdrawAllFailed();
    } else if (!access.isInSafeMode()) {
      state.recovery().tick(Time.monotonicNow());
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

  private void release() {
    rounds.stop();
    if (adoptions != null) {
      adoptions.stop();
      adoptions = null;
    }
    if (rowReaders != null) {
      rowReaders.shutdownNow();
      rowReaders = null;
    }
    if (healers != null) {
      healers.shutdownNow();
      healers = null;
    }
    synchronized (attaching) {
      isReleased = true;
      if (state != null) {
        state.detached();
        detach(state.placement());
      }
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
