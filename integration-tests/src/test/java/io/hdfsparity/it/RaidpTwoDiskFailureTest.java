/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
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
        Map<String, byte[]> files = FailedDisks.fill(raidp, 31 + i, BLOCK);
        JsonNode chunks = raidp.admin("-layout", "-json").json().path("superchunks");
        assertThat(chunks.size()).isEqualTo(12);
        JsonNode replicas = chunks.path(i).path("replicas");
        FailedDisks.failAndRecover(
            raidp,
            files,
            FailedDisks.nodeIndex(replicas.path(0)),
            FailedDisks.nodeIndex(replicas.path(1)));
      } catch (AssertionError | Exception e) {
        failures.add("superchunk " + i + ": " + e);
      }
    }
    assertThat(failures).isEmpty();
  }

  @Test
  void twoDisksThatShareNothing(@TempDir Path root) throws Exception {
    try (MiniRaidp raidp = start(root)) {
      Map<String, byte[]> files = FailedDisks.fill(raidp, 99, BLOCK);
      Set<String> sharing = new TreeSet<>();
      for (JsonNode chunk : raidp.admin("-layout", "-json").json().path("superchunks")) {
        int a = FailedDisks.nodeIndex(chunk.path("replicas").path(0));
        int b = FailedDisks.nodeIndex(chunk.path("replicas").path(1));
        sharing.add(Math.min(a, b) + "-" + Math.max(a, b));
      }
      int other = 1;
      while (sharing.contains("0-" + other)) {
        other++;
      }
      FailedDisks.failAndRecover(raidp, files, 0, other);
    }
  }

  @Test
  void oneDiskAndThenAWholeNode(@TempDir Path root) throws Exception {
    Configuration extra = new Configuration(false);
    extra.set("dfs.parity.raidp.node.dead.timeout", "30s");
    try (MiniRaidp raidp = start(root, extra)) {
      Map<String, byte[]> files = FailedDisks.fill(raidp, 4711, BLOCK);
      FailedDisks.failAndRecover(raidp, files, 2);
      raidp.dfs().stopDataNode(5);
      FailedDisks.failAndRecover(raidp, files, 5);
    }
  }
}
