/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static io.hdfsparity.raidp.namenode.Reports.frame;
import static io.hdfsparity.raidp.namenode.Reports.lstor;
import static io.hdfsparity.raidp.namenode.Reports.node;
import static io.hdfsparity.raidp.namenode.Reports.spare;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.raidp.config.Coefficients;
import io.hdfsparity.raidp.config.ManagerOptions;
import io.hdfsparity.raidp.namenode.Problem.Kind;
import io.hdfsparity.raidp.wire.message.Assignment;
import io.hdfsparity.raidp.wire.message.DiskState;
import io.hdfsparity.raidp.wire.message.FrameRef;
import io.hdfsparity.raidp.wire.message.FrameReport;
import io.hdfsparity.raidp.wire.message.NodeReport;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SuperchunkMapTest {
  private static final long STALE_MS = 10;
  private static final long DEAD_MS = 100;

  private static SuperchunkMap map() {
    return new SuperchunkMap(new ManagerOptions.Silence(STALE_MS, DEAD_MS), Coefficients.THREE, 0);
  }

  private static Pairing with(String partner, String node, long epoch) {
    return with(partner, node, epoch, 1);
  }

  private static Pairing with(String partner, String node, long epoch, int coefficient) {
    return new Pairing(7, epoch, partner, node, coefficient);
  }

  private static SuperchunkMap pair() {
    SuperchunkMap map = map();
    map.report(node("n1", frame("a", 0, with("b", "n2", 1)), spare("s", 1)), 0);
    map.report(node("n2", frame("b", 0, with("a", "n1", 1))), 0);
    return map;
  }

  private static FrameRef ref(String storageId) {
    return new FrameRef(storageId, 0);
  }

  private static Assignment order(String storageId, Pairing pairing) {
    return new Assignment(ref(storageId), pairing);
  }

  private static List<Kind> problems(SuperchunkMap map) {
    return map.view().problems().stream().map(Problem::kind).toList();
  }

  private static SuperchunkView superchunk(SuperchunkMap map) {
    return map.view().superchunks().get(7L);
  }

  @Test
  void twoFramesThatNameEachOtherAreActive() {
    SuperchunkMap map = pair();
    assertThat(superchunk(map).state()).isEqualTo(SuperchunkState.ACTIVE);
    assertThat(superchunk(map).usable()).isTrue();
    assertThat(superchunk(map).leader().storageId()).isEqualTo("a");
    assertThat(map.view().frames().spares()).extracting(FrameView::storageId).containsExactly("s");
    assertThat(problems(map)).isEmpty();
  }

  @Test
  void silenceMakesStaleThenDead() {
    SuperchunkMap map = pair();
    map.report(node("n2", frame("b", 0, with("a", "n1", 1))), 11);
    map.advance(11);
    assertThat(superchunk(map).state()).isEqualTo(SuperchunkState.ACTIVE);
    assertThat(superchunk(map).usable()).as("a late node gets no new blocks").isFalse();
    map.report(node("n2", frame("b", 0, with("a", "n1", 1))), 101);
    map.advance(101);
    assertThat(superchunk(map).state()).isEqualTo(SuperchunkState.DEGRADED);
    assertThat(problems(map)).containsExactly(Kind.NODE_SILENT);
    map.report(node("n1", frame("a", 0, with("b", "n2", 1))), 102);
    assertThat(superchunk(map).usable()).isTrue();
  }

  @Test
  void failedDisksDegradeAndLose() {
    SuperchunkMap map = pair();
    map.report(node("n1", DiskState.DISK_FAILED, frame("a", 0, with("b", "n2", 1))), 1);
    assertThat(superchunk(map).state()).isEqualTo(SuperchunkState.DEGRADED);
    assertThat(superchunk(map).survivor()).get().extracting(FrameView::storageId).isEqualTo("b");
    map.declareFailed("n2-d");
    assertThat(superchunk(map).state()).isEqualTo(SuperchunkState.LOST);
    assertThat(map.failedDisksOf("n2")).containsExactly("n2-d");
    assertThat(map.failedDisksOf("n1")).isEmpty();
  }

  @Test
  void aDiskThatWasDeclaredFailedByMistakeIsBack() {
    SuperchunkMap map = pair();
    ClusterView before = map.view();
    map.declareFailed("n2-d");
    assertThat(superchunk(map).state()).isEqualTo(SuperchunkState.DEGRADED);
    assertThat(map.withdrawFailed("n1-d")).as("not declared").isFalse();
    assertThat(map.withdrawFailed("n2-d")).isTrue();
    assertThat(superchunk(map)).isEqualTo(before.superchunks().get(superchunk(map).id()));
    assertThat(map.view().disks().get("n2-d")).isEqualTo(before.disks().get("n2-d"));
    assertThat(map.failedDisksOf("n2")).isEmpty();
    assertThat(map.withdrawFailed("n2-d")).as("once").isFalse();
  }

  @Test
  void allDisksThatWereDeclaredFailedAreBackAtOnce() {
    SuperchunkMap map = pair();
    ClusterView before = map.view();
    map.declareFailed("n1-d");
    map.declareFailed("n2-d");
    map.withdrawAllFailed();
    assertThat(superchunk(map)).isEqualTo(before.superchunks().get(superchunk(map).id()));
    assertThat(map.failedDisksOf("n1")).isEmpty();
    assertThat(map.failedDisksOf("n2")).isEmpty();
  }

  @Test
  void aFailedLstorHoldsItsFramesWithoutLosingThem() {
    SuperchunkMap map = pair();
    map.report(
        node("n1", DiskState.LSTOR_FAILED, frame("a", 0, with("b", "n2", 1)), spare("s", 1)), 1);
    assertThat(superchunk(map).state()).isEqualTo(SuperchunkState.ACTIVE);
    assertThat(superchunk(map).usable()).isFalse();
    assertThat(map.view().frames().spares()).isEmpty();
    assertThat(problems(map)).containsExactly(Kind.LSTOR_FAILED);
  }

  @Test
  void assignmentsAreRepeatedUntilStored() {
    SuperchunkMap map = map();
    map.report(node("n1", spare("a", 0)), 0);
    map.report(node("n2", spare("b", 0)), 0);
    map.assign(List.of(order("a", with("b", "n2", 1)), order("b", with("a", "n1", 1))));
    assertThat(map.assignmentsFor("n1")).containsExactly(order("a", with("b", "n2", 1)));
    assertThat(map.assignmentsFor("n1")).as("again").hasSize(1);
    assertThat(map.view().frames().spares()).as("frames on their way are taken").isEmpty();
    map.report(node("n1", frame("a", 0, with("b", "n2", 1))), 1);
    assertThat(map.assignmentsFor("n1")).isEmpty();
    assertThat(superchunk(map).state()).isEqualTo(SuperchunkState.DEGRADED);
    map.report(node("n2", frame("b", 0, with("a", "n1", 1))), 1);
    assertThat(superchunk(map).state()).isEqualTo(SuperchunkState.ACTIVE);
    assertThat(map.outstanding()).isEmpty();
  }

  /** As that of a NameNode that was the active one between: it did not know of these orders. */
  @Test
  void whatAnotherManagerHasOrderedUnderTheSameEpochEndsOrders() {
    SuperchunkMap map = map();
    map.report(node("n1", spare("a", 0)), 0);
    map.report(node("n2", spare("b", 0)), 0);
    map.report(node("n3", spare("c", 0)), 0);
    map.assign(List.of(order("a", with("b", "n2", 1)), order("b", with("a", "n1", 1, 2))));
    map.report(node("n1", frame("a", 0, with("c", "n3", 1))), 1);
    assertThat(map.assignmentsFor("n1")).isEmpty();
    assertThat(map.assignmentsFor("n2")).as("the half that nobody has stored").isEmpty();
    map.report(node("n3", frame("c", 0, with("a", "n1", 1, 2))), 1);
    assertThat(map.outstanding()).isEmpty();
    assertThat(superchunk(map).state()).isEqualTo(SuperchunkState.ACTIVE);
    assertThat(map.view().frames().spares()).extracting(FrameView::storageId).containsExactly("b");
  }

  @Test
  void ordersThatAreTakenBackAreForgottenButNotTheirEpochs() {
    SuperchunkMap map = map();
    map.report(node("n1", spare("a", 0)), 0);
    map.report(node("n2", spare("b", 0)), 0);
    map.takeOrdersBack();
    map.assign(List.of(order("a", with("b", "n2", 1)), order("b", with("a", "n1", 1, 2))));
    map.takeOrdersBack();
    assertThat(map.outstanding()).isEmpty();
    assertThat(map.assignmentsFor("n1")).isEmpty();
    assertThat(map.view().frames().spares()).hasSize(2);
    assertThat(map.nextEpoch(7, List.of(ref("a"), ref("b")))).isEqualTo(2);
    map.report(node("n1", frame("a", 0, with("b", "n2", 1))), 1);
    assertThat(map.assignmentsFor("n2"))
        .as("what was stored before is completed")
        .containsExactly(order("b", with("a", "n1", 1, 2)));
  }

  @Test
  void aNewManagerCompletesAPairThatIsHalfMade() {
    SuperchunkMap map = map();
    map.report(node("n1", frame("a", 0, with("b", "n2", 3))), 0);
    map.report(node("n2", spare("b", 0)), 0);
    assertThat(map.assignmentsFor("n2"))
        .as("the other coefficient than its partner has stored")
        .containsExactly(order("b", with("a", "n1", 3, 2)));
    assertThat(map.assignmentsFor("n1")).isEmpty();
    assertThat(map.view().frames().spares()).isEmpty();
  }

  @Test
  void aNewManagerForTwoFailuresCompletesAPairWithTheSameCoefficient() {
    SuperchunkMap map =
        new SuperchunkMap(new ManagerOptions.Silence(STALE_MS, DEAD_MS), Coefficients.TWO, 0);
    map.report(node("n1", frame("a", 0, with("b", "n2", 3))), 0);
    map.report(node("n2", spare("b", 0)), 0);
    assertThat(map.assignmentsFor("n2")).containsExactly(order("b", with("a", "n1", 3, 1)));
  }

  @Test
  void superchunksThatDoNotSurviveThreeFailuresAreCounted() {
    SuperchunkMap map = map();
    map.report(node("n1", frame("a", 0, with("b", "n2", 1, 2))), 0);
    map.report(node("n2", frame("b", 0, with("a", "n1", 1, 1))), 0);
    assertThat(superchunk(map).hasEqualCoefficients()).isFalse();
    assertThat(superchunk(pair()).hasEqualCoefficients()).isTrue();
  }

  @Test
  void theNewPartnerMayStoreItBeforeTheSurvivorDoes() {
    SuperchunkMap map = map();
    map.report(node("n1", frame("a", 0, with("b", "n2", 1, 2))), 0);
    map.report(node("n2", DiskState.DISK_FAILED, frame("b", 0, with("a", "n1", 1, 1))), 0);
    map.report(node("n3", frame("c", 0, with("a", "n1", 2, 1))), 0);
    assertThat(superchunk(map).survivor())
        .as("the content is on the survivor")
        .get()
        .extracting(FrameView::storageId)
        .isEqualTo("a");
    assertThat(map.assignmentsFor("n1")).containsExactly(order("a", with("c", "n3", 2, 2)));
    assertThat(problems(map)).containsExactly(Kind.DISK_FAILED);
  }

  @Test
  void aFrameThatCameBackTooLateIsSuperseded() {
    SuperchunkMap map = map();
    map.report(node("n1", frame("a", 0, with("c", "n3", 2))), 0);
    map.report(node("n3", frame("c", 0, with("a", "n1", 2))), 0);
    map.report(node("n2", frame("b", 0, with("a", "n1", 1))), 0);
    assertThat(superchunk(map).state()).isEqualTo(SuperchunkState.ACTIVE);
    assertThat(problems(map)).containsExactly(Kind.SUPERSEDED);
    assertThat(map.view().frames().superseded())
        .extracting(FrameView::storageId)
        .containsExactly("b");
    assertThat(map.view().frames().spares()).isEmpty();
    map.report(
        node(
            "n2",
            new FrameReport(
                "b",
                0,
                Optional.of(with("a", "n1", 1)),
                new FrameReport.Load(100, 0, 0, 0, 0),
                false)),
        1);
    assertThat(map.view().frames().spares())
        .as("empty again")
        .extracting(FrameView::storageId)
        .containsExactly("b");
    assertThat(map.nextEpoch(9, List.of(ref("b"))))
        .as("higher than all that the frame has stored")
        .isEqualTo(2);
  }

  @Test
  void aFrameOnTwoNodesIsNamedAndUnused() {
    SuperchunkMap map = pair();
    map.report(node("n3", frame("a", 0, with("b", "n2", 1))), 0);
    assertThat(problems(map)).contains(Kind.FRAME_ON_TWO_NODES);
    assertThat(superchunk(map).state()).isEqualTo(SuperchunkState.DEGRADED);
    assertThat(superchunk(map).usable()).isFalse();
  }

  @Test
  void swappedFramesAreNamedAndUnused() {
    SuperchunkMap map = map();
    map.report(node("n1", frame("a", 0, with("b", "n2", 1))), 0);
    map.report(node("n3", frame("b", 0, with("a", "n1", 1))), 0);
    assertThat(problems(map)).containsExactly(Kind.PARTNER_ON_OTHER_NODE);
    assertThat(superchunk(map).usable()).isFalse();
  }

  @Test
  void twoThatClaimOnePartnerAreNamed() {
    SuperchunkMap map = pair();
    map.report(node("n3", frame("c", 0, with("b", "n2", 1))), 0);
    assertThat(problems(map)).containsExactly(Kind.PARTNER_CLAIMED_TWICE);
    assertThat(superchunk(map).state())
        .as("the working pair goes on")
        .isEqualTo(SuperchunkState.ACTIVE);
    assertThat(superchunk(map).holders())
        .extracting(FrameView::storageId)
        .containsExactly("a", "b");
    assertThat(map.view().superchunksOn("c")).isEmpty();
  }

  @Test
  void twoThatClaimASpareAreNamedAndNeitherGetsIt() {
    SuperchunkMap map = map();
    map.report(node("n1", frame("a", 0, new Pairing(7, 1, "x", "n3", 1))), 0);
    map.report(node("n2", frame("b", 0, new Pairing(8, 1, "x", "n3", 1))), 0);
    map.report(node("n3", spare("x", 0)), 0);
    assertThat(problems(map)).containsExactly(Kind.PARTNER_CLAIMED_TWICE);
    assertThat(map.assignmentsFor("n3")).isEmpty();
    assertThat(map.view().frames().spares()).isEmpty();
  }

  @Test
  void aPartnerInAnotherSuperchunkIsNamed() {
    SuperchunkMap map = pair();
    map.report(node("n3", frame("c", 0, new Pairing(8, 1, "b", "n2", 1))), 0);
    assertThat(problems(map)).containsExactly(Kind.PARTNER_CLAIMS_OTHER);
    assertThat(superchunk(map).state()).isEqualTo(SuperchunkState.ACTIVE);
    assertThat(map.view().superchunks().get(8L).state()).isEqualTo(SuperchunkState.DEGRADED);
  }

  @Test
  void anEpochThatGoesBackIsNamedAndTheFrameUnused() {
    SuperchunkMap map = map();
    map.report(node("n1", frame("a", 0, with("c", "n3", 5))), 0);
    map.report(node("n3", frame("c", 0, with("a", "n1", 5))), 0);
    map.report(node("n1", frame("a", 0, with("b", "n2", 1))), 1);
    assertThat(problems(map)).containsExactly(Kind.EPOCH_REGRESSION);
    assertThat(superchunk(map).usable()).isFalse();
    assertThat(superchunk(map).survivor()).get().extracting(FrameView::storageId).isEqualTo("c");
    map.report(node("n1", spare("a", 0)), 2);
    assertThat(problems(map))
        .as("forgetting it all is going back, too")
        .containsExactly(Kind.EPOCH_REGRESSION);
    assertThat(map.view().frames().spares()).isEmpty();
  }

  @Test
  void anEpochMayNeverBeGivenTwice() {
    SuperchunkMap map = pair();
    assertThat(map.nextEpoch(7, List.of(ref("a"), new FrameRef("s", 1)))).isEqualTo(2);
    map.assign(List.of(order("a", with("s", "n1", 2))));
    assertThat(map.nextEpoch(7, List.of(ref("a")))).isEqualTo(3);
    assertThat(map.nextEpoch(99, List.of(ref("a"))))
        .as("also not for another superchunk of the frame")
        .isEqualTo(3);
    assertThatThrownBy(() -> map.assign(List.of(order("b", with("s", "n1", 1)))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected epoch > 1");
  }

  @Test
  void lstorsTellOfDisksThatNoDataNodeReports() {
    SuperchunkMap map = map();
    map.report(lstor("n1", false, frame("a", 0, with("b", "n2", 4))), 0);
    map.report(lstor("n2", false, frame("b", 0, with("a", "n1", 4))), 0);
    assertThat(superchunk(map).state())
        .as("their DataNodes may be about to report")
        .isEqualTo(SuperchunkState.ACTIVE);
    assertThat(superchunk(map).usable()).isFalse();
    map.report(lstor("n1", false, frame("a", 0, with("b", "n2", 4))), DEAD_MS);
    map.advance(DEAD_MS + 1);
    assertThat(superchunk(map).state()).isEqualTo(SuperchunkState.LOST);
    assertThat(map.view().readableLstor("n1-d")).isPresent();
    assertThat(map.view().readableLstor("n2-d")).as("its daemon is silent").isEmpty();
    assertThat(map.nextEpoch(7, List.of())).isEqualTo(5);
    map.report(node("n1", frame("a", 0, with("b", "n2", 4))), DEAD_MS + 2);
    assertThat(superchunk(map).state()).isEqualTo(SuperchunkState.DEGRADED);
  }

  @Test
  void aPartnerThatHadNoTimeToReportIsNotGone() {
    SuperchunkMap map = map();
    map.report(node("n1", frame("a", 0, with("b", "n2", 1))), 0);
    assertThat(superchunk(map).settled()).isFalse();
    map.report(node("n1", frame("a", 0, with("b", "n2", 1))), DEAD_MS);
    map.advance(DEAD_MS + 1);
    assertThat(superchunk(map).settled()).isTrue();
    assertThat(superchunk(map).state()).isEqualTo(SuperchunkState.DEGRADED);
  }

  /**
   * Reported, not stored: whatever the order and however often reports come, the same follows from
   * them.
   */
  @Test
  void theViewDoesNotDependOnTheOrderOfReports() {
    SeededRuns.of(200)
        .check(
            random -> {
              List<NodeReport> reports = new ArrayList<>();
              int nodes = 3 + random.nextInt(4);
              for (int n = 0; n < nodes; n++) {
                Pairing p =
                    random.nextInt(4) == 0
                        ? null
                        : new Pairing(
                            random.nextInt(3),
                            1 + random.nextInt(3),
                            "f" + random.nextInt(nodes),
                            "n" + random.nextInt(nodes),
                            1);
                reports.add(
                    node(
                        "n" + n,
                        random.nextInt(6) == 0 ? DiskState.DISK_FAILED : DiskState.OK,
                        frame("f" + n, 0, p)));
              }
              SuperchunkMap first = map();
              reports.forEach(r -> first.report(r, 0));
              SuperchunkMap second = map();
              Collections.shuffle(reports, random);
              reports.forEach(r -> second.report(r, 0));
              Collections.shuffle(reports, random);
              reports.forEach(r -> second.report(r, 0));
              assertThat(second.view().superchunks()).isEqualTo(first.view().superchunks());
              assertThat(second.view().completions()).isEqualTo(first.view().completions());
              assertThat(second.view().frames().spares()).isEqualTo(first.view().frames().spares());
              assertThat(second.view().problems())
                  .containsExactlyInAnyOrderElementsOf(first.view().problems());
            });
  }

  /**
   * What must hold whatever is reported: an active superchunk is two live frames that name each
   * other.
   */
  @Test
  void activeMeansMutual() {
    SeededRuns.of(300)
        .check(
            random -> {
              SuperchunkMap map = map();
              int nodes = 2 + random.nextInt(4);
              for (int i = 0; i < 15; i++) {
                int n = random.nextInt(nodes);
                Pairing p =
                    random.nextInt(5) == 0
                        ? null
                        : new Pairing(
                            random.nextInt(2),
                            1 + random.nextInt(3),
                            "f" + random.nextInt(nodes),
                            "n" + random.nextInt(nodes),
                            1);
                map.report(node("n" + n, frame("f" + n, 0, p)), i);
              }
              for (SuperchunkView s : map.view().in(SuperchunkState.ACTIVE)) {
                assertThat(s.holders()).hasSize(2);
                Pairing a = s.leader().pairing().orElseThrow();
                Pairing b = s.follower().pairing().orElseThrow();
                assertThat(a.partnerStorageId()).isEqualTo(s.follower().storageId());
                assertThat(b.partnerStorageId()).isEqualTo(s.leader().storageId());
                assertThat(a.epoch()).isEqualTo(b.epoch()).isEqualTo(s.epoch());
              }
              map.view()
                  .frames()
                  .spares()
                  .forEach(f -> assertThat(map.view().superchunksOn(f.storageId())).isEmpty());
            });
  }
}
