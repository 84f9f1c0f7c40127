/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsparity.admin.ParityAdmin;
import io.hdfsparity.bridge.config.SuiteKey;
import io.hdfsparity.core.check.FreePorts;
import io.hdfsparity.raidp.admin.RaidpAdmin;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.util.ToolRunner;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clusters from the samples of {@code conf/}: nothing is set beside them but places, ports, and
 * sizes that suit a test.
 */
@Tag("full")
@Timeout(600)
class SampleClustersTest {
  private static final int CODE_NODES = 6;
  private static final int PAIR_NODES = 3;
  private static final int DISKS = 2;
  private static final int FRAMES = 2;
  private static final int MAX_PROPERTIES = 12;
  private static final int LENGTH = MiniLevels.GROUP_BYTES + 12_345;

  /**
   * Of such a cluster: Lstors on the disk of their frames, no policy of codec izs, and a client
   * without the suite's file system.
   */
  private static final Set<String> BY_DESIGN = Set.of("PARITY-404", "PARITY-501", "PARITY-701");

  private static final String CODE = "/code/f";
  private static final String PAIR = "/pair/f";

  @TempDir Path root;

  private static Map<String, String> sample(String file) throws IOException {
    Configuration keys = new Configuration(false);
    keys.addResource(Path.of("..", "conf", file).toUri().toURL());
    assertThat(keys.size()).as(file).isBetween(1, MAX_PROPERTIES);
    Map<String, String> sample = new TreeMap<>();
    keys.forEach(each -> sample.put(each.getKey(), each.getValue()));
    return sample;
  }

