/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import java.util.Map;

/**
 * The Hadoop properties of YARN and MapReduce: containers of 512 MiB, of which a NodeManager runs
 * four, on the class path of the cluster's daemons. A NodeManager and the tasks on it have the
 * address of the DataNode of the same number, so that a task reads and writes its node's replicas
 * as it would in a large cluster. Pure.
 */
final class YarnKeys {
  /**
   * Variable of the environment of daemons with their class path, which NodeManagers hand on to
   * containers.
   */
  static final String CLASS_PATH = "HDFS_PARITY_CLASS_PATH";

  private static final int NODE_MIB = 2048;
  private static final int NODE_CORES = 4;
  private static final int CONTAINER_MIB = 512;
  private static final int HEAP_MIB = 320;

  /** Where a task connects from: its node's address, by NodeManagers; any for other clients. */
  private static final String OWN_ADDRESS = "${env.NM_HOST:-}";

  private final ClusterSpec spec;
  private final ClusterPaths paths;
  private final PortMap ports;

  YarnKeys(ClusterSpec spec, ClusterPaths paths, PortMap ports) {
    this.spec = spec;
    this.paths = paths;
    this.ports = ports;
  }

  /** What any client needs to run jobs; nothing in a cluster without YARN. */
  void anyClient(Map<String, String> map) {
    if (!spec.hasYarn()) {
      return;
    }
    resourceManager(map);
    history(map);
    map.put("mapreduce.framework.name", "yarn");
    map.put("yarn.application.classpath", "$PWD");
    map.put("mapreduce.application.classpath", "$" + CLASS_PATH);
    map.put("mapreduce.client.submit.file.replication", String.valueOf(spec.replication()));
    // Hadoop asks every 1 to 5 s, which is for larger clusters and longer jobs.
    map.put("mapreduce.client.progressmonitor.pollinterval", "250");
    map.put("mapreduce.client.completion.pollinterval", "250");
    map.put("yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms", "250");
    // The master of a job finds racks itself.
    racks(map);
    String options =
        "-Xmx"
            + HEAP_MIB
            + "m -XX:+UseSerialGC -XX:-UsePerfData "
            + Processes.mark(spec.clusterId());
    map.put("yarn.app.mapreduce.am.command-opts", options);
    map.put("mapreduce.map.java.opts", options);
    map.put("mapreduce.reduce.java.opts", options);
    String container = String.valueOf(CONTAINER_MIB);
    map.put("yarn.app.mapreduce.am.resource.mb", container);
    map.put("mapreduce.map.memory.mb", container);
    map.put("mapreduce.reduce.memory.mb", container);
  }

  /** What a client needs whose tasks have the suite's jars. */
  void client(Map<String, String> map) {
    anyClient(map);
    if (spec.hasYarn()) {
      map.put("hadoop.rpc.socket.factory.class.default", LoopbackSocketFactory.class.getName());
      map.put(ClusterKey.BIND_ADDRESS.key(), OWN_ADDRESS);
    }
  }

  /** What a daemon of YARN needs. */
  void daemon(Map<String, String> map, Daemon daemon) {
    resourceManager(map);
    history(map);
    racks(map);
    if (daemon.role() == DaemonRole.RESOURCEMANAGER) {
      scheduler(map);
    } else if (daemon.role() == DaemonRole.NODEMANAGER) {
      nodeManager(map, daemon);
    }
  }

  private void resourceManager(Map<String, String> map) {
    Daemon manager = new Daemon(DaemonRole.RESOURCEMANAGER, 0);
    map.put("yarn.resourcemanager.hostname", manager.host());
    map.put("yarn.resourcemanager.address", ports.address(manager, Purpose.RPC));
    map.put("yarn.resourcemanager.scheduler.address", ports.address(manager, Purpose.SCHEDULER));
    map.put(
        "yarn.resourcemanager.resource-tracker.address", ports.address(manager, Purpose.TRACKER));
    map.put("yarn.resourcemanager.admin.address", ports.address(manager, Purpose.ADMIN));
    map.put("yarn.resourcemanager.webapp.address", ports.address(manager, Purpose.HTTP));
  }

  private void history(Map<String, String> map) {
    Daemon history = new Daemon(DaemonRole.JOBHISTORY, 0);
    map.put("mapreduce.jobhistory.address", ports.address(history, Purpose.RPC));
    map.put("mapreduce.jobhistory.webapp.address", ports.address(history, Purpose.HTTP));
    map.put("mapreduce.jobhistory.admin.address", ports.address(history, Purpose.ADMIN));
  }

  private void racks(Map<String, String> map) {
    map.put("net.topology.node.switch.mapping.impl", "org.apache.hadoop.net.TableMapping");
    map.put("net.topology.table.file.name", paths.topologyFile().toString());
  }

  private static void scheduler(Map<String, String> map) {
    // As in the capacity-scheduler.xml of Hadoop's archive, but that a job's master may take what
    // there is.
    map.put("yarn.scheduler.capacity.root.queues", "default");
    map.put("yarn.scheduler.capacity.root.default.capacity", "100");
    map.put("yarn.scheduler.capacity.maximum-am-resource-percent", "1.0");
    map.put("yarn.scheduler.minimum-allocation-mb", String.valueOf(CONTAINER_MIB / 2));
    map.put("yarn.scheduler.maximum-allocation-mb", String.valueOf(NODE_MIB));
    map.put("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", "250");
  }

  private void nodeManager(Map<String, String> map, Daemon daemon) {
    map.put("yarn.nodemanager.hostname", daemon.host());
    map.put("yarn.nodemanager.address", ports.address(daemon, Purpose.RPC));
    map.put("yarn.nodemanager.localizer.address", ports.address(daemon, Purpose.LOCALIZER));
    map.put("yarn.nodemanager.webapp.address", ports.address(daemon, Purpose.HTTP));
    map.put("yarn.nodemanager.aux-services", "mapreduce_shuffle");
    map.put("mapreduce.shuffle.port", String.valueOf(ports.port(daemon, Purpose.SHUFFLE)));
    map.put("yarn.nodemanager.local-dirs", paths.metadataDir(daemon).toString());
    map.put("yarn.nodemanager.log-dirs", paths.logDir().resolve(daemon.name()).toString());
    map.put("yarn.nodemanager.env-whitelist", "JAVA_HOME," + CLASS_PATH);
    map.put("yarn.nodemanager.resource.memory-mb", String.valueOf(NODE_MIB));
    map.put("yarn.nodemanager.resource.cpu-vcores", String.valueOf(NODE_CORES));
    // A JVM reserves far more addresses than it uses memory.
    map.put("yarn.nodemanager.vmem-check-enabled", "false");
    // What is left on the disk is the user's business.
    map.put("yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "100");
  }
}
