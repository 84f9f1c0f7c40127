/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.ParityFileSystem;
import io.hdfsparity.it.RepairCluster.Group;
import io.hdfsparity.it.RepairCluster.Stored;
import io.hdfsparity.izs.admin.IzsAdmin;
import io.hdfsparity.izs.codec.ContradictionException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.BlockLocalPathInfo;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * Files of an IZS policy whose parity is Reed-Solomon's, as a client leaves them that asks no
 * codec: lengths, checksums and reports are all in order.
 */
@Tag("full")
class ForeignParityTest {
  private static final int CELL = 64 * 1024;
  private static final int STRIPES = 3;

  private static RepairCluster cluster;
  private static DistributedFileSystem suite;
  private static org.apache.hadoop.fs.Path izs42;
  private static org.apache.hadoop.fs.Path rs42;

  @BeforeAll
  static void start(@TempDir Path root) throws IOException {
    Configuration conf = RepairCluster.withPlugin(RepairCluster.conf());
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, 16L * CELL);
    cluster = RepairCluster.start(root, conf, 7);
    izs42 = cluster.directory("izs", 4, 2, CELL);
    rs42 = cluster.directory("rs", 4, 2, CELL);
    Configuration client = new Configuration(conf);
    client.setClass("fs.hdfs.impl", ParityFileSystem.class, FileSystem.class);
    suite = (DistributedFileSystem) FileSystem.newInstance(cluster.cluster().getURI(), client);
  }

  @AfterAll
  static void stop() throws IOException {
    suite.close();
    cluster.close();
  }

  /** The same data twice; the parity units of one, block files and checksums, go to the other. */
  private static Group writeForeign(String name, int lengthBytes) throws IOException {
    Group izs = cluster.write(izs42, name, lengthBytes);
    Group rs = cluster.write(rs42, name, lengthBytes);
    assertThat(rs.content()).isEqualTo(izs.content());
    for (int unit = 4; unit < 6; unit++) {
      replace(izs, unit, rs.written().get(unit));
    }
    return izs;
  }

  private static void replace(Group group, int unit, Stored by) throws IOException {
    DataNode node = group.written().get(unit).node();
    BlockLocalPathInfo files = node.getFSDataset().getBlockLocalPathInfo(group.block(unit));
    Files.write(Path.of(files.getBlockPath()), by.data());
    Files.write(Path.of(files.getMetaPath()), by.meta());
  }

  private static byte[] read(Group group, int from, int lengthBytes) throws IOException {
    byte[] bytes = new byte[lengthBytes];
    try (FSDataInputStream in = suite.open(group.file())) {
      in.readFully(from, bytes);
    }
    return bytes;
  }

  @Test
  void neitherClientNorRepairDecodesWithParityThatContradictsItself() throws IOException {
    int lengthBytes = STRIPES * 4 * CELL - 999;
    Group group = writeForeign("foreign", lengthBytes);
    assertThat(read(group, 0, lengthBytes)).as("healthy").isEqualTo(group.content());
    long contradictions = cluster.repairMetric("Contradictions");
    long failures = cluster.repairMetric("FailedRepairs");
    LogCapturer nameNode =
        LogCapturer.captureLogs(LoggerFactory.getLogger("org.apache.hadoop.hdfs.StateChange"));
    LogCapturer rpc =
        LogCapturer.captureLogs(
            LoggerFactory.getLogger("org.apache.hadoop.hdfs.server.namenode.NameNode"));
    try {
      group.lose(1);
      Awaitility.await()
          .untilAsserted(
              () -> {
                assertThat(cluster.repairMetric("Contradictions")).isGreaterThan(contradictions);
                assertThat(cluster.repairMetric("FailedRepairs")).isGreaterThan(failures);
              });
      Awaitility.await()
          .untilAsserted(
              () ->
                  assertThat(nameNode.getOutput() + rpc.getOutput())
                      .contains("Cannot rebuild units [1]: units that do not fit=[5]"));
    } finally {
      nameNode.stopCapturing();
      rpc.stopCapturing();
    }
    assertThat(group.nodes()).as("units that are known").doesNotContainKey(1);
    for (DataNode node : cluster.cluster().getDataNodes()) {
      assertThat(node.getFSDataset().isValidBlock(group.block(1))).isFalse();
    }
    // Not up to the end of a unit: DataNodes keep the checksum of the last chunk in memory.
    int[] places = {CELL, CELL + 77, 5 * CELL + 1};
    for (int from : places) {
      assertThatThrownBy(() -> read(group, from, 10))
          .as("from %s", from)
          .isInstanceOf(ContradictionException.class)
          .hasMessageContaining("units that do not fit=[5]")
          .hasMessageContaining("file=" + group.file().toUri().getPath());
    }
    assertThat(read(group, 2 * CELL, CELL))
        .as("what is there")
        .isEqualTo(Arrays.copyOfRange(group.content(), 2 * CELL, 3 * CELL));
  }

  private record Answer(int exit, String out) {}

  private static Answer verify(String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
    Configuration conf = new Configuration(cluster.cluster().getConfiguration(0));
    int exit = new IzsAdmin(conf, print, print).run(args);
    return new Answer(exit, out.toString(StandardCharsets.UTF_8));
  }

  /** While all data is there, it says what parity has to be. */
  @Test
  void wrongParityIsFoundWhileAllDataIsThere() throws IOException {
    Group sound = cluster.write(izs42, "sound", STRIPES * 4 * CELL - 12_345);
    Answer fits = verify("-verify", sound.file().toUri().getPath());
    assertThat(fits.out()).contains("1 files of codec izs: 1 fit, 0 wrong, 0 not compared");
    assertThat(fits.exit()).isZero();

    // A DataNode keeps the checksum of the last chunk in memory, of what it has written itself.
    Group group = writeForeign("found", STRIPES * 4 * CELL);
    restartNodesOf(group, 4, 5);
    String file = group.file().toUri().getPath();
    Answer wrong = verify("-verify", file);
    assertThat(wrong.out())
        .contains("parity units [4,5] do not fit the data", "0 fit, 1 wrong, 0 not compared")
        .contains("a copy of a file whose parity units alone do not fit gets the right parity")
        .doesNotContain("suspected");
    assertThat(wrong.exit()).isEqualTo(-1);
  }

  /** As a unit that was rebuilt from wrong parity is: its checksums fit its wrong bytes. */
  @Test
  void aWrongDataUnitIsNamedAndNoCopyIsAdvised() throws IOException {
    Group group = cluster.write(izs42, "suspected", STRIPES * 4 * CELL);
    replace(group, 1, cluster.write(izs42, "other", STRIPES * 4 * CELL).written().get(1));
    restartNodesOf(group, 1);
    Answer wrong = verify("-verify", group.file().toUri().getPath());
    assertThat(wrong.out())
        .contains("data unit 1 suspected: compare the file with its source")
        .contains("0 fit, 1 wrong, 0 not compared")
        .contains("Keep a file with a suspected data unit")
        .doesNotContain("gets the right parity");
    assertThat(wrong.exit()).isEqualTo(-1);
  }

  private static void restartNodesOf(Group group, int... units) throws IOException {
    for (int unit : units) {
      String address = group.written().get(unit).node().getDatanodeId().getXferAddr();
      assertThat(cluster.cluster().restartDataNode(cluster.cluster().stopDataNode(address), true))
          .isTrue();
    }
    cluster.cluster().waitActive();
    Awaitility.await().until(() -> group.nodes().size() == 6);
  }

  /** Parity is made of data alone, whatever other parity says: so wrong parity can be replaced. */
  @Test
  void lostParityIsMadeAnewByTheCodecWhereAllDataIsThere() throws IOException {
    Group group = writeForeign("parity", STRIPES * 4 * CELL);
    group.lose(4);
    group.lose(5);
    for (Map.Entry<Integer, Stored> unit : group.written().entrySet()) {
      group.awaitRebuilt(unit.getKey());
    }
    group.awaitAsWritten();
    group.lose(2);
    group.awaitAsWritten();
    assertThat(read(group, 0, group.content().length)).isEqualTo(group.content());
  }
}
