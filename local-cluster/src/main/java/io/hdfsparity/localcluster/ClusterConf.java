/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * The Hadoop properties of every process of a cluster. Pure: it reads the samples on the class path
 * at most.
 *
 * <p>Values that differ from Hadoop's defaults make a cluster on one small machine behave like a
 * large one does, only faster: nodes are found dead after about 16 s instead of 10 min, disks are
 * checked at once, and re-replication is not held back for the sake of a thousand nodes.
 */
public final class ClusterConf {
  static final long RECHECK_MS = 3_000;
  static final long STALE_MS = 6_000;

  private final ClusterSpec spec;
  private final ClusterPaths paths;
  private final PortMap ports;
  private final Path lstorPlace;
  private final NameNodeKeys nameNodes;
  private final FeatureKeys features;
  private final YarnKeys yarn;

  /**
   * @param spec the cluster
   * @param paths its folder
   * @param ports ports of all its daemons
   * @param lstorPlace the directory that has a directory of Lstors for each node
   */
  public ClusterConf(ClusterSpec spec, ClusterPaths paths, PortMap ports, Path lstorPlace) {
    this.spec = spec;
    this.paths = paths;
    this.ports = ports;
    this.lstorPlace = lstorPlace;
    this.nameNodes = new NameNodeKeys(spec, ports);
    this.features = new FeatureKeys(spec, ports, nameNodes);
    this.yarn = new YarnKeys(spec, paths, ports);
  }

  /** What any client needs: no class of the suite, which it may not have. */
  public Map<String, String> anyClient() {
    Map<String, String> map = common("client", Map.of());
    yarn.anyClient(map);
    return withGiven(map);
  }

  /** What a client needs that has the suite's jars. */
  public Map<String, String> client() {
    Map<String, String> map = common("client", features.switches());
    features.client(map);
    yarn.client(map);
    return withGiven(map);
  }

  private Map<String, String> withGiven(Map<String, String> map) {
    spec.conf()
        .forEach(
            (key, value) -> {
              if (!key.startsWith(JvmOptions.KEY)) {
                map.put(key, value);
              }
            });
    return map;
  }

  /** All properties of a daemon. */
  public Map<String, String> of(Daemon daemon) {
    Map<String, String> map = common(daemon.name(), features.switches());
    switch (daemon.role()) {
      case NAMENODE, PAIRED_NAMENODE -> nameNode(map, daemon);
      case JOURNALNODE -> nameNodes.journalNode(map, daemon, paths.metadataDir(daemon));
      case DATANODE -> dataNode(map, daemon);
      case LSTOR -> lstor(map, daemon);
      case RESOURCEMANAGER, JOBHISTORY, NODEMANAGER -> {
        features.client(map);
        yarn.daemon(map, daemon);
      }
    }
    return withGiven(map);
  }

  /**
   * The lines of the table that maps addresses to racks, for all nodes that the cluster can ever
   * have.
   */
  public String topologyTable() {
    StringBuilder table = new StringBuilder();
    for (int node = 0; node < ClusterSpec.MAX_NODES; node++) {
      table
          .append(Daemon.nodeHost(node))
          .append(' ')
          .append(spec.topology().rackOf(node))
          .append('\n');
    }
    return table.toString();
  }

  /** The directory of an Lstor; aligned with {@link ClusterPaths#diskRoot}. */
  public static Path lstorDir(Path lstorPlace, int node, int disk) {
    return lstorPlace.resolve("dn" + node).resolve("disk" + disk);
  }

  /** The entries of {@code dfs.datanode.data.dir} of a node. */
  public List<Path> dataDirs(int node) {
    List<Path> dirs = new ArrayList<>();
    for (int disk = 0; disk < spec.disksPerNode(); disk++) {
      dirs.add(paths.diskRoot(node, disk).resolve("data"));
    }
    return dirs;
  }

  private Map<String, String> common(String name, Map<String, String> sample) {
    Map<String, String> map = new TreeMap<>(sample);
    nameNodes.common(map);
    map.put("hadoop.tmp.dir", paths.tmpDir(name).toString());
    map.put("dfs.replication", String.valueOf(spec.replication()));
    map.put("dfs.blocksize", String.valueOf(spec.blockBytes()));
    map.put("dfs.heartbeat.interval", "1");
    features.common(map);
    return map;
  }

