/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A DataNode that was away, and one whose Lstor is an old one; disks: {@link RaidpOldContentSoak}.
 */
@Tag("full")
@Timeout(900)
class RaidpOldContentTest extends OldContent {
  @Test
  void aNodeThatWasAwayForManyChanges() throws Exception {
    try (MiniRaidp raidp = start("1h")) {
      MixedFiles files = filled(raidp, 5);
      Set<Integer> pair = FailedDisks.pairWith(raidp, NODE);
      DataNodeProperties away = raidp.dfs().stopDataNode(NODE);
      for (int round = 0; round < 2; round++) {
        change(files);
        raidp.dfs().restartNameNode();
        raidp.dfs().waitActive();
      }
      files.assertReadable();
      assertThat(raidp.dfs().restartDataNode(away, true)).isTrue();
      raidp.dfs().waitActive();
      files.assertAsTheyShouldBe();
      failAndRecover(raidp, pair, files);
    }
  }

  /** Its superchunks have gone on elsewhere, without it. */
  @Test
  void aNodeWhoseSuperchunksWereRecoveredMeanwhile() throws Exception {
    try (MiniRaidp raidp = start("4s")) {
      MixedFiles files = filled(raidp, 6);
      DataNodeProperties away = raidp.dfs().stopDataNode(NODE);
      change(files);
      MiniRaidp.await("it counts as dead")
          .untilAsserted(
              () -> {
                MiniRaidp.Printed recovered = raidp.admin("-recover", "-progress", "-json");
                assertThat(recovered.exitCode()).as(recovered.toString()).isZero();
                assertThat(FailedDisks.superchunksOf(raidp, Set.of(NODE))).isEmpty();
              });
      change(files);
      files.assertReadable();
      assertThat(raidp.dfs().restartDataNode(away, true)).isTrue();
      raidp.dfs().waitActive();
      files.assertAsTheyShouldBe();
      failAndRecover(raidp, FailedDisks.pairWith(raidp, (NODE + 1) % SHAPE.nodes()), files);
    }
  }

  @Test
  void anOldLstorIsPutBack() throws Exception {
    putBack(Restored.LSTOR);
  }
}
