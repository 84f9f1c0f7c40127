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

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.raidp.config.Coefficients;
import io.hdfsparity.raidp.config.ManagerOptions;
import io.hdfsparity.raidp.namenode.Problem.Kind;
import io.hdfsparity.raidp.wire.message.Assignment;
import io.hdfsparity.raidp.wire.message.FrameRef;
import io.hdfsparity.raidp.wire.message.FrameReport;
import io.hdfsparity.raidp.wire.message.NodeReport;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Volumes with several frames: node nX has the volumes X and X2 on one disk. */
class ManyFramesTest {
  private final SuperchunkMap map = map();

  private static SuperchunkMap map() {
    return new SuperchunkMap(new ManagerOptions.Silence(10, 100), Coefficients.THREE, 0);
  }

  private static FrameRef ref(String volume, int index) {
    return new FrameRef(volume, index);
  }

  /** A pairing with a volume of the node with its letter. */
  private static Pairing with(long superchunk, long epoch, String volume) {
    return new Pairing(superchunk, epoch, volume, "n" + volume.charAt(0), 1);
  }

  /** What the other coefficient is when a pair is completed. */
  private static Assignment completed(String volume, int index, Pairing pairing) {
    return new Assignment(
        ref(volume, index),
        new Pairing(
            pairing.superchunkId(),
            pairing.epoch(),
            pairing.partnerStorageId(),
            pairing.partnerNodeUuid(),
            2));
  }

  private static FrameReport empty(String volume, int index, Pairing pairing) {
    return new FrameReport(
        volume, index, Optional.of(pairing), new FrameReport.Load(100, 0, 0, 0, 0), false);
  }

  private List<Kind> problems() {
    return map.view().problems().stream().map(Problem::kind).toList();
  }

  private SuperchunkView superchunk(long id) {
    return map.view().superchunks().get(id);
  }

  private List<FrameRef> spares() {
    return map.view().frames().spares().stream().map(FrameView::ref).toList();
  }

  /** The table of disk nz-d names volume a, which na has in service under another index. */
  @Test
  void theTableOfAnotherDiskAddsNoFrameToALiveVolume() {
    map.report(node("na", frame("a", 0, with(7, 1, "b"))), 0);
    map.report(node("nb", frame("b", 0, with(7, 1, "a"))), 0);
    map.report(lstor("nz", false, frame("a", 3, with(9, 1, "c")), frame("z", 0, null)), 0);
    map.advance(1_000_000_000);
    map.report(node("na", frame("a", 0, with(7, 1, "b"))), 1_000_000_000);
    map.report(node("nb", frame("b", 0, with(7, 1, "a"))), 1_000_000_000);
    assertThat(map.view().framesOn("a")).extracting(FrameView::ref).containsExactly(ref("a", 0));
    assertThat(map.view().framesOn("z")).as("a volume that is gone").hasSize(1);
  }

  @Test
  void aPartnerIsTheFrameThatClaimsTheSameSuperchunk() {
    map.report(node("na", frame("a", 0, with(7, 1, "b")), frame("a", 1, with(8, 1, "c"))), 0);
    map.report(node("nb", spare("b", 0), frame("b", 1, with(7, 1, "a"))), 0);
    map.report(node("nc", frame("c", 0, with(8, 1, "a")), spare("c", 1)), 0);
    assertThat(problems()).isEmpty();
    assertThat(superchunk(7).holders())
        .extracting(FrameView::ref)
        .containsExactly(ref("a", 0), ref("b", 1));
    assertThat(superchunk(8).holders())
        .extracting(FrameView::ref)
        .containsExactly(ref("a", 1), ref("c", 0));
    assertThat(spares()).containsExactly(ref("b", 0), ref("c", 1));
    assertThat(map.view().superchunkOfPair("a", "c")).contains(superchunk(8));
    assertThat(map.view().superchunkOfPair("b", "a")).contains(superchunk(7));
    assertThat(map.view().superchunkOfPair("b", "c")).isEmpty();
    assertThat(map.view().superchunksOn("a")).containsExactly(superchunk(7), superchunk(8));
    assertThat(map.view().frame(ref("c", 1))).isPresent();
    assertThat(map.view().frame(ref("c", 2))).isEmpty();
    assertThat(map.view().name(ref("c", 1))).isEqualTo("c/1");
  }