  private void nameNode(Map<String, String> map, Daemon daemon) {
    nameNodes.nameNode(map, daemon);
    map.put("dfs.namenode.name.dir", paths.metadataDir(daemon).toUri().toString());
    map.put("net.topology.node.switch.mapping.impl", "org.apache.hadoop.net.TableMapping");
    map.put("net.topology.table.file.name", paths.topologyFile().toString());
    // 127.0.0.x has no reverse name; the NameNode would otherwise refuse the registration.
    map.put("dfs.namenode.datanode.registration.ip-hostname-check", "false");
    map.put("dfs.namenode.safemode.extension", "0");
    // Dead after 2 x recheck + 10 x heartbeat (HeartbeatManager,
    // DatanodeManager#setHeartbeatInterval).
    map.put("dfs.namenode.heartbeat.recheck-interval", String.valueOf(RECHECK_MS));
    map.put("dfs.namenode.stale.datanode.interval", String.valueOf(STALE_MS));
    map.put("dfs.namenode.redundancy.interval.seconds", "1");
    // A copy whose node dies is ordered again after that long; the default of 300 s, looked at
    // every
    // 300 s, would hold up a recovery for that one block.
    map.put("dfs.namenode.reconstruction.pending.timeout-sec", "10");
    // A node that is killed may have lost the order to delete a superfluous copy; the default is an
    // hour until it is given again.
    map.put("dfs.namenode.excess.redundancy.timeout-sec", "10");
    map.put("dfs.namenode.replication.work.multiplier.per.iteration", "20");
    map.put("dfs.namenode.replication.max-streams", "8");
    map.put("dfs.namenode.replication.max-streams-hard-limit", "16");
    // With a handful of nodes one writer more than average would make a node "too busy".
    map.put("dfs.namenode.redundancy.considerLoad", "false");
    features.nameNode(map);
  }

  private void dataNode(Map<String, String> map, Daemon daemon) {
    disks(map, daemon);
    map.put("dfs.datanode.hostname", daemon.host());
    map.put("dfs.datanode.address", ports.address(daemon, Purpose.TRANSFER));
    map.put("dfs.datanode.ipc.address", ports.address(daemon, Purpose.RPC));
    map.put("dfs.datanode.http.address", ports.address(daemon, Purpose.HTTP));
    map.put("hadoop.rpc.socket.factory.class.default", LoopbackSocketFactory.class.getName());
    map.put(ClusterKey.BIND_ADDRESS.key(), daemon.host());
    // A failed disk must neither stop the DataNode nor wait 15 minutes to be seen.
    map.put("dfs.datanode.failed.volumes.tolerated", "-1");
    map.put("dfs.datanode.disk.check.min.gap", "1s");
    // No thread and no "du" process a volume.
    map.put("dfs.block.scanner.volume.bytes.per.second", "0");
    map.put(
        "fs.getspaceused.classname",
        "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.ReplicaCachingGetSpaceUsed");
    map.put("dfs.datanode.du.reserved", "0");
    map.put("dfs.datanode.directoryscan.threads", "1");
    map.put("dfs.datanode.handler.count", "4");
    features.dataNode(map, daemon);
  }

  private void lstor(Map<String, String> map, Daemon daemon) {
    map.put("hadoop.rpc.socket.factory.class.default", LoopbackSocketFactory.class.getName());
    map.put(ClusterKey.BIND_ADDRESS.key(), daemon.host());
    map.put(ClusterKey.LSTOR_ADDRESS.key(), ports.address(daemon, Purpose.LSTOR));
    disks(map, daemon);
  }

  private void disks(Map<String, String> map, Daemon daemon) {
    int node = daemon.node();
    map.put(
        "dfs.datanode.data.dir",
        String.join(",", dataDirs(node).stream().map(dir -> dir.toUri().toString()).toList()));
    if (spec.mode().hasRaidp()) {
      map.put(ClusterKey.DISK_ROOTS.key(), perDisk(disk -> paths.diskRoot(node, disk)));
      map.put(ClusterKey.LSTOR_DIRS.key(), perDisk(disk -> lstorDir(lstorPlace, node, disk)));
    }
  }

  private String perDisk(IntFunction<Path> path) {
    return String.join(
        ",", IntStream.range(0, spec.disksPerNode()).mapToObj(path).map(Path::toString).toList());
  }
}
