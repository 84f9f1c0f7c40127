/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.fault;

import io.hdfsparity.core.check.Attempts;
import io.hdfsparity.localcluster.AdminCommand;
import io.hdfsparity.localcluster.ClusterPaths;
import io.hdfsparity.localcluster.Daemon;
import io.hdfsparity.localcluster.LocalCluster;
import io.hdfsparity.localcluster.torture.plan.Episode;
import io.hdfsparity.localcluster.torture.plan.Fault;
import io.hdfsparity.localcluster.torture.plan.FaultKind;
import io.hdfsparity.localcluster.torture.plan.Schedule;
import io.hdfsparity.localcluster.torture.report.FaultSpan;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.apache.hadoop.net.NetUtils;

/** Breaks parts of a cluster and heals them. Used by one thread. */
public final class FaultInjector {
  private static final int RECOVERIES = 5;

  /** Of the node that is drawn. */
  private static final int FAILING_DISK = 0;

  /** Eight blocks. */
  private static final long MAX_ROOM_BYTES = 32L << 20;

  private static final String RPC_ADDRESS = "dfs.namenode.rpc-address";

  private final LocalCluster cluster;
  private final LongSupplier clock;
  private final Consumer<String> log;
  private final NodeSignals signals;
  private final SplittableRandom filled;
  private final SplittableRandom flipped;
  private final SplittableRandom jumps;
  private final ClientLinks links;
  private final AllLive allLive;
  private final List<FaultSpan> spans = new ArrayList<>();

  /** A wait until the NameNode holds all DataNodes for alive. */
  public interface AllLive {
    void await() throws IOException;
  }

  /**
   * @param schedule what is run
   * @param clock that of the history
   * @param allLive how to wait
   */
  public FaultInjector(
      LocalCluster cluster,
      Schedule schedule,
      LongSupplier clock,
      AllLive allLive,
      Consumer<String> log) {
    this.cluster = cluster;
    this.clock = clock;
    this.log = log;
    this.allLive = allLive;
    this.signals = new NodeSignals(cluster);
    this.filled = schedule.random(FaultKind.DISK_FULL.label());
    this.flipped = schedule.random(FaultKind.BIT_FLIP.label());
    this.jumps = schedule.random(FaultKind.CLOCK.label());
    this.links = new ClientLinks(cluster, schedule.random(FaultKind.SLOW_LINK.label()), log);
  }

  /** What was broken so far, and when. */
  public List<FaultSpan> spans() {
    return List.copyOf(spans);
  }

  private record Broken(Fault fault, long beginNanos, Remedy remedy) {
    String describe() {
      String detail = remedy.detail();
      return detail.isEmpty() ? fault.describe() : fault.describe() + " " + detail;
    }
  }

  /**
   * Makes the faults of an episode, waits, and heals them; returns when all DataNodes are back.
   * Those of NameNodes are made first and healed last: a NameNode that is started waits for all
   * DataNodes that run, and one that is stopped by a signal runs and says nothing.
   *
   * @throws IOException if a fault cannot be made or healed: what is left of the cluster is unknown
   */
  public void run(Episode episode) throws IOException, InterruptedException {
    List<Broken> broken = new ArrayList<>();
    List<Fault> faults =
        episode.faults().stream()
            .sorted(Comparator.comparing(fault -> fault.kind().takesDataNode()))
            .toList();
    for (Fault fault : faults) {
      long begin = clock.getAsLong();
      log.accept(String.format("%6.1f s  %s", begin / 1e9, fault.describe()));
      broken.add(new Broken(fault, begin, inject(fault)));
    }
    hold(episode.holdMs());
    heal(broken);
    allLive.await();
    long end = clock.getAsLong();
    broken.forEach(each -> spans.add(new FaultSpan(each.describe(), each.beginNanos(), end)));
    log.accept(String.format("%6.1f s  healed", end / 1e9));
  }

