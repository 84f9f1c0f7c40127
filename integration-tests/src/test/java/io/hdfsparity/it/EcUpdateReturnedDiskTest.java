/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.ecupdate.config.StorageKey;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.datanode.StorageLocation;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A disk with an updated unit is taken out, HDFS rebuilds the unit on the other disk of the
 * DataNode, for no other one lacks a unit, and the disk returns.
 */
@Tag("full")
@Timeout(300)
class EcUpdateReturnedDiskTest {
  private static final int NODES = 5;
  private static final int UNIT = 1;
  private static final String DATA_DIRS = "dfs.datanode.data.dir";

  @TempDir static Path root;
  private static MiniUpdates cluster;

  @BeforeAll
  static void start() throws IOException {
    Map<String, String> more = UpdateKeys.sessions("2s");
    more.putAll(UpdateKeys.lease("5s"));
    more.put(StorageKey.SNAPSHOT_AGE.key(), "1s");
    more.put("dfs.namenode.heartbeat.recheck-interval", "60000");
    // It would find itself what is to be found at once.
    more.put("dfs.datanode.directoryscan.interval", "3600");
    cluster = new MiniUpdates(root, NODES, more);
  }

  @AfterAll
  static void stop() throws IOException {
    cluster.close();
  }

  /** A unit that was rebuilt while its disk was out. */
  private record Rebuilt(
      String path, byte[] bytes, String node, String allDirs, ExtendedBlock block, Path file) {
    static Rebuilt make(String path) throws Exception {
      byte[] bytes = cluster.create(path, 9 * MiniUpdates.CELL_BYTES);
      MiniUpdates.Group group = cluster.group(path);
      try (StripedFileUpdater updater = cluster.open(path)) {
        MiniUpdates.writeSome(updater, bytes, 1);
        cluster.convert(group, "FL");
        MiniUpdates.writeSome(updater, bytes, 2);
      }
      ExtendedBlock block = new ExtendedBlock(cluster.located(path).getBlock());
      block.setBlockId(group.blocks()[UNIT]);
      DataNode node = cluster.node(group.nodes()[UNIT]);
      FsVolumeSpi home = node.getFSDataset().getVolume(block);
      Path file = fileOf(block);
      String all = node.getConf().get(DATA_DIRS);
      String out = home.getStorageLocation().toString();
      List<String> dirs = Arrays.asList(all.split(","));
      String rest =
          StorageLocation.parse(dirs.get(0)).toString().equals(out) ? dirs.get(1) : dirs.get(0);
      node.reconfigurePropertyImpl(DATA_DIRS, rest);
      DataNodeTestUtils.triggerBlockReport(node);
      await("HDFS has rebuilt it on the other disk")
          .until(() -> node.getFSDataset().contains(block));
      await("the NameNode knows").until(() -> cluster.isAt(path, node.getDatanodeUuid()));
      return new Rebuilt(path, bytes, node.getDatanodeUuid(), all, block, file);
    }

    private static Path fileOf(ExtendedBlock block) throws IOException {
      return LiveFiles.under(root).stream()
          .filter(each -> each.getFileName().toString().equals("blk_" + block.getBlockId()))
          .findFirst()
          .orElseThrow();
    }

    void assertStays() throws Exception {
      await("the file of the returned disk is deleted").until(() -> Files.notExists(file));
      await("the rebuilt one is used")
          .until(() -> cluster.node(node).getFSDataset().contains(block));
      assertThat(fileOf(block)).isNotEqualTo(file);
      await("all units are known")
          .until(() -> cluster.located(path).getLocations().length == NODES);
      await("read").until(() -> WholeFile.isReadable(cluster.fs(), path, bytes));
      assertThat(cluster.corruptReplicas()).isZero();
      assertThat(Arrays.copyOf(Files.readAllBytes(fileOf(block)), MiniUpdates.CELL_BYTES))
          .isEqualTo(Arrays.copyOfRange(bytes, MiniUpdates.CELL_BYTES, 2 * MiniUpdates.CELL_BYTES));
    }
  }

  @Test
  void aDiskThatReturnsAtARestartLeavesTheRebuiltUnitInUse() throws Exception {
    Rebuilt unit = Rebuilt.make("/restarted");
    // HDFS may use either file at a start, as the disks come.
    for (int i = 0; i < 2; i++) {
      MiniDFSCluster.DataNodeProperties stopped = cluster.stop(unit.node());
      stopped.setDnArgs("-D", DATA_DIRS + "=" + unit.allDirs());
      cluster.restart(Map.of(unit.node(), stopped));
      unit.assertStays();
    }
  }

  @Test
  void aDiskThatReturnsWhileTheDataNodeRunsLeavesTheRebuiltUnitInUse() throws Exception {
    Rebuilt unit = Rebuilt.make("/reconfigured");
    cluster.node(unit.node()).reconfigurePropertyImpl(DATA_DIRS, unit.allDirs());
    unit.assertStays();
  }
}
