/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LayoutPlannerTest {
  @Test
  void keepsEveryRuleOnRandomShapes() throws LayoutRefusedException {
    int refused = 0;
    for (long seed : RandomShapes.seeds(2000)) {
      Random random = new Random(seed);
      ClusterShape shape = RandomShapes.uneven(random, 12, 4, 12);
      LayoutOptions options = randomOptions(random, seed);
      LayoutPlan plan;
      try {
        plan = LayoutPlanner.plan(shape, options);
      } catch (LayoutRefusedException e) {
        refused++;
        continue;
      }
      assertThat(plan.layout().check(options.spare())).as("seed=%d", seed).isEmpty();
      assertThat(plan.layout().pairs()).as("seed=%d", seed).isEqualTo(plan.added());
      assertSpareRules(shape, options, plan, seed);
      assertLocallyEven(plan.layout(), options, seed);
    }
    assertThat(refused).isLessThan(500);
  }

  private static LayoutOptions randomOptions(Random random, long seed) {
    SpareRule spare =
        random.nextBoolean()
            ? SpareRule.share(random.nextInt(6) / 10.0)
            : SpareRule.frames(random.nextInt(3));
    return LayoutOptions.defaults()
        .withSpare(spare)
        .withSeed(seed)
        .withSparePeers(random.nextInt(3));
  }

  private static void assertSpareRules(
      ClusterShape shape, LayoutOptions options, LayoutPlan plan, long seed) {
    for (Disk disk : shape.disks()) {
      int peers = shape.peers(disk.id());
      assertThat(plan.layout().load(disk.id()))
          .as("seed=%d disk=%s", seed, disk.id())
          .isLessThanOrEqualTo(peers == 0 ? 0 : Math.max(1, peers - options.sparePeers()));
    }
  }

  /** No single end of a superchunk can move to a disk that has two fewer and wants more. */
  private static void assertLocallyEven(Layout layout, LayoutOptions options, long seed) {
    ClusterShape shape = layout.shape();
    for (Disk low : shape.disks()) {
      int wanted =
          LayoutPlanner.wanted(
              shape.index(), shape.index().diskIndex(low.id()), shape.peers(low.id()), options);
      if (layout.load(low.id()) >= wanted) {
        continue;
      }
      for (SuperchunkPair pair : layout.pairs()) {
        for (FrameId moved : List.of(pair.leader(), pair.follower())) {
          Disk high = shape.diskOf(moved).orElseThrow();
          Disk other = shape.diskOf(pair.partnerOf(moved)).orElseThrow();
          boolean better =
              layout.load(high.id()) >= layout.load(low.id()) + 2
                  && shape.mayPair(low.id(), other.id())
                  && layout.sharedBy(low.id(), other.id()).isEmpty();
          assertThat(better)
              .as(
                  "seed=%d: %s could take superchunk %d over from %s",
                  seed, low.id(), pair.id(), high.id())
              .isFalse();
        }
      }
    }
  }

  @Test
  void loadsDifferByAtMostOneOnEvenClusters() throws LayoutRefusedException {
    for (long seed : RandomShapes.seeds(600)) {
      Random random = new Random(seed);
      int racks = 1 + random.nextInt(3);
      int nodes = racks * (1 + random.nextInt(4)) + (racks == 1 ? 1 : 0);
      int disks = 1 + random.nextInt(4);
      int frames = 2 + random.nextInt(12);
      if (nodes < 2) {
        continue;
      }
      ClusterShape shape = RandomShapes.even(nodes, disks, racks, frames);
      LayoutPlan plan =
          LayoutPlanner.plan(
              shape, LayoutOptions.defaults().withSeed(seed).withSparePeers(random.nextInt(3)));
      String name =
          "seed="
              + seed
              + " nodes="
              + nodes
              + " disks="
              + disks
              + " racks="
              + racks
              + " frames="
              + frames;
      assertThat(plan.layout().maxLoad() - plan.layout().minLoad()).as(name).isLessThanOrEqualTo(1);
      int open = 0;
      for (Disk disk : shape.disks()) {
        open +=
            LayoutPlanner.wanted(
                    shape.index(),
                    shape.index().diskIndex(disk.id()),
                    shape.peers(disk.id()),
                    LayoutOptions.defaults().withSparePeers(0))
                - plan.layout().load(disk.id());
      }
      assertThat(open).as(name).isGreaterThanOrEqualTo(0);
    }
  }

  @Test
  void makesAsManySuperchunksAsAnExhaustiveSearch() throws LayoutRefusedException {
    int compared = 0;
    int missed = 0;
    for (long seed : RandomShapes.seeds(400)) {
      Random random = new Random(seed);
      ClusterShape shape = RandomShapes.uneven(random, 5, 2, 4);
      if (shape.disks().size() > 7) {
        continue;
      }
      LayoutOptions options =
          LayoutOptions.defaults()
              .withSeed(seed)
              .withSparePeers(0)
              .withSpare(SpareRule.frames(random.nextInt(2)));
      int best = maxPairs(shape, options);
      int made;
      try {
        made = LayoutPlanner.plan(shape, options).added().size();
      } catch (LayoutRefusedException e) {
        made = 0;
      }
      compared++;
      assertThat(made).as("seed=%d", seed).isLessThanOrEqualTo(best);
      missed += best - made;
    }
    System.out.println(
        "layouts compared with the exhaustive search: "
            + compared
            + ", superchunks missed: "
            + missed);
    assertThat(missed).isZero();
  }

  private static int maxPairs(ClusterShape shape, LayoutOptions options) {
    List<int[]> edges = new ArrayList<>();
    int n = shape.disks().size();
    int[] left = new int[n];
    for (int a = 0; a < n; a++) {
      int frames = shape.disks().get(a).frames().size();
      left[a] = frames - options.spare().spareFrames(frames);
      for (int b = a + 1; b < n; b++) {
        if (shape.mayPair(shape.disks().get(a).id(), shape.disks().get(b).id())) {
          edges.add(new int[] {a, b});
        }
      }
    }
    return maxPairs(edges, 0, left);
  }

  private static int maxPairs(List<int[]> edges, int next, int[] left) {
    if (next == edges.size()) {
      return 0;
    }
    int without = maxPairs(edges, next + 1, left);
    int[] edge = edges.get(next);
    if (left[edge[0]] == 0 || left[edge[1]] == 0) {
      return without;
    }
    left[edge[0]]--;
    left[edge[1]]--;
    int with = 1 + maxPairs(edges, next + 1, left);
    left[edge[0]]++;
    left[edge[1]]++;
    return Math.max(with, without);
  }

  @Test
  void keepsExistingSuperchunksWhenDisksJoin() throws LayoutRefusedException {
    for (long seed : RandomShapes.seeds(300)) {
      Random random = new Random(seed);
      ClusterShape all = RandomShapes.uneven(random, 10, 3, 10);
      LayoutOptions options = LayoutOptions.defaults().withSeed(seed);
      int first = 1 + random.nextInt(all.disks().size());
      List<SuperchunkPair> before = List.of();
      try {
        before =
            LayoutPlanner.plan(ClusterShape.of(all.disks().subList(0, first)), options).added();
      } catch (LayoutRefusedException e) {
        assertThat(e).hasMessageContaining("Cannot plan a layout");
      }
      ClusterShape grown = all.withExisting(before);
      LayoutPlan plan;
      try {
        plan = LayoutPlanner.plan(grown, options);
      } catch (LayoutRefusedException e) {
        continue;
      }
      List<LayoutViolation> old = Layout.of(grown).check();
      assertThat(plan.layout().pairs().subList(0, before.size())).isEqualTo(before);
      // A second rack that joined makes old superchunks of one rack illegal; new ones never are.
      assertThat(plan.layout().check(options.spare()))
          .as("seed=%d", seed)
          .containsExactlyInAnyOrderElementsOf(old);
      assertThat(plan.notes().stream().filter(note -> note.startsWith("existing layout breaks")))
          .hasSameSizeAs(old);
      assertThat(LayoutPlanner.plan(grown.withExisting(plan.layout().pairs()), options).added())
          .as("seed=%d: planning again adds nothing", seed)
          .isEmpty();
    }
  }

  @Test
  void isAFunctionOfItsArguments() throws LayoutRefusedException {
    ClusterShape shape = RandomShapes.even(9, 3, 3, 9);
    LayoutOptions options = LayoutOptions.defaults().withSeed(42);
    assertThat(LayoutPlanner.plan(shape, options).added())
        .isEqualTo(LayoutPlanner.plan(shape, options).added())
        .isNotEqualTo(LayoutPlanner.plan(shape, options.withSeed(43)).added());
  }

  @Test
  void leavesClosedDisksAlone() throws LayoutRefusedException {
    ClusterShape shape = RandomShapes.even(6, 2, 2, 4);
    Set<DiskId> closed = Set.of(RandomShapes.diskId(0, 0), RandomShapes.diskId(3, 1));
    LayoutPlan plan =
        LayoutPlanner.plan(
            shape, LayoutOptions.defaults().withClosedDisks(closed).withFirstId(100));
    assertThat(plan.layout().load(RandomShapes.diskId(0, 0))).isZero();
    assertThat(plan.layout().load(RandomShapes.diskId(3, 1))).isZero();
    assertThat(plan.layout().maxLoad()).isEqualTo(3);
    assertThat(plan.added().get(0).id()).isEqualTo(100);
  }

  @Test
  void numbersNewSuperchunksAfterTheExistingOnes() throws LayoutRefusedException {
    ClusterShape shape =
        RandomShapes.even(4, 1, 1, 3)
            .withExisting(
                List.of(
                    SuperchunkPair.of(
                        17, RandomShapes.frame(0, 0, 1), RandomShapes.frame(1, 0, 2))));
    LayoutPlan plan = LayoutPlanner.plan(shape, LayoutOptions.defaults().withSparePeers(1));
    assertThat(plan.added()).hasSize(3);
    assertThat(plan.added()).extracting(SuperchunkPair::id).containsExactly(18L, 19L, 20L);
  }

  @Test
  void refusesByName() {
    assertThatThrownBy(
            () -> LayoutPlanner.plan(RandomShapes.even(1, 4, 1, 8), LayoutOptions.defaults()))
        .isInstanceOf(LayoutRefusedException.class)
        .hasMessageContaining("nodes=1 disks=4, expected at least 2 nodes")
        .hasMessageContaining("add nodes");
    assertThatThrownBy(
            () -> LayoutPlanner.plan(RandomShapes.even(4, 1, 1, 1), LayoutOptions.defaults()))
        .isInstanceOf(LayoutRefusedException.class)
        .hasMessageContaining("spare frames=1 of 1 frames")
        .hasMessageContaining("use more frames or spare fewer");
  }

  @Test
  void leavesSurplusFramesSpareAndSaysSo() throws LayoutRefusedException {
    ClusterShape shape =
        ClusterShape.of(
            List.of(
                RandomShapes.disk(0, 0, 0, 20),
                RandomShapes.disk(1, 0, 0, 20),
                RandomShapes.disk(2, 0, 0, 20)));
    LayoutPlan plan = LayoutPlanner.plan(shape, LayoutOptions.defaults().withSparePeers(0));
    assertThat(plan.added()).hasSize(3);
    assertThat(plan.notes())
        .singleElement()
        .asString()
        .contains("3 disks have more frames than disks to share with");
  }

  @Test
  void plansTwelveThousandDisksInSeconds() throws LayoutRefusedException {
    for (int racks : new int[] {1, 2, 40}) {
      ClusterShape shape = RandomShapes.even(1000, 12, racks, 64);
      long start = System.nanoTime();
      LayoutPlan plan = LayoutPlanner.plan(shape, LayoutOptions.defaults());
      long elapsedMs = (System.nanoTime() - start) / 1_000_000;
      System.out.println(
          "1,000 nodes x 12 disks x 64 frames in "
              + racks
              + " racks: "
              + plan.added().size()
              + " superchunks in "
              + elapsedMs
              + " ms");
      assertThat(plan.added()).hasSize(12_000 * 57 / 2);
      assertThat(plan.layout().minLoad()).isEqualTo(57);
      assertThat(plan.layout().maxLoad()).isEqualTo(57);
      assertThat(elapsedMs).isLessThan(120_000);
    }
  }
}