  private void hold(long ms) throws IOException, InterruptedException {
    long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms);
    for (long left = ms; left > 0; left = millisUntil(endNanos)) {
      TimeUnit.MILLISECONDS.sleep(Math.min(left, ClientLinks.STEP_MS));
      links.step();
    }
  }

  private static long millisUntil(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos - System.nanoTime());
  }

  /** In the opposite order; one that fails keeps no other from being healed. */
  private static void heal(List<Broken> broken) throws IOException {
    Attempts attempts = new Attempts();
    for (int i = broken.size() - 1; i >= 0; i--) {
      attempts.run(broken.get(i).remedy()::apply);
    }
    attempts.throwFirst();
  }

  private Remedy inject(Fault fault) throws IOException {
    String node = "dn" + fault.node();
    switch (fault.kind()) {
      case KILL -> {
        cluster.kill(node);
        return () -> cluster.restart(node);
      }
      case STOP -> {
        NodeSignals.Stopped stopped = signals.stop(node);
        return stopped::resume;
      }
      case RESTART -> {
        cluster.restart(node);
        return () -> {};
      }
      case NAMENODE_RESTART -> {
        cluster.restart("nn");
        return () -> {};
      }
      case FAILOVER -> {
        return failOver();
      }
      case DISK_FAIL -> {
        return failDisks(List.of(new DiskPair.NodeDisk(fault.node(), FAILING_DISK)));
      }
      case BIT_FLIP -> {
        return flipBits(node, fault.node());
      }
      case PARTITION -> {
        NodeNetworks.cut(fault.node());
        return () -> NodeNetworks.join(fault.node());
      }
      case PARTITION_NAMENODE -> {
        return cutFromNameNodes(fault.node());
      }
      case DISK_FULL -> {
        return fillDisks(fault.node());
      }
      case REFUSE_READERS -> {
        return links.refuseReaders(fault.node());
      }
      case REPLY_LOSS -> {
        return links.loseReplies(fault.node());
      }
      case SLOW_LINK -> {
        return links.slowLink(fault.node());
      }
      case DISK_PAIR_FAIL -> {
        return failDisks(
            DiskPair.of(cluster, new DiskPair.NodeDisk(fault.node(), FAILING_DISK)).both());
      }
      case CLOCK -> {
        return setClock(ClockJump.draw(Daemon.of(cluster.spec()), jumps));
      }
    }
    throw new IllegalArgumentException("Cannot make a fault: kind=" + fault.kind());
  }

  private Remedy failOver() throws IOException {
    String active =
        cluster
            .activeNameNode()
            .orElseThrow(() -> new IOException("Cannot fail over: no NameNode is active"));
    String other = active.equals("nn0") ? "nn1" : "nn0";
    cluster.kill(active);
    cluster.failOver(other);
    return () -> cluster.restart(active);
  }

  private Remedy cutFromNameNodes(int node) throws IOException {
    Set<Integer> ports = new TreeSet<>();
    for (Map.Entry<String, String> entry : cluster.conf()) {
      if (entry.getKey().startsWith(RPC_ADDRESS)) {
        ports.add(NetUtils.createSocketAddr(entry.getValue()).getPort());
      }
    }
    if (ports.isEmpty()) {
      throw new IOException("Cannot cut off dn" + node + ": expected a port in " + RPC_ADDRESS);
    }
    for (int port : ports) {
      NodeNetworks.cutFrom(node, port);
    }
    return () -> {
      for (int port : ports) {
        NodeNetworks.joinTo(node, port);
      }
    };
  }

  /** Nothing fits in there, or some blocks do: then HDFS writes there until that is used too. */
  private Remedy fillDisks(int node) throws IOException {
    ClusterPaths paths = new ClusterPaths(cluster.dir());
    long room = filled.nextBoolean() ? 0 : filled.nextLong(MAX_ROOM_BYTES);
    long bytes = NodeDisks.fill(paths, node, room);
    log.accept("dn%d can hold %d bytes now, %d of them are free".formatted(node, bytes, room));
    return () -> NodeDisks.free(paths, node);
  }

  private Remedy flipBits(String name, int node) throws IOException {
    ClusterPaths paths = new ClusterPaths(cluster.dir());
    List<Path> storages =
        IntStream.range(0, cluster.spec().disksPerNode())
            .mapToObj(disk -> paths.diskRoot(node, disk).resolve("data"))
            .toList();
    BitFlips[] made = new BitFlips[1];
    whileStopped(name, () -> made[0] = BitFlips.make(storages, flipped));
    log.accept("%d bits of %d blocks of %s".formatted(made[0].count(), made[0].blocks(), name));
    return () ->
        whileStopped(
            name, () -> log.accept(made[0].restore() + " bits of " + name + " are flipped back"));
  }

  private Remedy setClock(ClockJump jump) throws IOException {
    ClusterPaths paths = new ClusterPaths(cluster.dir());
    log.accept("clock " + jump.describe());
    DaemonClocks.set(paths, jump.daemon(), jump.seconds());
    return new Remedy() {
      @Override
      public void apply() throws IOException {
        DaemonClocks.set(paths, jump.daemon(), 0);
      }

      @Override
      public String detail() {
        return jump.describe();
      }
    };
  }

  private void whileStopped(String name, Remedy work) throws IOException {
    NodeSignals.Stopped stopped = signals.stop(name);
    Attempts attempts = new Attempts();
    attempts.run(work::apply);
    attempts.run(stopped::resume);
    attempts.throwFirst();
  }

  private Remedy failDisks(List<DiskPair.NodeDisk> disks) throws IOException {
    for (DiskPair.NodeDisk each : disks) {
      log.accept("dn%d/disk%d fails".formatted(each.node(), each.disk()));
      cluster.failDisk(each.node(), each.disk());
    }
    for (DiskPair.NodeDisk each : disks) {
      cluster.awaitDiskFailureKnown(each.node(), each.disk());
    }
    return () -> replaceDisks(disks);
  }

  private void replaceDisks(List<DiskPair.NodeDisk> disks) throws IOException {
    AdminCommand admin = new AdminCommand(cluster.conf());
    for (int attempt = 1; ; attempt++) {
      AdminCommand.Answer answer = admin.run(line -> {}, "raidp -recover -progress -json");
      if (answer.exitCode() == 0) {
        break;
      }
      if (attempt == RECOVERIES) {
        answer.requireSuccess();
      }
    }
    for (DiskPair.NodeDisk each : disks) {
      cluster.replaceDisk(each.node(), each.disk());
    }
    cluster.applyLayout();
  }
}
