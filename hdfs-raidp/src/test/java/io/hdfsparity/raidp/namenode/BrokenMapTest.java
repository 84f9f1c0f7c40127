/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.raidp.config.Coefficients;
import io.hdfsparity.raidp.config.ManagerOptions;
import io.hdfsparity.raidp.wire.message.Assignment;
import io.hdfsparity.raidp.wire.message.FrameRef;
import io.hdfsparity.raidp.wire.message.FrameReport;
import io.hdfsparity.raidp.wire.message.LstorReport;
import io.hdfsparity.raidp.wire.message.NodeReport;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.util.AbstractMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * A map with a report in it that it cannot work on: no number of a frame is there in the table of
 * an Lstor, which is noticed when its disk is out of service.
 */
class BrokenMapTest {
  private static final long STALE_MS = 10_000;
  private static final long DEAD_MS = 60_000;

  private boolean failsToBuild;
  private boolean failsAtOrders;
  private final SuperchunkMap map =
      new SuperchunkMap(
          new ManagerOptions.Silence(STALE_MS, DEAD_MS),
          Coefficients.THREE,
          0,
          (orders, coefficients, frames) -> {
            if (failsToBuild) {
              throw new IllegalStateException("no builder");
            }
            return new ClusterViewBuilder(new Orders(orders), coefficients, frames);
          });

  /** Those of the map, as its builder sees them. */
  private final class Orders extends AbstractMap<FrameRef, Assignment> {
    private final Map<FrameRef, Assignment> all;

    private Orders(Map<FrameRef, Assignment> all) {
      this.all = all;
    }

    private Map<FrameRef, Assignment> checked() {
      if (failsAtOrders) {
        throw new IllegalStateException("no orders");
      }
      return all;
    }

    @Override
    public Assignment get(Object frame) {
      return checked().get(frame);
    }

    @Override
    public boolean containsKey(Object frame) {
      return checked().containsKey(frame);
    }

    @Override
    public Set<Entry<FrameRef, Assignment>> entrySet() {
      return checked().entrySet();
    }
  }

  private static NodeReport good(String volume) {
    return Reports.node("n" + volume, Reports.spare(volume, 0));
  }

  static LstorReport poison(String volume) {
    return Reports.lstor(
        "n" + volume, true, new FrameReport(volume, 0, Optional.empty(), null, false));
  }

  private void poisoned(String volume) {
    map.report(good(volume), 0);
    map.report(poison(volume), 0);
  }

  @Test
  void aRepairThatFailsIsNotTheFaultOfWhoCallsNext() {
    poisoned("a");
    assertThatThrownBy(() -> map.declareFailed("na-d")).isInstanceOf(NullPointerException.class);
    failsToBuild = true;
    assertThatThrownBy(() -> map.report(good("c"), 0))
        .isInstanceOf(UnrepairedMapException.class)
        .hasMessageContaining("Cannot rebuild the view of RAIDP's superchunks")
        .hasMessageContaining("see the NameNode's log")
        .hasRootCauseMessage("no builder");
    assertThatThrownBy(() -> map.advance(1)).isInstanceOf(UnrepairedMapException.class);
    assertThatThrownBy(() -> map.report(Reports.lstor("nc", true), 0))
        .isInstanceOf(UnrepairedMapException.class);
    failsToBuild = false;
    assertThat(map.report(good("c"), 0)).isPresent();
    assertThat(map.view().frames().spares()).hasSize(2);
  }

  /** All nodes are silent, and the view does not know it; then one is back. */
  @Test
  void whatAnAdvanceHasNotDoneIsDoneByTheNext() {
    poisoned("a");
    map.report(good("b"), 0);
    long lateMs = DEAD_MS + 1;
    assertThatThrownBy(() -> map.advance(lateMs)).isInstanceOf(NullPointerException.class);
    assertThat(map.allHadTime()).as("the view does not know it").isFalse();
    assertThat(map.view().nodes().get("nb").silence()).isEqualTo(NodeState.Silence.NONE);
    assertThat(map.report(good("a"), lateMs)).as("what is known can be worked on").isPresent();
    map.advance(lateMs);
    assertThat(map.allHadTime()).isTrue();
    assertThat(map.view().nodes().get("na").silence()).isEqualTo(NodeState.Silence.NONE);
    assertThat(map.view().nodes().get("nb").silence()).isEqualTo(NodeState.Silence.DEAD);
    assertThat(map.view().frames().spares()).extracting(FrameView::storageId).containsExactly("a");
  }

  /** Else they would be told to the frames, and the caller has given them up. */
  @Test
  void ordersThatFailedAreNotHandedOut() {
    map.report(good("a"), 0);
    map.report(good("b"), 0);
    FrameRef a = new FrameRef("a", 0);
    Assignment first = new Assignment(a, new Pairing(7, 1, "b", "nb", 1));
    map.assign(List.of(first));
    Assignment second = new Assignment(a, new Pairing(7, 2, "b", "nb", 1));
    Assignment other = new Assignment(new FrameRef("b", 0), new Pairing(7, 2, "a", "na", 2));
    failsAtOrders = true;
    assertThatThrownBy(() -> map.assign(List.of(second, other))).hasMessage("no orders");
    failsAtOrders = false;
    assertThat(map.outstanding()).containsExactly(first);
    assertThat(map.assignmentsFor("na")).containsExactly(first);
    assertThat(map.nextEpoch(7, List.of(a))).as("the epoch was handed out").isEqualTo(3);
  }

  @Test
  void aDiskThatCouldNotBeDeclaredFailedIsNot() {
    poisoned("a");
    assertThatThrownBy(() -> map.declareFailed("na-d")).isInstanceOf(NullPointerException.class);
    assertThat(map.report(good("a"), 0)).isPresent();
    assertThat(map.failedDisksOf("na")).isEmpty();
    map.report(Reports.lstor("na", true, Reports.spare("a", 0)), 0);
    map.declareFailed("na-d");
    assertThat(map.failedDisksOf("na")).containsExactly("na-d");
  }
}
