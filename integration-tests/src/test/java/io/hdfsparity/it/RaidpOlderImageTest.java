/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.net.URI;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.SafeModeAction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A drill: the metadata of the NameNode is lost, and an older copy is put in its place. Since then
 * files were written and a disk was recovered, so superchunks have other frames. Files of the older
 * image come back whole. What was written since is gone, as in HDFS without RAIDP, and its units
 * are free again.
 */
@Tag("full")
@Timeout(1200)
class RaidpOlderImageTest {
  private static final MiniRaidp.Shape SHAPE =
      new MiniRaidp.Shape(6, 2, 1, 6, 32L << 20, 1 << 16, 1 << 20);

  @Test
  void aNameNodeGoesBackToAnOlderImage(@TempDir Path root) throws Exception {
    Configuration extra = new Configuration(false);
    // So long -fsck of the NameNode that is started again misses the DataNode that stays away.
    extra.set("dfs.parity.raidp.node.dead.timeout", "30s");
    try (MiniRaidp raidp = MiniRaidp.start(root, SHAPE, extra)) {
      Daemons.startLstors(raidp);
      Map<String, byte[]> files = new TreeMap<>();
      fill(raidp, files, "/old", 30);
      MiniRaidp.await("all replicas").until(() -> Soundness.allBlocksHaveTwoReplicas(raidp));
      Map<File, File> copies = saveImage(raidp, root.resolve("image"));

      Map<String, byte[]> later = new TreeMap<>(files);
      fill(raidp, later, "/later", 20);
      FailedDisks.failAndRecover(raidp, later, 0);
      fill(raidp, later, "/latest", 10);

      // The DataNodes too: with assertions on, they stop at a NameNode that knows less than before.
      List<DataNodeProperties> stopped = RaidpUpgradeTest.stopDataNodes(raidp);
      stopped.remove(0); // the one whose disk has failed
      raidp.dfs().shutdownNameNode(0);
      for (Map.Entry<File, File> each : copies.entrySet()) {
        FileUtils.deleteDirectory(each.getKey());
        FileUtils.copyDirectory(each.getValue(), each.getKey());
      }
      raidp.dfs().restartNameNode(0, false);
      for (DataNodeProperties node : stopped) {
        assertThat(raidp.dfs().restartDataNode(node, true)).isTrue();
      }
      MiniRaidp.await("all DataNodes")
          .until(() -> raidp.dfs().getNamesystem().getNumLiveDataNodes() == stopped.size());
      // If HDFS has seen blocks of later generation stamps, it waits for an administrator's word.
      MiniRaidp.await("safe mode left")
          .ignoreExceptions() // the connection that died with the NameNode
          .until(() -> !raidp.fs().setSafeMode(SafeModeAction.SAFEMODE_FORCE_EXIT));

      assertThat(raidp.fs().exists(new org.apache.hadoop.fs.Path("/later"))).isFalse();
      // In safe mode HDFS only notes what it knows; the next full report tells it of the others.
      raidp.dfs().triggerBlockReports();
      RaidpUpgradeTest.awaitOnlyKnownReplicas(raidp);
      Soundness.assertSound(raidp);
      // Ids of blocks that are gone are given out again.
      fill(raidp, files, "/new", 20);
      Soundness.assertSound(raidp);
      FailedDisks.failAndRecover(raidp, files, 1);
      Soundness.assertSound(raidp);
    }
  }

  private static void fill(MiniRaidp raidp, Map<String, byte[]> files, String dir, int count)
      throws Exception {
    for (int i = 0; i < count; i++) {
      byte[] content = MiniRaidp.bytes(dir.hashCode() + i, 50_000 * i + 777);
      raidp.write(dir + "/" + i, content);
      files.put(dir + "/" + i, content);
    }
  }

  /** Copies of the NameNode's directories, by directory. */
  private static Map<File, File> saveImage(MiniRaidp raidp, Path to) throws Exception {
    raidp.fs().setSafeMode(SafeModeAction.SAFEMODE_ENTER);
    raidp.fs().saveNamespace();
    Map<File, File> copies = new LinkedHashMap<>();
    for (URI dir : raidp.dfs().getNameDirs(0)) {
      File from = new File(dir);
      File copy = to.resolve(from.getName()).toFile();
      FileUtils.copyDirectory(from, copy);
      copies.put(from, copy);
    }
    raidp.fs().setSafeMode(SafeModeAction.SAFEMODE_LEAVE);
    return copies;
  }
}
