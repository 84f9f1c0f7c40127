/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.localcluster.ClusterStatus.ProcessState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two NameNodes with three JournalNodes, of which the active one and a JournalNode die. {@code
 * -Dha.mode=raidp} tries it with RAIDP; codec izs: see LevelProcessCrashTest.
 */
@Tag("full")
class HighlyAvailableClusterTest {
  private static final ClusterMode MODE =
      ClusterMode.parse(System.getProperty("ha.mode", ClusterMode.STOCK.label()));

  @TempDir Path dir;

  private static byte[] bytes(int seed) {
    byte[] bytes = new byte[1_500_000];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private static void write(LocalCluster cluster, int seed) throws IOException {
    try (FileSystem fs = cluster.newFileSystem();
        FSDataOutputStream out = fs.create(new org.apache.hadoop.fs.Path("/" + seed))) {
      out.write(bytes(seed));
    }
  }

  private static void read(LocalCluster cluster, int seed) throws IOException {
    try (FileSystem fs = cluster.newFileSystem();
        FSDataInputStream in = fs.open(new org.apache.hadoop.fs.Path("/" + seed))) {
      assertThat(in.readAllBytes()).as("/%d", seed).isEqualTo(bytes(seed));
    }
  }

  @Test
  void theOtherNameNodeTakesOver() throws Exception {
    LocalCluster cluster =
        LocalCluster.builder(dir.resolve("c"))
            .mode(MODE)
            .highlyAvailable()
            .nodes(2)
            .disksPerNode(1)
            .framesPerDisk(3)
            .frameBytes(16L << 20)
            .blockBytes(1L << 20)
            .cacheDir(Path.of(System.getProperty("hdfsparity.cache")))
            .log(System.out::println)
            .build();
    try {
      cluster.start();
      if (MODE == ClusterMode.RAIDP) {
        cluster.applyLayout();
        cluster.protect("/");
      }
      assertThat(cluster.status().allRunning()).isTrue();
      assertThat(cluster.status().processes().stream().map(ClusterStatus.ProcessStatus::name))
          .startsWith("nn0", "nn1", "jn0", "jn1", "jn2", "dn0");
      assertThat(cluster.status().activeNameNode()).isEqualTo("nn0");
      assertThat(cluster.status().toText()).contains("Active    nn0").contains("hdfs://parity");
      write(cluster, 1);

      cluster.kill("nn0");
      cluster.kill("jn1");
      assertThat(cluster.activeNameNode()).isEmpty();
      cluster.failOver("nn1");
      assertThat(cluster.activeNameNode()).contains("nn1");
      read(cluster, 1);
      write(cluster, 2);
      Awaitility.await("both nodes are known to the other NameNode")
          .until(() -> cluster.metrics().liveNodes() == 2);

      cluster.restart("jn1");
      cluster.restart("nn0");
      assertThat(cluster.status().process("nn0").orElseThrow().state())
          .isEqualTo(ProcessState.RUNNING);
      assertThat(cluster.activeNameNode()).contains("nn1");
      cluster.failOver("nn0");
      cluster.failOver("nn0");
      assertThat(cluster.activeNameNode()).contains("nn0");
      read(cluster, 2);

      cluster.stop();
      assertThat(cluster.status().anyRunning()).isFalse();
      LocalCluster again = LocalCluster.open(cluster.dir());
      assertThat(again.spec().isHighlyAvailable()).isTrue();
      again.start();
      read(again, 1);
      read(again, 2);
      assertThatThrownBy(() -> again.failOver("dn0")).hasMessageContaining("to=dn0");
    } finally {
      cluster.purge();
    }
  }
}
