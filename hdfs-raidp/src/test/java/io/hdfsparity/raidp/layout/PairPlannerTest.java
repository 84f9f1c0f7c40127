/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class PairPlannerTest {
  /** 1 to 40 nodes of 0 to 16 disks, 1 to 4 racks, disks of one or of several sizes. */
  private static DiskMap shape(Random random) {
    int nodes = 1 + random.nextInt(40);
    int racks = 1 + random.nextInt(Math.min(4, nodes));
    int most = 1 + random.nextInt(16);
    boolean alike = random.nextBoolean();
    int[] disks = new int[nodes];
    int[] rack = new int[nodes];
    for (int n = 0; n < nodes; n++) {
      disks[n] = alike ? most : random.nextInt(most + 1);
      rack[n] = n < racks ? n : random.nextInt(racks);
    }
    return DiskMap.of(disks, rack);
  }

  private static int[] wanted(DiskMap disks, Random random) {
    int[] wanted = new int[disks.disks()];
    int size = 1 + random.nextInt(Math.max(1, disks.disks()));
    int other = 1 + random.nextInt(size);
    boolean alike = random.nextBoolean();
    Arrays.setAll(wanted, d -> alike || random.nextBoolean() ? size : other);
    return wanted;
  }

  @Test
  void keepsEveryRuleOnRandomShapes() {
    for (long seed : RandomShapes.seeds(300)) {
      Random random = new Random(seed);
      DiskMap disks = shape(random);
      int[] wanted = wanted(disks, random);
      PairTable table = PairPlanner.plan(disks, wanted, seed, PlanProgress.NONE);
      assertThat(PairTableChecker.check(table)).as("seed=%d", seed).isEmpty();
      assertLegal(table, wanted, seed);
      assertNumbered(table, seed);
    }
  }

  /** Knows nothing of order or search in the table: a set of pairs, looked at one by one. */
  private static void assertLegal(PairTable table, int[] wanted, long seed) {
    DiskMap disks = table.disks();
    Map<Long, Integer> sides = new HashMap<>();
    int ends = 0;
    boolean apart = true;
    for (int d = 0; d < disks.disks(); d++) {
      assertThat(table.load(d)).as("seed=%d disk=%d", seed, d).isLessThanOrEqualTo(wanted[d]);
      for (int i = 0; i < table.load(d); i++) {
        int peer = table.peer(d, i);
        ends++;
        sides.merge((long) Math.min(d, peer) << 32 | Math.max(d, peer), 1, Integer::sum);
        apart &= disks.node(d) != disks.node(peer);
        apart &= disks.racks() < 2 || disks.rack(d) != disks.rack(peer);
      }
    }
    assertThat(apart).as("seed=%d: nodes and racks", seed).isTrue();
    assertThat(sides.values()).as("seed=%d: 1-sharing", seed).allMatch(count -> count == 2);
    assertThat(table.superchunks()).as("seed=%d", seed).isEqualTo(ends / 2).isEqualTo(sides.size());
  }

  private static void assertNumbered(PairTable table, long seed) {
    Set<Integer> ids = new HashSet<>();
    boolean numbered = true;
    for (int index = 0; index < table.superchunks(); index++) {
      int low = table.lowerDisk(index);
      int high = table.higherDisk(index);
      numbered &= low < high && table.id(high, low) == index + 1;
      numbered &= table.peer(high, table.frame(high, low)) == low;
      ids.add(table.id(low, high));
    }
    assertThat(numbered).as("seed=%d", seed).isTrue();
    assertThat(ids).hasSize(table.superchunks());
  }

  @Test
  void loadsAreEvenAndTwoNodesShareAlike() {
    int worst = 0;
    for (long seed : RandomShapes.seeds(300)) {
      Random random = new Random(seed);
      int racks = 1 + random.nextInt(4);
      int nodes = racks * (1 + random.nextInt(10)) + (racks == 1 ? 1 : 0);
      int disksOfNode = 1 + random.nextInt(16);
      if (nodes < 2) {
        continue;
      }
      DiskMap disks = DiskMap.even(nodes, disksOfNode, racks);
      int[] wanted = new int[disks.disks()];
      int load = 1 + random.nextInt(disks.peers(0));
      Arrays.fill(wanted, load);
      PairTable table = PairPlanner.plan(disks, wanted, seed, PlanProgress.NONE);
      String name =
          "seed=%d nodes=%d disks=%d racks=%d load=%d"
              .formatted(seed, nodes, disksOfNode, racks, load);
      // Only the one end that is left over where their number is odd.
      assertThat(table.superchunks()).as(name).isEqualTo(load * wanted.length / 2);
      assertThat(table.maxLoad() - table.minLoad()).as(name).isLessThanOrEqualTo(1);
      NodeSharing sharing = NodeSharing.of(table);
      worst = Math.max(worst, sharing.max() - sharing.min());
      assertThat(sharing.max() - sharing.min()).as(name).isLessThanOrEqualTo(2);
    }
    System.out.println("superchunks that two nodes share differ by at most " + worst);
  }

  @Test
  void makesHardlyFewerSuperchunksThanTheGreedyPlanner() throws LayoutRefusedException {
    int compared = 0;
    long more = 0;
    for (long seed : RandomShapes.seeds(200)) {
      Random random = new Random(seed);
      DiskMap disks = shape(random);
      int[] wanted = wanted(disks, random);
      if (disks.disks() > 150 || disks.disks() < 2) {
        continue;
      }
      int greedy = greedy(disks, wanted, seed);
      int made = PairPlanner.plan(disks, wanted, seed, PlanProgress.NONE).superchunks();
      assertThat(made).as("seed=%d", seed).isGreaterThanOrEqualTo(greedy * 99 / 100);
      more += made - greedy;
      compared++;
    }
    assertThat(compared).isGreaterThan(50);
    assertThat(more).isGreaterThan(-compared);
    System.out.println(
        "compared with the greedy planner: " + compared + ", superchunks more: " + more);
  }

  private static int greedy(DiskMap disks, int[] wanted, long seed) {
    List<Disk> list = new ArrayList<>();
    for (int d = 0; d < wanted.length; d++) {
      list.add(RandomShapes.disk(disks.node(d), d, disks.rack(d), wanted[d]));
    }
    try {
      return LayoutPlanner.plan(
              ClusterShape.of(list),
              LayoutOptions.defaults()
                  .withSeed(seed)
                  .withSparePeers(0)
                  .withSpare(SpareRule.frames(0)))
          .added()
          .size();
    } catch (LayoutRefusedException e) {
      return 0;
    }
  }

  @Test
  void isAFunctionOfItsArguments() {
    DiskMap disks = DiskMap.even(9, 3, 3);
    int[] wanted = new int[27];
    Arrays.fill(wanted, 7);
    assertThat(ends(PairPlanner.plan(disks, wanted, 42, PlanProgress.NONE)))
        .isEqualTo(ends(PairPlanner.plan(disks, wanted, 42, PlanProgress.NONE)))
        .isNotEqualTo(ends(PairPlanner.plan(disks, wanted, 43, PlanProgress.NONE)));
  }

  private static int[] ends(PairTable table) {
    int[] ends = new int[2 * table.superchunks()];
    int at = 0;
    for (int d = 0; d < table.disks().disks(); d++) {
      for (int i = 0; i < table.load(d); i++) {
        ends[at++] = table.peer(d, i);
      }
    }
    return ends;
  }

  @Test
  @Tag("full")
  void plansThePapersClusterInMinutes() {
    long start = System.nanoTime();
    DiskMap disks = DiskMap.even(10_000, 12, 1);
    int[] wanted = new int[disks.disks()];
    Arrays.fill(wanted, 256);
    PairTable table = PairPlanner.plan(disks, wanted, 0, PlanProgress.NONE);
    long planned = System.nanoTime();
    assertThat(PairTableChecker.check(table)).isEmpty();
    NodeSharing sharing = NodeSharing.of(table);
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    System.out.printf(
        "10,000 nodes x 12 disks x 256: %,d superchunks, pairing %.1f s, checks %.1f s, %.2f bytes a"
            + " superchunk, heap in use %,d MB, two nodes share %d to %d%n",
        table.superchunks(),
        (planned - start) / 1e9,
        (System.nanoTime() - planned) / 1e9,
        (double) table.bytes() / table.superchunks(),
        (runtime.totalMemory() - runtime.freeMemory()) >> 20,
        sharing.min(),
        sharing.max());
    assertThat(table.superchunks()).isEqualTo(15_360_000);
    assertThat(table.minLoad()).isEqualTo(256);
    assertThat(sharing.max()).isLessThanOrEqualTo(2);
    assertThat(table.bytes()).isLessThan(10L * table.superchunks());
    // Minutes on a machine that has nothing else to do; hours are never right.
    assertThat(planned - start).isLessThan(3_600_000_000_000L);
  }
}
