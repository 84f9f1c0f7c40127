/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class YarnKeysTest {
  @TempDir Path dir;

  private static ClusterSpec raidp(int nodeManagers) {
    ClusterSpec spec = Specs.raidp();
    Topology topology = spec.topology();
    return new ClusterSpec(
        spec.clusterId(),
        spec.mode(),
        new Topology(1, topology.nodes(), topology.racks(), topology.disksPerNode(), nodeManagers),
        spec.frames(),
        spec.blockBytes(),
        spec.replication(),
        spec.ports(),
        Map.of());
  }

  private static List<String> names(List<Daemon> daemons) {
    return daemons.stream().map(Daemon::name).toList();
  }

  @Test
  void aClusterWithoutYarnHasNothingOfIt() throws IOException {
    ClusterSpec spec = raidp(0);
    PortMap ports = PortMap.empty().choose(spec, Daemon.of(spec));
    ClusterConf conf = new ClusterConf(spec, new ClusterPaths(dir), ports, dir);
    assertThat(Daemon.yarn(spec)).isEmpty();
    assertThat(conf.client().keySet()).noneMatch(key -> key.matches("(yarn|mapreduce)\\..*"));
    assertThat(conf.client()).doesNotContainKey(ClusterKey.BIND_ADDRESS.key());
  }

  @Test
  void yarnEndsBeforeTheStorageThatItUses() {
    ClusterSpec spec = raidp(2);
    assertThat(names(Daemon.yarn(spec))).containsExactly("rm", "jhs", "nm0", "nm1");
    assertThat(names(Daemon.of(spec))).endsWith("rm", "jhs", "nm0", "nm1").startsWith("nn", "dn0");
    List<List<Daemon>> order = Daemon.stopOrder(spec);
    assertThat(order.get(0)).isEqualTo(Daemon.yarn(spec));
    assertThat(order.stream().flatMap(List::stream))
        .containsExactlyInAnyOrderElementsOf(Daemon.of(spec));
  }

  @Test
  void aNodeManagerHasTheAddressOfItsDataNodeAndKnowsTheResourceManager() throws IOException {
    ClusterSpec spec = raidp(2);
    PortMap ports = PortMap.empty().choose(spec, Daemon.of(spec));
    ClusterConf conf = new ClusterConf(spec, new ClusterPaths(dir), ports, dir);
    Daemon manager = new Daemon(DaemonRole.RESOURCEMANAGER, 0);
    Daemon node = new Daemon(DaemonRole.NODEMANAGER, 1);
    Map<String, String> site = conf.of(node);
    assertThat(site)
        .containsEntry(
            "yarn.nodemanager.address", Daemon.nodeHost(1) + ":" + ports.port(node, Purpose.RPC))
        .containsEntry("yarn.nodemanager.vmem-check-enabled", "false")
        .containsEntry(
            "yarn.resourcemanager.resource-tracker.address",
            ports.address(manager, Purpose.TRACKER))
        .containsEntry("mapreduce.shuffle.port", String.valueOf(ports.port(node, Purpose.SHUFFLE)));
    assertThat(conf.of(manager))
        .containsEntry(
            "yarn.resourcemanager.resource-tracker.address",
            site.get("yarn.resourcemanager.resource-tracker.address"));
  }

  /** A task writes the first replica of a block to the DataNode beside it, or to any. */
  @Test
  void tasksConnectFromTheirNodesAddressAndEndWithTheCluster() throws IOException {
    ClusterSpec spec = raidp(1);
    PortMap ports = PortMap.empty().choose(spec, Daemon.of(spec));
    ClusterConf conf = new ClusterConf(spec, new ClusterPaths(dir), ports, dir);
    Configuration client = new Configuration(false);
    conf.client().forEach(client::set);
    assertThat(client.getRaw(ClusterKey.BIND_ADDRESS.key())).isEqualTo("${env.NM_HOST:-}");
    assertThat(client.get(ClusterKey.BIND_ADDRESS.key())).isEmpty();
    for (String key :
        List.of(
            "yarn.app.mapreduce.am.command-opts",
            "mapreduce.map.java.opts",
            "mapreduce.reduce.java.opts")) {
      assertThat(client.get(key).split(" ")).contains(Processes.mark(spec.clusterId()));
    }
    assertThat(conf.anyClient().values()).noneMatch(value -> value.contains("io.hdfsparity"));
  }

  /** Hadoop's defaults of YARN are read after core-site.xml and would win over it. */
  @Test
  void propertiesOfYarnAndMapReduceAreInFilesOfTheirOwn() throws IOException {
    ClusterPaths paths = new ClusterPaths(dir);
    SiteFiles.write(
        paths,
        "client",
        Map.of(
            "fs.defaultFS", "a",
            "dfs.replication", "2",
            "yarn.resourcemanager.hostname", "b",
            "yarn.app.mapreduce.am.resource.mb", "3",
            "mapreduce.framework.name", "c"));
    assertThat(keys(paths, "core-site.xml")).containsExactly("fs.defaultFS");
    assertThat(keys(paths, "hdfs-site.xml")).containsExactly("dfs.replication");
    assertThat(keys(paths, "yarn-site.xml")).containsExactly("yarn.resourcemanager.hostname");
    assertThat(keys(paths, "mapred-site.xml"))
        .containsExactlyInAnyOrder("yarn.app.mapreduce.am.resource.mb", "mapreduce.framework.name");
  }

  private static List<String> keys(ClusterPaths paths, String file) throws IOException {
    Configuration site = new Configuration(false);
    site.addResource(paths.confDir("client").resolve(file).toUri().toURL());
    return List.copyOf(site.getPropsWithPrefix("").keySet());
  }

  @Test
  void aNodeManagerNeedsANode() {
    assertThatThrownBy(() -> raidp(7)).hasMessageContaining("nodemanagers=7, expected 0 to 6");
  }

  @Test
  void theNumberOfNodeManagersIsKept() throws IOException {
    ClusterSpec spec = raidp(2);
    Path file = dir.resolve("cluster.properties");
    spec.store(file);
    assertThat(ClusterSpec.load(file)).isEqualTo(spec);
  }
}
