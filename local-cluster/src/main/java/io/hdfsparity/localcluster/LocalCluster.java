/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/**
 * A real HDFS cluster on this machine's loopback interface: a NameNode, or two with three
 * JournalNodes, DataNodes with simulated disks, and Lstor daemons, and YARN if it is wanted, each a
 * process of its own on the class path of this JVM. All its state is in one folder; the processes
 * outlive this JVM until {@link #stop}.
 *
 * <p><b>Invariants.</b> A start either ends with a cluster that is ready, or leaves no process
 * behind, also when this JVM is interrupted. A folder has at most one running cluster.
 *
 * <p>Thread-safe; commands that change the cluster exclude each other, across processes too, by
 * failing.
 */
public final class LocalCluster implements Closeable {
  private static final Duration LAYOUT_TIMEOUT = Duration.ofMinutes(5);
  private static final Duration NOTICE_TIMEOUT = Duration.ofMinutes(2);

  private final ClusterPaths paths;
  private final Launch launch;
  private final Consumer<String> log;
  private volatile ClusterSpec spec;

  LocalCluster(ClusterPaths paths, ClusterSpec spec, Launch launch, Consumer<String> log) {
    this.paths = paths;
    this.spec = spec;
    this.launch = launch;
    this.log = log;
  }

  /** Describes a cluster in a folder, new or stopped. */
  public static LocalClusterBuilder builder(Path dir) {
    return new LocalClusterBuilder(dir);
  }

  /**
   * The cluster of a folder, running or not.
   *
   * @throws IOException when the folder holds none
   */
  public static LocalCluster open(Path dir) throws IOException {
    return builder(dir).open();
  }

  /** The description. */
  public ClusterSpec spec() {
    return spec;
  }

  /** The folder. */
  public Path dir() {
    return paths.root();
  }

  /**
   * Starts all processes and waits until the cluster can be used: NameNodes out of safe mode and
   * every DataNode registered with its capacity known. Of two NameNodes the first is active then.
   *
   * @throws IOException when the cluster runs already, or cannot be started; nothing runs then that
   *     did not before
   */
  public void start() throws IOException {
    try (ClusterLock lock = ClusterLock.take(paths)) {
      requireNothingRuns();
      Processes processes = processes();
      processes.killStrays();
      spec.store(paths.specFile());
      startup(spec, processes).run(Startup::all);
    }
  }

  private Startup startup(ClusterSpec described, Processes processes) {
    return new Startup(described, paths, launch, processes, log);
  }

  private void requireNothingRuns() throws IOException {
    Processes processes = processes();
    for (Daemon daemon : Daemon.of(spec)) {
      Optional<Long> pid = processes.pid(daemon);
      if (pid.isPresent()) {
        throw new IOException(
            "Cannot start the cluster: "
                + daemon.name()
                + " runs already as process "
                + pid.get()
                + ", expected a cluster that is stopped, dir="
                + paths.root());
      }
    }
  }

  /**
   * Ends all processes, in the order of {@link Daemon#stopOrder}, and what is left of jobs. Does
   * nothing when none runs.
   */
  public void stop() throws IOException {
    try (ClusterLock lock = ClusterLock.take(paths)) {
      stopLocked();
    }
  }

  private void stopLocked() throws IOException {
    Processes processes = processes();
    for (List<Daemon> daemons : Daemon.stopOrder(spec)) {
      processes.stop(daemons);
    }
    processes.killStrays();
  }

  /**
   * Ends all processes and deletes everything that the cluster has stored, Lstors in memory
   * included.
   */
  public void purge() throws IOException {
    try (ClusterLock lock = ClusterLock.take(paths)) {
      stopLocked();
      LstorPlace.remove(paths);
      for (String name : ClusterPaths.CONTENT) {
        LiveFolder.delete(paths.root().resolve(name));
      }
    }
    Files.deleteIfExists(paths.lockFile());
    if (Files.isDirectory(paths.root())) {
      try (var left = Files.list(paths.root())) {
        if (left.findAny().isEmpty()) {
          Files.delete(paths.root());
        }
      }
    }
  }

  /** Same as {@link #stop}. */
  @Override
  public void close() throws IOException {
    stop();
  }

  /**
   * Pairs all frames of a raidp cluster that have no superchunk, and waits until the superchunks
   * take blocks: the pairs become usable only when their frames have stored them.
   *
   * @throws IOException when the manager refuses, or it takes too long
   */
  public void applyLayout() throws IOException {
    RaidpReadiness readiness = new RaidpReadiness(conf());
    readiness.applyLayout();
    Await.until("apply the layout", LAYOUT_TIMEOUT, readiness::layoutMissing);
  }

  /**
   * Marks a directory: its new files are protected by superchunks.
   *
   * @throws IOException when the manager refuses
   */
  public void protect(String path) throws IOException {
    new RaidpReadiness(conf()).protect(path);
  }