  @Test
  void aHalfMadePairIsCompletedOnTheLowestFreeFrame() {
    map.report(node("na", frame("a", 0, with(7, 3, "b")), frame("a", 1, with(9, 2, "c"))), 0);
    map.report(node("nb", frame("b", 0, with(8, 1, "c")), spare("b", 1), spare("b", 2)), 0);
    assertThat(map.assignmentsFor("nb")).containsExactly(completed("b", 1, with(7, 3, "a")));
    assertThat(spares()).containsExactly(ref("b", 2));
    // When it has stored that, nothing is left to do.
    map.report(
        node("nb", frame("b", 0, with(8, 1, "c")), frame("b", 1, with(7, 3, "a")), spare("b", 2)),
        1);
    assertThat(map.assignmentsFor("nb")).isEmpty();
    assertThat(superchunk(7).state()).isEqualTo(SuperchunkState.ACTIVE);
  }

  @Test
  void aFrameThatIsOnItsWayElsewhereIsNotTaken() {
    map.report(node("na", spare("a", 0)), 0);
    map.report(node("nb", spare("b", 0), spare("b", 1)), 0);
    map.assign(List.of(new Assignment(ref("b", 0), with(9, 1, "c"))));
    map.report(node("na", frame("a", 0, with(7, 3, "b"))), 0);
    assertThat(map.view().completions()).containsOnlyKeys(ref("b", 1));
  }

  @Test
  void theFrameThatThisManagerHasChosenIsTheOne() {
    map.report(node("na", spare("a", 0)), 0);
    map.report(node("nb", spare("b", 0), spare("b", 1)), 0);
    Assignment mine = new Assignment(ref("b", 1), with(7, 1, "a"));
    map.assign(List.of(new Assignment(ref("a", 0), with(7, 1, "b")), mine));
    map.report(node("na", frame("a", 0, with(7, 1, "b"))), 1);
    assertThat(map.assignmentsFor("nb")).containsExactly(mine);
    assertThat(spares()).containsExactly(ref("b", 0));
  }

  /** Two managers: the later one chose another frame, which the agent refuses to pair. */
  @Test
  void anOrderIsDroppedWhenAnotherFrameOfTheVolumeHasStoredIt() {
    map.report(node("na", spare("a", 0)), 0);
    map.report(node("nb", spare("b", 0), spare("b", 1)), 0);
    map.assign(
        List.of(
            new Assignment(ref("a", 0), with(7, 2, "b")),
            new Assignment(ref("b", 1), with(7, 2, "a"))));
    map.report(node("nb", frame("b", 0, with(7, 2, "a")), spare("b", 1)), 1);
    assertThat(map.outstanding()).extracting(Assignment::frame).containsExactly(ref("a", 0));
    map.report(node("na", frame("a", 0, with(7, 2, "b"))), 1);
    assertThat(superchunk(7).holders())
        .extracting(FrameView::ref)
        .containsExactly(ref("a", 0), ref("b", 0));
    assertThat(problems()).isEmpty();
    assertThat(spares()).containsExactly(ref("b", 1));
  }

  @Test
  void anOrderIsDroppedWhenItsFrameHoldsAnotherSuperchunk() {
    map.report(node("na", spare("a", 0)), 0);
    map.report(node("nb", spare("b", 0)), 0);
    map.report(node("nc", frame("c", 0, with(8, 1, "b"))), 0);
    map.assign(
        List.of(
            new Assignment(ref("a", 0), with(7, 1, "b")),
            new Assignment(ref("b", 0), with(7, 1, "a"))));
    assertThat(map.outstanding()).hasSize(2);
    map.report(node("nb", frame("b", 0, with(8, 1, "c"))), 1);
    assertThat(map.outstanding()).extracting(Assignment::frame).containsExactly(ref("a", 0));
  }

