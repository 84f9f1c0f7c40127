/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.ParityDatasetFactory;
import org.apache.hadoop.io.EnumSetWritable;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The NameNode orders a copy of a complete block, and a client appends to the block before the copy
 * is made.
 *
 * <p>HDFS looks whether the replica is complete when the order comes. What it sends later is the
 * replica as it is then: under the append's generation stamp, but only as long as the order says.
 */
@Tag("full")
class CopyDuringAppendTest {
  private static final int BLOCK = 1 << 20;
  private static final int BEFORE = 100_000;

  /** The order's length, up to the end of a chunk. */
  private static final int SHORT = 100_352;

  private static final byte[] CONTENT = MiniRaidp.bytes(1, 150_000);
  private static final org.apache.hadoop.fs.Path FILE = new org.apache.hadoop.fs.Path("/f");
  private static final MiniRaidp.Shape THREE_NODES =
      new MiniRaidp.Shape(3, 1, 1, 2, 32L << 20, 1 << 16, BLOCK);

  /** Where the append is when the copy is made. */
  enum CopyTime {
    WHILE_WRITTEN,
    AFTER_CLOSE
  }

  @TempDir Path root;

  @AfterEach
  void releaseCopies() {
    HeldCopies.release();
  }

  private static Configuration quick() {
    Configuration conf = new Configuration(false);
    HeldCopies.configure(conf);
    conf.setInt("dfs.client.retry.window.base", 10);
    conf.setInt("dfs.heartbeat.interval", 1);
    conf.setInt("dfs.namenode.redundancy.interval.seconds", 1);
    conf.setInt("dfs.namenode.reconstruction.pending.timeout-sec", 5);
    return conf;
  }

  /** A file with one replica, of which another one is ordered. */
  private static void orderByReplication(DistributedFileSystem fs) throws IOException {
    try (OutputStream out = fs.create(FILE, (short) 1)) {
      out.write(CONTENT, 0, BEFORE);
    }
    HeldCopies.hold();
    assertThat(fs.setReplication(FILE, (short) 2)).isTrue();
    await("the order").until(HeldCopies::isHeld);
  }

  /**
   * What stock HDFS does, as the reason for what the suite does. If this fails with a later Hadoop,
   * HDFS may have been mended.
   */
  @Test
  void stockHdfsServesTheShortCopy() throws Exception {
    try (MiniDFSCluster cluster = MiniRaidp.startStock(root, THREE_NODES, quick())) {
      DistributedFileSystem fs = cluster.getFileSystem();
      orderByReplication(fs);
      try (FSDataOutputStream out = fs.append(FILE)) {
        out.write(CONTENT, BEFORE, CONTENT.length - BEFORE);
        out.hflush();
        HeldCopies.release();
        await("the copy").until(() -> replicas(cluster, block(fs)).contains((long) SHORT));
        await("its report").until(() -> locations(fs) == 2);
        // A reader that opens the file now gets its length from one of the two.
        await("less than was flushed").until(() -> lengthsRead(fs).contains(SHORT));
      }
      // Closed. No read is short, for a client knows the length from the NameNode ...
      assertThat(locations(fs)).isEqualTo(2);
      assertThat(lengthsRead(fs)).containsOnly(CONTENT.length);
      assertThat(corrupt(cluster)).isZero();
      // ... until the next append, whose block has the length that a DataNode says.
      beginAppend(fs);
      await("less than was closed").until(() -> lengthsRead(fs).contains(SHORT));
      endAppend(fs);
      assertThat(locations(fs)).isEqualTo(2);
      assertShortAlone(cluster, fs);
      // The next full block report, by default in up to six hours, has the length.
      cluster.triggerBlockReports();
      await("the whole replica").untilAsserted(() -> assertBothWhole(cluster));
    }
  }

  /** Of a complete block the NameNode compares the length that a DataNode reports. */
  @Test
  void stockHdfsFindsTheShortCopyOfAClosedBlock() throws Exception {
    try (MiniDFSCluster cluster = MiniRaidp.startStock(root, THREE_NODES, quick())) {
      DistributedFileSystem fs = cluster.getFileSystem();
      orderByReplication(fs);
      try (FSDataOutputStream out = fs.append(FILE)) {
        out.write(CONTENT, BEFORE, CONTENT.length - BEFORE);
      }
      HeldCopies.release();
      await("the mark").until(() -> corrupt(cluster) == 1);
      assertThat(lengthsRead(fs)).containsOnly(CONTENT.length);
      await("the whole replica").untilAsserted(() -> assertBothWhole(cluster));
    }
  }

