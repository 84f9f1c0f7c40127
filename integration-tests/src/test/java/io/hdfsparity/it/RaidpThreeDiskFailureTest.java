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
 * Three disks die of which each two share a superchunk: no replica is left of three superchunks,
 * and no Lstor alone can decode what overlaps. All bytes come back.
 */
@Tag("full")
class RaidpThreeDiskFailureTest {
  private static final int BLOCK = 256 << 10;

  // Four superchunks a disk among eleven, and two spare frames: the eight disks that are left can
  // take all of them, no two disks sharing two.
  private static final MiniRaidp.Shape SHAPE =
      new MiniRaidp.Shape(11, 1, 1, 6, 8L << 20, 1 << 16, BLOCK);

  @Test
  void threeDisksThatSharePairwise(@TempDir Path root) throws Exception {
    Configuration conf = new Configuration(false);
    conf.set("dfs.parity.raidp.layout.spare.share", "0.33");
    try (MiniRaidp raidp = MiniRaidp.start(root, SHAPE, conf)) {
      Daemons.startLstors(raidp);
      Map<String, byte[]> files = FailedDisks.fill(raidp, 333, BLOCK);
      Set<List<Integer>> pairs = new TreeSet<>(RaidpThreeDiskFailureTest::compare);
      for (JsonNode chunk : raidp.admin("-layout", "-json").json().path("superchunks")) {
        JsonNode sides = chunk.path("replicas");
        assertThat(
                List.of(
                    sides.path(0).path("coefficient").asInt(),
                    sides.path(1).path("coefficient").asInt()))
            .containsExactlyInAnyOrder(1, 2);
        int a = FailedDisks.nodeIndex(sides.path(0));
        int b = FailedDisks.nodeIndex(sides.path(1));
        pairs.add(List.of(Math.min(a, b), Math.max(a, b)));
      }
      List<Integer> triple = triangle(pairs);
      FailedDisks.failAndRecover(raidp, files, triple.toArray(Integer[]::new));
    }
  }

  private static int compare(List<Integer> x, List<Integer> y) {
    int byFirst = x.get(0).compareTo(y.get(0));
    return byFirst != 0 ? byFirst : x.get(1).compareTo(y.get(1));
  }

  /** Three disks of which each two share a superchunk. */
  private static List<Integer> triangle(Set<List<Integer>> pairs) {
    List<List<Integer>> found = new ArrayList<>();
    for (List<Integer> ab : pairs) {
      for (int c = ab.get(1) + 1; c < SHAPE.nodes(); c++) {
        if (pairs.contains(List.of(ab.get(0), c)) && pairs.contains(List.of(ab.get(1), c))) {
          found.add(List.of(ab.get(0), ab.get(1), c));
        }
      }
    }
    assertThat(found).as("triples that share pairwise among " + pairs).isNotEmpty();
    return found.get(0);
  }
}
