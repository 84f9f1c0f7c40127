/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.AddErasureCodingPolicyResponse;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A stock client on files of codec izs: with any one node lost it reads what was written, with two
 * it reads that or is refused, and never gets other bytes.
 */
@Tag("full")
class IzsStockClientTest {
  private static final int CELL_BYTES = 64 * 1024;
  private static final int DATA_UNITS = 4;
  private static final int NODES = DATA_UNITS + 2;

  /** The parity unit that a stock client cannot use. */
  private static final int SHIFTED_UNIT = DATA_UNITS + 1;

  private static final org.apache.hadoop.fs.Path DIRECTORY = new org.apache.hadoop.fs.Path("/izs");

  /** Sizes with and without a partial last stripe; only the last has bytes in every data unit. */
  private static final int[] SIZES = {
    1, CELL_BYTES + 7, 3 * DATA_UNITS * CELL_BYTES, 9 * DATA_UNITS * CELL_BYTES - 12_345
  };

  @Test
  void readsAreRightOrRefused(@TempDir Path root) throws Exception {
    Configuration conf = new Configuration();
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, 16L * CELL_BYTES);
    conf.set("dfs.client.retry.policy.enabled", "false");
    try (MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf, root.toFile()).numDataNodes(NODES).build()) {
      cluster.waitActive();
      DistributedFileSystem fs = cluster.getFileSystem();
      Map<org.apache.hadoop.fs.Path, byte[]> files = write(fs);
      Map<org.apache.hadoop.fs.Path, Map<DatanodeInfo, Integer>> units = new HashMap<>();
      for (org.apache.hadoop.fs.Path file : files.keySet()) {
        units.put(file, units(fs, file));
        assertReads(fs, file, files.get(file));
      }
      Set<String> stopped = new HashSet<>();
      for (int lost = 1; lost <= 2; lost++) {
        stopped.add(cluster.getDataNodes().get(0).getDatanodeId().getXferAddr());
        cluster.stopDataNode(0);
        for (org.apache.hadoop.fs.Path file : files.keySet()) {
          check(fs, file, files.get(file), lostUnits(units.get(file), stopped));
        }
      }
    }
  }

  private static Map<org.apache.hadoop.fs.Path, byte[]> write(DistributedFileSystem fs)
      throws IOException {
    ErasureCodingPolicy policy =
        new ErasureCodingPolicy(new ECSchema("izs", DATA_UNITS, 2), CELL_BYTES);
    AddErasureCodingPolicyResponse[] added =
        fs.addErasureCodingPolicies(new ErasureCodingPolicy[] {policy});
    assertThat(added[0].isSucceed()).as(added[0].getErrorMsg()).isTrue();
    fs.enableErasureCodingPolicy(policy.getName());
    fs.mkdirs(DIRECTORY);
    fs.setErasureCodingPolicy(DIRECTORY, policy.getName());
    Random random = new Random(1);
    Map<org.apache.hadoop.fs.Path, byte[]> files = new HashMap<>();
    for (int size : SIZES) {
      // Several of each size, since the nodes of their units differ.
      for (int copy = 0; copy < 4; copy++) {
        byte[] bytes = new byte[size];
        random.nextBytes(bytes);
        org.apache.hadoop.fs.Path file =
            new org.apache.hadoop.fs.Path(DIRECTORY, size + "-" + copy);
        try (OutputStream out = fs.create(file)) {
          out.write(bytes);
        }
        files.put(file, bytes);
      }
    }
    return files;
  }

  private static Map<DatanodeInfo, Integer> units(
      DistributedFileSystem fs, org.apache.hadoop.fs.Path file) throws IOException {
    LocatedStripedBlock group =
        (LocatedStripedBlock)
            fs.getClient().getLocatedBlocks(file.toUri().getPath(), 0).getLocatedBlocks().get(0);
    Map<DatanodeInfo, Integer> units = new HashMap<>();
    for (int i = 0; i < group.getLocations().length; i++) {
      units.put(group.getLocations()[i], (int) group.getBlockIndices()[i]);
    }
    return units;
  }

  private static Set<Integer> lostUnits(Map<DatanodeInfo, Integer> units, Set<String> stopped) {
    Set<Integer> lost = new HashSet<>();
    units.forEach(
        (node, unit) -> {
          if (stopped.contains(node.getXferAddr())) {
            lost.add(unit);
          }
        });
    return lost;
  }

  private static void check(
      DistributedFileSystem fs, org.apache.hadoop.fs.Path file, byte[] bytes, Set<Integer> lost)
      throws IOException {
    if (lost.size() < 2 || lost.contains(SHIFTED_UNIT)) {
      assertReads(fs, file, bytes);
    } else if (bytes.length > DATA_UNITS * CELL_BYTES) {
      assertThatThrownBy(() -> read(fs, file, bytes.length))
          .as("%s without units %s", file, lost)
          .isInstanceOf(IOException.class)
          .hasStackTraceContaining("Cannot decode units of codec izs at an unknown place");
    } else {
      try {
        assertThat(read(fs, file, bytes.length)).isEqualTo(bytes);
      } catch (IOException e) {
        assertThat(e).as("%s without units %s", file, lost).isNotNull();
      }
    }
  }

  private static byte[] read(DistributedFileSystem fs, org.apache.hadoop.fs.Path file, int length)
      throws IOException {
    byte[] bytes = new byte[length];
    try (FSDataInputStream in = fs.open(file)) {
      in.readFully(bytes);
    }
    return bytes;
  }

  private static void assertReads(
      DistributedFileSystem fs, org.apache.hadoop.fs.Path file, byte[] bytes) throws IOException {
    assertThat(read(fs, file, bytes.length)).as(file.getName()).isEqualTo(bytes);
    Random random = new Random(bytes.length);
    try (FSDataInputStream in = fs.open(file)) {
      for (int i = 0; i < 20; i++) {
        int from = random.nextInt(bytes.length);
        byte[] part = new byte[1 + random.nextInt(bytes.length - from)];
        if (i % 2 == 0) {
          in.readFully(from, part);
        } else {
          in.seek(from);
          in.readFully(part);
        }
        assertThat(part)
            .as("%s from %d", file.getName(), from)
            .isEqualTo(java.util.Arrays.copyOfRange(bytes, from, from + part.length));
      }
    }
  }
}