  @Test
  void twoClaimsGetTwoFramesAndNobodyGetsTheOnlyOne() {
    map.report(node("na", frame("a", 0, with(7, 1, "c"))), 0);
    map.report(node("nb", frame("b", 0, with(8, 1, "c"))), 0);
    map.report(node("nc", spare("c", 0), spare("c", 1)), 0);
    assertThat(map.assignmentsFor("nc"))
        .containsExactlyInAnyOrder(
            completed("c", 0, with(7, 1, "a")), completed("c", 1, with(8, 1, "b")));
    assertThat(problems()).isEmpty();
    map.report(node("nc", frame("c", 0, with(9, 1, "d")), spare("c", 1)), 1);
    assertThat(map.assignmentsFor("nc")).isEmpty();
    assertThat(problems()).containsExactly(Kind.PARTNER_CLAIMED_TWICE);
    assertThat(spares()).isEmpty();
  }

  @Test
  void aVolumeWithoutAFreeFrameIsNamed() {
    map.report(node("na", frame("a", 0, with(7, 1, "c"))), 0);
    map.report(node("nc", frame("c", 0, with(8, 1, "d")), frame("c", 1, with(9, 1, "e"))), 0);
    assertThat(map.view().problems())
        .singleElement()
        .satisfies(
            p -> {
              assertThat(p.kind()).isEqualTo(Kind.PARTNER_CLAIMS_OTHER);
              assertThat(p.detail()).isEqualTo("partner=c which is in superchunk 8,9, expected 7");
            });
  }

  @Test
  void aSupersededFrameIsUsedAgainWhenItIsEmpty() {
    map.report(node("na", frame("a", 0, with(7, 2, "c")), frame("a", 1, with(8, 3, "b"))), 0);
    map.report(node("nc", frame("c", 0, with(7, 2, "a")), spare("c", 1)), 0);
    map.report(node("nb", frame("b", 0, with(7, 1, "a")), frame("b", 1, with(9, 1, "c"))), 0);
    assertThat(map.view().frames().superseded())
        .extracting(FrameView::ref)
        .containsExactly(ref("b", 0));
    assertThat(problems()).as("8 waits for it").containsExactly(Kind.SUPERSEDED);
    assertThat(map.assignmentsFor("nb")).isEmpty();
    map.report(node("nb", empty("b", 0, with(7, 1, "a")), frame("b", 1, with(9, 1, "c"))), 1);
    assertThat(map.assignmentsFor("nb")).containsExactly(completed("b", 0, with(8, 3, "a")));
    assertThat(map.view().frames().superseded()).isEmpty();
    assertThat(map.view().frames().clearedOn("b"))
        .as("its agent is still told so")
        .extracting(FrameView::ref)
        .containsExactly(ref("b", 0));
  }

  @Test
  void ofTwoFramesOfAVolumeTheNewerOneCounts() {
    map.report(node("na", frame("a", 0, with(7, 1, "b")), frame("a", 1, with(7, 3, "c"))), 0);
    map.report(node("nc", frame("c", 4, with(7, 3, "a"))), 0);
    assertThat(superchunk(7).state()).isEqualTo(SuperchunkState.ACTIVE);
    assertThat(superchunk(7).leader().ref()).isEqualTo(ref("a", 1));
    assertThat(problems()).containsExactly(Kind.SUPERSEDED);
    assertThat(map.view().superchunkOf(map.view().frame(ref("a", 0)).orElseThrow())).isEmpty();
  }

