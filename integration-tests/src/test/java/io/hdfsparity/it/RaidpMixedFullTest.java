/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi.FsVolumeReferences;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsVolumeImpl;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Plain files fill disks whose superchunks have room. */
@Tag("full")
@Timeout(900)
class RaidpMixedFullTest {
  private static final int BLOCK = 256 << 10;
  private static final int NODES = 8;
  private static final MiniRaidp.Shape DENSE =
      new MiniRaidp.Shape(NODES, 1, 1, 8, 8L << 20, 1 << 16, BLOCK);

  @Test
  void protectedBlocksGoToDisksWithSpace(@TempDir Path root) throws Exception {
    Configuration extra = new Configuration(false);
    extra.set("dfs.parity.raidp.layout.spare.share", "0.25");
    // A block that a DataNode refuses is not tried again elsewhere.
    extra.setInt("dfs.client.block.write.retries", 0);
    extra.setInt("dfs.client.block.write.locateFollowingBlock.retries", 1);
    extra.set("dfs.parity.raidp.grant.lease", "2s");
    try (MiniRaidp raidp = MixedFiles.start(root, DENSE, extra)) {
      MixedFiles files = new MixedFiles(raidp, 1);
      files.protect();
      files.fill(MixedFiles.PLAIN, 6);
      files.fill(MixedFiles.PROTECTED, 6);
      setFree(raidp, 100 << 10, List.of(0, 1, 2, 3));
      files.fill(MixedFiles.PROTECTED, 12);

      setFree(raidp, 100 << 10, List.of(4, 5, 6, 7));
      assertThatThrownBy(() -> raidp.write(MixedFiles.PROTECTED + "/more", new byte[1]))
          .as("says what there is no room in")
          .isInstanceOf(IOException.class)
          .hasMessageContaining("onUsableDisks=0")
          .hasMessageContaining("/protected/more");
      assertThatThrownBy(() -> raidp.write(MixedFiles.PLAIN + "/more", new byte[1]))
          .isInstanceOf(IOException.class);
      for (String directory : List.of(MixedFiles.PROTECTED, MixedFiles.PLAIN)) {
        raidp.fs().delete(new org.apache.hadoop.fs.Path(directory + "/more"), false);
      }
      files.assertReadable();

      setFree(raidp, 64 << 20, List.of(0, 1, 2, 3, 4, 5, 6, 7));
      files.fill(MixedFiles.PLAIN, 3);
      files.fill(MixedFiles.PROTECTED, 3);
      files.assertAsTheyShouldBe();
    }
  }

  /** Gives the disks of nodes so much free space, and waits until the NameNode knows. */
  private static void setFree(MiniRaidp raidp, long freeBytes, List<Integer> nodes)
      throws IOException {
    for (int node : nodes) {
      try (FsVolumeReferences volumes =
          raidp.dfs().getDataNodes().get(node).getFSDataset().getFsVolumeReferences()) {
        for (FsVolumeSpi volume : volumes) {
          FsVolumeImpl disk = (FsVolumeImpl) volume;
          disk.setCapacityForTesting(disk.getDfsUsed() + freeBytes);
        }
      }
    }
    List<String> uuids =
        nodes.stream().map(node -> raidp.dfs().getDataNodes().get(node).getDatanodeUuid()).toList();
    MiniRaidp.await("the NameNode knows the free space")
        .until(
            () ->
                Arrays.stream(raidp.fs().getDataNodeStats())
                    .filter(node -> uuids.contains(node.getDatanodeUuid()))
                    .mapToLong(DatanodeInfo::getRemaining)
                    .allMatch(remaining -> Math.abs(remaining - freeBytes) <= BLOCK));
  }
}
