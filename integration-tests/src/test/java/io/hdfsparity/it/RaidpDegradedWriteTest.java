/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.protocol.BlockRecoveryCommand.RecoveringBlock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A DataNode is down, and nobody has declared it dead: files whose blocks have their other replica
 * there are appended to, flushed, reopened and truncated all the same, with one replica and its own
 * parity. When the node is back, the second replica is made, and both parities are right.
 */
@Tag("full")
class RaidpDegradedWriteTest {
  private static final int BLOCK = 1 << 20;
  private static final int FILES = 24;
  private static final MiniRaidp.Shape SHAPE =
      new MiniRaidp.Shape(6, 2, 1, 6, 32L << 20, 1 << 16, BLOCK);

  @Test
  void filesAreChangedWhileOneNodeIsDown(@TempDir Path root) throws Exception {
    try (MiniRaidp raidp = MiniRaidp.start(root, SHAPE, new Configuration(false))) {
      Daemons.startLstors(raidp);
      Map<String, byte[]> files = new TreeMap<>();
      for (int i = 0; i < FILES; i++) {
        files.put("/f" + i, MiniRaidp.bytes(i, 1 + i * 7_919));
        raidp.write("/f" + i, files.get("/f" + i));
      }
      MiniRaidp.await("all replicas").until(() -> Soundness.allBlocksHaveTwoReplicas(raidp));
      MiniDFSCluster.DataNodeProperties down = raidp.dfs().stopDataNode(fullest(raidp));
      int changed = 0;
      for (int i = 0; i < FILES; i++) {
        String name = "/f" + i;
        if (isOn(raidp, name, down)) {
          changed++;
          files.put(name, change(raidp, name, files.get(name), i));
        }
      }
      // In about half of them the node leads.
      assertThat(changed).isGreaterThan(3);
      assertEqual(raidp, files);
      assertThat(raidp.dfs().restartDataNode(down, true)).isTrue();
      raidp.dfs().waitActive();
      Soundness.assertSound(raidp);
      assertEqual(raidp, files);
      FailedDisks.failAndRecover(raidp, files, 0, 1);
    }
  }

  /**
   * The disk with the only replica that has an append fails before the other node is back. That one
   * has an older replica, which HDFS marks and keeps, as there is none else.
   */
  @Test
  void anAppendThatOnlyAFailedDiskHasSeenIsRebuilt(@TempDir Path root) throws Exception {
    try (MiniRaidp raidp = MiniRaidp.start(root, SHAPE, new Configuration(false))) {
      Daemons.startLstors(raidp);
      Map<String, byte[]> files = new TreeMap<>();
      for (int i = 0; i < FILES; i++) {
        files.put("/f" + i, MiniRaidp.bytes(i, 1 + i * 7_919));
        raidp.write("/f" + i, files.get("/f" + i));
      }
      MiniRaidp.await("all replicas").until(() -> Soundness.allBlocksHaveTwoReplicas(raidp));
      MiniDFSCluster.DataNodeProperties down = raidp.dfs().stopDataNode(2);
      LocatedBlock block = firstBlock(raidp, "/f0");
      String changed = "/f0";
      for (int i = 1; !isOn(raidp, changed, down); i++) {
        changed = "/f" + i;
        block = firstBlock(raidp, changed);
      }
      files.put(changed, change(raidp, changed, files.get(changed), 1));
      String survivor =
          Arrays.stream(block.getLocations())
              .filter(each -> each.getXferPort() != xferPort(down))
              .findFirst()
              .orElseThrow()
              .getHostName();
      raidp.failDisk(Integer.parseInt(survivor.replaceAll("^host([0-9]+)\\..*", "$1")), 0);
      String path = changed;
      MiniRaidp.await("no replica").until(() -> firstBlock(raidp, path).getLocations().length == 0);
      assertThat(raidp.dfs().restartDataNode(down, true)).isTrue();
      MiniRaidp.await("the older replica is marked")
          .until(() -> isOn(raidp, path, down) && firstBlock(raidp, path).isCorrupt());
      MiniRaidp.Printed recovered = raidp.admin("-recover", "-progress", "-json");
      assertThat(recovered.exitCode()).as(recovered.toString()).isZero();
      assertEqual(raidp, files);
      Soundness.assertSound(raidp);
    }
  }

  private static LocatedBlock firstBlock(MiniRaidp raidp, String file) throws IOException {
    return raidp.fs().getClient().getLocatedBlocks(file, 0).get(0);
  }

