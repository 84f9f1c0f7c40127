/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.raidp.layout.ClusterShape;
import io.hdfsparity.raidp.layout.Disk;
import io.hdfsparity.raidp.layout.DiskId;
import io.hdfsparity.raidp.layout.Frame;
import io.hdfsparity.raidp.layout.FrameId;
import io.hdfsparity.raidp.layout.Layout;
import io.hdfsparity.raidp.layout.LayoutPlan;
import io.hdfsparity.raidp.layout.NodeId;
import io.hdfsparity.raidp.layout.RecoveryPlan;
import io.hdfsparity.raidp.layout.RecoveryPlanner;
import io.hdfsparity.raidp.layout.RecoveryRequest;
import io.hdfsparity.raidp.layout.SuperchunkPair;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RecoveryRoomTest {
  private static ClusterShape shape(int nodes, int racks, int disks, int frames) {
    List<Disk> all = new ArrayList<>();
    for (int n = 0; n < nodes; n++) {
      for (int d = 0; d < disks; d++) {
        List<Frame> list = new ArrayList<>();
        for (int f = 0; f < frames; f++) {
          list.add(new Frame(new FrameId("n" + n + "d" + d + "f" + f), f));
        }
        all.add(
            new Disk(new DiskId("n" + n + "d" + d), new NodeId("n" + n), "/r" + n % racks, list));
      }
    }
    return ClusterShape.of(all);
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
              ClusterShape shape =
                  shape(
                      6 + racks * random.nextInt(4),
                      racks,
                      1 + random.nextInt(3),
                      4 + random.nextInt(6));
              LayoutPlan plan = RecoveryRoom.plan(shape, 0.1, 1, Set.of());
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
    LayoutPlan plan = RecoveryRoom.plan(shape, 0.1, 1, Set.of());
    assertThat(plan.added()).hasSize(160 * 9 / 2);
  }

  @Test
  void whoWantsNoSpareFramesGetsNone() throws Exception {
    ClusterShape shape = shape(12, 2, 2, 3);
    assertThat(Layout.of(shape, RecoveryRoom.plan(shape, 0, 1, Set.of()).added()).minLoad())
        .isEqualTo(3);
  }
}
