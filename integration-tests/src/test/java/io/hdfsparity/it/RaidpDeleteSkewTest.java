/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One mirror has processed deletes that the other one has not heard of, files are appended to and
 * cut meanwhile, and then two disks of a superchunk die. A prototype recovered wrong bytes here.
 */
@Tag("full")
class RaidpDeleteSkewTest {
  private static final int BLOCK = 256 << 10;
  private static final MiniRaidp.Shape SHAPE =
      new MiniRaidp.Shape(8, 1, 1, 5, 8L << 20, 1 << 16, BLOCK);

  private final Map<String, byte[]> files = new TreeMap<>();
  private MiniRaidp raidp;

  @Test
  void recoveryIsRightWhileDeletesAreHalfDone(@TempDir Path root) throws Exception {
    Configuration extra = new Configuration(false);
    extra.set("dfs.parity.raidp.layout.spare.share", "0.4");
    // A node whose heartbeats are held back is not to be taken for dead.
    extra.setInt("dfs.namenode.heartbeat.recheck-interval", 300_000);
    try (MiniRaidp cluster = MiniRaidp.start(root, SHAPE, extra)) {
      raidp = cluster;
      Daemons.startLstors(raidp);
      for (int i = 0; i < 60; i++) {
        byte[] content = MiniRaidp.bytes(i, 20_001 + 7_003 * i % BLOCK);
        raidp.write("/d/" + i, content);
        files.put("/d/" + i, content);
      }
      Soundness.assertSound(raidp);
      JsonNode replicas =
          raidp.admin("-layout", "-json").json().path("superchunks").path(0).path("replicas");
      int a = nodeIndex(replicas.path(0));
      int b = nodeIndex(replicas.path(1));
      int other = otherPartnerOf(b, a);
      holdBack(true, a, other);
      halfDelete(Set.of(a, other));
      appendAndCut();
      raidp.failDisk(a, 0);
      raidp.failDisk(b, 0);
      awaitLost();
      holdBack(false, a, other);
      MiniRaidp.Printed recovered = raidp.admin("-recover", "-progress", "-json");
      assertThat(recovered.exitCode()).as(recovered.toString()).isZero();
      // The client verifies checksum files.
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        assertThat(raidp.read(file.getKey())).as(file.getKey()).isEqualTo(file.getValue());
      }
      Soundness.assertSound(raidp);
    }
  }

  private static int nodeIndex(JsonNode replica) {
    return Integer.parseInt(replica.path("node").asText().replaceAll("^host([0-9]+)\\..*", "$1"));
  }

  /** A mirror of {@code node} that stays alive, and has no superchunk with {@code not}. */
  private int otherPartnerOf(int node, int not) throws Exception {
    Set<Integer> partners = new HashSet<>();
    Set<Integer> avoid = new HashSet<>(Set.of(not));
    for (JsonNode chunk : raidp.admin("-layout", "-json").json().path("superchunks")) {
      int x = nodeIndex(chunk.path("replicas").path(0));
      int y = nodeIndex(chunk.path("replicas").path(1));
      if (x == node || y == node) {
        partners.add(x == node ? y : x);
      }
      if (x == not || y == not) {
        avoid.add(x == not ? y : x);
      }
    }
    partners.remove(not);
    // With both replicas' nodes held back nobody would be told to finish a truncate.
    return partners.stream()
        .filter(each -> !avoid.contains(each))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no such partner: " + partners + " " + avoid));
  }

  private void holdBack(boolean held, int... nodes) {
    for (int node : nodes) {
      DataNodeTestUtils.setHeartbeatsDisabledForTests(raidp.dfs().getDataNodes().get(node), held);
    }
  }

  private void halfDelete(Set<Integer> held) throws Exception {
    Set<Long> gone = new HashSet<>();
    for (int i = 0; i < 25; i++) {
      String file = "/d/" + i;
      for (LocatedBlock block :
          raidp.fs().getClient().getLocatedBlocks(file, 0).getLocatedBlocks()) {
        gone.add(block.getBlock().getBlockId());
      }
      raidp.fs().delete(new org.apache.hadoop.fs.Path(file), false);
      files.remove(file);
    }
    List<Integer> told =
        IntStream.range(0, SHAPE.nodes()).filter(node -> !held.contains(node)).boxed().toList();
    MiniRaidp.await("deleted where it was heard").until(() -> replicasOf(gone, told) == 0);
    assertThat(replicasOf(gone, List.copyOf(held))).as("the skew").isPositive();
  }

  private int replicasOf(Set<Long> blocks, List<Integer> nodes) throws IOException {
    int found = 0;
    for (int node : nodes) {
      for (long block : blocks) {
        found += Damage.holds(raidp, node, block) ? 1 : 0;
      }
    }
    return found;
  }

  private void appendAndCut() throws Exception {
    for (int i = 30; i < 36; i++) {
      String file = "/d/" + i;
      byte[] more = MiniRaidp.bytes(1000 + i, 9_999);
      try (OutputStream out = raidp.fs().append(new org.apache.hadoop.fs.Path(file))) {
        out.write(more);
      }
      byte[] all = Arrays.copyOf(files.get(file), files.get(file).length + more.length);
      System.arraycopy(more, 0, all, all.length - more.length, more.length);
      files.put(file, all);
    }
    for (int i = 40; i < 46; i++) {
      org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/d/" + i);
      int keep = files.get("/d/" + i).length / 2 + 1;
      raidp.fs().truncate(file, keep);
      files.put("/d/" + i, Arrays.copyOf(files.get("/d/" + i), keep));
    }
    // Together: each waits for a heartbeat.
    for (int i = 40; i < 46; i++) {
      org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/d/" + i);
      MiniRaidp.await("truncate").until(() -> raidp.fs().isFileClosed(file));
    }
  }

  private void awaitLost() {
    MiniRaidp.await("both disks known dead")
        .until(
            () -> {
              for (JsonNode each : raidp.admin("-layout", "-json").json().path("superchunks")) {
                if (each.path("state").asText().equals("LOST")) {
                  return true;
                }
              }
              return false;
            });
  }
}
