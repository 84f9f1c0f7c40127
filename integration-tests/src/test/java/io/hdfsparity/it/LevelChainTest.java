/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.ParityDataNodePlugin;
import io.hdfsparity.ParityFileSystem;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNodeLock;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Levels up and down, with as many nodes gone afterwards as the level promises. */
@Tag("full")
class LevelChainTest {
  private static final int[] LENGTHS = {
    2 * MiniLevels.GROUP_BYTES + 3 * MiniLevels.CELL_BYTES + 17, MiniLevels.CELL_BYTES + 5, 1000
  };

  @Test
  void rs(@TempDir Path root) throws Exception {
    chain(MiniLevels.conf(), root, "rs");
  }

  @Test
  void izs(@TempDir Path root) throws Exception {
    Configuration conf = MiniLevels.conf();
    conf.set(DFSConfigKeys.DFS_DATANODE_PLUGINS_KEY, ParityDataNodePlugin.class.getName());
    conf.set("fs.hdfs.impl", ParityFileSystem.class.getName());
    chain(conf, root, "izs");
  }

  /** Hadoop's own RS-6-3-1024k, and the policies of the other levels beside it. */
  @Test
  void hadoopsOwnPolicy(@TempDir Path root) throws Exception {
    int data = 6;
    int cellBytes = 1 << 20;
    try (MiniLevels levels = MiniLevels.start(MiniLevels.conf(), root, data + 3)) {
      DistributedFileSystem fs = levels.cluster().getFileSystem();
      for (int level = 1; level <= 2; level++) {
        fs.addErasureCodingPolicies(
            new ErasureCodingPolicy[] {
              new ErasureCodingPolicy(new ECSchema("rs", data, level), cellBytes)
            });
        fs.enableErasureCodingPolicy("RS-6-" + level + "-1024k");
      }
      fs.enableErasureCodingPolicy("RS-6-3-1024k");
      MiniLevels.makeDirectory(fs, "/stock", "RS-6-3-1024k");
      byte[] bytes = MiniLevels.bytes(data * cellBytes + cellBytes / 2, 6);
      org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/stock/f");
      try (OutputStream out = fs.create(file, true, 4096, (short) 1, 2L * cellBytes)) {
        out.write(bytes);
      }
      for (int level : new int[] {1, 2, 3}) {
        levels.changeLevel(0, level, "/stock/f");
        assertThat(MiniLevels.policyOf(fs, "/stock/f")).isEqualTo("RS-6-" + level + "-1024k");
        Set<Integer> want = new TreeSet<>();
        for (int unit = 0; unit < data + level; unit++) {
          want.add(unit);
        }
        await("units at level " + level)
            .untilAsserted(
                () -> assertThat(MiniLevels.units(fs, "/stock/f")).containsExactly(want));
        levels.assertReadsWithout(fs, "/stock/f", bytes, level);
      }
    }
  }

  private static void chain(Configuration conf, Path root, String codec) throws Exception {
    conf.setInt("dfs.namenode.decommission.interval", 1);
    MiniLevels.rebuildNothingBeforeAllHaveReported(conf, MiniLevels.K + 4);
    try (MiniLevels levels = MiniLevels.start(conf, root, MiniLevels.K + 4)) {
      DistributedFileSystem fs = levels.cluster().getFileSystem();
      MiniLevels.addPolicies(fs, codec);
      MiniLevels.makeDirectory(fs, "/" + codec, MiniLevels.policy(codec, 1));
      String directory = "/" + codec + "/";
      for (int i = 0; i < LENGTHS.length; i++) {
        MiniLevels.write(fs, directory + i, MiniLevels.bytes(LENGTHS[i], i));
        MiniLevels.awaitUnits(fs, directory + i, 1);
      }
      for (int level : new int[] {3, 1, 2}) {
        change(levels, fs, directory, level);
      }
      levels.cluster().restartNameNode(true);
      assertAll(fs, directory, 2);
      saveNamespace(fs);
      levels.cluster().restartNameNode(true);
      assertAll(fs, directory, 2);
      if (codec.equals("rs")) {
        aNodeIsTakenOut(levels, fs, directory);
      }
    }
  }

