/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * HDFS only logs what a plugin throws at start and goes on without it. Then a stock client's write
 * is refused with a reason, and no byte is stored that no parity would hold.
 */
@Tag("full")
@Timeout(1200)
class RaidpFailClosedTest {
  private static final MiniRaidp.Shape SHAPE =
      new MiniRaidp.Shape(2, 1, 1, 2, 16L << 20, 1 << 16, 1 << 20);

  @AfterEach
  void mend() {
    SwitchedFeature.BROKEN.set(false);
  }

  @Test
  void aNameNodeWhoseManagerDidNotStartRefusesBlocks(@TempDir Path root) throws Exception {
    try (ServerSocket busy = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Configuration extra = new Configuration(false);
      extra.set("dfs.parity.namenode.rpc-address", "127.0.0.1:" + busy.getLocalPort());
      try (MiniRaidp raidp = MiniRaidp.startUnlaid(root, SHAPE, extra)) {
        assertThatThrownBy(() -> raidp.write("/f", new byte[1000]))
            .isInstanceOf(IOException.class)
            .hasMessageContaining(
                "Cannot place a block: path=/f, expected a placement manager in the NameNode");
        assertThat(blockFiles(raidp)).isEmpty();
      }
    }
  }

  @Test
  void dataNodesWhosePluginDidNotStartStoreNothing(@TempDir Path root) throws Exception {
    Configuration extra = new Configuration(false);
    extra.set("dfs.parity.features", "raidp," + SwitchedFeature.class.getName());
    extra.set("dfs.parity.raidp.layout.spare.share", "0");
    extra.setInt("dfs.client.block.write.retries", 1);
    try (MiniRaidp raidp = MiniRaidp.start(root, SHAPE, extra)) {
      byte[] before = MiniRaidp.bytes(1, 70_000);
      raidp.write("/before", before);
      List<String> stored = blockFiles(raidp);
      SwitchedFeature.BROKEN.set(true);
      raidp.dfs().restartDataNodes();
      raidp.dfs().waitActive();
      assertThat(raidp.read("/before")).as("what was stored can be read").isEqualTo(before);
      assertThatThrownBy(() -> raidp.write("/refused", new byte[1000]))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("Cannot place a block")
          .hasMessageContaining("superchunks=1");
      assertThatThrownBy(() -> raidp.fs().append(new org.apache.hadoop.fs.Path("/before")).close())
          .as("append")
          .isInstanceOf(IOException.class);
      assertThat(blockFiles(raidp)).isEqualTo(stored);
      SwitchedFeature.BROKEN.set(false);
      raidp.dfs().restartDataNodes();
      raidp.dfs().waitActive();
      MiniRaidp.await("writes again")
          .ignoreExceptions()
          .until(
              () -> {
                raidp.write("/after", before);
                return true;
              });
      MiniRaidp.await("lease of the failed append")
          .until(() -> raidp.fs().recoverLease(new org.apache.hadoop.fs.Path("/before")));
      raidp.fs().delete(new org.apache.hadoop.fs.Path("/refused"), false);
      Soundness.assertSound(raidp);
      assertThat(raidp.read("/before")).isEqualTo(before);
    }
  }

  /** Replicas in any state, and bytes in limbo. */
  private static List<String> blockFiles(MiniRaidp raidp) throws IOException {
    List<String> found = new ArrayList<>();
    for (int node = 0; node < raidp.shape().nodes(); node++) {
      for (Path volume : raidp.volumeDirs(node)) {
        LiveFiles.under(volume).stream()
            .filter(f -> f.getFileName().toString().startsWith("blk_"))
            .forEach(f -> found.add(volume.relativize(f).toString()));
      }
    }
    return found.stream().sorted().toList();
  }
}