  /** Though the partner of the newest epoch names the volume: it means the newer frame. */
  @Test
  void theOlderFrameIsNoSurvivorBesideANewerOne() {
    map.report(node("na", frame("a", 0, with(7, 1, "b")), frame("a", 1, with(7, 2, "b"))), 0);
    map.report(node("nc", frame("c", 0, with(7, 3, "a"))), 0);
    assertThat(superchunk(7).holders())
        .extracting(FrameView::ref)
        .containsExactly(ref("a", 1), ref("c", 0));
    assertThat(map.view().completions()).containsOnlyKeys(ref("a", 1));
  }

  @Test
  void twoFramesOfAVolumeUnderOneEpochAreNamedAndNeitherIsUsed() {
    map.report(node("na", frame("a", 0, with(7, 1, "b")), frame("a", 1, with(7, 1, "b"))), 0);
    map.report(node("nb", frame("b", 0, with(7, 1, "a")), spare("b", 1)), 0);
    assertThat(problems())
        .containsExactly(Kind.CLAIMED_TWICE_ON_VOLUME, Kind.CLAIMED_TWICE_ON_VOLUME);
    assertThat(superchunk(7).holders()).extracting(FrameView::ref).containsExactly(ref("b", 0));
    assertThat(superchunk(7).usable()).isFalse();
    assertThat(spares()).containsExactly(ref("b", 1));
    assertThat(map.view().completions()).isEmpty();
  }

  @Test
  void aSecondSuperchunkOfTwoVolumesGetsNoNewBlocks() {
    map.report(node("na", frame("a", 0, with(8, 1, "b")), frame("a", 1, with(7, 2, "b"))), 0);
    map.report(node("nb", frame("b", 0, with(8, 1, "a")), frame("b", 1, with(7, 2, "a"))), 0);
    assertThat(problems()).containsExactly(Kind.VOLUMES_SHARE_TWICE);
    assertThat(superchunk(7).usable()).isTrue();
    assertThat(superchunk(8).usable()).isFalse();
    assertThat(superchunk(8).state())
        .as("its blocks are mirrored")
        .isEqualTo(SuperchunkState.ACTIVE);
    assertThat(map.view().superchunkOfPair("a", "b")).contains(superchunk(7));
    assertThat(map.view().superchunkOfPair("b", "a")).contains(superchunk(7));
  }

  @Test
  void aSecondSuperchunkOfTwoVolumesIsNotCompleted() {
    map.report(node("na", frame("a", 0, with(8, 1, "b")), frame("a", 1, with(7, 2, "b"))), 0);
    map.report(node("nb", frame("b", 0, with(8, 1, "a")), spare("b", 1)), 0);
    assertThat(problems()).containsExactly(Kind.VOLUMES_SHARE_TWICE);
    assertThat(superchunk(8).usable()).as("the one that works is the first one").isTrue();
    assertThat(map.view().completions()).isEmpty();
    assertThat(superchunk(7).state()).isEqualTo(SuperchunkState.DEGRADED);
  }

  @Test
  void volumesOfOneNodeDoNotPair() {
    Pairing second = new Pairing(7, 1, "a2", "na", 1);
    map.report(node("na", frame("a", 0, second), frame("a2", 1, with(7, 1, "a"))), 0);
    assertThat(problems()).containsExactly(Kind.PAIR_ON_ONE_NODE);
    assertThat(superchunk(7).usable()).isFalse();
    map.report(node("na", frame("a", 0, second), spare("a2", 1)), 1);
    assertThat(map.view().completions()).isEmpty();
  }

  @Test
  void noOtherFrameTakesThePlaceOfOneThatHasForgotten() {
    map.report(node("na", frame("a", 0, with(7, 1, "b"))), 0);
    map.report(node("nb", frame("b", 0, with(7, 1, "a")), spare("b", 1)), 0);
    map.report(node("nb", spare("b", 0), spare("b", 1)), 1);
    assertThat(problems()).containsExactly(Kind.EPOCH_REGRESSION);
    assertThat(map.view().completions()).isEmpty();
    assertThat(spares()).containsExactly(ref("b", 1));
  }

