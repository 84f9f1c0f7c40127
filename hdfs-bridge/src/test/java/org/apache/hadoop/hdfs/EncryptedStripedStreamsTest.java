/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.bridge.client.ClientFeatures;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.crypto.key.JavaKeyStoreProvider;
import org.apache.hadoop.crypto.key.KeyProvider;
import org.apache.hadoop.crypto.key.KeyProviderFactory;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Streams of erasure-coded files in an encryption zone whose path gets another file. */
@Tag("full")
class EncryptedStripedStreamsTest {
  private static final String POLICY = "XOR-2-1-1024k";
  private static final int CELL_BYTES = 1 << 20;
  private static final int GROUP_BYTES = 2 * CELL_BYTES;
  private static final int LENGTH = 3 * GROUP_BYTES;
  private static final int PIECE = 1000;
  private static final String PATH = "/zone/file";
  private static final org.apache.hadoop.fs.Path ZONE = new org.apache.hadoop.fs.Path("/zone");

  @TempDir static Path dir;
  private static MiniDFSCluster cluster;
  private static DistributedFileSystem fs;
  private static FeatureClient client;

  @BeforeAll
  static void start() throws Exception {
    HdfsConfiguration conf = new HdfsConfiguration();
    conf.set(
        CommonConfigurationKeysPublic.HADOOP_SECURITY_KEY_PROVIDER_PATH,
        JavaKeyStoreProvider.SCHEME_NAME + "://file" + dir.resolve("keys.jceks"));
    conf.setInt("dfs.blocksize", CELL_BYTES);
    // So that a stream locates further groups when it comes to them.
    conf.setInt("dfs.client.read.prefetch.size", CELL_BYTES);
    KeyProvider keys = KeyProviderFactory.getProviders(conf).get(0);
    keys.createKey("zone", KeyProvider.options(conf).setBitLength(128));
    keys.flush();
    cluster = new MiniDFSCluster.Builder(conf, dir.toFile()).numDataNodes(3).build();
    cluster.waitActive();
    fs = cluster.getFileSystem();
    fs.enableErasureCodingPolicy(POLICY);
    fs.mkdirs(ZONE);
    fs.createEncryptionZone(ZONE, "zone");
    fs.setErasureCodingPolicy(ZONE, POLICY);
    client =
        new FeatureClient(
            cluster.getURI(), conf, /* statistics= */ null, ClientFeatures.of(List.of()));
  }

  @AfterAll
  static void stop() throws IOException {
    client.close();
    cluster.shutdown();
  }

  private static byte[] write(long seed) throws IOException {
    byte[] bytes = new byte[LENGTH];
    new Random(seed).nextBytes(bytes);
    try (var out = fs.create(new org.apache.hadoop.fs.Path(PATH), /* overwrite= */ true)) {
      out.write(bytes);
    }
    return bytes;
  }

  private static HdfsDataInputStream open() throws IOException {
    return client.createWrappedInputStream(client.open(PATH));
  }

  @Test
  void groupsThatAreLocatedLaterAreOfTheSameFile() throws IOException {
    byte[] bytes = write(1);
    byte[] read = new byte[LENGTH];
    try (HdfsDataInputStream in = open()) {
      in.readFully(read);
      assertThat(read).isEqualTo(bytes);
    }
    try (HdfsDataInputStream in = open()) {
      byte[] rest = new byte[PIECE];
      in.readFully(2 * GROUP_BYTES, rest);
      assertThat(rest)
          .isEqualTo(Arrays.copyOfRange(bytes, 2 * GROUP_BYTES, 2 * GROUP_BYTES + PIECE));
    }
  }

  @Test
  void noBytesOfAnotherFileAreDecryptedWithTheKeyOfThisOne() throws IOException {
    write(1);
    byte[] read = new byte[PIECE];
    try (HdfsDataInputStream in = open();
        HdfsDataInputStream stateful = open()) {
      in.readFully(0, read);
      stateful.readFully(read);
      write(2);
      for (int round = 0; round < 2; round++) {
        assertThatThrownBy(() -> in.readFully(2 * GROUP_BYTES, read))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("open it again");
        assertThatThrownBy(
                () -> {
                  stateful.seek(2 * GROUP_BYTES);
                  stateful.readFully(read);
                })
            .isInstanceOf(IOException.class)
            .hasMessageContaining("open it again");
      }
    }
  }
}
