/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSClient;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Blocks that are five times as long as the largest one that is placed, as HBase's log writer makes
 * them. Both disks of a superchunk die: what has one replica is copied, what has none is rebuilt,
 * and all can be read, appended to, and cut.
 */
@Tag("full")
class RaidpLongBlockTest {
  private static final int BLOCK = 256 << 10;

  /** A frame has room for so many, should all come into one: they are longer than was asked for. */
  private static final int FILES = 12;

  private static final MiniRaidp.Shape SHAPE =
      new MiniRaidp.Shape(6, 2, 1, 6, 16L << 20, 1 << 16, BLOCK);

  @Test
  void longBlocksAreCopiedAndRebuilt(@TempDir Path root) throws Exception {
    Configuration conf = new Configuration(false);
    conf.set("dfs.parity.raidp.max.block.size", String.valueOf(BLOCK));
    try (MiniRaidp raidp = MiniRaidp.start(root, SHAPE, conf)) {
      Daemons.startLstors(raidp);
      DFSClient dfs = raidp.fs().getClient();
      Map<String, byte[]> files = new TreeMap<>();
      Set<Integer> nodes = new TreeSet<>();
      for (int i = 0; i < FILES; i++) {
        RawFile file = RawFile.create(dfs, "/long" + i, BLOCK);
        byte[] bytes = MiniRaidp.bytes(i, 5 * BLOCK + i);
        file.write(bytes, /* isNamed= */ true).get();
        file.complete(dfs, bytes.length);
        files.put(file.path(), bytes);
      }
      MiniRaidp.await("all replicas").until(() -> Soundness.allBlocksHaveTwoReplicas(raidp));
      for (JsonNode chunk : raidp.admin("-layout", "-json").json().path("superchunks")) {
        JsonNode sides = chunk.path("replicas");
        if (nodes.isEmpty() && sides.path(0).path("blocks").asInt() > 0) {
          sides.forEach(side -> nodes.add(FailedDisks.nodeIndex(side)));
        }
      }
      assertThat(nodes).hasSize(2);
      FailedDisks.failAndRecover(raidp, files, nodes.toArray(Integer[]::new));
    }
  }
}
