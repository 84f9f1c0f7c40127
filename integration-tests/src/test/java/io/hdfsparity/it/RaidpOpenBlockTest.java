/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Both DataNodes of a block that is appended to are gone, while the parity has the block as it was
 * before. What has become of its replicas decides whether that may take their place.
 */
@Tag("full")
@Timeout(600)
class RaidpOpenBlockTest {
  private static final int BLOCK = 1 << 20;
  private static final int CLOSED = 400_000;
  private static final MiniRaidp.Shape SHAPE =
      new MiniRaidp.Shape(8, 1, 1, 5, 16L << 20, 1 << 16, BLOCK);
  private static final org.apache.hadoop.fs.Path FILE = new org.apache.hadoop.fs.Path("/open/f");

  private final byte[] content = MiniRaidp.bytes(17, 600_000);

  private static MiniRaidp start(Path root) throws Exception {
    Configuration extra = new Configuration(false);
    extra.set("dfs.parity.raidp.layout.spare.share", "0.4");
    extra.set("dfs.parity.raidp.node.dead.timeout", "30s");
    MiniRaidp raidp = MiniRaidp.start(root, SHAPE, extra);
    Daemons.startLstors(raidp);
    return raidp;
  }

  @Test
  void whatWasFlushedIsThereWhenTheDataNodesAreBack(@TempDir Path root) throws Exception {
    try (MiniRaidp raidp = start(root)) {
      LocatedBlock open = appendAndFlush(raidp);
      List<DataNodeProperties> away = stop(raidp, open);
      awaitLost(raidp);
      MiniRaidp.Printed recovered = raidp.admin("-recover", "-progress");
      assertThat(recovered.out())
          .contains(
              "block " + open.getBlock().getBlockId(),
              "as the NameNode has it for an open block",
              "start a DataNode that has it");
      for (DataNodeProperties each : away) {
        assertThat(raidp.dfs().restartDataNode(each, true)).isTrue();
      }
      raidp.dfs().waitActive();
      MiniRaidp.await("lease recovered").until(() -> raidp.fs().recoverLease(FILE));
      assertThat(raidp.read(FILE.toString())).isEqualTo(content);
      // Its superchunk is elsewhere now. It lies there as a file that was never protected.
      MiniRaidp.Printed fsck = raidp.admin("-fsck");
      assertThat(fsck.out()).as(fsck.toString()).contains("blocks 1 (1 in no superchunk), rows 0");
    }
  }

  @Test
  void whatTheParityHasComesBackOnceTheDisksAreDeclaredFailed(@TempDir Path root) throws Exception {
    try (MiniRaidp raidp = start(root)) {
      LocatedBlock open = appendAndFlush(raidp);
      List<String> disks = disks(raidp, open);
      List<Path> dead = directories(raidp, open);
      stop(raidp, open);
      awaitLost(raidp);
      for (String disk : disks) {
        awaitRefused(raidp, disk);
      }
      for (String disk : disks) {
        MiniRaidp.Printed failed = raidp.admin("-failDisk", disk, "-force");
        assertThat(failed.out()).as(failed.toString()).contains("Not checked", "-force");
      }
      MiniRaidp.Printed recovered = raidp.admin("-recover", "-progress");
      assertThat(recovered.exitCode()).as(recovered.toString()).isZero();
      MiniRaidp.await("lease recovered").until(() -> raidp.fs().recoverLease(FILE));
      assertThat(raidp.read(FILE.toString())).isEqualTo(Arrays.copyOf(content, CLOSED));
      for (Path disk : dead) {
        FileUtils.deleteDirectory(disk.toFile());
      }
      Soundness.assertSound(raidp);
    }
  }