  private static void assertBothWhole(MiniDFSCluster cluster) throws IOException {
    assertThat(replicas(cluster, block(cluster.getFileSystem())))
        .containsExactly((long) CONTENT.length, (long) CONTENT.length);
  }

  /** Without the whole replica the block can be read by those alone who ask for no more. */
  private static void assertShortAlone(MiniDFSCluster cluster, DistributedFileSystem fs)
      throws Exception {
    ExtendedBlock block = block(fs);
    List<DataNode> nodes = cluster.getDataNodes();
    int whole = 0;
    while (!nodes.get(whole).getFSDataset().contains(block)
        || nodes.get(whole).getFSDataset().getLength(block) != CONTENT.length) {
      whole++;
    }
    MiniDFSCluster.DataNodeProperties away = cluster.stopDataNode(whole);
    try (FSDataInputStream in = fs.open(FILE)) {
      byte[] some = new byte[BEFORE];
      in.readFully(0, some);
      assertThat(some).isEqualTo(Arrays.copyOf(CONTENT, BEFORE));
      assertThatThrownBy(in::readAllBytes).isInstanceOf(BlockMissingException.class);
    }
    assertThat(cluster.restartDataNode(away, true)).isTrue();
    cluster.waitActive();
  }

  /** A block without parity, in the suite's dataset. */
  @ParameterizedTest
  @EnumSource(CopyTime.class)
  void noShortCopyIsMade(CopyTime time) throws Exception {
    Configuration conf = quick();
    conf.set("dfs.datanode.fsdataset.factory", ParityDatasetFactory.class.getName());
    try (MiniDFSCluster cluster = MiniRaidp.startStock(root, THREE_NODES, conf)) {
      orderByReplication(cluster.getFileSystem());
      assertAllWhole(cluster, time);
    }
  }

  /** A client's pipeline gets another DataNode, which takes a copy of what is being written. */
  @Test
  void whatIsWrittenIsCopiedForItsPipeline() throws Exception {
    Configuration conf = quick();
    conf.set("dfs.datanode.fsdataset.factory", ParityDatasetFactory.class.getName());
    conf.set("dfs.client.block.write.replace-datanode-on-failure.policy", "ALWAYS");
    try (MiniDFSCluster cluster = MiniRaidp.startStock(root, THREE_NODES, conf)) {
      DistributedFileSystem fs = cluster.getFileSystem();
      try (FSDataOutputStream out = fs.create(FILE, (short) 2)) {
        out.write(CONTENT, 0, BEFORE);
        out.hflush();
        int first = located(fs).getLocations()[0].getXferPort();
        assertThat(cluster.getDataNodes()).anyMatch(each -> each.getXferPort() == first);
        cluster.stopDataNode(
            cluster.getDataNodes().stream().map(DataNode::getXferPort).toList().indexOf(first));
        out.write(CONTENT, BEFORE, CONTENT.length - BEFORE);
      }
      assertBothWhole(cluster);
      assertThat(lengthsRead(fs)).containsOnly(CONTENT.length);
    }
  }

  /** A block with parity, one side of which has missed an append. */
  @ParameterizedTest
  @EnumSource(CopyTime.class)
  void noShortCopyIsCovered(CopyTime time) throws Exception {
    try (MiniRaidp raidp = MiniRaidp.start(root, THREE_NODES, quick())) {
      raidp.write("/f", Arrays.copyOf(CONTENT, BEFORE / 2));
      await("all replicas").until(() -> Soundness.allBlocksHaveTwoReplicas(raidp));
      MiniDFSCluster.DataNodeProperties away = stopOneHolder(raidp);
      try (OutputStream out = raidp.fs().append(FILE)) {
        out.write(CONTENT, BEFORE / 2, BEFORE / 2);
      }
      HeldCopies.hold();
      assertThat(raidp.dfs().restartDataNode(away, true)).isTrue();
      await("the order").until(HeldCopies::isHeld);
      assertAllWhole(raidp.dfs(), time);
      Soundness.assertSound(raidp);
    }
  }

