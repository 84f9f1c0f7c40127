/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfsparity.it.MiniRaidp.Volumes;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.Test;

/**
 * The same where a disk is one volume with many superchunks. A storage does not say which
 * superchunk a block is in; two of them do.
 */
class RaidpDisksStockClientTest extends RaidpStockClientTest {
  @Override
  MiniRaidp.Shape shape() {
    MiniRaidp.Shape small = MiniRaidp.Shape.small();
    return new MiniRaidp.Shape(
        6, 1, 1, 5, small.frameBytes(), small.unitBytes(), small.blockBytes(), Volumes.DISKS);
  }

  /** Each disk shares a superchunk with each other. */
  @Override
  Configuration extra() {
    Configuration extra = new Configuration(false);
    extra.set("dfs.parity.raidp.layout.spare.share", "0");
    extra.set("dfs.parity.raidp.layout.recovery.room.disks", "0");
    return extra;
  }

  /** Superchunks by the storages of their sides. */
  private Map<Set<String>, JsonNode> superchunks() throws Exception {
    Map<Set<String>, JsonNode> superchunks = new HashMap<>();
    for (JsonNode chunk : raidp().admin("-layout", "-json").json().path("superchunks")) {
      Set<String> sides = Set.copyOf(chunk.path("replicas").findValuesAsText("storageId"));
      assertThat(sides).as("sides of %s", chunk).hasSize(2);
      assertThat(superchunks.put(sides, chunk)).as("shares another: %s", chunk).isNull();
    }
    return superchunks;
  }

  @Test
  void blocksOfAVolumeLieInManySuperchunks() throws Exception {
    for (int i = 0; i < 40; i++) {
      put("/spread/" + i, i, 70_001 + i * 1009);
    }
    MiniRaidp.await("all replicas").until(() -> Soundness.allBlocksHaveTwoReplicas(raidp()));
    Map<Set<String>, JsonNode> superchunks = superchunks();
    Map<String, Set<Long>> ofVolume = new HashMap<>();
    Map<Long, Integer> blocks = new HashMap<>();
    for (LocatedBlock block : Soundness.blocks(raidp())) {
      JsonNode chunk = superchunks.get(Soundness.storages(block));
      assertThat(chunk).as("superchunk of %s", block).isNotNull();
      long id = chunk.path("id").asLong();
      blocks.merge(id, 1, Integer::sum);
      for (String storage : block.getStorageIDs()) {
        ofVolume.computeIfAbsent(storage, k -> new HashSet<>()).add(id);
      }
    }
    assertThat(ofVolume).as("one volume a node").hasSize(shape().nodes());
    assertThat(ofVolume.values())
        .as("superchunks with blocks, by volume")
        .allMatch(ids -> ids.size() > 1);
    awaitCounts(blocks);
  }

  /** What is told of each superchunk is what lies in it. */
  private void awaitCounts(Map<Long, Integer> blocks) {
    MiniRaidp.await("-layout counts by superchunk")
        .untilAsserted(
            () -> {
              for (JsonNode chunk : superchunks().values()) {
                int expected = blocks.getOrDefault(chunk.path("id").asLong(), 0);
                assertThat(chunk.path("replicas").findValues("blocks"))
                    .as("%s", chunk)
                    .allMatch(side -> side.asInt() == expected);
              }
            });
  }

  @Test
  void figuresAreOfFramesNotVolumes() throws Exception {
    for (int i = 0; i < 12; i++) {
      put("/figures/" + i, i, 150_001);
    }
    Soundness.assertSound(raidp());
    MiniRaidp.Shape shape = shape();
    long units = shape.frameBytes() / shape.unitBytes();
    Map<Set<String>, JsonNode> superchunks = superchunks();
    Map<String, Integer> paired = new HashMap<>();
    superchunks
        .keySet()
        .forEach(sides -> sides.forEach(side -> paired.merge(side, 1, Integer::sum)));
    // Three units a block, on both sides.
    MiniRaidp.await("figures of -status")
        .untilAsserted(
            () -> {
              JsonNode status = raidp().admin("-status", "-json").json();
              int frames = shape.nodes() * shape.frames();
              assertThat(status.at("/frames/live").asInt()).isEqualTo(frames);
              assertThat(status.at("/frames/blocks").asInt()).isEqualTo(2 * 12);
              assertThat(status.at("/frames/freeUnits").asLong())
                  .isEqualTo(frames * units - 2 * 3 * 12);
              assertThat(status.at("/spareFrames").asInt())
                  .isEqualTo(frames - 2 * superchunks.size());
              assertThat(status.at("/superchunks/active").asInt()).isEqualTo(superchunks.size());
              assertThat(status.path("problems")).isEmpty();
              assertThat(status.findValues("frames").stream().filter(JsonNode::isInt))
                  .hasSize(shape.nodes())
                  .allMatch(each -> each.asInt() == shape.frames());
              assertThat(status.findValues("paired").stream().mapToInt(JsonNode::asInt).sorted())
                  .isEqualTo(paired.values().stream().sorted().toList());
            });
    JsonNode fsck = raidp().admin("-fsck", "-json").json();
    assertThat(fsck.path("findings")).as("%s", fsck).isEmpty();
    assertThat(fsck.path("superchunks").asInt()).isEqualTo(superchunks.size());
    assertThat(fsck.path("blocks").asInt()).isEqualTo(12);
    assertThat(fsck.path("rows").asInt()).isEqualTo(2 * 12);
    MiniRaidp.Printed scrub = raidp().admin("-scrub", "-json");
    assertThat(scrub.exitCode()).as("%s", scrub).isZero();
    assertThat(scrub.json().path("findings")).as("%s", scrub).isEmpty();
    assertThat(scrub.json().path("bytesRead").asLong()).isGreaterThanOrEqualTo(2L * 12 * 150_001);
  }
}