  /** Two nodes are down, and their disks are declared failed by mistake. */
  @Test
  void whatWasFlushedIsThereWhenTheFailureOfItsDisksIsTakenBack(@TempDir Path root)
      throws Exception {
    try (MiniRaidp raidp = start(root)) {
      LocatedBlock open = appendAndFlush(raidp);
      List<String> disks = disks(raidp, open);
      List<DataNodeProperties> away = stop(raidp, open);
      awaitLost(raidp);
      for (String disk : disks) {
        assertThat(raidp.admin("-failDisk", disk, "-force").exitCode()).isZero();
      }
      for (String disk : disks) {
        assertThat(raidp.admin("-failDisk", disk, "-undo").exitCode()).isZero();
      }
      for (DataNodeProperties each : away) {
        assertThat(raidp.dfs().restartDataNode(each, true)).isTrue();
      }
      raidp.dfs().waitActive();
      MiniRaidp.await("lease recovered").until(() -> raidp.fs().recoverLease(FILE));
      assertThat(raidp.read(FILE.toString())).isEqualTo(content);
      MiniRaidp.await("all replicas").until(() -> Soundness.allBlocksHaveTwoReplicas(raidp));
      Soundness.assertSound(raidp);
    }
  }

  /** Its node and the one of the other replica are down, and may come back. */
  private static void awaitRefused(MiniRaidp raidp, String disk) {
    MiniRaidp.await("refused")
        .untilAsserted(
            () ->
                assertThat(raidp.admin("-failDisk", disk).err())
                    .contains("disk=" + disk + ", superchunks=", "start the DataNode", "-force"));
  }

  /** The writer is gone afterwards. */
  private LocatedBlock appendAndFlush(MiniRaidp raidp) throws Exception {
    raidp.write(FILE.toString(), Arrays.copyOf(content, CLOSED));
    MiniRaidp.await("all replicas").until(() -> Soundness.allBlocksHaveTwoReplicas(raidp));
    try (DistributedFileSystem writer =
        (DistributedFileSystem) FileSystem.newInstance(raidp.conf())) {
      FSDataOutputStream out = writer.append(FILE);
      out.write(content, CLOSED, content.length - CLOSED);
      out.hflush();
      writer.getClient().getLeaseRenewer().interruptAndJoin();
      LocatedBlock open =
          raidp.fs().getClient().getLocatedBlocks(FILE.toString(), 0).getLastLocatedBlock();
      writer.getClient().closeAllFilesBeingWritten(/* abort= */ true);
      return open;
    }
  }

  private static List<DataNodeProperties> stop(MiniRaidp raidp, LocatedBlock open) {
    List<DataNodeProperties> away = new ArrayList<>();
    for (int i = raidp.dfs().getDataNodes().size() - 1; i >= 0; i--) {
      DataNode node = raidp.dfs().getDataNodes().get(i);
      if (Arrays.stream(open.getLocations())
          .anyMatch(each -> each.getDatanodeUuid().equals(node.getDatanodeUuid()))) {
        away.add(raidp.dfs().stopDataNode(i));
      }
    }
    assertThat(away).hasSize(2);
    return away;
  }

  private static void awaitLost(MiniRaidp raidp) {
    MiniRaidp.await("the superchunk is lost")
        .until(
            () ->
                raidp.admin("-status", "-json").json().path("superchunks").path("lost").asInt()
                    == 1);
  }

  /** Of the disks that have it. */
  private static List<Path> directories(MiniRaidp raidp, LocatedBlock open) {
    List<Path> directories = new ArrayList<>();
    for (int node = 0; node < SHAPE.nodes(); node++) {
      String uuid = raidp.dfs().getDataNodes().get(node).getDatanodeUuid();
      if (Arrays.stream(open.getLocations())
          .anyMatch(each -> each.getDatanodeUuid().equals(uuid))) {
        directories.add(MiniRaidp.diskRoot(raidp.root(), node, 0));
      }
    }
    assertThat(directories).hasSize(2);
    return directories;
  }

  private static List<String> disks(MiniRaidp raidp, LocatedBlock open) throws Exception {
    List<String> disks = new ArrayList<>();
    for (JsonNode node : raidp.admin("-status", "-json").json().path("nodes")) {
      if (Arrays.stream(open.getLocations())
          .anyMatch(each -> each.getDatanodeUuid().equals(node.path("uuid").asText()))) {
        disks.add(node.path("disks").path(0).path("id").asText());
      }
    }
    assertThat(disks).hasSize(2);
    return disks;
  }
}
