/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Single blocks of superchunks get their second replica from the manager: on the other side of
 * their superchunk, and also when another NameNode becomes the active one in the middle.
 */
@Tag("full")
@Timeout(1200)
class RaidpRepairTest {
  private static final int FILES = 90;

  private MiniRaidp raidp;

  @Test
  void missingReplicasAreCopiedToThePartnerAcrossAFailover(@TempDir Path root) throws Exception {
    Configuration extra = new Configuration(false);
    extra.setInt("dfs.ha.tail-edits.period", 1);
    extra.setInt("dfs.ha.log-roll.period", 1);
    extra.set("dfs.parity.raidp.repair.max.streams", "1");
    try (MiniRaidp cluster = MiniRaidp.startHighlyAvailable(root, MiniRaidp.Shape.small(), extra)) {
      raidp = cluster;
      for (int i = 0; i < FILES; i++) {
        raidp.write(path(i), MiniRaidp.bytes(i, 100_000 + 1_001 * i));
      }
      Soundness.assertSound(raidp);
      loseReplicasOf(0);
      int left = pairedFiles();
      assertThat(left).isLessThan(FILES - 10);
      MiniRaidp.await("some are copied").until(() -> pairedFiles() >= left + 3);
      MiniRaidp.await("they are counted").until(() -> repair("copied") > 0);
      assertThat(pairedFiles()).as("not all yet").isLessThan(FILES);
      raidp.dfs().transitionToStandby(0);
      raidp.dfs().transitionToActive(1);
      MiniRaidp.await("all are copied").until(() -> pairedFiles() == FILES);
      MiniRaidp.await("counted by the other manager").until(() -> repair("copied") > 0);
      MiniRaidp.await("nothing is left")
          .until(() -> repair("lacking") == 0 && repair("pending") == 0);
      assertThat(raidp.admin("-status").out()).contains("Missing replicas: waiting 0");
      aDataNodeWasAwayWhileItWasWritten();
      Soundness.assertSound(raidp);
      for (int i = 0; i < FILES; i++) {
        assertThat(raidp.read(path(i))).isEqualTo(MiniRaidp.bytes(i, 100_000 + 1_001 * i));
      }
    }
  }

  /** A DataNode starts without the replicas that it had. Its Lstor has their rows. */
  private void loseReplicasOf(int node) throws Exception {
    Path data = raidp.volumeDirs(node).get(0);
    MiniDFSCluster.DataNodeProperties stopped = raidp.dfs().stopDataNode(node);
    for (Path file : LiveFiles.under(data)) {
      if (file.getFileName().toString().startsWith("blk_")) {
        Files.delete(file);
      }
    }
    raidp.dfs().restartDataNode(stopped, true);
    MiniRaidp.await("they are missed").until(() -> pairedFiles() < FILES);
  }

  private static String path(int i) {
    return "/single/" + i;
  }

  private long repair(String figure) throws Exception {
    return raidp.admin("-status", "-json").json().path("repair").path(figure).asLong(-1);
  }

  /** How many files have two replicas; these lie in a pair. */
  private int pairedFiles() throws Exception {
    Set<Set<String>> pairs = Soundness.pairs(raidp);
    int paired = 0;
    for (int i = 0; i < FILES; i++) {
      Set<String> storages = storages(path(i));
      if (storages.size() == 2) {
        assertThat(pairs).contains(storages);
        paired++;
      }
    }
    return paired;
  }

  private Set<String> storages(String path) throws Exception {
    Set<String> storages = new HashSet<>();
    for (LocatedBlock block : raidp.fs().getClient().getLocatedBlocks(path, 0).getLocatedBlocks()) {
      storages.addAll(List.of(block.getStorageIDs()));
    }
    return storages;
  }

  private void aDataNodeWasAwayWhileItWasWritten() throws Exception {
    byte[] content = MiniRaidp.bytes(99, 300_000);
    MiniDFSCluster.DataNodeProperties stopped;
    Set<String> before;
    try (FSDataOutputStream out = raidp.fs().create(new org.apache.hadoop.fs.Path("/away"))) {
      out.write(content, 0, 100_000);
      out.hflush();
      before = storages("/away");
      LocatedBlock block = raidp.fs().getClient().getLocatedBlocks("/away", 0).get(0);
      stopped = raidp.dfs().stopDataNode(block.getLocations()[1].getXferAddr());
      out.write(content, 100_000, 200_000);
    }
    assertThat(storages("/away")).hasSize(1);
    raidp.dfs().restartDataNode(stopped, true);
    raidp.dfs().waitActive();
    MiniRaidp.await("it is where it was").until(() -> storages("/away").equals(before));
    assertThat(before).hasSize(2);
    assertThat(raidp.read("/away")).isEqualTo(content);
  }
}
