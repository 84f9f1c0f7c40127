/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class RecoveryPlannerTest {
  @Test
  void isLegalAndCompleteOnRandomClusters() throws LayoutRefusedException {
    int complete = 0;
    int gaveUp = 0;
    int moves = 0;
    for (long seed : RandomShapes.seeds(1500)) {
      Random random = new Random(seed);
      RecoveryRequest request = randomRequest(random, seed, 10, 3, 8);
      if (request == null) {
        continue;
      }
      RecoveryPlan plan = RecoveryPlanner.plan(request);
      RecoveryAssertions.assertLegal(request, plan, "seed=" + seed);
      complete += plan.isComplete() ? 1 : 0;
      gaveUp += plan.searched() == RecoveryPlan.Search.GAVE_UP ? 1 : 0;
      moves += plan.moves().count();
    }
    System.out.println(
        "random recoveries: "
            + complete
            + " complete, "
            + moves
            + " moves, "
            + gaveUp
            + " given up without a proof");
    if (System.getProperty("raidp.seed") == null) {
      assertThat(complete).isGreaterThan(100);
      assertThat(gaveUp).isLessThan(75);
    }
  }

  @Test
  void findsAFullRecoveryWhenThereIsOne() throws LayoutRefusedException {
    int possible = 0;
    int impossible = 0;
    for (long seed : RandomShapes.seeds(1500)) {
      Random random = new Random(seed);
      RecoveryRequest request = randomRequest(random, seed, 5, 2, 4);
      if (request == null) {
        continue;
      }
      RecoveryPlan plan = RecoveryPlanner.plan(request);
      RecoveryAssertions.assertLegal(request, plan, "seed=" + seed);
      boolean twin = RecoveryTwin.canRecoverFully(request);
      assertThat(plan.isComplete()).as("seed=%d", seed).isEqualTo(twin);
      assertThat(plan.searched())
          .as("seed=%d", seed)
          .isEqualTo(twin ? RecoveryPlan.Search.PLACED_ALL : RecoveryPlan.Search.PROVEN_IMPOSSIBLE);
      possible += twin ? 1 : 0;
      impossible += twin ? 0 : 1;
    }
    System.out.println(
        "recoveries compared with the exhaustive search: "
            + possible
            + " possible, all found; "
            + impossible
            + " impossible");
    if (System.getProperty("raidp.seed") == null) {
      assertThat(possible).isGreaterThan(100);
      assertThat(impossible).isGreaterThan(100);
    }
  }

  /** A node that comes back has its sides; nothing is kept free or moved for them. */
  @Test
  void postponedSuperchunksAreInNoPlan() {
    int moved = 0;
    for (long seed = 0; seed < 200; seed++) {
      RecoveryRequest request = randomRequest(new Random(seed), seed, 5, 3, 6);
      if (request == null) {
        continue;
      }
      Set<Long> degraded =
          RecoveryPlanner.plan(request).rounds().stream()
              .flatMap(round -> round.moves().stream())
              .map(RecoveryPlan.Move::superchunkId)
              .collect(Collectors.toCollection(TreeSet::new));
      Set<Long> postponed = degraded.stream().filter(id -> id % 2 == 0).collect(Collectors.toSet());
      RecoveryPlan plan = RecoveryPlanner.plan(request.withPostponed(postponed));
      Set<Long> kept =
          request.layout().pairs().stream()
              .filter(
                  pair ->
                      RecoveryAssertions.dead(request, pair.leader())
                          != RecoveryAssertions.dead(request, pair.follower()))
              .map(SuperchunkPair::id)
              .filter(postponed::contains)
              .collect(Collectors.toSet());
      for (RecoveryPlan.Round round : plan.rounds()) {
        for (RecoveryPlan.Move move : round.moves()) {
          assertThat(kept).as("seed=%d", seed).doesNotContain(move.superchunkId());
          moved++;
        }
      }
      assertThat(plan.unplaceable())
          .as("seed=%d", seed)
          .noneMatch(each -> kept.contains(each.superchunkId()));
    }
    assertThat(moved).isPositive();
  }

  /**
   * A planned cluster with a disk, a node, two disks or a few disks failed; null when nothing can
   * be planned.
   */
  private static RecoveryRequest randomRequest(
      Random random, long seed, int nodes, int disks, int frames) {
    ClusterShape shape = RandomShapes.uneven(random, nodes, disks, frames);
    Layout layout;
    try {
      layout =
          LayoutPlanner.plan(
                  shape,
                  LayoutOptions.defaults()
                      .withSeed(seed)
                      .withSparePeers(random.nextInt(4))
                      .withSpare(SpareRule.frames(1 + random.nextInt(2))))
              .layout();
    } catch (LayoutRefusedException e) {
      return null;
    }
    Set<DiskId> failed = new HashSet<>();
    int kind = random.nextInt(4);
    Disk first = shape.disks().get(random.nextInt(shape.disks().size()));
    failed.add(first.id());
    if (kind == 1) {
      shape.disks().stream()
          .filter(disk -> disk.node().equals(first.node()))
          .forEach(disk -> failed.add(disk.id()));
    } else if (kind == 2) {
      layout.sharingDisks(first.id()).stream().findAny().ifPresent(failed::add);
    } else if (kind == 3) {
      shape.disks().stream()
          .filter(disk -> random.nextInt(3) == 0)
          .forEach(disk -> failed.add(disk.id()));
    }
    RecoveryRequest request = RecoveryRequest.of(layout, failed).withSeed(seed);
    if (random.nextInt(4) == 0) {
      request =
          request.withClosedDisks(
              Set.of(shape.disks().get(random.nextInt(shape.disks().size())).id()));
    }
    return request;
  }

  @Test
  void recoversTwoDisksThatShare() throws LayoutRefusedException {
    Layout layout =
        LayoutPlanner.plan(RandomShapes.even(6, 2, 2, 5), LayoutOptions.defaults()).layout();
    for (SuperchunkPair pair : layout.pairs()) {
      DiskId a = layout.shape().diskOf(pair.leader()).orElseThrow().id();
      DiskId b = layout.shape().diskOf(pair.follower()).orElseThrow().id();
      RecoveryRequest request = RecoveryRequest.of(layout, Set.of(a, b));
      RecoveryPlan plan = RecoveryPlanner.plan(request);
      RecoveryAssertions.assertLegal(request, plan, "superchunk " + pair.id());
      assertThat(plan.isComplete()).isTrue();
      List<RecoveryPlan.Move> rebuilds =
          plan.moves().filter(move -> move.kind() == RecoveryPlan.Kind.REBUILD).toList();
      assertThat(rebuilds)
          .singleElement()
          .satisfies(
              move -> {
                assertThat(move.superchunkId()).isEqualTo(pair.id());
                assertThat(move.lstors()).as("both Lstors").containsExactlyInAnyOrder(a, b);
                assertThat(move.source()).isEmpty();
              });
      assertThat(plan.moves()).hasSize(4 + 4);
      assertThat(plan.layoutAfter().pairs()).hasSameSizeAs(layout.pairs());
    }
  }

  @Test
  void prefersTheLeastLoadedReceivers() throws LayoutRefusedException {
    Layout layout =
        LayoutPlanner.plan(
                RandomShapes.even(12, 1, 1, 6),
                LayoutOptions.defaults().withSpare(SpareRule.frames(3)))
            .layout();
    Map<DiskId, Long> loads = new HashMap<>();
    for (int n = 0; n < 12; n++) {
      loads.put(RandomShapes.diskId(n, 0), n >= 8 ? 10L : 1000L);
    }
    RecoveryPlan plan =
        RecoveryPlanner.plan(
            RecoveryRequest.of(layout, Set.of(RandomShapes.diskId(0, 0))).withLoads(loads, 1));
    assertThat(plan.isComplete()).isTrue();
    assertThat(plan.rounds()).hasSize(1);
    assertThat(plan.moves().map(RecoveryPlan.Move::receiverDisk).map(DiskId::value))
        .hasSize(3)
        .isSubsetOf("n8d0", "n9d0", "n10d0", "n11d0");
  }

  /** Paper section 3.3: D0 to D2 and D2 to D0 in the same recovery would make them share twice. */
  @Test
  void neverMakesTwoSendersSwapSuperchunks() {
    ClusterShape shape = RandomShapes.even(3, 1, 1, 2);
    Layout layout =
        Layout.of(
            shape,
            List.of(
                SuperchunkPair.of(1, RandomShapes.frame(0, 0, 0), RandomShapes.frame(1, 0, 0)),
                SuperchunkPair.of(2, RandomShapes.frame(1, 0, 1), RandomShapes.frame(2, 0, 0))));
    RecoveryPlan plan =
        RecoveryPlanner.plan(RecoveryRequest.of(layout, Set.of(RandomShapes.diskId(1, 0))));
    assertThat(plan.moves()).hasSize(1);
    assertThat(plan.unplaceable())
        .singleElement()
        .extracting(RecoveryPlan.Unplaceable::reason)
        .isEqualTo(RecoveryPlan.Reason.TAKEN);
    assertThat(plan.searched()).isEqualTo(RecoveryPlan.Search.PROVEN_IMPOSSIBLE);
    assertThat(plan.layoutAfter().check()).isEmpty();
  }

  /** Three failed disks in a row: the outer Lstors decode first, the path in between then. */
  @Test
  void ordersRebuildsByWhatTheLstorsCanDecode() {
    ClusterShape shape = RandomShapes.even(10, 1, 1, 3);
    Layout layout =
        Layout.of(shape, List.of(pair(1, 0, 0, 1, 0), pair(2, 1, 1, 2, 0), pair(3, 2, 1, 3, 0)));
    RecoveryPlan plan = RecoveryPlanner.plan(RecoveryRequest.of(layout, disks(0, 1, 2, 3)));

    assertThat(plan.isComplete()).isTrue();
    Map<Long, List<DiskId>> lstors =
        plan.moves()
            .filter(move -> move.kind() == RecoveryPlan.Kind.REBUILD)
            .collect(Collectors.toMap(RecoveryPlan.Move::superchunkId, RecoveryPlan.Move::lstors));
    assertThat(lstors.get(1L)).containsExactly(RandomShapes.diskId(0, 0));
    assertThat(lstors.get(3L)).containsExactly(RandomShapes.diskId(3, 0));
    assertThat(lstors.get(2L))
        .containsExactly(RandomShapes.diskId(1, 0), RandomShapes.diskId(2, 0));
    assertThat(plan.rounds().get(0).moves())
        .extracting(RecoveryPlan.Move::superchunkId)
        .containsExactlyInAnyOrder(1L, 3L);
    assertThat(plan.rounds().get(1).moves())
        .extracting(RecoveryPlan.Move::superchunkId)
        .containsExactly(2L);
  }

  @Test
  void saysWhichLstorsDecodeOnlyInPart() {
    ClusterShape shape = RandomShapes.even(10, 1, 1, 3);
    Layout triangle =
        Layout.of(shape, List.of(pair(1, 0, 0, 1, 0), pair(2, 1, 1, 2, 0), pair(3, 2, 1, 0, 1)));
    RecoveryPlan plan = RecoveryPlanner.plan(RecoveryRequest.of(triangle, disks(0, 1, 2)));
    assertThat(plan.moves().filter(move -> move.kind() == RecoveryPlan.Kind.REBUILD))
        .hasSize(3)
        .allSatisfy(
            move -> {
              assertThat(move.lstors()).isEmpty();
              assertThat(move.partialLstors()).hasSize(2);
            });

    RecoveryPlan none =
        RecoveryPlanner.plan(RecoveryRequest.of(triangle, disks(0, 1)).withLostLstors(disks(0, 1)));
    assertThat(none.unplaceable())
        .singleElement()
        .satisfies(
            item -> {
              assertThat(item.superchunkId()).isEqualTo(1);
              assertThat(item.reason()).isEqualTo(RecoveryPlan.Reason.NO_LSTOR);
            });
    RecoveryPlan one =
        RecoveryPlanner.plan(RecoveryRequest.of(triangle, disks(0, 1)).withLostLstors(disks(0)));
    assertThat(one.isComplete()).isTrue();
    assertThat(one.rounds().get(0).moves().get(0).lstors())
        .containsExactly(RandomShapes.diskId(1, 0));
  }

  @Test
  void namesTheReasonOfWhatItCannotPlace() {
    assertThat(reason(RandomShapes.even(2, 1, 1, 2), 2))
        .isEqualTo(RecoveryPlan.Reason.NODE_OR_RACK);
    assertThat(reason(RandomShapes.even(3, 1, 1, 2), 3))
        .as("the third node is closed")
        .isEqualTo(RecoveryPlan.Reason.NODE_OR_RACK);
    ClusterShape full =
        ClusterShape.of(List.of(RandomShapes.disk(0, 0, 0, 1), RandomShapes.disk(1, 0, 0, 1)));
    assertThat(reason(full, 2)).isEqualTo(RecoveryPlan.Reason.NO_SPARE_FRAME);
    Layout sharing =
        Layout.of(RandomShapes.even(3, 1, 1, 3), List.of(pair(1, 0, 0, 1, 0), pair(2, 1, 1, 2, 0)));
    RecoveryPlan plan = RecoveryPlanner.plan(RecoveryRequest.of(sharing, disks(0)));
    assertThat(plan.unplaceable())
        .singleElement()
        .satisfies(
            item -> {
              assertThat(item.reason()).isEqualTo(RecoveryPlan.Reason.ONE_SHARING);
              assertThat(item.detail()).contains("superchunk=1", "survivor's disk=n1d0");
              assertThat(item.frames())
                  .containsExactly(RandomShapes.frame(1, 0, 0), RandomShapes.frame(0, 0, 0));
            });
  }

  private static RecoveryPlan.Reason reason(ClusterShape shape, int nodes) {
    assertThat(shape.nodes()).isEqualTo(nodes);
    Layout layout = Layout.of(shape, List.of(pair(1, 0, 0, 1, 0)));
    RecoveryPlan plan =
        RecoveryPlanner.plan(
            RecoveryRequest.of(layout, disks(0)).withClosedDisks(nodes == 3 ? disks(2) : Set.of()));
    assertThat(plan.searched()).isEqualTo(RecoveryPlan.Search.PROVEN_IMPOSSIBLE);
    return plan.unplaceable().get(0).reason();
  }

  @Test
  void takesAPartnerThatNobodyKnowsForDead() {
    Layout layout =
        Layout.of(
            RandomShapes.even(3, 1, 1, 2),
            List.of(SuperchunkPair.of(5, RandomShapes.frame(0, 0, 0), new FrameId("gone", 0))));
    RecoveryPlan plan = RecoveryPlanner.plan(RecoveryRequest.of(layout, Set.of()));
    assertThat(plan.moves())
        .singleElement()
        .satisfies(
            move -> {
              assertThat(move.source()).isEqualTo(Optional.of(RandomShapes.frame(0, 0, 0)));
              assertThat(move.deadFrames()).containsExactly(new FrameId("gone", 0));
            });
    assertThatThrownBy(() -> RecoveryRequest.of(layout, Set.of(new DiskId("nobody"))))
        .hasMessageContaining("failed disk=nobody");
  }

  @Test
  void needsNoMovesWhenNothingFailed() throws LayoutRefusedException {
    Layout layout =
        LayoutPlanner.plan(RandomShapes.even(5, 2, 1, 4), LayoutOptions.defaults()).layout();
    RecoveryPlan plan = RecoveryPlanner.plan(RecoveryRequest.of(layout, Set.of()));
    assertThat(plan.rounds()).isEmpty();
    assertThat(plan.isComplete()).isTrue();
    assertThat(plan.layoutAfter().pairs()).isEqualTo(layout.pairs());
  }

  @Test
  void plansALostNodeOfALargeClusterInSeconds() throws LayoutRefusedException {
    Layout layout =
        LayoutPlanner.plan(RandomShapes.even(1000, 12, 10, 64), LayoutOptions.defaults()).layout();
    Set<DiskId> failed = new HashSet<>();
    for (int d = 0; d < 12; d++) {
      failed.add(RandomShapes.diskId(500, d));
    }
    RecoveryRequest request = RecoveryRequest.of(layout, failed);
    long start = System.nanoTime();
    RecoveryPlan plan = RecoveryPlanner.plan(request);
    long elapsedMs = (System.nanoTime() - start) / 1_000_000;
    System.out.println(
        "recovery of a node with 12 disks of 1,000 nodes: "
            + plan.moves().count()
            + " moves in "
            + plan.rounds().size()
            + " rounds, planned in "
            + elapsedMs
            + " ms");
    RecoveryAssertions.assertLegal(request, plan, "large");
    assertThat(plan.isComplete()).isTrue();
    assertThat(plan.rounds()).hasSize(1);
    assertThat(elapsedMs).isLessThan(120_000);
  }

  /** A matching of them all at once would need more edges than {@link ReceiverMatching} takes. */
  @Test
  void plansMoreLostSuperchunksThanThereAreReceivers() throws LayoutRefusedException {
    Layout layout =
        LayoutPlanner.plan(RandomShapes.even(100, 12, 5, 158), LayoutOptions.defaults()).layout();
    Set<DiskId> failed = new HashSet<>();
    for (int d = 0; d < 12; d++) {
      failed.add(RandomShapes.diskId(50, d));
    }
    RecoveryRequest request = RecoveryRequest.of(layout, failed);
    RecoveryPlan plan = RecoveryPlanner.plan(request);
    RecoveryAssertions.assertLegal(request, plan, "a node of a dense cluster");
    assertThat(plan.isComplete()).isTrue();
    assertThat(plan.rounds()).hasSize(2);
    assertThat(plan.moves().count()).isGreaterThan(99 * 12);
  }

  private static SuperchunkPair pair(long id, int nodeA, int frameA, int nodeB, int frameB) {
    return SuperchunkPair.of(
        id, RandomShapes.frame(nodeA, 0, frameA), RandomShapes.frame(nodeB, 0, frameB));
  }

  private static Set<DiskId> disks(int... nodes) {
    Set<DiskId> disks = new HashSet<>();
    for (int node : nodes) {
      disks.add(RandomShapes.diskId(node, 0));
    }
    return disks;
  }
}
