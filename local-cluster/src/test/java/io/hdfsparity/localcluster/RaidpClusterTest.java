/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.FileSystem;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * RAIDP as separate processes: two disks that share a superchunk die, across restarts of
 * everything.
 */
@Tag("full")
class RaidpClusterTest {
  private static final int FILES = 24;
  @TempDir Path dir;

  @Test
  void twoDisksOfOneSuperchunkComeBack() throws Exception {
    LocalCluster cluster =
        LocalCluster.builder(dir.resolve("c"))
            .nodes(4)
            .racks(2)
            .disksPerNode(2)
            .framesPerDisk(4)
            .frameBytes(32L << 20)
            .unitBytes(64L << 10)
            .blockBytes(4L << 20)
            .cacheDir(Path.of(System.getProperty("hdfsparity.cache")))
            .log(System.out::println)
            .build();
    try {
      cluster.start();
      cluster.applyLayout();
      cluster.protect("/");
      try (FileSystem fs = cluster.newFileSystem()) {
        for (int file = 0; file < FILES; file++) {
          try (var out = fs.create(path(file))) {
            out.write(content(file));
          }
        }
      }
      Path lstors =
          Path.of(Files.readString(new ClusterPaths(cluster.dir()).lstorPlaceFile()).trim());
      assertThat(lstors).isDirectory();
      cluster.kill("dn0");
      cluster.restart("dn0");
      cluster.stop();
      cluster.start();
      List<int[]> failed = new ArrayList<>();
      for (String disk : fullestPair(cluster)) {
        Path root = Path.of(disk);
        failed.add(new int[] {number(root.getParent(), "dn"), number(root, "disk")});
      }
      for (int[] disk : failed) {
        cluster.failDisk(disk[0], disk[1]);
      }
      for (int[] disk : failed) {
        cluster.awaitDiskFailureKnown(disk[0], disk[1]);
      }
      AdminCommand admin = new AdminCommand(cluster.conf());
      // Recovery has nothing to do before the failure is noticed.
      Awaitility.await("a lost superchunk")
          .until(
              () ->
                  admin.json("raidp -status -json").path("superchunks").path("lost").asInt() == 1);
      AdminCommand.Answer recovery = admin.run(line -> {}, "raidp -recover -progress -json");
      assertThat(recovery.exitCode()).as(recovery.out() + recovery.err()).isZero();
      try (FileSystem fs = cluster.newFileSystem()) {
        for (int file = 0; file < FILES; file++) {
          try (var in = fs.open(path(file))) {
            assertThat(in.readAllBytes()).as("file " + file).isEqualTo(content(file));
          }
        }
      }
      // With its disks still failed a DataNode comes back with what it has.
      cluster.stop();
      cluster.start();
      assertThat(cluster.status().allRunning()).isTrue();
      Awaitility.await("nothing is missing").until(() -> cluster.metrics().missingBlocks() == 0);
      cluster.purge();
      assertThat(lstors).doesNotExist();
    } finally {
      cluster.purge();
    }
  }

  @Test
  void aPortThatAFeatureCannotHaveIsNamedAtOnce() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      LocalCluster cluster =
          LocalCluster.builder(dir.resolve("busy"))
              .nodes(3)
              .racks(1)
              .disksPerNode(1)
              .framesPerDisk(2)
              .frameBytes(32L << 20)
              .unitBytes(64L << 10)
              .blockBytes(4L << 20)
              .cacheDir(Path.of(System.getProperty("hdfsparity.cache")))
              .conf(ClusterKey.NAMENODE_ADDRESS.key(), "127.0.0.1:" + taken.getLocalPort())
              .log(System.out::println)
              .build();
      try {
        assertThatThrownBy(cluster::start)
            .isInstanceOf(PortBusyException.class)
            .hasMessageContaining("nn has failed features: Raidp")
            .hasMessageContaining(":" + taken.getLocalPort());
      } finally {
        cluster.purge();
      }
    }
  }

  private static int number(Path path, String prefix) {
    return Integer.parseInt(path.getFileName().toString().substring(prefix.length()));
  }

  private static org.apache.hadoop.fs.Path path(int file) {
    return new org.apache.hadoop.fs.Path("/f" + file);
  }

  private static byte[] content(int file) {
    byte[] bytes = new byte[1 + 377_777 * file];
    new Random(file).nextBytes(bytes);
    return bytes;
  }

  /** Paths of the two disks whose superchunk has the most blocks. */
  private static List<String> fullestPair(LocalCluster cluster) throws IOException {
    AdminCommand admin = new AdminCommand(cluster.conf());
    List<String> ids = new ArrayList<>();
    long most = 0;
    for (JsonNode superchunk : admin.json("raidp -layout -json").path("superchunks")) {
      long blocks = superchunk.path("replicas").path(0).path("blocks").asLong();
      if (blocks > most) {
        most = blocks;
        ids.clear();
        superchunk.path("replicas").forEach(replica -> ids.add(replica.path("disk").asText()));
      }
    }
    List<String> paths = new ArrayList<>();
    for (JsonNode node : admin.json("raidp -status -json").path("nodes")) {
      for (JsonNode disk : node.path("disks")) {
        if (ids.contains(disk.path("id").asText())) {
          paths.add(disk.path("path").asText());
        }
      }
    }
    assertThat(paths).hasSize(2);
    return paths;
  }
}
