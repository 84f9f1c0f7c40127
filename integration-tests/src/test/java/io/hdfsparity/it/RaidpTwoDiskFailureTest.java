/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every pair of disks that shares a superchunk dies, with data of odd sizes, appended files, cut
 * files, and deletes in flight; a pair that shares nothing, a single disk and a node too. All bytes
 * come back, checksum files too (the client verifies them).
 */
@Tag("full")
class RaidpTwoDiskFailureTest {
  private static final int BLOCK = 256 << 10;
  // Three superchunks a disk among eight, and two spare frames: room enough for what two disks
  // leave behind.
  private static final MiniRaidp.Shape SHAPE =
      new MiniRaidp.Shape(8, 1, 1, 5, 8L << 20, 1 << 16, BLOCK);
  private static final int PAIRS = Integer.getInteger("failure.pairs", 12);

  private static org.apache.hadoop.fs.Path path(String s) {
    return new org.apache.hadoop.fs.Path(s);
  }

  private static MiniRaidp start(Path root) throws Exception {
    return start(root, new Configuration(false));
  }

  private static MiniRaidp start(Path root, Configuration extra) throws Exception {
    extra.set("dfs.parity.raidp.layout.spare.share", "0.4");
    MiniRaidp raidp = MiniRaidp.start(root, SHAPE, extra);
    Daemons.startLstors(raidp);
    return raidp;
  }

  @Test
  void everyPairOfDisksThatSharesASuperchunk(@TempDir Path root) throws Exception {
    List<String> failures = new ArrayList<>();
    for (int i = 0; i < PAIRS; i++) {
      try (MiniRaidp raidp = start(root.resolve("pair" + i))) {
        Map<String, byte[]> files = fill(raidp, 31 + i);
        JsonNode chunks = raidp.admin("-layout", "-json").json().path("superchunks");
        assertThat(chunks.size()).isEqualTo(12);
        JsonNode replicas = chunks.path(i).path("replicas");
        failAndRecover(raidp, files, nodeIndex(replicas.path(0)), nodeIndex(replicas.path(1)));
      } catch (AssertionError | Exception e) {
        failures.add("superchunk " + i + ": " + e);
      }
    }
    assertThat(failures).isEmpty();
  }

  @Test
  void twoDisksThatShareNothing(@TempDir Path root) throws Exception {
    try (MiniRaidp raidp = start(root)) {
      Map<String, byte[]> files = fill(raidp, 99);
      Set<String> sharing = new TreeSet<>();
      for (JsonNode chunk : raidp.admin("-layout", "-json").json().path("superchunks")) {
        int a = nodeIndex(chunk.path("replicas").path(0));
        int b = nodeIndex(chunk.path("replicas").path(1));
        sharing.add(Math.min(a, b) + "-" + Math.max(a, b));
      }
      int other = 1;
      while (sharing.contains("0-" + other)) {
        other++;
      }
      failAndRecover(raidp, files, 0, other);
    }
  }

  private static int nodeIndex(JsonNode replica) {
    return Integer.parseInt(replica.path("node").asText().replaceAll("^host([0-9]+)\\..*", "$1"));
  }

  @Test
  void oneDiskAndThenAWholeNode(@TempDir Path root) throws Exception {
    Configuration extra = new Configuration(false);
    extra.set("dfs.parity.raidp.node.dead.timeout", "30s");
    try (MiniRaidp raidp = start(root, extra)) {
      Map<String, byte[]> files = fill(raidp, 4711);
      failAndRecover(raidp, files, 2);
      raidp.dfs().stopDataNode(5);
      failAndRecover(raidp, files, 5);
    }
  }

  private static Map<String, byte[]> fill(MiniRaidp raidp, long seed) throws Exception {
    Random random = new Random(seed);
    DistributedFileSystem fs = raidp.fs();
    Map<String, byte[]> files = new TreeMap<>();
    for (int i = 0; i < 40; i++) {
      String name = "/d/" + i;
      byte[] content = MiniRaidp.bytes(seed * 100 + i, random.nextInt(2 * BLOCK));
      raidp.write(name, content);
      files.put(name, content);
    }
    for (int i = 0; i < 10; i++) {
      String name = "/d/" + i;
      byte[] more = MiniRaidp.bytes(seed + i, 1 + random.nextInt(BLOCK / 2));
      try (OutputStream out = fs.append(path(name))) {
        out.write(more);
      }
      byte[] all = java.util.Arrays.copyOf(files.get(name), files.get(name).length + more.length);
      System.arraycopy(more, 0, all, all.length - more.length, more.length);
      files.put(name, all);
    }
    for (int i = 10; i < 14; i++) {
      String name = "/d/" + i;
      int keep = files.get(name).length / 2;
      if (keep < files.get(name).length) {
        fs.truncate(path(name), keep);
        files.put(name, java.util.Arrays.copyOf(files.get(name), keep));
      }
    }
    // Together: each waits for a heartbeat.
    for (int i = 10; i < 14; i++) {
      String name = "/d/" + i;
      MiniRaidp.await("truncate").until(() -> fs.isFileClosed(path(name)));
    }
    MiniRaidp.await("all replicas").until(() -> Soundness.allBlocksHaveTwoReplicas(raidp));
    for (int i = 20; i < 26; i++) {
      fs.delete(path("/d/" + i), false);
      files.remove("/d/" + i);
    }
    return files;
  }

  /** Of all superchunks that have a replica on one of the nodes. */
  private static Set<String> superchunksOf(MiniRaidp raidp, Set<Integer> nodes) throws Exception {
    Set<String> ids = new TreeSet<>();
    for (JsonNode chunk : raidp.admin("-layout", "-json").json().path("superchunks")) {
      for (JsonNode replica : chunk.path("replicas")) {
        if (nodes.contains(nodeIndex(replica))) {
          ids.add(chunk.path("id").asText());
        }
      }
    }
    return ids;
  }

  private static void failAndRecover(MiniRaidp raidp, Map<String, byte[]> files, Integer... nodes)
      throws Exception {
    Set<String> hit = superchunksOf(raidp, Set.of(nodes));
    assertThat(hit).isNotEmpty();
    for (int node : nodes) {
      raidp.failDisk(node, 0);
    }
    // All of them: a failure that becomes known when the recovery is over is not recovered by it.
    MiniRaidp.await("failures noticed")
        .until(
            () -> {
              JsonNode chunks = raidp.admin("-layout", "-json").json().path("superchunks");
              boolean known = !chunks.isEmpty();
              for (JsonNode chunk : chunks) {
                known &=
                    !hit.contains(chunk.path("id").asText())
                        || !chunk.path("state").asText().equals("ACTIVE");
              }
              return known;
            });
    MiniRaidp.Printed recovered = raidp.admin("-recover", "-progress", "-json");
    assertThat(recovered.exitCode()).as(recovered.toString()).isZero();
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      assertThat(raidp.read(file.getKey())).as(file.getKey()).isEqualTo(file.getValue());
    }
    Soundness.assertSound(raidp);
  }
}
