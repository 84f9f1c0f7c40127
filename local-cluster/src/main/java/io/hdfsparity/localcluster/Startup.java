/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hdfs.HdfsConfiguration;

/**
 * Starts daemons and waits until they are at work. One object for one start.
 *
 * <p><b>Invariant.</b> When {@link #run} ends otherwise than by returning, also because this JVM is
 * told to end, no process that was started in it runs any more.
 */
final class Startup {
  private static final Duration TIMEOUT = Duration.ofMinutes(5);
  private static final Duration REPORT_TIMEOUT = Duration.ofSeconds(20);
  private static final int ATTEMPTS = 3;
  private static final String LOG4J =
      """
      log4j.rootLogger=INFO,out
      log4j.appender.out=org.apache.log4j.ConsoleAppender
      log4j.appender.out.target=System.out
      log4j.appender.out.layout=org.apache.log4j.PatternLayout
      log4j.appender.out.layout.ConversionPattern=%d{ISO8601} %p %c{1}: %m%n
      # A thousand lines for each disk at each start.
      log4j.appender.out.filter.locks=org.apache.log4j.varia.StringMatchFilter
      log4j.appender.out.filter.locks.StringToMatch=DIR lock for bpid
      log4j.appender.out.filter.locks.AcceptOnMatch=false
      log4j.logger.org.apache.hadoop.util.NativeCodeLoader=ERROR
      """;

  private final ClusterSpec spec;
  private final ClusterPaths paths;
  private final Launch launch;
  private final Processes processes;
  private final Consumer<String> log;
  private final Disks disks;

  /**
   * @param launch how daemons are started
   * @param processes knows what this start has started; not used for another one
   */
  Startup(
      ClusterSpec spec,
      ClusterPaths paths,
      Launch launch,
      Processes processes,
      Consumer<String> log) {
    this.spec = spec;
    this.paths = paths;
    this.launch = launch;
    this.processes = processes;
    this.log = log;
    this.disks = new Disks(spec, paths);
  }

  /** Something that starts processes. */
  interface Work {
    void run(Startup startup) throws IOException;
  }

