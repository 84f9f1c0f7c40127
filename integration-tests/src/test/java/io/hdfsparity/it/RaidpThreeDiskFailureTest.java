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
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three disks die of which each two share a superchunk: no replica is left of three superchunks,
 * and no Lstor alone can decode what overlaps. One of the three superchunks has got a new partner
 * before, in a recovery. All bytes come back.
 */
@Tag("full")
class RaidpThreeDiskFailureTest {
  private static final int BLOCK = 256 << 10;

  // Five superchunks a disk among fourteen, and three spare frames: so many disks share that three
  // do so pairwise, and the ten that are left in the end can take all, no two sharing two.
  private static final MiniRaidp.Shape SHAPE =
      new MiniRaidp.Shape(14, 1, 1, 8, 8L << 20, 1 << 16, BLOCK);

  /** A superchunk that is whole: the nodes of its disks, and whether it has had others before. */
  private record Shared(int first, int second, boolean isPairedAnew) {
    private boolean joins(int a, int b) {
      return (first == a && second == b) || (first == b && second == a);
    }
  }

  @Test
  void threeDisksThatSharePairwise(@TempDir Path root) throws Exception {
    Configuration conf = new Configuration(false);
    conf.set("dfs.parity.raidp.layout.spare.share", "0.375");
    try (MiniRaidp raidp = MiniRaidp.start(root, SHAPE, conf)) {
      Daemons.startLstors(raidp);
      Map<String, byte[]> files = FailedDisks.fill(raidp, 333, BLOCK);
      Map<String, Long> epochs = epochs(raidp);
      FailedDisks.failAndRecover(raidp, files, 0);
      for (int i = 0; i < 10; i++) {
        String name = "/e/" + i;
        files.put(name, MiniRaidp.bytes(1_000 + i, BLOCK / 2 + i));
        raidp.write(name, files.get(name));
      }
      MiniRaidp.await("all replicas").until(() -> Soundness.allBlocksHaveTwoReplicas(raidp));
      FailedDisks.failAndRecover(raidp, files, triangle(superchunks(raidp, epochs)));
    }
  }

  private static Map<String, Long> epochs(MiniRaidp raidp) throws Exception {
    Map<String, Long> epochs = new TreeMap<>();
    for (JsonNode chunk : raidp.admin("-layout", "-json").json().path("superchunks")) {
      epochs.put(chunk.path("id").asText(), chunk.path("epoch").asLong());
    }
    return epochs;
  }

  private static List<Shared> superchunks(MiniRaidp raidp, Map<String, Long> epochsBefore)
      throws Exception {
    List<Shared> all = new ArrayList<>();
    for (JsonNode chunk : raidp.admin("-layout", "-json").json().path("superchunks")) {
      JsonNode sides = chunk.path("replicas");
      assertThat(
              List.of(
                  sides.path(0).path("coefficient").asInt(),
                  sides.path(1).path("coefficient").asInt()))
          .containsExactlyInAnyOrder(1, 2);
      all.add(
          new Shared(
              FailedDisks.nodeIndex(sides.path(0)),
              FailedDisks.nodeIndex(sides.path(1)),
              chunk.path("epoch").asLong() > epochsBefore.get(chunk.path("id").asText())));
    }
    return all;
  }

  /** Three disks of which each two share a superchunk, one of them paired anew. */
  private static Integer[] triangle(List<Shared> superchunks) {
    for (Shared anew : superchunks) {
      for (int node = 0; anew.isPairedAnew() && node < SHAPE.nodes(); node++) {
        int third = node;
        if (superchunks.stream().anyMatch(s -> s.joins(anew.first(), third))
            && superchunks.stream().anyMatch(s -> s.joins(anew.second(), third))) {
          return new Integer[] {anew.first(), anew.second(), third};
        }
      }
    }
    throw new AssertionError("no three disks share pairwise: " + superchunks);
  }
}
