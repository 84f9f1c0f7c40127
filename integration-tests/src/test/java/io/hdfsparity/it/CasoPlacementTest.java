/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.ParityFileSystem;
import io.hdfsparity.ParityNameNodePlugin;
import io.hdfsparity.bridge.config.SuiteKey;
import io.hdfsparity.caso.admin.CasoAdmin;
import io.hdfsparity.caso.fs.RewritePoints;
import io.hdfsparity.caso.fs.WorkFiles;
import io.hdfsparity.caso.layout.LayoutPointer;
import io.hdfsparity.caso.placement.ForecastFormat;
import io.hdfsparity.caso.placement.ParityForecast;
import io.hdfsparity.core.check.FreePorts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.AddErasureCodingPolicyResponse;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockMapGuard;
import org.apache.hadoop.hdfs.server.blockmanagement.HintedEcPlacementPolicy;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Parity of new block groups goes where little of it is predicted, and else where HDFS says. */
@Tag("full")
class CasoPlacementTest {
  private static final int K = 3;
  private static final int M = 2;

  /** Three racks, so that a group of five has one or two units in each; two nodes too many. */
  private static final String[] RACKS = {"/r0", "/r0", "/r0", "/r1", "/r1", "/r2", "/r2"};

  private static final int MAX_IN_A_RACK = 2;
  private static final int CELL_BYTES = 4096;
  private static final int GROUP_BYTES = K * CELL_BYTES;
  private static final int GROUPS = 20;
  private static final String POLICY = "RS-3-2-4k";

  @TempDir static java.nio.file.Path root;

  private static MiniDFSCluster cluster;
  private static Configuration conf;
  private static DistributedFileSystem fs;

