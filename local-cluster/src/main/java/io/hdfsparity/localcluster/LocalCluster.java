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
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;

/**
 * A real HDFS cluster on this machine's loopback interface: a NameNode, DataNodes with simulated
 * disks, and Lstor daemons, each a process of its own on the class path of this JVM. All its state
 * is in one folder; the processes outlive this JVM until {@link #stop}.
 *
 * <p><b>Invariants.</b> A start either ends with a cluster that is ready, or leaves no process
 * behind, also when this JVM is interrupted. A folder has at most one running cluster.
 *
 * <p>Thread-safe; commands that change the cluster exclude each other, across processes too, by
 * failing.
 */
public final class LocalCluster implements Closeable {
  private static final Duration START_TIMEOUT = Duration.ofSeconds(120);
  private static final Duration REPORT_TIMEOUT = Duration.ofSeconds(20);
  private static final int START_ATTEMPTS = 3;
  private static final Daemon NAME_NODE = new Daemon(DaemonRole.NAMENODE, 0);

  private final ClusterPaths paths;
  private final Path cacheDir;
  private final Consumer<String> log;
  private volatile ClusterSpec spec;

  LocalCluster(ClusterPaths paths, ClusterSpec spec, Path cacheDir, Consumer<String> log) {
    this.paths = paths;
    this.spec = spec;
    this.cacheDir = cacheDir;
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
   * Starts all processes and waits until the cluster can be used: the NameNode out of safe mode and
   * every DataNode registered with its capacity known.
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
      Path lstorPlace = LstorPlace.of(spec, paths);
      makeDisks();
      guarded(
          processes,
          () -> {
            Files.createDirectories(cacheDir);
            RuntimeImage image = RuntimeImage.prepare(cacheDir, RuntimeImage.ownClassPath(), log);
            startAll(processes, image, lstorPlace);
          });
    }
  }

  /** Something that starts processes. */
  private interface Starting {
    void run() throws IOException;
  }

  /**
   * Runs it; when it fails or this JVM is told to end meanwhile, ends every process that it has
   * started.
   */
  private void guarded(Processes processes, Starting starting) throws IOException {
    Thread hook = new Thread(() -> undo(processes), "stop-cluster");
    Runtime.getRuntime().addShutdownHook(hook);
    boolean done = false;
    try {
      starting.run();
      done = true;
    } finally {
      if (!done) {
        undo(processes);
      }
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException shuttingDown) {
        log.accept("Interrupted: stopping what was started");
      }
    }
  }

  private void undo(Processes processes) {
    processes.closeForStart();
    try {
      processes.stop(processes.started());
    } catch (IOException e) {
      log.accept("Cannot stop what was started: " + e.getMessage());
    }
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

  private void startAll(Processes processes, RuntimeImage image, Path lstorPlace)
      throws IOException {
    Files.createDirectories(paths.classPathFile().getParent());
    Files.writeString(paths.classPathFile(), image.classPathLine() + "\n");
    Files.writeString(paths.archiveFile(), image.archive() == null ? "" : image.archive() + "\n");
    writeLog4j();
    for (int attempt = 1; ; attempt++) {
      try {
        PortMap ports = PortMap.load(paths.portsFile()).choose(spec, Daemon.of(spec));
        ports.store(paths.portsFile());
        writeConf(ports, lstorPlace, Daemon.of(spec));
        format(processes, image);
        for (Daemon daemon : startable()) {
          startDaemon(processes, image, daemon);
        }
        awaitReady(processes, ports, processes.started());
        return;
      } catch (PortBusyException e) {
        if (attempt == START_ATTEMPTS || spec.nameNodePort() != 0 || spec.httpPort() != 0) {
          throw e;
        }
        log.accept("A port was taken by another program in the meantime; trying others");
        processes.stop(Daemon.of(spec));
        processes.forgetStarted();
      }
    }
  }

  private void startDaemon(Processes processes, RuntimeImage image, Daemon daemon)
      throws IOException {
    processes.start(daemon, image, JvmOptions.of(spec, daemon.role()), List.of());
  }

  /**
   * Formats the NameNode once; the mark is written after it, so that a format that was cut off is
   * done again.
   */
  private void format(Processes processes, RuntimeImage image) throws IOException {
    Path done = paths.nameDir().resolveSibling("nn.formatted");
    if (Files.exists(done)) {
      return;
    }
    processes.run(
        NAME_NODE,
        image,
        JvmOptions.of(spec, DaemonRole.NAMENODE),
        List.of("-format", "-force", "-nonInteractive", "-clusterid", "CID-" + spec.clusterId()));
    Files.writeString(done, "");
  }

  /** All daemons but DataNodes without a disk: such a DataNode refuses to start. */
  private List<Daemon> startable() {
    List<Daemon> list = new ArrayList<>();
    for (Daemon daemon : Daemon.of(spec)) {
      if (daemon.role() == DaemonRole.DATANODE && goodDisks(daemon.node()) == 0) {
        log.accept(daemon.name() + " is not started: all its disks have failed");
      } else {
        list.add(daemon);
      }
    }
    return list;
  }

  private int goodDisks(int node) {
    int good = 0;
    for (int disk = 0; disk < spec.disksPerNode(); disk++) {
      good += Files.exists(paths.failedDiskRoot(node, disk)) ? 0 : 1;
    }
    return good;
  }

  /** Storages, that is volumes, that the DataNodes among the daemons have on good disks. */
  private int storages(List<Daemon> daemons) {
    int volumesPerDisk = spec.mode() == ClusterMode.RAIDP ? spec.framesPerDisk() : 1;
    return daemons.stream()
        .filter(daemon -> daemon.role() == DaemonRole.DATANODE)
        .mapToInt(daemon -> goodDisks(daemon.node()) * volumesPerDisk)
        .sum();
  }

  /** Waits until what runs can be used, as far as the NameNode and the manager in it know. */
  private void awaitReady(Processes processes, PortMap ports, List<Daemon> daemons)
      throws IOException {
    String http = ports.address(NAME_NODE, Purpose.HTTP);
    int dataNodes =
        (int) daemons.stream().filter(daemon -> daemon.role() == DaemonRole.DATANODE).count();
    int storages = storages(daemons);
    awaitRunning(processes, daemons, () -> Readiness.nameNodeMissing(http, dataNodes));
    for (Daemon daemon : daemons) {
      if (daemon.role() == DaemonRole.LSTOR) {
        int port = ports.port(daemon, Purpose.LSTOR);
        awaitRunning(processes, daemons, () -> Readiness.portMissing(daemon.host(), port));
      }
    }
    if (spec.mode() == ClusterMode.RAIDP) {
      RaidpReadiness readiness = new RaidpReadiness(conf());
      awaitRunning(processes, daemons, () -> readiness.missing(dataNodes, storages));
    }
    // A volume that is broken without having been failed here never reports; that is no reason not
    // to start.
    Await.ask(REPORT_TIMEOUT, () -> Readiness.blockReportsMissing(http, storages))
        .ifPresent(missing -> log.accept("Not all blocks are known yet: " + missing));
  }

  private void awaitRunning(Processes processes, List<Daemon> daemons, Await.Question question)
      throws IOException {
    Await.until(
        "start the cluster",
        START_TIMEOUT,
        () -> {
          for (Daemon daemon : daemons) {
            processes.requireRunning(daemon);
          }
          return question.missing();
        });
  }

  private void makeDisks() throws IOException {
    for (int node = 0; node < spec.nodes(); node++) {
      for (int disk = 0; disk < spec.disksPerNode(); disk++) {
        if (!Files.exists(paths.failedDiskRoot(node, disk))) {
          Files.createDirectories(paths.diskRoot(node, disk));
        }
      }
    }
  }

  private void writeConf(PortMap ports, Path lstorPlace, List<Daemon> daemons) throws IOException {
    ClusterConf conf = new ClusterConf(spec, paths, ports, lstorPlace);
    Files.createDirectories(paths.topologyFile().getParent());
    Files.writeString(paths.topologyFile(), conf.topologyTable());
    SiteFiles.write(paths, "client", conf.client());
    for (Daemon daemon : daemons) {
      SiteFiles.write(paths, daemon.name(), conf.of(daemon));
      if (daemon.role() == DaemonRole.DATANODE && spec.mode() == ClusterMode.RAIDP) {
        for (int disk = 0; disk < spec.disksPerNode(); disk++) {
          Files.createDirectories(ClusterConf.lstorDir(lstorPlace, daemon.node(), disk));
        }
      }
    }
  }

  private void writeLog4j() throws IOException {
    if (!Files.exists(paths.log4jFile())) {
      Files.writeString(
          paths.log4jFile(),
          """
          log4j.rootLogger=INFO,out
          log4j.appender.out=org.apache.log4j.ConsoleAppender
          log4j.appender.out.target=System.out
          log4j.appender.out.layout=org.apache.log4j.PatternLayout
          log4j.appender.out.layout.ConversionPattern=%d{ISO8601} %p %c{1}: %m%n
          log4j.logger.org.apache.hadoop.util.NativeCodeLoader=ERROR
          """);
    }
  }

  /**
   * Ends all processes: DataNodes and Lstor daemons first, then the NameNode. Does nothing when
   * none runs.
   */
  public void stop() throws IOException {
    try (ClusterLock lock = ClusterLock.take(paths)) {
      stopLocked();
    }
  }

  private void stopLocked() throws IOException {
    Processes processes = processes();
    processes.stop(
        Daemon.of(spec).stream().filter(daemon -> daemon.role() != DaemonRole.NAMENODE).toList());
    processes.stop(List.of(NAME_NODE));
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
      for (String name :
          List.of(
              "data",
              "conf",
              "logs",
              "pids",
              "tmp",
              "cache",
              "cluster.properties",
              "ports.properties",
              "lstor-place",
              "lstor")) {
        DeleteTree.of(paths.root().resolve(name));
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
    Await.until("apply the layout", START_TIMEOUT, readiness::layoutMissing);
  }

  /**
   * Ends a process at once, as a crash would (SIGKILL).
   *
   * @param name {@code nn}, {@code dn0}, {@code lstor0}, …
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
   * Ends a process if it runs and starts it again; waits until it is back at work.
   *
   * @throws IOException when it does not come up; the rest of the cluster is left as it is
   */
  public void restart(String name) throws IOException {
    Daemon daemon = Daemon.byName(spec, name);
    try (ClusterLock lock = ClusterLock.take(paths)) {
      Processes processes = processes();
      processes.stop(List.of(daemon));
      guarded(
          processes,
          () -> {
            RuntimeImage image = RuntimeImage.prepare(cacheDir, RuntimeImage.ownClassPath(), log);
            PortMap ports = PortMap.load(paths.portsFile());
            if (daemon.role() != DaemonRole.NAMENODE) {
              // All others know the NameNode's ports, but a DataNode and an Lstor daemon tell
              // theirs themselves.
              ports = ports.choose(spec, List.of(daemon));
              ports.store(paths.portsFile());
            }
            writeConf(ports, LstorPlace.of(spec, paths), List.of(daemon));
            startDaemon(processes, image, daemon);
            awaitDaemon(processes, ports, daemon);
          });
    }
  }

  private void awaitDaemon(Processes processes, PortMap ports, Daemon daemon) throws IOException {
    switch (daemon.role()) {
      case NAMENODE -> {
        List<Daemon> running = new ArrayList<>();
        for (Daemon candidate : Daemon.of(spec)) {
          if (processes.isRunning(candidate)) {
            running.add(candidate);
          }
        }
        awaitReady(processes, ports, running);
      }
      case DATANODE -> {
        String http = ports.address(daemon, Purpose.HTTP);
        awaitRunning(processes, List.of(daemon), () -> Readiness.dataNodeMissing(http));
        if (spec.mode() == ClusterMode.RAIDP) {
          RaidpReadiness readiness = new RaidpReadiness(conf());
          int port = ports.port(daemon, Purpose.TRANSFER);
          int frames = storages(List.of(daemon));
          awaitRunning(
              processes, List.of(daemon), () -> readiness.nodeMissing(daemon.host(), port, frames));
        }
      }
      case LSTOR -> {
        int port = ports.port(daemon, Purpose.LSTOR);
        awaitRunning(processes, List.of(daemon), () -> Readiness.portMissing(daemon.host(), port));
      }
    }
  }

  /**
   * Adds a node to a running cluster.
   *
   * @return the name of its DataNode
   */
  public String addDataNode() throws IOException {
    try (ClusterLock lock = ClusterLock.take(paths)) {
      Processes processes = processes();
      processes.requireRunning(NAME_NODE);
      ClusterSpec before = spec;
      int node = before.nodes();
      List<Daemon> added = new ArrayList<>();
      spec = before.withOneNodeMore();
      boolean done = false;
      try {
        added.addAll(Daemon.ofNode(spec, node));
        makeDisks();
        guarded(
            processes,
            () -> {
              RuntimeImage image = RuntimeImage.prepare(cacheDir, RuntimeImage.ownClassPath(), log);
              PortMap ports = PortMap.load(paths.portsFile()).choose(spec, added);
              ports.store(paths.portsFile());
              writeConf(ports, LstorPlace.of(spec, paths), added);
              for (Daemon daemon : added) {
                startDaemon(processes, image, daemon);
              }
              for (Daemon daemon : added) {
                awaitDaemon(processes, ports, daemon);
              }
            });
        spec.store(paths.specFile());
        done = true;
        return added.get(0).name();
      } finally {
        if (!done) {
          spec = before;
        }
      }
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
    if (node < 0 || node >= spec.nodes() || disk < 0 || disk >= spec.disksPerNode()) {
      throw new IOException(
          "Cannot fail the disk: disk=dn"
              + node
              + "/disk"
              + disk
              + ", expected dn0 to dn"
              + (spec.nodes() - 1)
              + " and disk0 to disk"
              + (spec.disksPerNode() - 1));
    }
    try (ClusterLock lock = ClusterLock.take(paths)) {
      Path root = paths.diskRoot(node, disk);
      Path aside = paths.failedDiskRoot(node, disk);
      if (Files.exists(aside)) {
        throw new IOException(
            "Cannot fail the disk: it has failed already, its content is in " + aside);
      }
      Files.move(root, aside, StandardCopyOption.ATOMIC_MOVE);
      Files.writeString(root, "This disk has failed.\n");
      return aside;
    }
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
              daemon.role() == DaemonRole.NAMENODE ? "-" : spec.rackOf(daemon.node()),
              paths.logFile(daemon).toString()));
    }
    List<ClusterStatus.DiskStatus> disks = new ArrayList<>();
    for (int node = 0; node < spec.nodes(); node++) {
      for (int disk = 0; disk < spec.disksPerNode(); disk++) {
        disks.add(
            new ClusterStatus.DiskStatus(
                node,
                disk,
                paths.diskRoot(node, disk).toString(),
                Files.exists(paths.failedDiskRoot(node, disk))));
      }
    }
    PortMap ports = PortMap.load(paths.portsFile());
    boolean nameNodeRuns = processes.isRunning(NAME_NODE);
    return new ClusterStatus(
        paths.root().toString(),
        spec.mode().label(),
        List.copyOf(list),
        List.copyOf(disks),
        "hdfs://" + ports.address(NAME_NODE, Purpose.RPC),
        ports.address(NAME_NODE, Purpose.HTTP),
        nameNodeRuns ? metricsOrNull(ports) : null);
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

  /** A client's configuration. Each call makes a new one. */
  public Configuration conf() throws IOException {
    Configuration conf = new HdfsConfiguration();
    Map<String, String> client =
        new ClusterConf(spec, paths, PortMap.load(paths.portsFile()), paths.root()).client();
    client.forEach(conf::set);
    return conf;
  }

  /** A stock client of its own; to be closed. */
  public FileSystem newFileSystem() throws IOException {
    return FileSystem.newInstance(conf());
  }

  private Processes processes() {
    return new Processes(paths, spec.clusterId(), log);
  }
}