  @Test
  void aVolumeOnTwoNodesIsUnusedAsAWhole() {
    map.report(node("na", frame("a", 0, with(7, 1, "b")), spare("a", 1)), 0);
    map.report(node("nb", frame("b", 0, with(7, 1, "a"))), 0);
    map.report(node("nx", spare("a", 2)), 0);
    assertThat(problems()).contains(Kind.FRAME_ON_TWO_NODES);
    assertThat(superchunk(7).usable()).isFalse();
    assertThat(spares()).isEmpty();
  }

  // ---------------------------------------------------------------- random clusters

  private static final String VOLUMES = "abcde";

  private static List<NodeReport> randomReports(Random random) {
    List<NodeReport> reports = new ArrayList<>();
    int volumes = 2 + random.nextInt(VOLUMES.length() - 1);
    int superchunks = 1 + random.nextInt(4);
    for (int v = 0; v < volumes; v++) {
      String volume = VOLUMES.substring(v, v + 1);
      List<FrameReport> frames = new ArrayList<>();
      int count = 1 + random.nextInt(4);
      for (int f = 0; f < count; f++) {
        int other = (v + 1 + random.nextInt(volumes - 1)) % volumes;
        Pairing pairing =
            with(
                random.nextInt(superchunks),
                1 + random.nextInt(2),
                VOLUMES.substring(other, other + 1));
        frames.add(
            switch (random.nextInt(5)) {
              case 0 -> spare(volume, f);
              case 1 -> empty(volume, f, pairing);
              default -> frame(volume, f, pairing);
            });
      }
      reports.add(node("n" + volume, frames.toArray(FrameReport[]::new)));
    }
    return reports;
  }

  /** Compares each frame with each other one. */
  private static Map<Long, Set<FrameRef>> activeByTwin(List<NodeReport> reports) {
    List<FrameReport> frames =
        reports.stream().flatMap(r -> r.disks().get(0).frames().stream()).toList();
    Map<Long, Set<FrameRef>> active = new TreeMap<>();
    for (FrameReport a : frames) {
      for (FrameReport b : frames) {
        if (a.ref().compareTo(b.ref()) < 0 && areMirrors(a, b) && areNewest(a, b, frames)) {
          active.putIfAbsent(a.pairing().orElseThrow().superchunkId(), Set.of(a.ref(), b.ref()));
        }
      }
    }
    return active;
  }

  private static boolean areMirrors(FrameReport a, FrameReport b) {
    return a.pairing().isPresent()
        && b.pairing().isPresent()
        && a.pairing().get().superchunkId() == b.pairing().get().superchunkId()
        && a.pairing().get().epoch() == b.pairing().get().epoch()
        && a.pairing().get().partnerStorageId().equals(b.storageId())
        && b.pairing().get().partnerStorageId().equals(a.storageId());
  }

  /** No frame is ahead of them, and none of their volumes says the same. */
  private static boolean areNewest(FrameReport a, FrameReport b, List<FrameReport> frames) {
    Pairing pairing = a.pairing().orElseThrow();
    return frames.stream()
        .filter(f -> !f.ref().equals(a.ref()) && !f.ref().equals(b.ref()))
        .filter(
            f -> f.pairing().filter(p -> p.superchunkId() == pairing.superchunkId()).isPresent())
        .allMatch(
            f -> {
              long epoch = f.pairing().orElseThrow().epoch();
              boolean sameVolume =
                  f.storageId().equals(a.storageId()) || f.storageId().equals(b.storageId());
              return sameVolume ? epoch < pairing.epoch() : epoch <= pairing.epoch();
            });
  }