  /**
   * Ends a process at once, as a crash would (SIGKILL).
   *
   * @param name {@code nn}, {@code nn0}, {@code jn0}, {@code dn0}, {@code lstor0}, …
   * @throws IOException when it does not run
   */
  public void kill(String name) throws IOException {
    Daemon daemon = Daemon.byName(spec, name);
    try (ClusterLock lock = ClusterLock.take(paths)) {
      Processes processes = processes();
      if (!processes.isRunning(daemon)) {
        throw new IOException("Cannot kill " + name + ": it does not run, dir=" + paths.root());
      }
      processes.kill(List.of(daemon));
    }
  }

  /**
   * Ends all processes at once, each by itself: one that cannot be ended keeps none of the others
   * alive.
   *
   * @throws IOException when another command is at work on the cluster, or one does not end
   */
  public void killAll() throws IOException {
    try (ClusterLock lock = ClusterLock.take(paths)) {
      Processes processes = processes();
      processes.kill(Daemon.of(spec));
      // Tasks of jobs, which their NodeManager would have ended.
      processes.killStrays();
    }
  }

  /**
   * Ends a process if it runs and starts it again; waits until it is back at work. One of two
   * NameNodes comes back as a standby.
   *
   * @throws IOException when it does not come up; the rest of the cluster is left as it is
   */
  public void restart(String name) throws IOException {
    restart(List.of(name));
  }

  /** The same for several, which come up at the same time. */
  public void restart(List<String> names) throws IOException {
    List<Daemon> daemons = names.stream().map(name -> Daemon.byName(spec, name)).toList();
    try (ClusterLock lock = ClusterLock.take(paths)) {
      Processes processes = processes();
      processes.stop(daemons);
      startup(spec, processes).run(startup -> startup.some(daemons));
    }
  }

  /**
   * Makes one of two NameNodes the active one, as {@code haadmin -failover} does: the other becomes
   * a standby, or is dead. Does nothing when it is active already.
   *
   * @param name {@code nn0} or {@code nn1}
   * @throws IOException when it is no standby that is out of safe mode
   * @throws IllegalArgumentException when the cluster has one NameNode, or none of that name
   */
  public void failOver(String name) throws IOException {
    Daemon daemon = Daemon.byName(spec, name);
    if (daemon.role() != DaemonRole.PAIRED_NAMENODE) {
      throw new IllegalArgumentException(
          "Cannot fail over: to="
              + name
              + ", expected nn0 or nn1 of a cluster that was started with --ha");
    }
    try (ClusterLock lock = ClusterLock.take(paths)) {
      PortMap ports = PortMap.load(paths.portsFile());
      NameNodes nameNodes = new NameNodes(spec, ports);
      if (!nameNodes.active().equals(Optional.of(daemon))) {
        nameNodes.failOver(Startup.ownConf(spec, paths, ports), daemon);
      }
    }
  }

  /** The active NameNode; empty when none answers that it is. */
  public Optional<String> activeNameNode() throws IOException {
    return nameNodes().active().map(Daemon::name);
  }

  private NameNodes nameNodes() throws IOException {
    return new NameNodes(spec, PortMap.load(paths.portsFile()));
  }

  /**
   * Adds a node to a running cluster.
   *
   * @return the name of its DataNode
   */
  public String addDataNode() throws IOException {
    try (ClusterLock lock = ClusterLock.take(paths)) {
      Processes processes = processes();
      processes.requireRunning(nameNodes().leading());
      ClusterSpec larger = spec.withOneNodeMore();
      List<Daemon> added = Daemon.ofNode(larger, spec.nodes());
      startup(larger, processes).run(startup -> startup.some(added));
      larger.store(paths.specFile());
      spec = larger;
      return added.get(0).name();
    }
  }

  /**
   * Fails a disk: its content is moved aside and a plain file takes its place, so that whatever the
   * DataNode does with it fails from now on. Its Lstor stays.
   *
   * @param node index of the node
   * @param disk index of the disk on it
   * @return where the content is now
   * @throws IOException when there is no such disk, or it has failed already
   */
  public Path failDisk(int node, int disk) throws IOException {
    try (ClusterLock lock = ClusterLock.take(paths)) {
      return new Disks(spec, paths).fail(node, disk);
    }
  }

  /**
   * Puts an empty disk in the place of one that has failed, and restarts the DataNode if it runs.
   * The content of the failed one, which lay aside, is deleted.
   *
   * @param node index of the node
   * @param disk index of the disk on it
   * @throws IOException when there is no such disk, it has not failed, or the DataNode does not
   *     come up
   */
  public void replaceDisk(int node, int disk) throws IOException {
    Daemon dataNode = new Daemon(DaemonRole.DATANODE, node);
    try (ClusterLock lock = ClusterLock.take(paths)) {
      Processes processes = processes();
      boolean isRunning = processes.isRunning(dataNode);
      if (isRunning) {
        processes.stop(List.of(dataNode));
      }
      new Disks(spec, paths).replace(node, disk);
      if (isRunning) {
        startup(spec, processes).run(startup -> startup.some(List.of(dataNode)));
      }
    }
  }

