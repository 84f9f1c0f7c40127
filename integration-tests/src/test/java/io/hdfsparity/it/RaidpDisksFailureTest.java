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
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Disks fail that are one volume with many superchunks: each superchunk has another partner. */
@Tag("full")
@Timeout(1200)
class RaidpDisksFailureTest {
  private static final int BLOCK = 256 << 10;

  /** Three superchunks a disk among eight, and two spare frames. */
  private static final MiniRaidp.Shape EIGHT = shape(8, 5);

  /** Five superchunks a disk among fourteen, and three spare frames: three disks share pairwise. */
  private static final MiniRaidp.Shape FOURTEEN = shape(14, 8);

  private static MiniRaidp.Shape shape(int nodes, int frames) {
    return new MiniRaidp.Shape(nodes, 1, 1, frames, 8L << 20, 1 << 16, BLOCK);
  }

  private static MiniRaidp start(Path root, MiniRaidp.Shape shape, String spareShare)
      throws Exception {
    Configuration extra = new Configuration(false);
    extra.set("dfs.parity.raidp.layout.spare.share", spareShare);
    MiniRaidp raidp = MiniRaidp.start(root, shape, extra);
    Daemons.startLstors(raidp);
    return raidp;
  }

  /** Nodes whose disks share a superchunk. */
  private static List<Set<Integer>> sharing(MiniRaidp raidp) throws Exception {
    List<Set<Integer>> pairs = new ArrayList<>();
    for (JsonNode chunk : raidp.admin("-layout", "-json").json().path("superchunks")) {
      JsonNode sides = chunk.path("replicas");
      pairs.add(Set.of(FailedDisks.nodeIndex(sides.path(0)), FailedDisks.nodeIndex(sides.path(1))));
    }
    return pairs;
  }

  @Test
  void oneDisk(@TempDir Path root) throws Exception {
    try (MiniRaidp raidp = start(root, EIGHT, "0.4")) {
      Map<String, byte[]> files = FailedDisks.fill(raidp, 51, BLOCK);
      assertThat(sharing(raidp)).hasSize(12);
      FailedDisks.failAndRecover(raidp, files, 3);
      assertPartnersDiffer(raidp, 3);
      for (int i = 0; i < 12; i++) {
        String name = "/after/" + i;
        files.put(name, MiniRaidp.bytes(i, 1 + i * 40_001));
        raidp.write(name, files.get(name));
      }
      FailedDisks.failAndRecover(raidp, files, 6);
    }
  }

  /** The superchunks of the lost disk have gone to disks that share nothing with the survivors. */
  private static void assertPartnersDiffer(MiniRaidp raidp, int lost) throws Exception {
    List<Set<Integer>> pairs = sharing(raidp);
    assertThat(pairs).hasSize(12).doesNotHaveDuplicates();
    assertThat(pairs).noneMatch(pair -> pair.contains(lost));
  }

  @Test
  void twoDisksThatShareASuperchunk(@TempDir Path root) throws Exception {
    try (MiniRaidp raidp = start(root, EIGHT, "0.4")) {
      Map<String, byte[]> files = FailedDisks.fill(raidp, 52, BLOCK);
      Set<Integer> nodes = sharing(raidp).get(5);
      FailedDisks.failAndRecover(raidp, files, nodes.toArray(Integer[]::new));
    }
  }

  @Test
  void threeDisksThatSharePairwise(@TempDir Path root) throws Exception {
    try (MiniRaidp raidp = start(root, FOURTEEN, "0.375")) {
      Map<String, byte[]> files = FailedDisks.fill(raidp, 53, BLOCK);
      FailedDisks.failAndRecover(raidp, files, triangle(sharing(raidp)));
    }
  }

  private static Integer[] triangle(List<Set<Integer>> pairs) {
    for (Set<Integer> pair : pairs) {
      List<Integer> two = List.copyOf(pair);
      Set<Integer> third =
          IntStream.range(0, FOURTEEN.nodes())
              .boxed()
              .filter(
                  node ->
                      !pair.contains(node)
                          && pairs.contains(Set.of(two.get(0), node))
                          && pairs.contains(Set.of(two.get(1), node)))
              .collect(Collectors.toSet());
      if (!third.isEmpty()) {
        return new Integer[] {two.get(0), two.get(1), third.iterator().next()};
      }
    }
    throw new AssertionError("no three disks share pairwise: " + pairs);
  }
}