  /** Where things are, and how large. */
  private static Configuration places(Map<String, String> sample) throws IOException {
    Configuration conf = new HdfsConfiguration();
    sample.forEach(conf::set);
    conf.set(SuiteKey.NAMENODE_RPC_ADDRESS.key(), "127.0.0.1:" + FreePorts.next());
    conf.set(SuiteKey.DATANODE_RPC_ADDRESS.key(), "127.0.0.1:0");
    conf.set("dfs.parity.ecupdate.datanode.address", "127.0.0.1:0");
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, MiniLevels.BLOCK_BYTES);
    conf.setLong(DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_KEY, 1024);
    conf.setInt(DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY, 1);
    return conf;
  }

  private Configuration pairNode(Map<String, String> sample, int node) throws IOException {
    Configuration conf = DataNodeAddresses.overlay();
    sample.forEach(conf::set);
    List<String> data = new ArrayList<>();
    List<String> lstors = new ArrayList<>();
    for (int disk = 0; disk < DISKS; disk++) {
      Path place = root.resolve("pair" + node).resolve("disk" + disk);
      Path lstor = root.resolve("lstor").resolve("pair" + node + "-disk" + disk);
      lstors.add(Files.createDirectories(lstor).toString());
      data.add("file:" + Files.createDirectories(place.resolve("hdfs")));
    }
    conf.set(DFSConfigKeys.DFS_DATANODE_DATA_DIR_KEY, String.join(",", data));
    conf.setInt("dfs.parity.raidp.frames.per.volume", FRAMES);
    conf.set("dfs.parity.raidp.lstor.dirs", String.join(",", lstors));
    return conf;
  }

  private Configuration codeNode(int node) throws IOException {
    Configuration conf = DataNodeAddresses.overlay();
    Path place = Files.createDirectories(root.resolve("code" + node));
    conf.set(DFSConfigKeys.DFS_DATANODE_DATA_DIR_KEY, "file:" + place);
    return conf;
  }

  private MiniDFSCluster start(Configuration conf, List<Configuration> nodes) throws IOException {
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, root.resolve("dfs").toString());
    MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf)
            .numDataNodes(nodes.size())
            .manageDataDfsDirs(false)
            .checkDataNodeAddrConfig(true)
            .dataNodeConfOverlays(nodes.toArray(Configuration[]::new))
            .build();
    cluster.waitActive();
    return cluster;
  }

  private static void assertInService(String source, String... features) {
    for (String feature : features) {
      assertThat(Metrics.value(source, feature + "InService")).as(source + feature).isEqualTo(1);
    }
  }

  private static String source(DataNode node) {
    return "ParityFeatures-" + node.getDisplayName().replace(':', '-');
  }

  private static void assertWrites(DistributedFileSystem fs, String path) throws IOException {
    byte[] bytes = MiniLevels.bytes(LENGTH, path.hashCode());
    MiniLevels.write(fs, path, bytes);
    assertThat(MiniLevels.read(fs, path, LENGTH)).isEqualTo(bytes);
  }

  private static void makeCodeDirectory(DistributedFileSystem fs) throws IOException {
    MiniLevels.addPolicies(fs, "rs");
    MiniLevels.makeDirectory(fs, "/code", MiniLevels.policy("rs", 2));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"izs:Izs:Izs", "ecupdate:Ecupdate:Ecupdate", "caso:Caso,Ecupdate:Ecupdate"})
  void codes(String which) throws IOException {
    String[] parts = which.split(":");
    List<Configuration> nodes = new ArrayList<>();
    for (int node = 0; node < CODE_NODES; node++) {
      nodes.add(codeNode(node));
    }
    Configuration conf = places(sample("hdfs-site-" + parts[0] + ".xml"));
    try (MiniDFSCluster cluster = start(conf, nodes)) {
      assertInService("ParityFeatures", parts[1].split(","));
      for (DataNode node : cluster.getDataNodes()) {
        assertInService(source(node), parts[2].split(","));
      }
      makeCodeDirectory(cluster.getFileSystem());
      assertWrites(cluster.getFileSystem(), CODE);
    }
  }

  @Test
  void raidp() throws Exception {
    Map<String, String> sample = sample("hdfs-site-raidp.xml");
    List<Configuration> nodes = new ArrayList<>();
    for (int node = 0; node < PAIR_NODES; node++) {
      nodes.add(pairNode(Map.of(), node));
    }
    // What is set for all would win over what is set for one.
    Map<String, String> common = new TreeMap<>(sample);
    nodes.get(0).forEach(each -> common.remove(each.getKey()));
    try (MiniDFSCluster cluster = start(smallFrames(places(common)), nodes)) {
      assertInService("ParityFeatures", "Raidp");
      for (DataNode node : cluster.getDataNodes()) {
        assertInService(source(node), "Raidp");
      }
      layOut(cluster);
      assertWrites(cluster.getFileSystem(), PAIR);
    }
  }

  private static Configuration smallFrames(Configuration conf) {
    conf.set("dfs.parity.raidp.frame.size", "8m");
    conf.set("dfs.parity.raidp.unit.size", "64k");
    conf.set("dfs.parity.raidp.max.block.size", Long.toString(MiniLevels.BLOCK_BYTES));
    conf.set("dfs.parity.raidp.journal.size", "8m");
    conf.set("dfs.parity.raidp.layout.recovery.room.disks", "0");
    conf.set("dfs.parity.raidp.layout.spare.share", "0");
    return conf;
  }

  private static void layOut(MiniDFSCluster cluster) {
    Awaitility.await("superchunks are laid out")
        .atMost(Duration.ofMinutes(2))
        .ignoreExceptionsInstanceOf(IOException.class)
        .untilAsserted(
            () -> {
              ByteArrayOutputStream said = new ByteArrayOutputStream();
              PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
              RaidpAdmin admin =
                  new RaidpAdmin(new Configuration(cluster.getConfiguration(0)), out, out);
              int code = ToolRunner.run(admin, new String[] {"-layout", "-apply"});
              assertThat(code).as(said.toString(StandardCharsets.UTF_8)).isZero();
              cluster.getFileSystem().mkdirs(new org.apache.hadoop.fs.Path("/pair"));
              int marked = ToolRunner.run(admin, new String[] {"-protect", "/pair"});
              assertThat(marked).as(said.toString(StandardCharsets.UTF_8)).isZero();
              MiniLevels.write(cluster.getFileSystem(), "/pair/first", new byte[1]);
            });
  }

  @Test
  void all() throws Exception {
    List<Configuration> nodes = new ArrayList<>();
    for (int node = 0; node < CODE_NODES + PAIR_NODES; node++) {
      nodes.add(pairNode(Map.of(), node));
    }
    Map<String, String> common = new TreeMap<>(sample("hdfs-site-all.xml"));
    nodes.get(0).forEach(each -> common.remove(each.getKey()));
    try (MiniDFSCluster cluster = start(smallFrames(places(common)), nodes)) {
      assertInService("ParityFeatures", "Raidp", "Izs", "Ecupdate", "Caso");
      for (DataNode node : cluster.getDataNodes()) {
        assertInService(source(node), "Raidp", "Izs", "Ecupdate");
      }
      layOut(cluster);
      DistributedFileSystem fs = cluster.getFileSystem();
      assertWrites(fs, PAIR);
      makeCodeDirectory(fs);
      assertWrites(fs, CODE);
      // A superchunk counts as single until both of its DataNodes have reported their frames.
      Awaitility.await("nothing is found but what the sample means")
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(
              () -> assertThat(findings(cluster.getConfiguration(0))).isEqualTo(BY_DESIGN));
    }
  }

  /** Codes of what the doctor finds. */
  private static Set<String> findings(Configuration conf) throws IOException {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
    new ParityAdmin(new Configuration(conf), out, System.err).run(new String[] {"doctor", "-json"});
    Set<String> codes = new TreeSet<>();
    for (JsonNode finding : new ObjectMapper().readTree(said.toByteArray()).get("findings")) {
      codes.add(finding.get("code").asText());
    }
    return codes;
  }
}
