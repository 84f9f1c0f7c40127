/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.ParityDataNodePlugin;
import io.hdfsparity.ParityFileSystem;
import io.hdfsparity.ParityFs;
import io.hdfsparity.ParityNameNodePlugin;
import io.hdfsparity.bridge.config.ConfigKey;
import io.hdfsparity.bridge.config.NameNodeServers;
import io.hdfsparity.caso.config.LayoutOptions;
import io.hdfsparity.ecupdate.config.SessionOptions;
import io.hdfsparity.ecupdate.datanode.EcUpdateDatasetHooks;
import io.hdfsparity.izs.config.LevelOptions;
import io.hdfsparity.izs.config.RepairOptions;
import io.hdfsparity.izs.namenode.access.AccessAuditLogger;
import io.hdfsparity.raidp.config.RaidpKey;
import io.hdfsparity.raidp.config.RaidpOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.blockmanagement.HintedEcPlacementPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterConfTest {
  @TempDir Path dir;

  private ClusterConf conf(ClusterSpec spec) throws IOException {
    PortMap ports = PortMap.empty().choose(spec, Daemon.of(spec));
    return new ClusterConf(spec, new ClusterPaths(dir), ports, dir.resolve("lstors"));
  }

  /**
   * A key that RAIDP does not know stops a daemon, so every key set here must be one that it knows.
   */
  @Test
  void everyKeyIsKnown() throws IOException {
    ClusterSpec spec = Specs.raidp();
    Set<String> known =
        Arrays.stream(RaidpKey.values()).map(ConfigKey::key).collect(Collectors.toSet());
    for (Daemon daemon : Daemon.of(spec)) {
      assertThat(
              conf(spec).of(daemon).keySet().stream()
                  .filter(key -> key.startsWith(RaidpKey.PREFIX)))
          .isNotEmpty()
          .allMatch(known::contains);
    }
  }

  @Test
  void everyClassNamedIsThere() throws Exception {
    Set<String> names = new TreeSet<>(Set.of(DaemonRole.LSTOR.mainClass()));
    for (String file :
        List.of(
            "hdfs-site-raidp.xml",
            "hdfs-site-izs.xml",
            "hdfs-site-ecupdate.xml",
            "hdfs-site-caso.xml",
            "hdfs-site-all.xml",
            "core-site-client.xml")) {
      sample(file)
          .values()
          .forEach(
              value ->
                  Arrays.stream(value.split(","))
                      .filter(each -> each.startsWith("io.") || each.startsWith("org."))
                      .forEach(names::add));
    }
    assertThat(names).hasSizeGreaterThanOrEqualTo(11);
    for (String name : names) {
      assertThat(Class.forName(name, false, getClass().getClassLoader())).isNotNull();
    }
  }

  @Test
  void rootsAndLstorsAreAligned() throws IOException {
    Map<String, String> map = conf(Specs.raidp()).of(new Daemon(DaemonRole.DATANODE, 3));
    String[] roots = map.get("dfs.parity.raidp.disk.roots").split(",");
    String[] lstors = map.get("dfs.parity.raidp.lstor.dirs").split(",");
    String[] data = map.get("dfs.datanode.data.dir").split(",");
    assertThat(roots).hasSize(2);
    assertThat(lstors).hasSize(2);
    assertThat(data).hasSize(2);
    for (int disk = 0; disk < 2; disk++) {
      assertThat(roots[disk]).endsWith("dn3/disk" + disk);
      assertThat(lstors[disk]).endsWith("dn3/disk" + disk);
      String root = Path.of(roots[disk]).toUri().toString();
      assertThat(Arrays.stream(data).filter(entry -> entry.startsWith(root))).hasSize(1);
    }
  }

  @Test
  void raidpAcceptsWhatIsSet() throws IOException {
    ClusterSpec spec = Specs.raidp();
    Configuration site = new Configuration(false);
    conf(spec).of(new Daemon(DaemonRole.LSTOR, 0)).forEach(site::set);
    assertThat(RaidpOptions.lstorDaemon(site).lstorDirs()).hasSize(2);
  }

  /** Options refuse keys that they do not know. */
  @Test
  void izsAcceptsWhatIsSet() throws IOException {
    ClusterSpec spec = Specs.izs();
    PortMap ports = PortMap.empty().choose(spec, Daemon.of(spec));
    ClusterConf conf = new ClusterConf(spec, new ClusterPaths(dir), ports, dir);
    for (DaemonRole role : List.of(DaemonRole.NAMENODE, DaemonRole.DATANODE)) {
      Configuration site = new Configuration(false);
      conf.of(new Daemon(role, 0)).forEach(site::set);
      assertThat(LevelOptions.of(site).checkPeers()).isTrue();
      assertThat(RepairOptions.from(site).mayHalfRead()).isTrue();
      assertThat(site.get("fs.hdfs.impl")).isNull();
      assertThat(NameNodeServers.bind(site, "", "").getPort())
          .isEqualTo(ports.port(new Daemon(DaemonRole.NAMENODE, 0), Purpose.PARITY));
    }
    assertThat(conf.client())
        .containsEntry("fs.hdfs.impl", ParityFileSystem.class.getName())
        .containsEntry("fs.AbstractFileSystem.hdfs.impl", ParityFs.class.getName());
    assertThat(conf.of(new Daemon(DaemonRole.NAMENODE, 0)))
        .containsEntry("dfs.namenode.plugins", ParityNameNodePlugin.class.getName())
        .containsEntry("dfs.parity.features", "izs")
        .containsEntry("dfs.namenode.audit.loggers", "default," + AccessAuditLogger.class.getName())
        .containsEntry("dfs.block.placement.ec.classname", HintedEcPlacementPolicy.class.getName());
    assertThat(conf.of(new Daemon(DaemonRole.DATANODE, 7)))
        .containsEntry("dfs.datanode.plugins", ParityDataNodePlugin.class.getName());
  }

  /** Options refuse keys that they do not know. */
  @Test
  void updatesAcceptWhatIsSet() throws IOException {
    ClusterSpec spec = Specs.ecUpdate();
    PortMap ports = PortMap.empty().choose(spec, Daemon.of(spec));
    ClusterConf conf = new ClusterConf(spec, new ClusterPaths(dir), ports, dir);
    Daemon node = new Daemon(DaemonRole.DATANODE, 4);
    for (Daemon daemon : List.of(new Daemon(DaemonRole.NAMENODE, 0), node)) {
      Configuration site = new Configuration(false);
      conf.of(daemon).forEach(site::set);
      SessionOptions.of(site);
      assertThat(NameNodeServers.bind(site, "", "").getPort())
          .isEqualTo(ports.port(new Daemon(DaemonRole.NAMENODE, 0), Purpose.PARITY));
      assertThat(site.getBoolean("dfs.block.access.token.enable", false)).isTrue();
    }
    assertThat(conf.of(new Daemon(DaemonRole.NAMENODE, 0)))
        .containsEntry("dfs.namenode.plugins", ParityNameNodePlugin.class.getName())
        .containsEntry("dfs.parity.features", "ecupdate");
    Configuration site = new Configuration(false);
    conf.of(node).forEach(site::set);
    assertThat(site.get("dfs.parity.datanode.rpc-address"))
        .isEqualTo(ports.address(node, Purpose.PARITY));
    assertThat(site.get("dfs.parity.ecupdate.datanode.address"))
        .isEqualTo(ports.address(node, Purpose.UPDATE));
    assertThat(site.get("dfs.datanode.plugins")).isEqualTo(ParityDataNodePlugin.class.getName());
    assertThat(site.get("dfs.parity.datanode.dataset.hooks"))
        .isEqualTo(EcUpdateDatasetHooks.class.getName());
  }

  /** Options refuse keys that they do not know. */
  @Test
  void casoAcceptsWhatIsSetBesidesUpdates() throws IOException {
    ClusterSpec spec = Specs.caso();
    PortMap ports = PortMap.empty().choose(spec, Daemon.of(spec));
    ClusterConf conf = new ClusterConf(spec, new ClusterPaths(dir), ports, dir);
    Daemon nameNode = new Daemon(DaemonRole.NAMENODE, 0);
    Daemon node = new Daemon(DaemonRole.DATANODE, 4);
    for (Daemon daemon : List.of(nameNode, node)) {
      Configuration site = new Configuration(false);
      conf.of(daemon).forEach(site::set);
      assertThat(NameNodeServers.bind(site, "", "").getPort())
          .isEqualTo(ports.port(nameNode, Purpose.PARITY));
      assertThat(LayoutOptions.of(site).folder()).isNotEmpty();
      assertThat(NameNodeServers.bind(site, "", "").getPort())
          .isEqualTo(ports.port(nameNode, Purpose.PARITY));
      assertThat(site.get("fs.hdfs.impl")).isNull();
    }
    assertThat(conf.client())
        .containsEntry("fs.hdfs.impl", ParityFileSystem.class.getName())
        .containsEntry("fs.AbstractFileSystem.hdfs.impl", ParityFs.class.getName());
    assertThat(conf.of(nameNode))
        .containsEntry("dfs.namenode.plugins", ParityNameNodePlugin.class.getName())
        .containsEntry("dfs.parity.features", "caso,ecupdate")
        .containsEntry("dfs.block.placement.ec.classname", HintedEcPlacementPolicy.class.getName());
    assertThat(conf.of(node))
        .containsEntry("dfs.datanode.plugins", ParityDataNodePlugin.class.getName())
        .containsEntry("dfs.parity.ecupdate.datanode.address", ports.address(node, Purpose.UPDATE));
  }

  @Test
  void aDiskIsOneDirectoryWithAllItsFrames() throws IOException {
    ClusterSpec disks = Specs.raidp();
    assertThat(conf(disks).dataDirs(0))
        .extracting(Path::getFileName)
        .extracting(Path::toString)
        .containsExactly("data", "data");
    assertThat(conf(disks).of(new Daemon(DaemonRole.DATANODE, 0)))
        .containsEntry("dfs.parity.raidp.frames.per.volume", "8");
  }

  /**
   * Every value of the samples is in force, but for places and sizes; every key of the suite that
   * is set besides is known.
   */
  @Test
  void allFeaturesAreSwitchedOnByTheSamples() throws IOException {
    Map<String, String> all = new TreeMap<>(sample("hdfs-site-all.xml"));
    all.keySet().removeAll(Set.of("dfs.datanode.data.dir", "dfs.parity.raidp.lstor.dirs"));
    ClusterConf conf = conf(Specs.all());
    for (Daemon daemon : Daemon.of(Specs.all())) {
      assertThat(conf.of(daemon)).as(daemon.name()).containsAllEntriesOf(all);
    }
    assertThat(conf.client())
        .containsAllEntriesOf(all)
        .containsAllEntriesOf(sample("core-site-client.xml"));
    assertThat(conf.dataDirs(7)).hasSize(2);
    Configuration site = new Configuration(false);
    conf.of(new Daemon(DaemonRole.LSTOR, 7)).forEach(site::set);
    assertThat(RaidpOptions.lstorDaemon(site).lstorDirs()).hasSize(2);
    for (Daemon daemon :
        List.of(new Daemon(DaemonRole.NAMENODE, 0), new Daemon(DaemonRole.DATANODE, 7))) {
      Configuration each = new Configuration(false);
      conf.of(daemon).forEach(each::set);
      assertThat(LevelOptions.of(each).checkPeers()).isTrue();
      assertThat(RepairOptions.from(each).mayHalfRead()).isTrue();
      assertThat(LayoutOptions.of(each).folder()).isNotEmpty();
      SessionOptions.of(each);
    }
  }

  private static Map<String, String> sample(String name) throws IOException {
    Configuration sample = new Configuration(false);
    sample.addResource(Path.of("..", "conf", name).toUri().toURL());
    Map<String, String> values = new TreeMap<>();
    sample.forEach(each -> values.put(each.getKey(), each.getValue()));
    assertThat(values).isNotEmpty();
    return values;
  }

  /** Both NameNodes have what makes them guard and serve, each at an address of its own. */
  @Test
  void twoNameNodesAreAlike() throws IOException {
    ClusterSpec spec = Specs.highlyAvailable(Specs.izs());
    PortMap ports = PortMap.empty().choose(spec, Daemon.of(spec));
    ClusterConf conf = new ClusterConf(spec, new ClusterPaths(dir), ports, dir);
    for (Daemon nameNode : Daemon.nameNodes(spec)) {
      Configuration site = new Configuration(false);
      conf.of(nameNode).forEach(site::set);
      assertThat(LevelOptions.of(site).checkPeers()).isTrue();
      assertThat(NameNodeServers.bind(site, "parity", nameNode.name()).getPort())
          .isEqualTo(ports.port(nameNode, Purpose.PARITY));
      assertThat(site.get("dfs.ha.namenode.id")).isEqualTo(nameNode.name());
      assertThat(site.get("dfs.block.placement.ec.classname"))
          .isEqualTo(HintedEcPlacementPolicy.class.getName());
      assertThat(site.get("dfs.namenode.shared.edits.dir"))
          .startsWith("qjournal://127.0.0.1:")
          .endsWith("/parity")
          .contains(
              ":" + ports.port(new Daemon(DaemonRole.JOURNALNODE, 2), Purpose.RPC) + "/parity");
      assertThat(site.get("dfs.namenode.name.dir")).contains("data/" + nameNode.name());
    }
    assertThat(conf.client())
        .containsEntry("fs.defaultFS", "hdfs://parity")
        .containsEntry("dfs.ha.namenodes.parity", "nn0,nn1")
        .doesNotContainKey("dfs.namenode.rpc-address");
    Set<String> known =
        Arrays.stream(RaidpKey.values()).map(ConfigKey::key).collect(Collectors.toSet());
    ClusterSpec raidp = Specs.highlyAvailable(Specs.raidp());
    assertThat(conf(raidp).of(Daemon.nameNodes(raidp).get(1)))
        .containsKeys(
            "dfs.parity.namenode.rpc-address.parity.nn0",
            "dfs.parity.namenode.rpc-address.parity.nn1");
    assertThat(
            conf(raidp).of(Daemon.nameNodes(raidp).get(1)).keySet().stream()
                .filter(key -> key.startsWith(RaidpKey.PREFIX)))
        .isNotEmpty()
        .allMatch(known::contains);
  }

  /** The sample of a feature is what a local cluster with that feature has. */
  @Test
  void theSampleOfAFeatureIsWhatIsTried() throws IOException {
    assertThat(sample("hdfs-site-izs.xml")).hasSize(5);
    Map<String, ClusterSpec> specs =
        Map.of("izs", Specs.izs(), "ecupdate", Specs.ecUpdate(), "caso", Specs.caso());
    for (Map.Entry<String, ClusterSpec> each : specs.entrySet()) {
      ClusterConf conf = conf(each.getValue());
      Map<String, String> sample = sample("hdfs-site-" + each.getKey() + ".xml");
      for (DaemonRole role : List.of(DaemonRole.NAMENODE, DaemonRole.DATANODE)) {
        assertThat(conf.of(new Daemon(role, 0))).containsAllEntriesOf(sample);
      }
    }
  }

  /**
   * A client without our jars fails with all that it does, if its site file names a class of ours.
   */
  @Test
  void onlyTheClientsWithOurJarsAreToldOurFileSystem() throws IOException {
    for (ClusterSpec spec :
        List.of(Specs.izs(), Specs.caso(), Specs.raidp(), Specs.stock(0, Map.of()))) {
      assertThat(conf(spec).anyClient())
          .doesNotContainKey("fs.hdfs.impl")
          .doesNotContainKey("fs.AbstractFileSystem.hdfs.impl")
          .containsKey("fs.defaultFS");
      assertThat(conf(spec).anyClient().values())
          .noneMatch(value -> value.contains("io.hdfsparity"));
    }
    for (String file :
        List.of(
            "hdfs-site-raidp.xml",
            "hdfs-site-izs.xml",
            "hdfs-site-ecupdate.xml",
            "hdfs-site-caso.xml",
            "hdfs-site-all.xml")) {
      Configuration servers = new Configuration(false);
      servers.addResource(Path.of("../conf", file).toUri().toURL());
      assertThat(servers.get("fs.hdfs.impl")).as(file).isNull();
      assertThat(servers.get("fs.AbstractFileSystem.hdfs.impl")).as(file).isNull();
    }
    Configuration client = new Configuration(false);
    client.addResource(Path.of("../conf/core-site-client.xml").toUri().toURL());
    assertThat(client.size()).isEqualTo(2);
    assertThat(client.getClass("fs.hdfs.impl", null)).isEqualTo(ParityFileSystem.class);
    assertThat(client.getClass("fs.AbstractFileSystem.hdfs.impl", null)).isEqualTo(ParityFs.class);
  }

  @Test
  void stockClustersKnowNothingOfTheSuite() throws IOException {
    ClusterSpec spec = Specs.stock(0, Map.of());
    for (Daemon daemon : Daemon.of(spec)) {
      assertThat(conf(spec).of(daemon).keySet()).noneMatch(key -> key.startsWith(RaidpKey.PREFIX));
      assertThat(conf(spec).of(daemon).values())
          .noneMatch(
              value ->
                  value.contains("Pair")
                      || value.contains("Raidp")
                      || value.contains("Guarded")
                      || value.contains("izs"));
    }
  }

  @Test
  void whatTheUserGivesWins() throws IOException {
    ClusterSpec spec = Specs.stock(0, Map.of("dfs.blocksize", "1048576", JvmOptions.KEY, "-Xmx1g"));
    assertThat(conf(spec).client())
        .containsEntry("dfs.blocksize", "1048576")
        .doesNotContainKey(JvmOptions.KEY);
    assertThat(JvmOptions.of(spec, DaemonRole.DATANODE)).endsWith("-Xmx1g");
  }

  @Test
  void everyNodeHasARackAndAnAddressOfItsOwn() throws IOException {
    List<String> lines = conf(Specs.raidp()).topologyTable().lines().toList();
    assertThat(lines)
        .hasSize(ClusterSpec.MAX_NODES)
        .contains("127.0.0.2 /rack0", "127.0.0.3 /rack1", "127.0.0.4 /rack0");
    assertThat(lines.stream().map(line -> line.split(" ")[0]).distinct())
        .hasSize(ClusterSpec.MAX_NODES);
  }

  /** The sample for a real cluster names keys that are known and says what a local cluster says. */
  @Test
  void theSampleIsRight() throws IOException {
    Configuration sample = new Configuration(false);
    sample.addResource(Path.of("../conf/hdfs-site-raidp.xml").toUri().toURL());
    Set<String> known =
        Arrays.stream(RaidpKey.values()).map(ConfigKey::key).collect(Collectors.toSet());
    assertThat(sample.getPropsWithPrefix(RaidpKey.PREFIX).keySet())
        .isNotEmpty()
        .allMatch(name -> known.contains(RaidpKey.PREFIX + name));
    for (DaemonRole role : List.of(DaemonRole.NAMENODE, DaemonRole.DATANODE, DaemonRole.LSTOR)) {
      Map<String, String> local = conf(Specs.raidp()).of(new Daemon(role, 0));
      for (String key :
          List.of(
              "dfs.parity.features",
              "dfs.datanode.fsdataset.factory",
              "dfs.parity.datanode.dataset.hooks",
              "dfs.datanode.plugins",
              "dfs.block.replicator.classname",
              "dfs.namenode.plugins")) {
        assertThat(local).containsEntry(key, sample.get(key));
      }
    }
    assertThat(sample.getTrimmedStrings("dfs.datanode.data.dir"))
        .hasSameSizeAs(sample.getTrimmedStrings("dfs.parity.raidp.lstor.dirs"));
  }
}