  private static int xferPort(MiniDFSCluster.DataNodeProperties node) {
    return node.getDatanode().getXferAddress().getPort();
  }

  /**
   * Each side of a pair misses an append, because its node is away. HDFS has as many replicas as
   * the file asks for then, on other nodes, and none of them is covered.
   */
  @Test
  void aBlockThatHasLostBothSidesIsCoveredAgain(@TempDir Path root) throws Exception {
    Configuration conf = new Configuration(false);
    conf.set("dfs.client.block.write.replace-datanode-on-failure.policy", "ALWAYS");
    try (MiniRaidp raidp = MiniRaidp.start(root, SHAPE, conf)) {
      Daemons.startLstors(raidp);
      byte[] content = MiniRaidp.bytes(1, 100_000);
      raidp.write("/f", content);
      MiniRaidp.await("all replicas").until(() -> Soundness.allBlocksHaveTwoReplicas(raidp));
      org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path("/f");
      List<MiniDFSCluster.DataNodeProperties> away = new ArrayList<>();
      for (DataNode side : holders(raidp)) {
        away.add(raidp.dfs().stopDataNode(raidp.dfs().getDataNodes().indexOf(side)));
        byte[] more = MiniRaidp.bytes(2 + away.size(), 50_000);
        try (OutputStream out = raidp.fs().append(path)) {
          out.write(more);
        }
        int length = content.length;
        content = Arrays.copyOf(content, length + more.length);
        System.arraycopy(more, 0, content, length, more.length);
      }
      MiniRaidp.await("a pair has both replicas")
          .untilAsserted(
              () -> {
                LocatedBlock block = Soundness.blocksOf(raidp, "/f").get(0);
                assertThat(Soundness.pairs(raidp)).contains(Soundness.storages(block));
              });
      for (MiniDFSCluster.DataNodeProperties each : away) {
        assertThat(raidp.dfs().restartDataNode(each, true)).isTrue();
      }
      raidp.dfs().waitActive();
      Soundness.assertSound(raidp);
      assertThat(raidp.read("/f")).isEqualTo(content);
    }
  }

  /**
   * The active NameNode goes before it learns that a truncate has cut one of two replicas, while
   * the other one's DataNode is away. HDFS never ends the next recovery of the block, with RAIDP or
   * without, as long as both DataNodes are there: two finalized replicas differ in their lengths.
   * {@code -fsck} tells, and what docs/reference/raidp.md says ends it.
   */
  @Test
  void aTruncateThatDoesNotEndIsFoundAndCanBeEnded(@TempDir Path root) throws Exception {
    MiniRaidp.Shape shape = new MiniRaidp.Shape(3, 1, 1, 2, 32L << 20, 1 << 16, BLOCK);
    try (MiniRaidp raidp = MiniRaidp.start(root, shape, new Configuration(false))) {
      byte[] content = MiniRaidp.bytes(1, BLOCK / 2);
      raidp.write("/f", content);
      MiniRaidp.await("all replicas").until(() -> Soundness.allBlocksHaveTwoReplicas(raidp));
      int length = 100_000;
      truncateOneReplica(raidp, length);
      MiniRaidp.await("the difference")
          .untilAsserted(
              () ->
                  assertThat(findings(raidp))
                      .singleElement()
                      .asString()
                      .contains("OPEN_DIFFERS", "open generationStamp="));
      org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path("/f");
      MiniRaidp.await("no recovery ends")
          .pollInterval(500, TimeUnit.MILLISECONDS)
          .during(2_500, TimeUnit.MILLISECONDS)
          .until(() -> !raidp.fs().recoverLease(path));
      DataNode stale = holders(raidp).get(1);
      MiniDFSCluster.DataNodeProperties away =
          raidp.dfs().stopDataNode(raidp.dfs().getDataNodes().indexOf(stale));
      // Each call begins another recovery.
      MiniRaidp.await("recovery")
          .pollInterval(1, TimeUnit.SECONDS)
          .until(() -> raidp.fs().recoverLease(path));
      assertThat(raidp.read("/f")).isEqualTo(Arrays.copyOf(content, length));
      assertThat(raidp.dfs().restartDataNode(away, true)).isTrue();
      Soundness.assertSound(raidp);
      MiniRaidp.await("fsck").untilAsserted(() -> assertThat(findings(raidp)).isEmpty());
      assertThat(raidp.read("/f")).isEqualTo(Arrays.copyOf(content, length));
    }
  }

