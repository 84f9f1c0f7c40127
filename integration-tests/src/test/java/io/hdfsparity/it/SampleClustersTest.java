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
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
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
  private static final int LENGTH = MiniLevels.GROUP_BYTES + 12_345;

  /**
   * Of such a cluster: Lstors on the disk of their frames, no policy of codec izs, and a client
   * without the suite's file system.
   */
  private static final Set<String> BY_DESIGN = Set.of("PARITY-404", "PARITY-501", "PARITY-701");

  private static final String CODE = "/code/f";
  private static final String PAIR = "/pair/f";

  @TempDir Path root;

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
    Configuration conf = SampleSite.places(SampleSite.sample("hdfs-site-" + parts[0] + ".xml"));
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
    Map<String, String> sample = SampleSite.sample("hdfs-site-raidp.xml");
    List<Configuration> nodes = new ArrayList<>();
    for (int node = 0; node < PAIR_NODES; node++) {
      nodes.add(SampleSite.pairNode(root, node));
    }
    // What is set for all would win over what is set for one.
    Map<String, String> common = new TreeMap<>(sample);
    nodes.get(0).forEach(each -> common.remove(each.getKey()));
    try (MiniDFSCluster cluster = start(SampleSite.smallFrames(SampleSite.places(common)), nodes)) {
      assertInService("ParityFeatures", "Raidp");
      for (DataNode node : cluster.getDataNodes()) {
        assertInService(source(node), "Raidp");
      }
      SampleSite.layOut(cluster.getFileSystem(), cluster.getConfiguration(0));
      assertWrites(cluster.getFileSystem(), PAIR);
    }
  }

  @Test
  void all() throws Exception {
    List<Configuration> nodes = new ArrayList<>();
    for (int node = 0; node < CODE_NODES + PAIR_NODES; node++) {
      nodes.add(SampleSite.pairNode(root, node));
    }
    Map<String, String> common = new TreeMap<>(SampleSite.sample("hdfs-site-all.xml"));
    nodes.get(0).forEach(each -> common.remove(each.getKey()));
    try (MiniDFSCluster cluster = start(SampleSite.smallFrames(SampleSite.places(common)), nodes)) {
      assertInService("ParityFeatures", "Raidp", "Izs", "Ecupdate", "Caso");
      for (DataNode node : cluster.getDataNodes()) {
        assertInService(source(node), "Raidp", "Izs", "Ecupdate");
      }
      SampleSite.layOut(cluster.getFileSystem(), cluster.getConfiguration(0));
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