  /** After a change, and before the next, which waits until the node is gone. */
  private static void aNodeIsTakenOut(MiniLevels levels, DistributedFileSystem fs, String directory)
      throws Exception {
    levels.awaitCalm();
    LocatedStripedBlock group =
        (LocatedStripedBlock) fs.getClient().getLocatedBlocks(directory + 0, 0, 1).get(0);
    DatanodeInfo holder = group.getLocations()[1];
    FSNamesystem namesystem = levels.cluster().getNamesystem();
    DatanodeManager nodes = namesystem.getBlockManager().getDatanodeManager();
    DatanodeDescriptor node = nodes.getDatanode(holder.getDatanodeUuid());
    NameNodeLock.ALL.writeLock(namesystem);
    try {
      nodes.getDatanodeAdminManager().startDecommission(node);
    } finally {
      NameNodeLock.ALL.writeUnlock(namesystem, "test");
    }
    await("DECOMMISSIONED").until(node::isDecommissioned);
    assertThat(levels.setLevel(0, 3, directory + 0).refusal().orElseThrow().kind())
        .isEqualTo("draining");
    levels.cluster().stopDataNode(holder.getXferAddr());
    levels.cluster().setDataNodeDead(holder);
    for (int i = 0; i < LENGTHS.length; i++) {
      levels.changeLevel(0, 3, directory + i);
    }
    assertAll(fs, directory, 3);
  }

  private static void assertAll(DistributedFileSystem fs, String directory, int level)
      throws Exception {
    for (int i = 0; i < LENGTHS.length; i++) {
      MiniLevels.awaitUnits(fs, directory + i, level);
      assertThat(MiniLevels.read(fs, directory + i, LENGTHS[i]))
          .isEqualTo(MiniLevels.bytes(LENGTHS[i], i));
    }
  }

  private static void change(MiniLevels levels, DistributedFileSystem fs, String root, int level)
      throws Exception {
    Map<String, String> before = levels.replicaFiles(fs, root + 0);
    FileStatus status = fs.getFileStatus(new org.apache.hadoop.fs.Path(root + 0));
    for (int i = 0; i < LENGTHS.length; i++) {
      levels.changeLevel(0, level, root + i);
    }
    for (int i = 0; i < LENGTHS.length; i++) {
      MiniLevels.awaitUnits(fs, root + i, level);
    }
    FileStatus after = fs.getFileStatus(new org.apache.hadoop.fs.Path(root + 0));
    assertThat(after.getModificationTime()).isEqualTo(status.getModificationTime());
    assertThat(((HdfsFileStatus) after).getFileId())
        .isEqualTo(((HdfsFileStatus) status).getFileId());
    await("units gone from the disks")
        .untilAsserted(() -> assertKept(before, levels.replicaFiles(fs, root + 0), level));
    assertAll(fs, root, level);
    levels.assertReadsWithout(fs, root + 0, MiniLevels.bytes(LENGTHS[0], 0), level);
    assertAll(fs, root, level);
  }

  /** What stays is the same file on the same disk; what goes is of a dropped unit. */
  private static void assertKept(Map<String, String> before, Map<String, String> after, int level) {
    Map<String, String> kept = new TreeMap<>(before);
    kept.keySet().removeIf(each -> unit(each) >= MiniLevels.K + level);
    assertThat(after).containsAllEntriesOf(kept);
    assertThat(after.keySet()).allMatch(each -> unit(each) < MiniLevels.K + level);
  }

  private static int unit(String key) {
    return Integer.parseInt(key.substring(key.indexOf('+') + 1, key.indexOf('@')));
  }

  private static void saveNamespace(DistributedFileSystem fs) throws Exception {
    fs.setSafeMode(org.apache.hadoop.fs.SafeModeAction.ENTER);
    fs.saveNamespace();
    fs.setSafeMode(org.apache.hadoop.fs.SafeModeAction.LEAVE);
  }
}
