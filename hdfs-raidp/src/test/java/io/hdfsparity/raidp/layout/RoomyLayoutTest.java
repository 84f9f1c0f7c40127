/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.SeededRuns;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RoomyLayoutTest {
  private static final LayoutOptions SPARE = LayoutOptions.defaults().withSparePeers(0);

  private static ClusterShape shape(int nodes, int racks, int disks, int frames) {
    List<Disk> all = new ArrayList<>();
    for (int n = 0; n < nodes; n++) {
      for (int d = 0; d < disks; d++) {
        List<Frame> list = new ArrayList<>();
        for (int f = 0; f < frames; f++) {
          list.add(new Frame(new FrameId("n" + n + "d" + d, f)));
        }
        all.add(
            new Disk(new DiskId("n" + n + "d" + d), new NodeId("n" + n), "/r" + n % racks, list));
      }
    }
    return ClusterShape.of(all);
  }

  private static ClusterShape shape(Random random, int fewestNodes, int racks) {
    return shape(
        fewestNodes + racks * random.nextInt(4),
        racks,
        1 + random.nextInt(3),
        4 + random.nextInt(6));
  }

  private static DiskId diskOf(ClusterShape shape, FrameId frame) {
    return shape.diskOf(frame).orElseThrow().id();
  }

  /**
   * What the paper promises: after any two disks that share a superchunk, all of it fits again, by
   * all rules.
   */
  @Test
  void anyTwoDisksThatShareASuperchunkCanBeRecoveredFrom() {
    SeededRuns.of(25)
        .check(
            random -> {
              int racks = 1 + random.nextInt(3);
              ClusterShape shape = shape(random, 6, racks);
              LayoutPlan plan = RoomyLayout.plan(shape, SPARE, 2);
              assertThat(plan.added()).isNotEmpty();
              for (SuperchunkPair pair : plan.added()) {
                Set<DiskId> failed =
                    Set.of(diskOf(shape, pair.leader()), diskOf(shape, pair.follower()));
                RecoveryPlan recovery =
                    RecoveryPlanner.plan(RecoveryRequest.of(plan.layout(), failed));
                assertThat(recovery.unplaceable())
                    .as(() -> shape.disks().size() + " disks, " + racks + " racks, pair " + pair)
                    .isEmpty();
              }
            });
  }

  @Test
  void largeClustersLoseLittle() throws Exception {
    ClusterShape shape = shape(40, 4, 4, 10);
    LayoutPlan plan = RoomyLayout.plan(shape, SPARE, 2);
    assertThat(plan.added()).hasSize(160 * 9 / 2);
  }

  @Test
  void whoWantsNoSpareFramesGetsNone() throws Exception {
    ClusterShape shape = shape(12, 2, 2, 3);
    assertThat(
            Layout.of(
                    shape,
                    RoomyLayout.plan(
                            shape, LayoutOptions.defaults().withSpare(SpareRule.share(0)), 2)
                        .added())
                .minLoad())
        .isEqualTo(3);
  }

  @Test
  void roomForOneDiskIsEnoughForAnyOneDisk() {
    SeededRuns.of(25)
        .check(
            random -> {
              int racks = 1 + random.nextInt(3);
              ClusterShape shape = shape(random, 5, racks);
              LayoutPlan plan = RoomyLayout.plan(shape, SPARE, 1);
              assertThat(plan.added()).isNotEmpty();
              for (Disk disk : shape.disks()) {
                RecoveryPlan recovery =
                    RecoveryPlanner.plan(RecoveryRequest.of(plan.layout(), Set.of(disk.id())));
                assertThat(recovery.unplaceable())
                    .as(() -> shape.disks().size() + " disks, " + racks + " racks, " + disk.id())
                    .isEmpty();
              }
            });
  }

  /** Superchunks that survive f of N single-disk nodes are at most (N-f)(N-f-1)/2. */
  @Test
  void lessRoomGivesMoreSuperchunksAndTheNoteSaysSo() throws Exception {
    ClusterShape shape = shape(5, 1, 1, 4);
    LayoutPlan two = RoomyLayout.plan(shape, SPARE, 2);
    LayoutPlan one = RoomyLayout.plan(shape, SPARE, 1);
    LayoutPlan none = RoomyLayout.plan(shape, SPARE, 0);
    assertThat(two.added()).hasSizeLessThanOrEqualTo(3);
    assertThat(one.added()).hasSizeBetween(two.added().size() + 1, 6);
    assertThat(none.added()).hasSize(5 * 3 / 2);
    assertThat(two.notes())
        .anySatisfy(
            note ->
                assertThat(note)
                    .contains(
                        "superchunks="
                            + two.added().size()
                            + " with room=2, "
                            + one.added().size()
                            + " with room=1, "
                            + none.added().size()
                            + " with room=0"));
    assertThat(none.notes()).noneMatch(note -> note.contains("with room="));
  }

  @Test
  void lessRoomLaterAddsToWhatIsThere() throws Exception {
    ClusterShape shape = shape(5, 1, 1, 4);
    LayoutPlan two = RoomyLayout.plan(shape, SPARE, 2);
    ClusterShape later = ClusterShape.of(shape.disks(), two.layout().pairs());
    LayoutPlan none = RoomyLayout.plan(later, SPARE, 0);
    assertThat(none.layout().pairs()).containsAll(two.added()).hasSizeGreaterThan(4);
  }

  @Test
  void twoNodesStillGetASuperchunk() throws Exception {
    assertThat(RoomyLayout.plan(shape(2, 1, 1, 2), SPARE, 2).added()).hasSize(1);
  }

  @Test
  void refusesRoomThatNobodyCanPromise() {
    assertThatThrownBy(() -> RoomyLayout.plan(shape(5, 1, 1, 4), SPARE, 3))
        .hasMessageContaining("room=3, expected 0..2");
  }
}
