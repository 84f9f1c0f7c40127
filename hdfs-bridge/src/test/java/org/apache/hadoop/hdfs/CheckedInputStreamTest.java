/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.bridge.client.ClientFeatures;
import io.hdfsparity.bridge.client.LostBlockReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManagerTestUtil;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.namenode.NameNodeAdapter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of one block with one replica, which is damaged, or of a path that gets another file. */
@Tag("full")
class CheckedInputStreamTest {
  private static final String PATH = "/file";
  private static final org.apache.hadoop.fs.Path FILE = new org.apache.hadoop.fs.Path(PATH);
  private static final int LENGTH = 200_000;
  private static final int PIECE = 1000;
  private static final int SMALL_BLOCK = 4096;

  @TempDir Path dir;
  private MiniDFSCluster cluster;
  private DistributedFileSystem fs;
  private FeatureClient client;

  /** What a decoder has of the block; empty: it has nothing to do with it. */
  private Optional<byte[]> decoded = Optional.empty();

  @BeforeEach
  void start() throws IOException {
    HdfsConfiguration conf = new HdfsConfiguration();
    conf.setInt("dfs.replication", 1);
    conf.setInt("dfs.heartbeat.interval", 1);
    conf.setInt("dfs.namenode.fs-limits.min-block-size", SMALL_BLOCK);
    // So that a stream locates further blocks when it comes to them.
    conf.setInt("dfs.client.read.prefetch.size", 2 * SMALL_BLOCK);
    // Of Hadoop's own waits for other locations.
    conf.setInt("dfs.client.retry.window.base", 10);
    cluster = new MiniDFSCluster.Builder(conf, dir.toFile()).numDataNodes(1).build();
    cluster.waitActive();
    fs = cluster.getFileSystem();
    client =
        new FeatureClient(
            cluster.getURI(), conf, /* statistics= */ null, ClientFeatures.of(List.of()));
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    cluster.shutdown();
  }

  private byte[] write(long seed) throws IOException {
    byte[] bytes = new byte[LENGTH];
    new Random(seed).nextBytes(bytes);
    try (var out = fs.create(FILE, /* overwrite= */ true)) {
      out.write(bytes);
    }
    return bytes;
  }

  private CheckedInputStream open() throws IOException {
    LocatedBlocks blocks = fs.getClient().getLocatedBlocks(PATH, 0);
    OpenedForm form = new OpenedForm(client, new GroupForms(), PATH, blocks);
    return new CheckedInputStream(
        client, PATH, /* verifyChecksum= */ true, blocks, form, Optional.of(new Decoder()));
  }

  private class Decoder implements LostBlockReader {
    @Override
    public int maxBytes() {
      return 1 << 20;
    }

    @Override
    public Optional<byte[]> read(LocatedBlock block, long offset, int lengthBytes) {
      return decoded.map(
          bytes -> Arrays.copyOfRange(bytes, (int) offset, (int) offset + lengthBytes));
    }
  }

  private ExtendedBlock block() throws IOException {
    return fs.getClient().getLocatedBlocks(PATH, 0).get(0).getBlock();
  }

  private void overwrite() throws IOException {
    ExtendedBlock old = block();
    write(2);
    await("the old replica is deleted")
        .atMost(Duration.ofSeconds(60))
        .until(() -> !cluster.getDataNodes().get(0).getFSDataset().contains(old));
  }

  @Test
  void positionalReadsGiveNoBytesOfAnotherFile() throws IOException {
    byte[] bytes = write(1);
    byte[] read = new byte[PIECE];
    try (CheckedInputStream in = open()) {
      assertThat(in.read(0, read, 0, PIECE)).isEqualTo(PIECE);
      assertThat(read).isEqualTo(Arrays.copyOf(bytes, PIECE));
      overwrite();
      // It does not forget: a program may try again.
      for (int round = 0; round < 3; round++) {
        assertThatThrownBy(() -> in.read(PIECE, read, 0, PIECE))
            .isInstanceOf(IOException.class)
            .hasMessageContaining(PATH);
      }
    }
  }

