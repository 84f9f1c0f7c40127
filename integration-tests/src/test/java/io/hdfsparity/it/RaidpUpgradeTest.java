/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.RollingUpgradeAction;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.SafeModeAction;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * HDFS's upgrades move replicas behind the dataset's back: a rolling upgrade keeps deleted ones in
 * trash and its rollback brings them back, an upgrade makes hard links. Afterwards everything is
 * sound.
 */
@Tag("full")
@Timeout(1200)
class RaidpUpgradeTest {
  private static final MiniRaidp.Shape SHAPE =
      new MiniRaidp.Shape(3, 1, 1, 4, 32L << 20, 1 << 16, 1 << 20);

  private static MiniRaidp start(Path root) throws Exception {
    Configuration extra = new Configuration(false);
    extra.set("dfs.parity.raidp.layout.spare.share", "0");
    // Every pair of the three nodes, so that there is one to write to while a node restarts.
    extra.set("dfs.parity.raidp.layout.recovery.room.disks", "0");
    return MiniRaidp.start(root, SHAPE, extra);
  }

  private static org.apache.hadoop.fs.Path path(String s) {
    return new org.apache.hadoop.fs.Path(s);
  }

  @Test
  void rollingUpgradesFinalizedAndRolledBack(@TempDir Path root) throws Exception {
    try (MiniRaidp raidp = start(root)) {
      Map<String, byte[]> files = new TreeMap<>();
      fill(raidp, files, "/a", 6);
      fill(raidp, files, "/b", 6);

      prepare(raidp);
      delete(raidp, files, "/a");
      fill(raidp, files, "/c", 4);
      restartDataNodes(raidp);
      raidp.fs().rollingUpgrade(RollingUpgradeAction.FINALIZE);
      check(raidp, files);

      prepare(raidp);
      Map<String, byte[]> before = new TreeMap<>(files);
      delete(raidp, files, "/b");
      fill(raidp, files, "/d", 4);
      MiniRaidp.await("deleted replicas have left the DataNodes")
          .ignoreExceptions()
          .untilAsserted(
              () -> {
                raidp.dfs().triggerHeartbeats();
                assertThat(trashed(raidp)).isPositive();
              });
      rollBack(raidp);
      check(raidp, before);
      awaitOnlyKnownReplicas(raidp);
      fill(raidp, before, "/e", 3);
      check(raidp, before);
    }
  }

  @Test
  void anUpgradeOfTheStorage(@TempDir Path root) throws Exception {
    try (MiniRaidp raidp = start(root)) {
      Map<String, byte[]> files = new TreeMap<>();
      fill(raidp, files, "/a", 6);
      List<DataNodeProperties> stopped = stopDataNodes(raidp);
      raidp.dfs().restartNameNode(0, false, "-upgrade");
      startAgain(raidp, stopped);
      append(raidp, files, "/a/1");
      raidp.fs().delete(path("/a/2"), false);
      files.remove("/a/2");
      check(raidp, files);
      raidp.fs().finalizeUpgrade();
      restartDataNodes(raidp);
      append(raidp, files, "/a/3");
      check(raidp, files);
    }
  }

  private static void fill(MiniRaidp raidp, Map<String, byte[]> files, String dir, int count)
      throws Exception {
    for (int i = 0; i < count; i++) {
      byte[] content = MiniRaidp.bytes(dir.hashCode() + i, 200_000 * i + 777);
      raidp.write(dir + "/" + i, content);
      files.put(dir + "/" + i, content);
    }
  }

  private static void append(MiniRaidp raidp, Map<String, byte[]> files, String name)
      throws Exception {
    byte[] old = files.get(name);
    byte[] more = MiniRaidp.bytes(name.hashCode(), 50_001);
    try (OutputStream out = raidp.fs().append(path(name))) {
      out.write(more);
    }
    byte[] all = Arrays.copyOf(old, old.length + more.length);
    System.arraycopy(more, 0, all, old.length, more.length);
    files.put(name, all);
  }

  private static void delete(MiniRaidp raidp, Map<String, byte[]> files, String dir)
      throws Exception {
    raidp.fs().delete(path(dir), true);
    files.keySet().removeIf(name -> name.startsWith(dir + "/"));
  }