  @Test
  void pairsAreThoseThatATwinFinds() {
    int[] found = new int[2];
    SeededRuns.of(2_000)
        .check(
            random -> {
              List<NodeReport> reports = randomReports(random);
              SuperchunkMap each = map();
              reports.forEach(r -> each.report(r, 0));
              ClusterView view = each.view();
              Map<Long, Set<FrameRef>> active = new TreeMap<>();
              for (SuperchunkView s : view.in(SuperchunkState.ACTIVE)) {
                active.put(s.id(), Set.of(s.leader().ref(), s.follower().ref()));
              }
              assertThat(active).isEqualTo(activeByTwin(reports));
              assertUsable(view);
              assertCompletions(view);
              assertVolumes(view);
              found[0] += active.size();
              found[1] += view.completions().size();
            });
    assertThat(found[0]).as("pairs").isGreaterThan(100);
    assertThat(found[1]).as("completions").isGreaterThan(100);
  }

  private static void assertUsable(ClusterView view) {
    Map<Set<String>, Long> first = new HashMap<>();
    for (SuperchunkView s : view.in(SuperchunkState.ACTIVE)) {
      Set<String> volumes = Set.of(s.leader().storageId(), s.follower().storageId());
      boolean isFirst = first.putIfAbsent(volumes, s.id()) == null;
      assertThat(s.usable()).isEqualTo(isFirst);
      if (isFirst) {
        assertThat(view.superchunkOfPair(s.follower().storageId(), s.leader().storageId()))
            .contains(s);
      }
    }
  }

  /** A frame that is told to pair is free, or survives; nobody is told twice. */
  private static void assertCompletions(ClusterView view) {
    Set<List<Object>> told = new HashSet<>();
    view.completions()
        .forEach(
            (ref, order) -> {
              FrameView frame = view.frame(ref).orElseThrow();
              Pairing wanted = order.pairing();
              assertThat(told.add(List.of(ref.storageId(), wanted.superchunkId()))).isTrue();
              boolean survives =
                  frame
                      .pairing()
                      .filter(p -> p.superchunkId() == wanted.superchunkId())
                      .isPresent();
              boolean free =
                  frame.pairing().isEmpty()
                      || frame.isEmpty() && view.superchunkOf(frame).isEmpty();
              assertThat(survives || free).isTrue();
              assertThat(frame.pairing().map(Pairing::epoch).orElse(0L)).isLessThan(wanted.epoch());
              assertThat(view.framesOn(wanted.partnerStorageId()))
                  .anyMatch(f -> f.pairing().filter(p -> names(p, ref, wanted)).isPresent());
              assertThat(view.superchunkOfPair(ref.storageId(), wanted.partnerStorageId()))
                  .isEmpty();
            });
  }

  private static boolean names(Pairing pairing, FrameRef ref, Pairing wanted) {
    return pairing.superchunkId() == wanted.superchunkId()
        && pairing.epoch() == wanted.epoch()
        && pairing.partnerStorageId().equals(ref.storageId());
  }

  private static void assertVolumes(ClusterView view) {
    for (SuperchunkView s : view.all()) {
      assertThat(s.holders()).extracting(FrameView::storageId).doesNotHaveDuplicates();
      s.holders().forEach(f -> assertThat(view.superchunkOf(f)).contains(s));
    }
    for (FrameView spare : view.frames().spares()) {
      assertThat(view.superchunkOf(spare)).isEmpty();
      assertThat(view.completions()).doesNotContainKey(spare.ref());
      assertThat(spare.isEmpty()).isTrue();
    }
  }

  @Test
  void theViewDoesNotDependOnTheOrderOfReports() {
    SeededRuns.of(500)
        .check(
            random -> {
              List<NodeReport> reports = randomReports(random);
              SuperchunkMap first = map();
              reports.forEach(r -> first.report(r, 0));
              Collections.shuffle(reports, random);
              SuperchunkMap second = map();
              reports.forEach(r -> second.report(r, 0));
              assertThat(second.view().superchunks()).isEqualTo(first.view().superchunks());
              assertThat(second.view().completions()).isEqualTo(first.view().completions());
              assertThat(second.view().frames().spares()).isEqualTo(first.view().frames().spares());
              assertThat(second.view().problems())
                  .containsExactlyInAnyOrderElementsOf(first.view().problems());
            });
  }
}