  @BeforeAll
  static void start() throws IOException {
    conf = new HdfsConfiguration();
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, CELL_BYTES);
    conf.setLong(DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_KEY, 1024);
    conf.setInt(DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY, 1);
    conf.setBoolean(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOAD_KEY, false);
    conf.set(
        DFSConfigKeys.DFS_BLOCK_PLACEMENT_EC_CLASSNAME_KEY,
        HintedEcPlacementPolicy.class.getName());
    conf.set(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, ParityNameNodePlugin.class.getName());
    conf.set(SuiteKey.FEATURES.key(), "caso");
    conf.set(SuiteKey.NAMENODE_RPC_ADDRESS.key(), "127.0.0.1:" + FreePorts.next());
    cluster =
        new MiniDFSCluster.Builder(conf, root.resolve("dfs").toFile())
            .numDataNodes(RACKS.length)
            .racks(RACKS)
            .build();
    cluster.waitActive();
    fs = cluster.getFileSystem();
    AddErasureCodingPolicyResponse[] added =
        fs.addErasureCodingPolicies(
            new ErasureCodingPolicy[] {
              new ErasureCodingPolicy(new ECSchema("rs", K, M), CELL_BYTES)
            });
    assertThat(added[0].isSucceed()).as(added[0].getErrorMsg()).isTrue();
    fs.enableErasureCodingPolicy(POLICY);
    fs.mkdirs(new Path("/d"));
    fs.setErasureCodingPolicy(new Path("/d"), POLICY);
  }

  @AfterAll
  static void stop() {
    cluster.shutdown();
  }

  /** Makes the hint of a file. */
  private interface Hint {
    byte[] of(long inodeId);
  }

  private static long rate(int group) {
    return 10 + group % 3 * 7;
  }

  private static byte[] forecast(long inodeId) {
    long[] rates = new long[GROUPS];
    Arrays.setAll(rates, CasoPlacementTest::rate);
    return ForecastFormat.encode(new ParityForecast(rates), inodeId);
  }

  /** Writes block groups of one stripe each. */
  private static void write(Path file, Hint hint, int groups) throws IOException {
    try (FSDataOutputStream out = fs.create(file)) {
      long inodeId = fs.getClient().getFileInfo(file.toString()).getFileId();
      fs.setXAttr(file, WorkFiles.FORECAST, hint.of(inodeId));
      out.write(MiniLevels.bytes(groups * GROUP_BYTES, 1));
    }
  }

  /** Nodes of each group, by unit. */
  private static List<List<DatanodeInfo>> nodes(Path file) throws IOException {
    List<List<DatanodeInfo>> groups = new ArrayList<>();
    await("all units of " + file)
        .until(
            () -> {
              groups.clear();
              for (LocatedBlock block :
                  fs.getClient()
                      .getLocatedBlocks(file.toString(), 0, Long.MAX_VALUE)
                      .getLocatedBlocks()) {
                DatanodeInfo[] units = new DatanodeInfo[K + M];
                byte[] indices = ((LocatedStripedBlock) block).getBlockIndices();
                for (int i = 0; i < indices.length; i++) {
                  units[indices[i]] = block.getLocations()[i];
                }
                groups.add(Arrays.asList(units));
              }
              return groups.stream().noneMatch(units -> units.contains(null));
            });
    return groups;
  }

  private static long metric(String name) {
    return Metrics.value("CasoPlacement", name);
  }

  private static void assertSpreadOverRacks(List<DatanodeInfo> units) {
    Map<String, Integer> racks = new HashMap<>();
    units.forEach(node -> racks.merge(node.getNetworkLocation(), 1, Integer::sum));
    assertThat(units).doesNotHaveDuplicates();
    assertThat(racks).hasSize(3);
    assertThat(racks.values()).allMatch(count -> count <= MAX_IN_A_RACK);
  }

  /** Each group's parity must be where least of it was before, of the nodes that HDFS chose. */
  private static void assertEven(List<List<DatanodeInfo>> groups) {
    Map<String, Long> loads = new HashMap<>();
    for (int group = 0; group < groups.size(); group++) {
      List<DatanodeInfo> units = groups.get(group);
      assertSpreadOverRacks(units);
      List<Long> before =
          units.stream().map(node -> loads.getOrDefault(node.getDatanodeUuid(), 0L)).toList();
      long minOfData = before.subList(0, K).stream().min(Long::compare).orElseThrow();
      assertThat(before.subList(K, K + M))
          .as("group %d of %s", group, before)
          .allMatch(load -> load <= minOfData);
      for (DatanodeInfo parity : units.subList(K, K + M)) {
        loads.merge(parity.getDatanodeUuid(), rate(group), Long::sum);
      }
    }
  }

  @Test
  void parityIsEvenByForecastAndWhereHdfsSaysWithout() throws Exception {
    assertThat(BlockMapGuard.of(cluster.getNamesystem().getBlockManager()))
        .as("what levels of hdfs-izs need is there as well")
        .isPresent();
    long placed = metric("GroupsPlaced");
    write(new Path("/d/named-otherwise"), CasoPlacementTest::forecast, 3);
    assertThat(metric("GroupsPlaced")).isEqualTo(placed);
    nodes(new Path("/d/named-otherwise")).forEach(CasoPlacementTest::assertSpreadOverRacks);

    Path copy = new Path("/d/.caso-copy-1-0000000000000001");
    write(copy, CasoPlacementTest::forecast, GROUPS);
    assertThat(metric("GroupsPlaced")).isEqualTo(placed + GROUPS);
    assertThat(metric("Groups")).isEqualTo(GROUPS);
    assertEven(nodes(copy));
    assertThat(metric("MaxLoad")).isGreaterThan(0);

    // What is gone is no load any more: the next file begins as if it were the first.
    fs.delete(copy, false);
    Path next = new Path("/d/.caso-copy-1-0000000000000002");
    write(next, CasoPlacementTest::forecast, 4);
    assertThat(metric("Groups")).isEqualTo(4);
    assertEven(nodes(next));

    long refused = metric("ForecastsRefused");
    Path damaged = new Path("/d/.caso-copy-1-0000000000000003");
    write(damaged, inodeId -> new byte[] {1}, 2);
    assertThat(metric("ForecastsRefused")).isEqualTo(refused + 2);
    nodes(damaged).forEach(CasoPlacementTest::assertSpreadOverRacks);
    fs.delete(next, false);
    fs.delete(damaged, false);
  }

  @Test
  void organizedFilesAreWrittenByForecast() throws Exception {
    Path file = new Path("/d/f");
    byte[] bytes = MiniLevels.bytes(40 * CELL_BYTES + 123, 2);
    try (FSDataOutputStream out = fs.create(file)) {
      out.write(bytes);
    }
    long placed = metric("GroupsPlaced");
    StringBuilder trace = new StringBuilder();
    for (int window = 0; window < 60; window++) {
      for (long cell : new long[] {window % 5, 13 + 2 * (window % 5), 26 + 2 * (window % 5)}) {
        trace.append(window * 10_000L).append(",h,0,Write,").append(CELL_BYTES * cell);
        trace.append(",").append(CELL_BYTES).append(",0\n");
      }
    }
    String csv = Files.writeString(root.resolve("t.csv"), trace).toString();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code =
        new CasoAdmin(
                conf,
                new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                RewritePoints.NONE)
            .run(new String[] {"-organize", file.toString(), "-trace", csv});
    assertThat(code).as("%s", err).isZero();
    assertThat(metric("GroupsPlaced")).isEqualTo(placed + 14);
    assertThat(metric("MaxLoad")).isGreaterThan(0);
    assertThat(fs.getXAttrs(file))
        .as("%s", err)
        .containsKey(LayoutPointer.XATTR)
        .doesNotContainKey(WorkFiles.FORECAST);
    Configuration client = new Configuration(conf);
    client.set("fs.hdfs.impl", ParityFileSystem.class.getName());
    try (FileSystem caso = FileSystem.newInstance(URI.create(fs.getUri().toString()), client);
        FSDataInputStream in = caso.open(file)) {
      byte[] read = new byte[bytes.length];
      in.readFully(read);
      assertThat(read).isEqualTo(bytes);
    }
    fs.delete(file, false);
  }
}