  private static void prepare(MiniRaidp raidp) throws Exception {
    raidp.fs().setSafeMode(SafeModeAction.SAFEMODE_ENTER);
    raidp.fs().rollingUpgrade(RollingUpgradeAction.PREPARE);
    raidp.fs().setSafeMode(SafeModeAction.SAFEMODE_LEAVE);
    String pool = raidp.dfs().getNamesystem().getBlockPoolId();
    MiniRaidp.await("DataNodes keep deleted replicas")
        .until(
            () ->
                raidp.dfs().getDataNodes().stream()
                    .allMatch(dn -> DataNodeTestUtils.getFSDataset(dn).trashEnabled(pool)));
  }

  private static long trashed(MiniRaidp raidp) throws Exception {
    long count = 0;
    for (int node = 0; node < raidp.shape().nodes(); node++) {
      for (Path volume : raidp.volumeDirs(node)) {
        count +=
            LiveFiles.under(volume).stream()
                .filter(f -> f.toString().contains("/trash/finalized/"))
                .count();
      }
    }
    return count;
  }

  /**
   * The NameNode gives out again the block ids of what the rollback undid, and a DataNode that has
   * not yet deleted the replica of the undone block refuses the new one
   * (ReplicaAlreadyExistsException): HDFS does so with any dataset.
   */
  static void awaitOnlyKnownReplicas(MiniRaidp raidp) {
    FSNamesystem namesystem = raidp.dfs().getNamesystem();
    String pool = namesystem.getBlockPoolId();
    MiniRaidp.await("replicas of undone blocks have left the DataNodes")
        .untilAsserted(
            () -> {
              raidp.dfs().triggerHeartbeats();
              assertThat(raidp.dfs().getDataNodes())
                  .flatMap(dn -> DataNodeTestUtils.getFSDataset(dn).getFinalizedBlocks(pool))
                  .allMatch(
                      replica -> namesystem.getBlockManager().getStoredBlock(replica) != null);
            });
  }

  private static void rollBack(MiniRaidp raidp) throws Exception {
    List<DataNodeProperties> stopped = stopDataNodes(raidp);
    raidp.dfs().restartNameNode(0, false, "-rollingUpgrade", "rollback");
    stopped.forEach(dn -> dn.setDnArgs("-rollback"));
    startAgain(raidp, stopped);
  }

  static List<DataNodeProperties> stopDataNodes(MiniRaidp raidp) {
    List<DataNodeProperties> stopped = new ArrayList<>();
    while (!raidp.dfs().getDataNodes().isEmpty()) {
      stopped.add(raidp.dfs().stopDataNode(0));
    }
    return stopped;
  }

  private static void startAgain(MiniRaidp raidp, List<DataNodeProperties> stopped)
      throws Exception {
    for (DataNodeProperties dn : stopped) {
      assertThat(raidp.dfs().restartDataNode(dn, true)).isTrue();
      dn.setDnArgs();
    }
    awaitService(raidp);
  }

  private static void restartDataNodes(MiniRaidp raidp) throws Exception {
    for (int i = 0; i < raidp.shape().nodes(); i++) {
      raidp.dfs().restartDataNode(0, true);
    }
    awaitService(raidp);
  }

  private static void awaitService(MiniRaidp raidp) throws Exception {
    raidp.dfs().waitActive();
    assertThat(raidp.dfs().getDataNodes()).allMatch(DataNode::isDatanodeUp);
    MiniRaidp.await("all superchunks usable")
        .ignoreExceptions()
        .until(
            () -> {
              JsonNode superchunks = raidp.admin("-status", "-json").json().path("superchunks");
              return superchunks.path("total").asInt() > 0
                  && superchunks.path("usable").equals(superchunks.path("total"));
            });
  }

  private static void check(MiniRaidp raidp, Map<String, byte[]> files) throws Exception {
    Soundness.assertSound(raidp);
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      assertThat(raidp.read(file.getKey())).as(file.getKey()).isEqualTo(file.getValue());
    }
  }
}
