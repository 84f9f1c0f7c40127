/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.BridgeCluster;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BiPredicate;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Replicas outside pairs are all that a block has: a file with one such block keeps its wish. */
class ReplicationCapTest {
  private static final short PAIR = 2;

  @TempDir Path root;

  @Test
  void onlyFilesWhoseBlocksAllLieInPairsAreLowered() throws Exception {
    try (BridgeCluster cluster = BridgeCluster.start(BridgeCluster.conf(null, root), 2)) {
      ReplicationCap cap = new ReplicationCap(cluster.cluster.getNamesystem());
      org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/two-blocks");
      write(cluster, file);
      BiPredicate<String, String> none = (one, other) -> false;
      BiPredicate<String, String> all = (one, other) -> !one.equals(other);

      cap.lower(file.toString(), PAIR, none);
      assertThat(cluster.fs.getFileStatus(file).getReplication()).isEqualTo((short) 3);

      // Only the storages of the first block are known as a pair, once.
      Set<String> asked = new HashSet<>();
      cap.lower(file.toString(), PAIR, (one, other) -> !one.equals(other) && asked.add("first"));
      assertThat(asked).isNotEmpty();
      assertThat(cluster.fs.getFileStatus(file).getReplication()).isEqualTo((short) 3);
      assertThat(cap.loweredFiles()).isZero();

      cap.lower(file.toString(), PAIR, all);
      assertThat(cluster.fs.getFileStatus(file).getReplication()).isEqualTo(PAIR);
      assertThat(cap.loweredFiles()).isEqualTo(1);
    }
  }

  private static void write(BridgeCluster cluster, org.apache.hadoop.fs.Path file)
      throws Exception {
    int blockBytes = 1 << 20;
    try (FSDataOutputStream out = cluster.fs.create(file, true, 4096, (short) 3, blockBytes)) {
      out.write(new byte[blockBytes + 10]);
    }
    DFSTestUtil.waitReplication(cluster.fs, file, PAIR);
  }
}