  /**
   * Waits until the manager of a raidp cluster knows that a disk has failed. Before, {@code raidp
   * -recover} finds nothing to do.
   *
   * @throws IOException when it does not within 30 s
   */
  public void awaitDiskFailureKnown(int node, int disk) throws IOException {
    RaidpReadiness readiness = new RaidpReadiness(conf());
    Path root = paths.diskRoot(node, disk);
    Await.until(
        "see the failure of dn" + node + "/disk" + disk,
        NOTICE_TIMEOUT,
        () -> readiness.diskFailureMissing(root));
  }

  /** What the cluster is doing now. */
  public ClusterStatus status() throws IOException {
    Processes processes = processes();
    List<ClusterStatus.ProcessStatus> list = new ArrayList<>();
    for (Daemon daemon : Daemon.of(spec)) {
      Optional<Long> pid = processes.pid(daemon);
      ClusterStatus.ProcessState state =
          pid.isPresent()
              ? ClusterStatus.ProcessState.RUNNING
              : processes.shouldRun(daemon)
                  ? ClusterStatus.ProcessState.DEAD
                  : ClusterStatus.ProcessState.STOPPED;
      list.add(
          new ClusterStatus.ProcessStatus(
              daemon.name(),
              state,
              pid.orElse(0L),
              daemon.host(),
              daemon.isOfNode() ? spec.topology().rackOf(daemon.node()) : "-",
              paths.logFile(daemon).toString()));
    }
    PortMap ports = PortMap.load(paths.portsFile());
    boolean anyRuns = false;
    for (Daemon nameNode : Daemon.nameNodes(spec)) {
      anyRuns |= processes.isRunning(nameNode);
    }
    Optional<Daemon> active = anyRuns ? nameNodes().active() : Optional.empty();
    Daemon leading = active.orElse(Daemon.nameNodes(spec).get(0));
    return new ClusterStatus(
        paths.root().toString(),
        spec.mode().label(),
        List.copyOf(list),
        new Disks(spec, paths).status(),
        new NameNodeKeys(spec, ports).fileSystem(),
        active.map(Daemon::name).orElse(""),
        ports.address(leading, Purpose.HTTP),
        anyRuns ? metricsOrNull(ports) : null);
  }

  private ClusterMetrics metricsOrNull(PortMap ports) {
    try {
      return ClusterMetrics.read(spec, ports);
    } catch (IOException e) {
      log.accept("The NameNode does not answer: " + e.getMessage());
      return null;
    }
  }

  /**
   * Reads the counters of all daemons.
   *
   * @throws IOException when the NameNode does not answer
   */
  public ClusterMetrics metrics() throws IOException {
    return ClusterMetrics.read(spec, PortMap.load(paths.portsFile()));
  }

  /**
   * Sums up what the DataNodes of an izs cluster have done to rebuild units; DataNodes that do not
   * answer are left out.
   */
  public RepairCounters repairCounters() throws IOException {
    return RepairCounters.ofThoseThatAnswer(dataNodePages());
  }

  /**
   * What all DataNodes have done for in-place updates since they were started.
   *
   * @throws IOException when one does not answer: the sum would lack its part
   */
  public UpdateCounters updateCounters() throws IOException {
    return UpdateCounters.ofAll(dataNodePages());
  }

  private List<String> dataNodePages() throws IOException {
    PortMap ports = PortMap.load(paths.portsFile());
    return IntStream.range(0, spec.nodes())
        .mapToObj(node -> ports.address(new Daemon(DaemonRole.DATANODE, node), Purpose.HTTP))
        .toList();
  }

  /** A client's configuration. Each call makes a new one. */
  public Configuration conf() throws IOException {
    return Startup.clientConf(spec, paths, PortMap.load(paths.portsFile()));
  }

  /** The same for Hadoop's own client, also where the suite has one. Each call makes a new one. */
  public Configuration stockConf() throws IOException {
    Configuration conf = conf();
    conf.unset(ClusterKey.FILE_SYSTEM.key());
    conf.unset(ClusterKey.ABSTRACT_FILE_SYSTEM.key());
    return conf;
  }

  /** A client of its own; to be closed. With izs it is the suite's, else Hadoop's. */
  public FileSystem newFileSystem() throws IOException {
    return FileSystem.newInstance(conf());
  }

  private Processes processes() {
    return new Processes(paths, spec.clusterId(), launch.daemons(), log);
  }
}
