/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.core.check.ManualClock;
import io.hdfsparity.raidp.config.Granularity;
import io.hdfsparity.raidp.config.Mode;
import io.hdfsparity.raidp.wire.message.Pairing;
import io.hdfsparity.raidp.wire.message.SuperchunkAnswer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three nodes with a volume each, for tests to extend. Superchunk 5 is a's first frame and b's
 * second, superchunk 6 a's second frame and c's only one.
 */
abstract class SharedVolumeNodes {
  static final long ID = 1_073_741_900L;
  @TempDir Path base;
  final ManualClock clock = new ManualClock();
  final SimNet net = new SimNet(new Random(1), 0);
  final Map<Long, SuperchunkAnswer> placed = new HashMap<>();
  final List<String> asked = new ArrayList<>();
  SimNode a;
  SimNode b;
  SimNode c;

  @BeforeEach
  void start() throws IOException {
    a = node("a", 2);
    b = node("b", 2);
    c = node("c", 1);
    a.pair(0, new Pairing(5, 1, "DS-b", "b", 2));
    b.pair(1, new Pairing(5, 1, "DS-a", "a", 1));
    a.pair(1, new Pairing(6, 1, "DS-c", "c", 2));
    c.pair(0, new Pairing(6, 1, "DS-a", "a", 1));
    a.sims.forEach(sim -> sim.hooks().frame().schedule(Settler.FETCH_ROWS));
    settle();
  }

  SimNode node(String name, int framesPerVolume) throws IOException {
    SimNode node =
        new SimNode(
            base,
            name,
            List.of("DS-" + name),
            framesPerVolume,
            Mode.IDLE,
            Granularity.BLOCK,
            clock,
            net);
    node.manager =
        (named, block) -> {
          asked.add(name + " " + named.orElse("none"));
          SuperchunkAnswer answer = placed.get(block.getBlockId());
          return answer instanceof SuperchunkAnswer.Pair pair
              ? new SuperchunkAnswer.Pair("DS-" + name, pair.superchunkId(), pair.epoch())
              : answer;
        };
    node.start();
    return node;
  }

  @AfterEach
  void stop() throws IOException {
    a.stop();
    b.stop();
    c.stop();
  }

  void place(long blockId, long superchunkId, long epoch) {
    placed.put(blockId, new SuperchunkAnswer.Pair("any", superchunkId, epoch));
  }

  static Optional<String> ask(SimNode node, long blockId) throws IOException {
    return ask(node, blockId, 1001);
  }

  static Optional<String> ask(SimNode node, long blockId, long generationStamp) throws IOException {
    return node.questions.storageFor(
        Optional.of("DS-" + node.name),
        new ExtendedBlock(SimFrame.POOL, blockId, 0, generationStamp));
  }

  /** As the dataset does for a client that names the storage. */
  static void create(SimNode node, long blockId) throws IOException {
    ask(node, blockId);
    volume(node).reserve(SimFrame.POOL, blockId, SimNode.MAX_BLOCK);
  }

  static VolumeFrames volume(SimNode node) {
    return node.sims.get(0).volume();
  }

  void store(long blockId, SimNode... pair) throws IOException {
    for (SimNode node : pair) {
      create(node, blockId);
    }
    for (SimNode node : pair) {
      node.sims.get(0).write(blockId, 1001, new byte[70_000]);
      node.sims.get(0).finish(blockId, 1001, 70_000);
    }
  }

  void settle() {
    for (int i = 0; i < 20; i++) {
      clock.advance(31_000);
      a.settle();
      b.settle();
      c.settle();
    }
  }

  static int frameOf(SimNode node, long blockId) {
    return node.disk.lstor().frameOf(blockId, frame -> true).orElse(-1);
  }
}
