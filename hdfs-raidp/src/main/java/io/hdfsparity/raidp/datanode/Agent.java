/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.core.check.Timers;
import io.hdfsparity.raidp.wire.IncrementalReports;
import io.hdfsparity.raidp.wire.NodeClientTranslator;
import io.hdfsparity.raidp.wire.RaidpNodeProtocol;
import io.hdfsparity.raidp.wire.message.Assignment;
import io.hdfsparity.raidp.wire.message.DiskState;
import io.hdfsparity.raidp.wire.message.FrameRef;
import io.hdfsparity.raidp.wire.message.NodeReport;
import io.hdfsparity.raidp.wire.message.NodeReportResponse;
import io.hdfsparity.raidp.wire.message.Pairing;
import io.hdfsparity.raidp.wire.message.RebuildOrder;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after the disks of this node and reports them to the manager of every NameNode, each round:
 * in full at first and when the manager asks for it, else what has changed. Obeys the active one.
 *
 * <p>Thread-safe; one round at a time.
 */
final class Agent implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(Agent.class);
  private static final long CLOSE_WAIT_MS = 10_000;

  /** Disks that HDFS lets go of at once. */
  private static final int REMOVALS = 4;

  private final NodeFrames frames;
  private final NodeReporter reporter;
  private final PeerBook peers;
  private final Managers managers;
  private final Consumer<RebuildOrder> rebuilds;
  private final DiskChanges diskChanges;
  private final LeftoverReports leftovers;
  private final DiskWatch watch = new DiskWatch();
  private final Map<InetSocketAddress, String> lastErrors = new HashMap<>();
  private final Map<InetSocketAddress, IncrementalReports> reportsTo = new HashMap<>();
  private final ScheduledExecutorService executor;

  /** HDFS waits until nobody reads from a volume any more, for minutes if a reader is slow. */
  private final ExecutorService removals;

  /** What the agent has done with disks. */
  interface DiskChanges {
    /** Takes volumes out of service; may take long, and is called by several threads. */
    void declareFailed(List<String> storageIds, String reason);

    /** Nothing depends on these disks any more; {@link DepartedDisks#forget}. */
    void unneeded(List<String> diskIds);
  }

  /** Connections to managers. */
  interface Managers extends Closeable {
    List<InetSocketAddress> addresses() throws IOException;

    RaidpNodeProtocol at(InetSocketAddress address) throws IOException;
  }

  Agent(
      NodeFrames frames,
      NodeReporter reporter,
      PeerBook peers,
      Managers managers,
      Consumer<RebuildOrder> rebuilds,
      DiskChanges diskChanges,
      LeftoverReports leftovers) {
    this.frames = frames;
    this.reporter = reporter;
    this.peers = peers;
    this.managers = managers;
    this.rebuilds = rebuilds;
    this.diskChanges = diskChanges;
    this.leftovers = leftovers;
    this.executor = Timers.daemon("raidp-agent");
    this.removals = Timers.daemonPool(REMOVALS, "raidp-volume-removal");
  }

  void start(long intervalMs) {
    executor.scheduleWithFixedDelay(
        Timers.guarded(this::round, Agent::failed), 0, intervalMs, TimeUnit.MILLISECONDS);
  }

  private static void failed(Throwable e) {
    LOG.error("Round of the agent failed; the next one tries again", e);
  }

  /** One round. */
  void round() {
    try {
      frames.disks().forEach(this::look);
      for (InetSocketAddress address : managers.addresses()) {
        report(address);
      }
      leftovers.look(frames.engines().stream().map(FrameEngine::frame).toList());
    } catch (IOException | RuntimeException e) {
      failed(e);
    }
  }

  private void look(DiskEngine disk) {
    if (disk.state() == DiskState.DISK_FAILED) {
      return;
    }
    Optional<String> broken = watch.check(disk);
    if (broken.isPresent()) {
      failDisk(disk, broken.get());
      return;
    }
    if (disk.state() == DiskState.LSTOR_FAILED) {
      return;
    }
    Optional<String> lstorBroken = DiskHealth.checkLstor(disk);
    // The disk may have been failed by another thread meanwhile; then a closed Lstor is no news.
    if (lstorBroken.isPresent() && disk.holdsLstor()) {
      LOG.error("Lstor has failed: disk={} cause={}", disk.diskId(), lstorBroken.get());
      disk.lstorFailed(lstorBroken.get());
    }
  }

  private void failDisk(DiskEngine disk, String reason) {
    LOG.error("Disk has failed: disk={} root={} cause={}", disk.diskId(), disk.root(), reason);
    // First our own state, so that nothing is covered or served any more, and the next report says
    // so; HDFS then takes the volumes out.
    try {
      disk.fail(reason);
    } catch (IOException e) {
      LOG.warn(
          "Lstor of a failed disk could not be closed cleanly; its journal will be replayed: disk={}",
          disk.diskId(),
          e);
    }
    removals.execute(() -> declareFailed(disk, reason));
  }

  private void declareFailed(DiskEngine disk, String reason) {
    try {
      diskChanges.declareFailed(disk.storageIds(), reason);
    } catch (RuntimeException e) {
      LOG.error("HDFS goes on with the volumes of a failed disk: disk={}", disk.diskId(), e);
    }
  }

  private void report(InetSocketAddress address) {
    try {
      NodeReportResponse response = report(managers.at(address), address);
      lastErrors.remove(address);
      obey(response);
    } catch (IOException e) {
      String error = e.toString();
      if (!error.equals(lastErrors.put(address, error))) {
        LOG.warn("Manager does not answer: address={} cause={}", address, error);
      }
    }
  }

  private NodeReportResponse report(RaidpNodeProtocol manager, InetSocketAddress address)
      throws IOException {
    IncrementalReports reports =
        reportsTo.computeIfAbsent(address, each -> new IncrementalReports());
    NodeReport now = reporter.report();
    NodeReport next = reports.next(now);
    NodeReportResponse response = manager.reportNode(next);
    reports.answered(now, response.receipt());
    if (response.receipt().isEmpty() && next.basis().isPresent()) {
      response = manager.reportNode(now);
      reports.answered(now, response.receipt());
    }
    return response;
  }

  private void obey(NodeReportResponse response) {
    peers.update(response);
    if (!response.active()) {
      return;
    }
    for (DiskEngine disk : frames.disks()) {
      if (response.disks().failedIds().contains(disk.diskId()) && !disk.isOut()) {
        failDisk(disk, "declared failed by an administrator");
      }
    }
    Set<FrameRef> superseded = Set.copyOf(response.superseded());
    for (DiskEngine disk : frames.disks()) {
      if (!disk.isOut()) {
        disk.frames().forEach(frame -> frame.superseded(superseded.contains(frame.ref())));
      }
    }
    diskChanges.unneeded(response.disks().unneededIds());
    response.assignments().forEach(this::pair);
    response.rebuilds().forEach(rebuilds);
  }

  private void pair(Assignment assignment) {
    FrameEngine engine = frames.engine(assignment.frame()).orElse(null);
    if (engine == null || engine.frame().disk().failure().isPresent()) {
      return;
    }
    try {
      if (!engine.frame().pairing().equals(Optional.of(assignment.pairing()))) {
        requireFree(engine.frame(), assignment.pairing());
        engine.frame().pair(assignment.pairing());
        LOG.info(
            "Frame is paired: frame={} pairing={}", assignment.frame(), engine.frame().pairing());
      }
      engine.frame().schedule(Settler.FETCH_ROWS);
    } catch (IOException e) {
      LOG.error(
          "Cannot store pairing; the manager will give it again: assignment={}", assignment, e);
    }
  }

  /**
   * Two managers may hand out one superchunk around a failover, and one of them knows less: what
   * the volume has stored under the same or a newer epoch stays, and so does what holds blocks.
   */
  private static void requireFree(Frame frame, Pairing next) throws IOException {
    for (Frame other : frame.volume().frames()) {
      if (other != frame && other.pairing().filter(p -> isNotOlder(p, next)).isPresent()) {
        throw new IOException(
            "Cannot pair frame: superchunk="
                + next.superchunkId()
                + " epoch="
                + next.epoch()
                + ", expected one that frame "
                + other.ref()
                + " does not have under epoch "
                + other.pairing().orElseThrow().epoch()
                + ", frame="
                + frame.ref());
      }
    }
    Pairing now = frame.pairing().orElse(null);
    if (now != null
        && now.superchunkId() != next.superchunkId()
        && now.epoch() < next.epoch()
        && !frame.isSuperseded(now)
        && frame.holdsBlocks()) {
      throw new IOException(
          "Cannot pair frame: superchunk="
              + next.superchunkId()
              + ", expected "
              + now.superchunkId()
              + " as long as blocks of it are in the frame and it is not superseded, frame="
              + frame.ref());
    }
  }

  private static boolean isNotOlder(Pairing pairing, Pairing next) {
    return pairing.superchunkId() == next.superchunkId() && pairing.epoch() >= next.epoch();
  }

  @Override
  public void close() throws IOException {
    Timers.end(executor, CLOSE_WAIT_MS);
    Timers.end(removals, CLOSE_WAIT_MS);
    managers.close();
  }

  /** Managers by Hadoop RPC; used by one thread. */
  static final class RpcManagers implements Managers {
    private final Configuration conf;
    private final int timeoutMs;
    private final Addresses source;
    private final Map<InetSocketAddress, NodeClientTranslator> clients = new HashMap<>();

    /** Finds the managers. */
    interface Addresses {
      List<InetSocketAddress> get() throws IOException;
    }

    RpcManagers(Configuration conf, int timeoutMs, Addresses source) {
      this.conf = conf;
      this.timeoutMs = timeoutMs;
      this.source = source;
    }

    @Override
    public List<InetSocketAddress> addresses() throws IOException {
      return source.get();
    }

    @Override
    public RaidpNodeProtocol at(InetSocketAddress address) throws IOException {
      NodeClientTranslator client = clients.get(address);
      if (client == null) {
        client = new NodeClientTranslator(address, conf, timeoutMs);
        clients.put(address, client);
      }
      return client;
    }

    @Override
    public void close() {
      clients.values().forEach(NodeClientTranslator::close);
    }
  }
}
