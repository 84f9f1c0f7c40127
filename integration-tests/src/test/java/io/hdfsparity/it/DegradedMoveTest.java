/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.bridge.copy.UndecodedInput;
import io.hdfsparity.bridge.swap.DecodedException;
import io.hdfsparity.izs.apply.MovePoints;
import io.hdfsparity.izs.namenode.LevelManager;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DecodeCount;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.BlockLocalPathInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeFaultInjector;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Moves of files a data unit of which cannot be read. What is decoded is what parity claims, and a
 * swap deletes the unit that knows better.
 */
@Tag("full")
class DegradedMoveTest {
  private static final int DATA_UNITS = 4;
  private static final int UNITS = 6;

  @TempDir private static java.nio.file.Path root;
  private static MiniApply apply;
  private static DistributedFileSystem fs;

  @BeforeAll
  static void start() throws IOException {
    apply = MiniApply.start(root, LevelManager.class);
    fs = apply.fs();
  }

  @AfterAll
  static void stop() {
    apply.close();
  }

  private record Unit(ExtendedBlock block, DataNode node) {
    BlockLocalPathInfo files() throws IOException {
      return node.getFSDataset().getBlockLocalPathInfo(block);
    }
  }

  /** The units of the first group of a file that a DataNode has, by their indices. */
  private static Map<Integer, Unit> units(String path) throws IOException {
    LocatedStripedBlock group =
        (LocatedStripedBlock) DFSTestUtil.getAllBlocks(fs, new Path(path)).get(0);
    Map<Integer, Unit> units = new TreeMap<>();
    for (int at = 0; at < group.getLocations().length; at++) {
      String uuid = group.getLocations()[at].getDatanodeUuid();
      int index = group.getBlockIndices()[at];
      ExtendedBlock block =
          StripedBlockUtil.constructInternalBlock(group.getBlock(), 16 * 1024, DATA_UNITS, index);
      for (DataNode node : apply.levels().cluster().getDataNodes()) {
        if (node.getDatanodeUuid().equals(uuid)) {
          units.put(index, new Unit(block, node));
        }
      }
    }
    return units;
  }

  /** Gives a file the parity units of another one, with their checksums. */
  private static void giveParityOf(String from, String to) throws IOException {
    Map<Integer, Unit> wrong = units(from);
    Map<Integer, Unit> units = units(to);
    for (int unit : List.of(4, 5)) {
      BlockLocalPathInfo source = wrong.get(unit).files();
      BlockLocalPathInfo target = units.get(unit).files();
      for (String[] file :
          new String[][] {
            {source.getBlockPath(), target.getBlockPath()},
            {source.getMetaPath(), target.getMetaPath()}
          }) {
        Files.write(
            java.nio.file.Path.of(file[1]), Files.readAllBytes(java.nio.file.Path.of(file[0])));
      }
    }
  }

  @Test
  void aFileOneOfWhoseDataUnitsIsNotThereStaysAsItIs() throws IOException {
    byte[] bytes = apply.write("/degraded/f", 3, 1);
    apply.write("/other/f", 3, 2);
    for (String folder : List.of("/degraded", "/other")) {
      apply.want(folder, "strong");
      assertThat(apply.apply(folder).code()).as(apply.err()).isZero();
    }
    String form = apply.form("/degraded/f");
    giveParityOf("/other/f", "/degraded/f");
    apply.want("/degraded", "copies");

    MiniDFSCluster cluster = apply.levels().cluster();
    // A DataNode keeps the checksum of the last chunk in memory, of what it has written itself.
    assertThat(cluster.restartDataNodes(/* keepPort= */ true)).isTrue();
    cluster.waitActive();
    Awaitility.await().until(() -> units("/degraded/f").size() == UNITS);
    DataNode node = units("/degraded/f").get(0).node();
    String address = node.getDatanodeId().getXferAddr();
    MiniDFSCluster.DataNodeProperties stopped = cluster.stopDataNode(address);
    // The NameNode does not know yet that the node is down; the stream finds out.
    assertStays(form, "decoded", "expected 0: all data units read");
    assertThat(apply.leftovers()).isEmpty();

    cluster.setDataNodeDead(node.getDatanodeId());
    assertThat(units("/degraded/f")).hasSize(UNITS - 1);
    MiniApply.Run dry = apply.apply("/degraded", "-dryRun");
    assertThat(dry.result("/degraded/f")).contains("missingDataUnits=1");
    assertStays(form, "missing-unit", "missingDataUnits=1");

    assertThat(cluster.restartDataNode(stopped, true)).isTrue();
    cluster.waitActive();
    Awaitility.await().until(() -> units("/degraded/f").size() == UNITS);
    MiniApply.Run run = apply.apply("/degraded");
    assertThat(run.code()).as("%s %s", run.doc(), run.err()).isZero();
    assertThat(apply.form("/degraded/f")).isEqualTo("replication 2");
    apply.assertBytes("/degraded/f", bytes);
  }

  /** Fails one read of a DataNode, as when it has too many open files for a moment. */
  private static final class OneFailedRead extends DataNodeFaultInjector {
    private final AtomicInteger reads = new AtomicInteger();