  private static MiniDFSCluster.DataNodeProperties stopOneHolder(MiniRaidp raidp) throws Exception {
    ExtendedBlock block = block(raidp.fs());
    List<DataNode> nodes = raidp.dfs().getDataNodes();
    for (int node = 0; node < nodes.size(); node++) {
      if (nodes.get(node).getFSDataset().contains(block)) {
        return raidp.dfs().stopDataNode(node);
      }
    }
    throw new AssertionError("no replica of " + block);
  }

  private static ConditionFactory await(String what) {
    return MiniRaidp.await(what).atMost(Duration.ofSeconds(40));
  }

  /** Makes the copy that is held, and reads all the time. */
  private static void assertAllWhole(MiniDFSCluster cluster, CopyTime time) throws Exception {
    DistributedFileSystem fs = cluster.getFileSystem();
    try (FSDataOutputStream out = fs.append(FILE)) {
      out.write(CONTENT, BEFORE, CONTENT.length - BEFORE);
      out.hflush();
      if (time == CopyTime.WHILE_WRITTEN) {
        HeldCopies.release();
        awaitNoCopies(cluster);
        assertThat(lengthsRead(fs)).containsOnly(CONTENT.length);
      }
    }
    HeldCopies.release();
    await("two whole replicas, without a full block report")
        .untilAsserted(
            () -> {
              assertThat(lengthsRead(fs)).containsOnly(CONTENT.length);
              assertThat(locations(fs)).isEqualTo(2);
              assertBothWhole(cluster);
            });
    beginAppend(fs);
    assertThat(lengthsRead(fs)).containsOnly(CONTENT.length);
    endAppend(fs);
    assertThat(corrupt(cluster)).isZero();
  }

  private static void awaitNoCopies(MiniDFSCluster cluster) {
    await("the copy's end")
        .until(
            () -> cluster.getDataNodes().stream().allMatch(node -> node.getXmitsInProgress() == 0));
  }

  private static LocatedBlock located(DistributedFileSystem fs) throws IOException {
    return fs.getClient().getLocatedBlocks(FILE.toString(), 0).get(0);
  }

  private static ExtendedBlock block(DistributedFileSystem fs) throws IOException {
    return located(fs).getBlock();
  }

  private static int locations(DistributedFileSystem fs) throws IOException {
    return located(fs).getLocations().length;
  }

  private static long corrupt(MiniDFSCluster cluster) {
    return cluster.getNamesystem().getBlockManager().getCorruptBlocks();
  }

  /** Lengths of the replicas with the block's generation stamp, complete or not. */
  private static List<Long> replicas(MiniDFSCluster cluster, ExtendedBlock block)
      throws IOException {
    List<Long> lengths = new ArrayList<>();
    for (DataNode node : cluster.getDataNodes()) {
      if (!node.getFSDataset().contains(block)) {
        continue;
      }
      Block stored = node.getFSDataset().getStoredBlock(block.getBlockPoolId(), block.getBlockId());
      if (stored.getGenerationStamp() == block.getGenerationStamp()) {
        lengths.add(stored.getNumBytes());
      }
    }
    return lengths;
  }

  /** Opens and reads the file many times, for HDFS shuffles replicas, and compares the bytes. */
  private static Set<Integer> lengthsRead(DistributedFileSystem fs) throws IOException {
    Set<Integer> lengths = new HashSet<>();
    for (int i = 0; i < 20; i++) {
      try (FSDataInputStream in = fs.open(FILE)) {
        byte[] read = in.readAllBytes();
        assertThat(read).isEqualTo(Arrays.copyOf(CONTENT, read.length));
        lengths.add(read.length);
      }
    }
    return lengths;
  }

  /** As a client that has asked the NameNode, and no DataNode yet. */
  private static void beginAppend(DistributedFileSystem fs) throws IOException {
    fs.getClient()
        .getNamenode()
        .append(FILE.toString(), "another", new EnumSetWritable<>(EnumSet.of(CreateFlag.APPEND)));
  }

  private static void endAppend(DistributedFileSystem fs) throws IOException {
    long file = fs.getClient().getFileInfo(FILE.toString()).getFileId();
    await("the append's end")
        .until(
            () ->
                fs.getClient().getNamenode().complete(FILE.toString(), "another", block(fs), file));
  }
}