  /**
   * Runs it; when it fails or this JVM is told to end meanwhile, ends every process that it has
   * started.
   */
  void run(Work work) throws IOException {
    Thread hook = new Thread(this::undo, "stop-cluster");
    Runtime.getRuntime().addShutdownHook(hook);
    boolean done = false;
    try {
      work.run(this);
      done = true;
    } finally {
      if (!done) {
        undo();
      }
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException shuttingDown) {
        log.accept("Interrupted: stopping what was started");
      }
    }
  }

  private void undo() {
    processes.closeForStart();
    try {
      processes.stop(processes.started());
    } catch (IOException e) {
      log.accept("Cannot stop what was started: " + e.getMessage());
    }
  }

  /** Starts a whole cluster; takes other ports when one was taken in the meantime. */
  void all() throws IOException {
    // A port that is taken is told before anything that takes its time.
    PortMap.load(paths.portsFile()).choose(spec, Daemon.of(spec));
    RuntimeImage image = image();
    disks.make();
    Path lstorPlace = LstorPlace.of(spec, paths);
    Files.createDirectories(paths.classPathFile().getParent());
    Files.writeString(paths.classPathFile(), image.classPathLine() + "\n");
    Files.writeString(paths.archiveFile(), image.archive() == null ? "" : image.archive() + "\n");
    if (!Files.exists(paths.log4jFile())) {
      Files.writeString(paths.log4jFile(), LOG4J);
    }
    for (int attempt = 1; ; attempt++) {
      try {
        PortMap ports = choosePorts(Daemon.of(spec));
        writeConf(ports, lstorPlace, Daemon.of(spec));
        journals(image, ports);
        format(image);
        for (Daemon daemon : startable()) {
          start(image, daemon);
        }
        activate(ports);
        awaitReady(ports, processes.started());
        yarn(image, ports);
        return;
      } catch (PortBusyException e) {
        if (attempt == ATTEMPTS || spec.ports().isAnyFixed()) {
          throw e;
        }
        log.accept("A port was taken by another program in the meantime; trying others");
        processes.stop(Daemon.of(spec));
        processes.forgetStarted();
      }
    }
  }

  /** Starts some daemons of a cluster that runs. */
  void some(List<Daemon> daemons) throws IOException {
    Files.createDirectories(launch.cacheDir());
    RuntimeImage image = RuntimeImage.asMade(launch.cacheDir(), RuntimeImage.ownClassPath());
    disks.make();
    // All others know the ports of NameNodes and JournalNodes; a DataNode and an Lstor daemon tell
    // theirs themselves.
    PortMap ports =
        daemons.stream().allMatch(Daemon::isOfNode)
            ? choosePorts(daemons)
            : PortMap.load(paths.portsFile());
    writeConf(ports, LstorPlace.of(spec, paths), daemons);
    for (Daemon daemon : daemons) {
      start(image, daemon);
    }
    for (Daemon daemon : daemons) {
      awaitDaemon(ports, daemon);
    }
  }

  private RuntimeImage image() throws IOException {
    Files.createDirectories(launch.cacheDir());
    return RuntimeImage.prepare(launch.cacheDir(), RuntimeImage.ownClassPath(), log);
  }

  private PortMap choosePorts(List<Daemon> daemons) throws IOException {
    PortMap ports = PortMap.load(paths.portsFile()).choose(spec, daemons);
    ports.store(paths.portsFile());
    return ports;
  }

  private void start(RuntimeImage image, Daemon daemon) throws IOException {
    Process unused =
        processes.start(
            daemon, image, JvmOptions.of(spec, daemon.role()), launch.arguments(daemon.role()));
  }

  /** Starts the JournalNodes, without which no NameNode of two can be formatted or started. */
  private void journals(RuntimeImage image, PortMap ports) throws IOException {
    List<Daemon> journals = Daemon.journalNodes(spec);
    for (Daemon journal : journals) {
      Files.createDirectories(paths.metadataDir(journal));
      start(image, journal);
    }
    for (Daemon journal : journals) {
      awaitPort(ports, journal);
    }
  }

  /** Starts YARN, whose daemons use HDFS when they start. */
  private void yarn(RuntimeImage image, PortMap ports) throws IOException {
    for (Daemon daemon : Daemon.yarn(spec)) {
      start(image, daemon);
    }
    for (Daemon daemon : Daemon.yarn(spec)) {
      awaitDaemon(ports, daemon);
    }
  }

  private void awaitPort(PortMap ports, Daemon daemon) throws IOException {
    int port = ports.port(daemon, Purpose.RPC);
    await(List.of(daemon), () -> Readiness.portMissing(daemon.host(), port));
  }

  /**
   * Formats the NameNode once, and the journals with it; the mark is written after it, so that a
   * format that was cut off is done again. A second NameNode gets the metadata of the first, as
   * {@code -bootstrapStandby} would bring it, which needs a NameNode that runs.
   */
  private void format(RuntimeImage image) throws IOException {
    List<Daemon> nameNodes = Daemon.nameNodes(spec);
    Path metadata = paths.metadataDir(nameNodes.get(0));
    Path done = metadata.resolveSibling("nn.formatted");
    if (Files.exists(done)) {
      return;
    }
    processes.run(
        nameNodes.get(0),
        image,
        JvmOptions.of(spec, DaemonRole.NAMENODE),
        List.of("-format", "-force", "-nonInteractive", "-clusterid", "CID-" + spec.clusterId()));
    for (Daemon other : nameNodes.subList(1, nameNodes.size())) {
      Path copy = paths.metadataDir(other);
      LiveFolder.delete(copy);
      Path current = Files.createDirectories(copy.resolve("current"));
      try (Stream<Path> files = Files.list(metadata.resolve("current"))) {
        for (Path file : files.toList()) {
          Files.copy(file, current.resolve(file.getFileName()));
        }
      }
    }
    Files.writeString(done, "");
  }

  /** Of two NameNodes, which start as standbys, makes the first active. */
  private void activate(PortMap ports) throws IOException {
    if (spec.isHighlyAvailable()) {
      Daemon first = Daemon.nameNodes(spec).get(0);
      awaitPort(ports, first);
      new NameNodes(spec, ports).activate(ownConf(spec, paths, ports), first);
    }
  }

  /**
   * All daemons but JournalNodes, which run already, YARN, which comes later, and DataNodes without
   * a disk: such a DataNode refuses to start.
   */
  private List<Daemon> startable() {
    List<Daemon> list = new ArrayList<>();
    for (Daemon daemon : Daemon.of(spec)) {
      if (daemon.role() == DaemonRole.DATANODE && disks.good(daemon.node()) == 0) {
        log.accept(daemon.name() + " is not started: all its disks have failed");
      } else if (daemon.role() != DaemonRole.JOURNALNODE && !daemon.role().isYarn()) {
        list.add(daemon);
      }
    }
    return list;
  }

  private void writeConf(PortMap ports, Path lstorPlace, List<Daemon> daemons) throws IOException {
    ClusterConf conf = new ClusterConf(spec, paths, ports, lstorPlace);
    Files.createDirectories(paths.topologyFile().getParent());
    Files.writeString(paths.topologyFile(), conf.topologyTable());
    SiteFiles.write(paths, ClusterPaths.ANY_CLIENT, conf.anyClient());
    SiteFiles.write(paths, ClusterPaths.SUITE_CLIENT, conf.client());
    for (Daemon daemon : daemons) {
      SiteFiles.write(paths, daemon.name(), conf.of(daemon));
      if (daemon.role() == DaemonRole.DATANODE && spec.mode().hasRaidp()) {
        for (int disk = 0; disk < spec.disksPerNode(); disk++) {
          Files.createDirectories(ClusterConf.lstorDir(lstorPlace, daemon.node(), disk));
        }
      }
    }
  }

  /** Waits until what runs can be used, as far as NameNodes and the manager in them know. */
  private void awaitReady(PortMap ports, List<Daemon> daemons) throws IOException {
    List<Daemon> nameNodes = daemons.stream().filter(each -> each.role().isNameNode()).toList();
    int dataNodes =
        (int) daemons.stream().filter(daemon -> daemon.role() == DaemonRole.DATANODE).count();
    int storages = disks.storages(daemons);
    for (Daemon nameNode : nameNodes) {
      String http = ports.address(nameNode, Purpose.HTTP);
      await(daemons, () -> Readiness.nameNodeMissing(http, dataNodes));
    }
    for (Daemon daemon : daemons) {
      if (daemon.role() == DaemonRole.LSTOR) {
        int port = ports.port(daemon, Purpose.LSTOR);
        await(daemons, () -> Readiness.portMissing(daemon.host(), port));
      }
    }
    boolean hasActive = new NameNodes(spec, ports).active().isPresent();
    if (spec.mode().hasRaidp() && hasActive) {
      RaidpReadiness readiness = new RaidpReadiness(ownConf(spec, paths, ports));
      int frames = disks.frames(daemons);
      await(daemons, () -> readiness.missing(dataNodes, frames));
    }
    if (spec.mode().hasIzs()) {
      awaitIzs(ports, daemons);
      if (hasActive) {
        new IzsSetup(ownConf(spec, paths, ports)).policies(paths.policyFile(), spec.nodes());
      }
    }
    if (spec.mode().hasUpdates()) {
      for (Daemon nameNode : nameNodes) {
        awaitUpdates(ports, daemons, nameNode, dataNodes);
        if (spec.mode().hasCaso()) {
          int port = ports.port(nameNode, Purpose.PARITY);
          await(daemons, () -> Readiness.portMissing(nameNode.host(), port));
        }
      }
    }
    // A volume that is broken without having been failed here never reports; that is no reason not
    // to start.
    for (Daemon nameNode : nameNodes) {
      String http = ports.address(nameNode, Purpose.HTTP);
      Await.ask(REPORT_TIMEOUT, () -> Readiness.blockReportsMissing(http, storages))
          .ifPresent(missing -> log.accept("Not all blocks are known yet: " + missing));
    }
  }

  /** Waits until a NameNode knows that so many DataNodes can update replicas. */
  private void awaitUpdates(PortMap ports, List<Daemon> daemons, Daemon nameNode, int dataNodes)
      throws IOException {
    String http = ports.address(nameNode, Purpose.HTTP);
    await(daemons, () -> Readiness.updatesMissing(http, dataNodes));
  }

  private void awaitIzs(PortMap ports, List<Daemon> daemons) throws IOException {
    IzsSetup setup = new IzsSetup(ownConf(spec, paths, ports));
    for (Daemon daemon : daemons) {
      if (daemon.role() == DaemonRole.DATANODE) {
        awaitRepair(ports, daemon);
      } else if (daemon.role().isNameNode()) {
        InetSocketAddress manager =
            new InetSocketAddress(daemon.host(), ports.port(daemon, Purpose.PARITY));
        await(daemons, () -> setup.levelsMissing(manager));
      }
    }
  }

  private void awaitRepair(PortMap ports, Daemon daemon) throws IOException {
    String http = ports.address(daemon, Purpose.HTTP);
    await(List.of(daemon), () -> IzsSetup.repairMissing(daemon.name(), http));
  }

  private void awaitDaemon(PortMap ports, Daemon daemon) throws IOException {
    switch (daemon.role()) {
      case NAMENODE, PAIRED_NAMENODE -> {
        List<Daemon> running = new ArrayList<>();
        for (Daemon candidate : Daemon.of(spec)) {
          if (processes.isRunning(candidate)) {
            running.add(candidate);
          }
        }
        awaitReady(ports, running);
      }
      case DATANODE -> {
        String http = ports.address(daemon, Purpose.HTTP);
        await(List.of(daemon), () -> Readiness.dataNodeMissing(http));
        if (spec.mode().hasRaidp()) {
          RaidpReadiness readiness = new RaidpReadiness(ownConf(spec, paths, ports));
          int port = ports.port(daemon, Purpose.TRANSFER);
          int frames = disks.frames(List.of(daemon));
          await(List.of(daemon), () -> readiness.nodeMissing(daemon.host(), port, frames));
        }
        awaitCodeNode(ports, daemon);
      }
      case JOURNALNODE, RESOURCEMANAGER, JOBHISTORY -> awaitPort(ports, daemon);
      case NODEMANAGER -> {
        awaitPort(ports, daemon);
        String manager = ports.address(Daemon.yarn(spec).get(0), Purpose.HTTP);
        String node = ports.address(daemon, Purpose.RPC);
        await(List.of(daemon), () -> Readiness.nodeManagerMissing(manager, node));
      }
      case LSTOR -> {
        int port = ports.port(daemon, Purpose.LSTOR);
        await(List.of(daemon), () -> Readiness.portMissing(daemon.host(), port));
      }
    }
  }

  private void awaitCodeNode(PortMap ports, Daemon daemon) throws IOException {
    if (spec.mode().hasIzs()) {
      awaitRepair(ports, daemon);
    }
    if (spec.mode().hasUpdates()) {
      int port = ports.port(daemon, Purpose.UPDATE);
      await(List.of(daemon), () -> Readiness.portMissing(daemon.host(), port));
    }
  }

  private void await(List<Daemon> daemons, Await.Question question) throws IOException {
    FeatureFailures failures = new FeatureFailures(PortMap.load(paths.portsFile()), daemons);
    Await.until(
        "start " + (daemons.size() == 1 ? daemons.get(0).name() : "the cluster"),
        TIMEOUT,
        () -> {
          for (Daemon daemon : daemons) {
            processes.requireRunning(daemon);
          }
          Optional<String> missing = question.missing();
          if (missing.isPresent()) {
            failures.check();
          }
          return missing;
        });
  }

  /**
   * A client's configuration for what is asked around a restart: it keeps no connection, since one
   * that is kept from before ends with an EOFException.
   */
  static Configuration ownConf(ClusterSpec spec, ClusterPaths paths, PortMap ports) {
    Configuration conf = clientConf(spec, paths, ports);
    conf.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECTION_MAXIDLETIME_KEY, 0);
    return conf;
  }

  /** A client's configuration. */
  static Configuration clientConf(ClusterSpec spec, ClusterPaths paths, PortMap ports) {
    Configuration conf = new HdfsConfiguration();
    Map<String, String> client = new ClusterConf(spec, paths, ports, paths.root()).client();
    client.forEach(conf::set);
    return conf;
  }
}