  private static List<JsonNode> findings(MiniRaidp raidp) throws Exception {
    List<JsonNode> findings = new ArrayList<>();
    raidp.admin("-fsck", "-json").json().path("findings").forEach(findings::add);
    return findings;
  }

  /** DataNodes with a replica of /f, the one with the shorter one first. */
  private static List<DataNode> holders(MiniRaidp raidp) throws Exception {
    ExtendedBlock block = raidp.fs().getClient().getLocatedBlocks("/f", 0).get(0).getBlock();
    return raidp.dfs().getDataNodes().stream()
        .filter(node -> length(node, block) >= 0)
        .sorted(Comparator.comparingLong(node -> length(node, block)))
        .toList();
  }

  private static long length(DataNode node, ExtendedBlock block) {
    try {
      return node.getFSDataset().getLength(block);
    } catch (IOException e) {
      return -1;
    }
  }

  private static void truncateOneReplica(MiniRaidp raidp, int length) throws Exception {
    List<DataNode> nodes = holders(raidp);
    DataNode cut = nodes.get(0);
    MiniDFSCluster.DataNodeProperties away =
        raidp.dfs().stopDataNode(raidp.dfs().getDataNodes().indexOf(nodes.get(1)));
    DataNodeTestUtils.setHeartbeatsDisabledForTests(cut, true);
    ExtendedBlock block = raidp.fs().getClient().getLocatedBlocks("/f", 0).get(0).getBlock();
    assertThat(raidp.fs().truncate(new org.apache.hadoop.fs.Path("/f"), length)).isFalse();
    long recoveryId = block.getGenerationStamp() + 1;
    Block shorter = new Block(block.getBlockId(), length, recoveryId);
    cut.getFSDataset()
        .initReplicaRecovery(new RecoveringBlock(block, new DatanodeInfo[0], shorter));
    cut.getFSDataset().updateReplicaUnderRecovery(block, recoveryId, block.getBlockId(), length);
    raidp.dfs().restartNameNode(false);
    DataNodeTestUtils.setHeartbeatsDisabledForTests(cut, false);
    assertThat(raidp.dfs().restartDataNode(away, true)).isTrue();
    raidp.dfs().waitActive();
  }

  private static boolean isOn(MiniRaidp raidp, String file, MiniDFSCluster.DataNodeProperties node)
      throws Exception {
    return Arrays.stream(firstBlock(raidp, file).getLocations())
        .anyMatch(each -> each.getXferPort() == xferPort(node));
  }

  private static byte[] change(MiniRaidp raidp, String name, byte[] old, int seed)
      throws Exception {
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(name);
    byte[] more = MiniRaidp.bytes(100 + seed, BLOCK / 3 + seed);
    byte[] now = Arrays.copyOf(old, old.length + more.length);
    System.arraycopy(more, 0, now, old.length, more.length);
    try (FSDataOutputStream out = raidp.fs().append(path)) {
      out.write(more, 0, more.length / 2);
      out.hflush();
      out.write(more, more.length / 2, more.length - more.length / 2);
    }
    if (seed % 2 == 0) {
      now = Arrays.copyOf(now, now.length - 1_000);
      raidp.fs().truncate(path, now.length);
      MiniRaidp.await("truncate").until(() -> raidp.fs().isFileClosed(path));
    }
    byte[] last = MiniRaidp.bytes(200 + seed, 5_000);
    try (OutputStream out = raidp.fs().append(path)) {
      out.write(last);
    }
    byte[] all = Arrays.copyOf(now, now.length + last.length);
    System.arraycopy(last, 0, all, now.length, last.length);
    return all;
  }

  /** The DataNode with the most replicas. */
  private static int fullest(MiniRaidp raidp) throws IOException {
    Map<String, Long> replicas =
        Soundness.blocks(raidp).stream()
            .flatMap(block -> Arrays.stream(block.getLocations()))
            .collect(Collectors.groupingBy(DatanodeInfo::getDatanodeUuid, Collectors.counting()));
    List<DataNode> nodes = raidp.dfs().getDataNodes();
    return IntStream.range(0, nodes.size())
        .boxed()
        .max(Comparator.comparing(i -> replicas.getOrDefault(nodes.get(i).getDatanodeUuid(), 0L)))
        .orElseThrow();
  }

  private static void assertEqual(MiniRaidp raidp, Map<String, byte[]> files) throws Exception {
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      assertThat(raidp.read(file.getKey())).as(file.getKey()).isEqualTo(file.getValue());
    }
  }
}