  @Test
  void statefulReadsGiveNoBytesOfAnotherFile() throws IOException {
    write(1);
    byte[] read = new byte[PIECE];
    try (CheckedInputStream in = open()) {
      overwrite();
      for (int round = 0; round < 3; round++) {
        assertThatThrownBy(() -> in.read(read, 0, PIECE))
            .isInstanceOf(IOException.class)
            .hasMessageContaining(PATH);
      }
    }
  }

  @Test
  void aBlockWhoseLastReplicaIsDamagedIsDecodedForEachRead() throws IOException {
    byte[] bytes = write(1);
    decoded = Optional.of(bytes);
    cluster.corruptReplica(0, block());
    byte[] read = new byte[LENGTH];
    try (CheckedInputStream in = open()) {
      in.readFully(0, read);
      assertThat(read).isEqualTo(bytes);
    }
    try (CheckedInputStream in = open()) {
      assertThat(in.readNBytes(LENGTH + 1)).isEqualTo(bytes);
    }
  }

  /** As the client does now and then, with dfs.client.refresh.read-block-locations.ms. */
  @Test
  void aStatefulReadGoesOnWhenLocationsAreRefreshedAfterTheLastReplicaIsLost() throws Exception {
    byte[] bytes = write(1);
    decoded = Optional.of(bytes);
    byte[] read = new byte[LENGTH];
    try (CheckedInputStream in = open()) {
      assertThat(in.read(read, 0, PIECE)).isEqualTo(PIECE);
      DatanodeDescriptor node =
          NameNodeAdapter.getDatanode(
              cluster.getNamesystem(), cluster.getDataNodes().get(0).getDatanodeId());
      cluster.stopDataNode(0);
      BlockManagerTestUtil.noticeDeadDatanode(cluster.getNameNode(), node.getXferAddr());
      in.addToLocalDeadNodes(node);
      assertThat(in.refreshBlockLocations(null)).isTrue();
      int rest = in.readNBytes(read, PIECE, LENGTH - PIECE);
      assertThat(rest).isEqualTo(LENGTH - PIECE);
      assertThat(read).isEqualTo(bytes);
    }
  }

  /** A file of many blocks, of which few are located when it is opened. */
  private byte[] writeSmallBlocks(long seed) throws IOException {
    byte[] bytes = new byte[LENGTH];
    new Random(seed).nextBytes(bytes);
    try (var out = fs.create(FILE, /* overwrite= */ true, PIECE, (short) 1, SMALL_BLOCK)) {
      out.write(bytes);
    }
    return bytes;
  }

  @Test
  void blocksThatAreLocatedLaterAreOfTheSameFile() throws IOException {
    byte[] bytes = writeSmallBlocks(1);
    byte[] read = new byte[LENGTH];
    try (CheckedInputStream in = open()) {
      in.readFully(3 * SMALL_BLOCK, read, 3 * SMALL_BLOCK, LENGTH - 3 * SMALL_BLOCK);
      in.readFully(0, read, 0, 3 * SMALL_BLOCK);
      assertThat(read).isEqualTo(bytes);
      assertThat(in.readNBytes(LENGTH)).isEqualTo(bytes);
    }
  }

  @Test
  void positionalReadsOfBlocksThatAreLocatedLaterGiveNoBytesOfAnotherFile() throws IOException {
    writeSmallBlocks(1);
    byte[] read = new byte[PIECE];
    try (CheckedInputStream in = open()) {
      in.readFully(0, read);
      writeSmallBlocks(2);
      for (int round = 0; round < 3; round++) {
        assertThatThrownBy(() -> in.readFully(5 * SMALL_BLOCK, read))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("another file has its path");
      }
    }
  }

  @Test
  void statefulReadsOfBlocksThatAreLocatedLaterGiveNoBytesOfAnotherFile() throws IOException {
    writeSmallBlocks(1);
    byte[] read = new byte[PIECE];
    try (CheckedInputStream in = open()) {
      in.readFully(0, read);
      writeSmallBlocks(2);
      in.seek(5 * SMALL_BLOCK);
      for (int round = 0; round < 3; round++) {
        assertThatThrownBy(() -> in.read(read))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("another file has its path");
      }
    }
  }
}
