/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.raidp.config.RaidpKey;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
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

  @Test
  void filesThatAreNotProtectedAreWrittenAppendedToAndCopiedWithoutAManager(@TempDir Path root)
      throws Exception {
    MiniRaidp.Shape shape = new MiniRaidp.Shape(3, 1, 1, 4, 16L << 20, 1 << 16, 1 << 20);
    Configuration extra = new Configuration(false);
    extra.setInt("dfs.client.block.write.retries", 1);
    byte[] some = MiniRaidp.bytes(1, 70_000);
    try (MiniRaidp raidp = MiniRaidp.start(root, shape, extra, MiniRaidp.Protected.NOTHING)) {
      DistributedFileSystem fs = raidp.fs();
      fs.mkdirs(new org.apache.hadoop.fs.Path("/safe"));
      raidp.protect("/safe");
      raidp.write("/safe/before", some);
      raidp.write("/before", some);
      Configuration conf = raidp.dfs().getConfiguration(0);
      String good = conf.get(RaidpKey.LAYOUT_SPARE_SHARE.key());
      conf.set(RaidpKey.LAYOUT_SPARE_SHARE.key(), "much");
      raidp.dfs().restartNameNode();
      raidp.dfs().waitActive();
      assertThat(Metrics.value("ParityFeatures", "RaidpFailedClosed")).isEqualTo(1);

      raidp.write("/after", some);
      assertThat(raidp.read("/after")).isEqualTo(some);
      try (FSDataOutputStream out = fs.append(new org.apache.hadoop.fs.Path("/before"))) {
        out.write(some);
      }
      assertThat(raidp.read("/before")).hasSize(2 * some.length);
      fs.setReplication(new org.apache.hadoop.fs.Path("/after"), (short) 3);
      fs.setReplication(new org.apache.hadoop.fs.Path("/before"), (short) 3);
      MiniRaidp.await("HDFS copies it")
          .until(
              () ->
                  fs.getFileBlockLocations(new org.apache.hadoop.fs.Path("/after"), 0, 1)[0]
                          .getHosts()
                          .length
                      == 3);
      assertThatThrownBy(() -> raidp.write("/safe/after", some))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("Cannot place a block: path=/safe/after")
          .hasMessageContaining(RaidpKey.LAYOUT_SPARE_SHARE.key());
      assertThat(raidp.read("/safe/before")).isEqualTo(some);

      if (good == null) {
        conf.unset(RaidpKey.LAYOUT_SPARE_SHARE.key());
      } else {
        conf.set(RaidpKey.LAYOUT_SPARE_SHARE.key(), good);
      }
      raidp.dfs().restartNameNode();
      raidp.dfs().waitActive();
      MiniRaidp.await("protected files too")
          .ignoreExceptions()
          .until(
              () -> {
                raidp.write("/safe/again", some);
                return true;
              });
      Soundness.assertSound(raidp, Set.of("/after", "/before"), 3);
      assertThat(raidp.read("/before")).hasSize(2 * some.length);
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
