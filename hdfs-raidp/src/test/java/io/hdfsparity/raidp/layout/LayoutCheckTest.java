/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LayoutCheckTest {
  @Test
  void agreesWithItsTwin() {
    Map<LayoutRule, Integer> met = new EnumMap<>(LayoutRule.class);
    int legal = 0;
    for (long seed : RandomShapes.seeds(3000)) {
      Random random = new Random(seed);
      ClusterShape shape = RandomShapes.uneven(random, 6, 2, 3);
      List<SuperchunkPair> pairs = randomPairs(shape, random);
      SpareRule spare = SpareRule.frames(random.nextInt(3));
      Map<LayoutRule, Integer> expected = twin(shape, pairs, spare);
      Map<LayoutRule, Integer> actual = new EnumMap<>(LayoutRule.class);
      Layout.of(shape, pairs).check(spare).forEach(v -> actual.merge(v.rule(), 1, Integer::sum));
      assertThat(actual).as("seed=%d", seed).isEqualTo(expected);
      expected.forEach((rule, count) -> met.merge(rule, count, Integer::sum));
      legal += expected.isEmpty() ? 1 : 0;
    }
    if (System.getProperty("raidp.seed") == null) {
      assertThat(met.keySet())
          .as("rules that the random layouts break")
          .containsExactlyInAnyOrder(LayoutRule.values());
      assertThat(legal).isGreaterThan(50);
    }
  }

  private static List<SuperchunkPair> randomPairs(ClusterShape shape, Random random) {
    List<FrameId> frames = new ArrayList<>();
    shape.disks().forEach(disk -> disk.frames().forEach(frame -> frames.add(frame.id())));
    if (random.nextInt(3) == 0) {
      frames.add(new FrameId("stranger", 0));
    }
    boolean crowd = random.nextInt(5) == 0;
    List<SuperchunkPair> pairs = new ArrayList<>();
    int count = random.nextInt(crowd ? frames.size() * 3 : 1 + frames.size() / 3);
    for (int i = 0; i < count; i++) {
      FrameId a = frames.get(random.nextInt(frames.size()));
      FrameId b = frames.get(random.nextInt(frames.size()));
      if (!a.equals(b)) {
        pairs.add(SuperchunkPair.of(random.nextInt(20) == 0 ? 0 : i, a, b));
      }
    }
    return pairs;
  }

  /** Every rule as a loop over everything, without any index. */
  private static Map<LayoutRule, Integer> twin(
      ClusterShape shape, List<SuperchunkPair> pairs, SpareRule spare) {
    Map<LayoutRule, Integer> found = new EnumMap<>(LayoutRule.class);
    long racks = shape.disks().stream().map(Disk::rack).distinct().count();
    for (int i = 0; i < pairs.size(); i++) {
      SuperchunkPair pair = pairs.get(i);
      List<SuperchunkPair> earlier = pairs.subList(0, i);
      count(found, LayoutRule.UNIQUE_ID, earlier.stream().anyMatch(p -> p.id() == pair.id()));
      for (FrameId frame : List.of(pair.leader(), pair.follower())) {
        count(found, LayoutRule.KNOWN_FRAME, find(shape, frame) == null);
        count(found, LayoutRule.ONE_MIRRORING, earlier.stream().anyMatch(p -> p.contains(frame)));
      }
      Disk a = find(shape, pair.leader());
      Disk b = find(shape, pair.follower());
      if (a == null || b == null) {
        continue;
      }
      boolean same = a.equals(b);
      count(found, LayoutRule.ONE_MIRRORING, same);
      count(found, LayoutRule.DIFFERENT_NODES, !same && a.node().equals(b.node()));
      count(
          found,
          LayoutRule.DIFFERENT_RACKS,
          !a.node().equals(b.node()) && racks >= 2 && a.rack().equals(b.rack()));
      count(
          found,
          LayoutRule.ONE_SHARING,
          !same
              && earlier.stream()
                  .anyMatch(
                      p -> {
                        Disk c = find(shape, p.leader());
                        Disk d = find(shape, p.follower());
                        return a.equals(c) && b.equals(d) || a.equals(d) && b.equals(c);
                      }));
    }
    int disks = shape.disks().size();
    count(found, LayoutRule.MAX_SUPERCHUNKS, pairs.size() > disks * (disks - 1) / 2);
    for (Disk disk : shape.disks()) {
      long used =
          disk.frames().stream()
              .filter(frame -> pairs.stream().anyMatch(p -> p.contains(frame.id())))
              .count();
      count(
          found,
          LayoutRule.SPARE_FRAMES,
          disk.frames().size() - used < spare.spareFrames(disk.frames().size()));
    }
    return found;
  }

  private static void count(Map<LayoutRule, Integer> found, LayoutRule rule, boolean broken) {
    if (broken) {
      found.merge(rule, 1, Integer::sum);
    }
  }

  private static Disk find(ClusterShape shape, FrameId id) {
    return shape.disks().stream()
        .filter(disk -> disk.frames().stream().anyMatch(frame -> frame.id().equals(id)))
        .findFirst()
        .orElse(null);
  }

  @Test
  void answersQueries() {
    ClusterShape shape = RandomShapes.even(3, 2, 1, 3);
    SuperchunkPair pair =
        SuperchunkPair.of(7, RandomShapes.frame(1, 1, 2), RandomShapes.frame(0, 0, 1));
    Layout layout = Layout.of(shape.withExisting(List.of(pair)));

    assertThat(pair.leader()).isEqualTo(RandomShapes.frame(0, 0, 1));
    assertThat(layout.partnerOf(RandomShapes.frame(0, 0, 1))).contains(pair.follower());
    assertThat(layout.partnerOf(RandomShapes.frame(0, 0, 0))).isEmpty();
    assertThat(layout.sharedBy(RandomShapes.diskId(1, 1), RandomShapes.diskId(0, 0)))
        .contains(pair);
    assertThat(layout.sharedBy(RandomShapes.diskId(0, 0), RandomShapes.diskId(0, 1))).isEmpty();
    assertThat(layout.sharedBy(RandomShapes.diskId(0, 0), RandomShapes.diskId(0, 0))).isEmpty();
    assertThat(layout.sharingDisks(RandomShapes.diskId(0, 0)))
        .containsExactly(RandomShapes.diskId(1, 1));
    assertThat(layout.load(RandomShapes.diskId(0, 0))).isEqualTo(1);
    assertThat(layout.spareFrames(RandomShapes.diskId(0, 0)))
        .extracting(Frame::index)
        .containsExactly(0, 2);
    assertThat(layout.minLoad()).isZero();
    assertThat(layout.maxLoad()).isEqualTo(1);
    assertThat(shape.peers(RandomShapes.diskId(0, 0))).isEqualTo(4);
    assertThat(shape.mayPair(RandomShapes.diskId(0, 0), RandomShapes.diskId(0, 1))).isFalse();
  }

  @Test
  void refusesShapesThatContradictThemselves() {
    Disk disk = RandomShapes.disk(0, 0, 0, 1);
    assertThatThrownBy(() -> ClusterShape.of(List.of(disk, disk)))
        .hasMessageContaining("disk=n0d0, expected each disk once");
    assertThatThrownBy(
            () ->
                ClusterShape.of(
                    List.of(
                        disk,
                        new Disk(new DiskId("other"), new NodeId("n1"), "/r0", disk.frames()))))
        .hasMessageContaining("frame=n0d0/0, expected each frame once");
    assertThatThrownBy(() -> ClusterShape.of(List.of(disk, RandomShapes.disk(0, 1, 1, 1))))
        .hasMessageContaining("rack=/r1, expected all disks of a node in one rack");
    FrameId frame = RandomShapes.frame(0, 0, 0);
    assertThatThrownBy(() -> SuperchunkPair.of(3, frame, frame)).hasMessageContaining("two frames");
  }

  @Test
  void roundsSpareFramesUp() {
    assertThat(SpareRule.DEFAULT.spareFrames(30)).as("0.1 * 30 is a little above 3").isEqualTo(3);
    assertThat(SpareRule.DEFAULT.spareFrames(31)).isEqualTo(4);
    assertThat(SpareRule.DEFAULT.spareFrames(1)).isEqualTo(1);
    assertThat(SpareRule.share(0).spareFrames(10)).isZero();
    assertThat(SpareRule.frames(5).spareFrames(3)).isEqualTo(3);
    assertThatThrownBy(() -> SpareRule.share(1)).hasMessageContaining("share < 1");
  }
}