    @Override
    public void throwTooManyOpenFiles() throws FileNotFoundException {
      if (reads.getAndIncrement() == 0) {
        throw new FileNotFoundException("Too many open files");
      }
    }
  }

  /**
   * The file need not be copied from its beginning for that, and what was decoded is not copied.
   */
  @Test
  void whatWasDecodedForAReadThatFailedOnceIsReadAgain() throws IOException {
    byte[] bytes = apply.write("/once/f", 3, 3);
    apply.write("/once-other/f", 3, 4);
    for (String folder : List.of("/once", "/once-other")) {
      apply.want(folder, "strong");
      assertThat(apply.apply(folder).code()).as(apply.err()).isZero();
    }
    giveParityOf("/once-other/f", "/once/f");
    apply.want("/once", "copies");
    MiniDFSCluster cluster = apply.levels().cluster();
    assertThat(cluster.restartDataNodes(/* keepPort= */ true)).isTrue();
    cluster.waitActive();
    Awaitility.await().until(() -> units("/once/f").size() == UNITS);

    OneFailedRead fault = new OneFailedRead();
    DataNodeFaultInjector before = DataNodeFaultInjector.get();
    try {
      MiniApply.Run run =
          apply.apply(
              apply.conf(),
              point -> {
                if (point == MovePoints.Point.WRITING) {
                  DataNodeFaultInjector.set(fault);
                }
              },
              "/once");
      assertThat(run.code()).as("%s %s", run.doc(), run.err()).isZero();
    } finally {
      DataNodeFaultInjector.set(before);
    }
    assertThat(fault.reads).hasPositiveValue();
    assertThat(apply.form("/once/f")).isEqualTo("replication 2");
    apply.assertBytes("/once/f", bytes);
  }

  /** Fails the next read of a DataNode after each time that it is armed. */
  private static final class ArmedFault extends DataNodeFaultInjector {
    private final AtomicBoolean isArmed = new AtomicBoolean();

    @Override
    public void throwTooManyOpenFiles() throws FileNotFoundException {
      // Not for the scanner of the DataNode, which reads each replica, too.
      if (Thread.currentThread().getName().startsWith("DataXceiver") && isArmed.getAndSet(false)) {
        throw new FileNotFoundException("Too many open files");
      }
    }
  }

  /** Each range alone would be read in the end; the file would take for ever. */
  @Test
  void aFileIsRefusedAfterManyReadsThatFailed() throws IOException {
    apply.write("/often/f", 3, 5);
    apply.want("/often", "strong");
    assertThat(apply.apply("/often").code()).as(apply.err()).isZero();
    assertThat(units("/often/f")).hasSize(UNITS);
    // With a connection that it has kept, a client tries again, and does not decode.
    Configuration conf = new Configuration(fs.getConf());
    conf.setInt(HdfsClientConfigKeys.DFS_CLIENT_SOCKET_CACHE_CAPACITY_KEY, 0);
    conf.set(HdfsClientConfigKeys.DFS_CLIENT_CONTEXT, "no-kept-connections");
    FileSystem client = FileSystem.newInstance(fs.getUri(), conf);
    int[] opened = new int[1];
    int[] retried = new int[1];
    UndecodedInput.Source source =
        new UndecodedInput.Source() {
          @Override
          public HdfsDataInputStream open() throws IOException {
            opened[0]++;
            HdfsDataInputStream in = (HdfsDataInputStream) client.open(new Path("/often/f"));
            DecodeCount.begin(in);
            return in;
          }

          @Override
          public void check(HdfsDataInputStream read) {}

          @Override
          public void retrying() {
            retried[0]++;
          }
        };
    ArmedFault fault = new ArmedFault();
    DataNodeFaultInjector before = DataNodeFaultInjector.get();
    DataNodeFaultInjector.set(fault);
    try (client;
        UndecodedInput in = new UndecodedInput(source, "/often/f")) {
      byte[] buffer = new byte[100];
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 10 * UndecodedInput.MAX_REOPENED; i++) {
                  fault.isArmed.set(true);
                  // Of the other group, so that the stream opens other replicas.
                  long at = i % 2 == 0 ? 0 : MiniLevels.GROUP_BYTES;
                  assertThat(in.read(at, buffer, buffer.length)).isEqualTo(buffer.length);
                }
              })
          .isInstanceOf(DecodedException.class);
    } finally {
      DataNodeFaultInjector.set(before);
    }
    assertThat(opened[0]).isEqualTo(1 + UndecodedInput.MAX_REOPENED);
    assertThat(retried[0]).isEqualTo(UndecodedInput.MAX_REOPENED);
  }

  private static void assertStays(String form, String kind, String... reasons) throws IOException {
    MiniApply.Run run = apply.apply("/degraded");
    assertThat(apply.form("/degraded/f")).as("%s", run.doc()).isEqualTo(form);
    assertThat(run.refusals(kind)).as("%s", run.doc()).isEqualTo(1);
    assertThat(run.result("/degraded/f")).contains(reasons);
  }
}
