/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static io.hdfsparity.raidp.namenode.Reports.frame;
import static io.hdfsparity.raidp.namenode.Reports.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.bridge.namenode.PairPlacement.PlacementPendingException;
import io.hdfsparity.bridge.namenode.PairPlacement.PlacementRefusedException;
import io.hdfsparity.bridge.namenode.PairPlacement.Target;
import io.hdfsparity.bridge.namenode.PairPlacement.Usable;
import io.hdfsparity.raidp.config.Coefficients;
import io.hdfsparity.raidp.config.ManagerOptions;
import io.hdfsparity.raidp.wire.message.DiskState;
import io.hdfsparity.raidp.wire.message.FrameRef;
import io.hdfsparity.raidp.wire.message.FrameReport;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Three superchunks: 1 on n1+n2, 2 on n3+n4, 3 on n1+n4. */
class PlacementChooserTest {
  private static final long BLOCK = 10L << 20;
  private static final Usable ALL = (storageId, node, bytes) -> true;
  private final SuperchunkMap map =
      new SuperchunkMap(new ManagerOptions.Silence(10_000, 20_000), Coefficients.THREE, 0);
  private final Grants grants = new Grants(60_000);
  private final NodeRoster roster =
      new NodeRoster(Map.of("n1", "", "n2", "", "n3", "", "n4", ""), addresses -> {});
  private final PlacementChooser chooser =
      new PlacementChooser(
          map::view,
          grants,
          roster,
          map::allHadTime,
          1 << 20,
          64L << 20,
          () -> 0,
          () -> new Random(5));

  @BeforeEach
  void report() {
    map.report(node("n1", frame("a1", 0, p(1, "b1", "n2")), frame("a3", 1, p(3, "b3", "n4"))), 0);
    map.report(node("n2", frame("b1", 0, p(1, "a1", "n1"))), 0);
    map.report(node("n3", frame("a2", 0, p(2, "b2", "n4"))), 0);
    map.report(node("n4", frame("b2", 0, p(2, "a2", "n3")), frame("b3", 1, p(3, "a3", "n1"))), 0);
    map.view().frames().all().forEach(f -> grants.report(f.ref(), 1, Reports.FREE_UNITS, 0, 0));
  }

  private static Pairing p(long id, String partner, String node) {
    return new Pairing(id, 1, partner, node, 1);
  }

  private List<Target> choose(Optional<String> writer, List<String> favored, Set<String> excluded)
      throws PlacementRefusedException {
    return chooser.chooseNew("/f", 2, writer, favored, excluded, BLOCK, ALL);
  }

  private static List<String> ids(List<Target> targets) {
    return targets.stream().map(Target::storageId).toList();
  }

  @Test
  void theWritersNodeComesFirst() throws Exception {
    for (int i = 0; i < 10; i++) {
      assertThat(choose(Optional.of("n4"), List.of(), Set.of()).get(0).nodeUuid()).isEqualTo("n4");
    }
  }

  @Test
  void aWriterWithoutFramesGetsAnyPair() throws Exception {
    assertThat(choose(Optional.of("n9"), List.of(), Set.of())).hasSize(2);
  }

  @Test
  void favoredNodesBeatTheWriterInTheirOrder() throws Exception {
    assertThat(ids(choose(Optional.of("n1"), List.of("n3"), Set.of()))).containsExactly("a2", "b2");
    assertThat(ids(choose(Optional.of("n1"), List.of("n9", "n2"), Set.of())))
        .containsExactly("b1", "a1");
  }

  @Test
  void excludedNodesExcludeThePairsTheyAreIn() throws Exception {
    assertThat(ids(choose(Optional.of("n4"), List.of(), Set.of("n1")))).containsExactly("b2", "a2");
    assertThat(ids(choose(Optional.of("n4"), List.of(), Set.of("n4"))))
        .containsExactlyInAnyOrder("a1", "b1");
    assertThatThrownBy(() -> choose(Optional.empty(), List.of(), Set.of("n1", "n4")))
        .isInstanceOf(PlacementRefusedException.class)
        .hasMessageContaining("onExcludedNodes=3")
        .hasMessageContaining("/f");
  }

  @Test
  void theNameNodesOpinionOfAStorageCounts() throws Exception {
    List<Target> chosen =
        chooser.chooseNew(
            "/f",
            2,
            Optional.empty(),
            List.of(),
            Set.of(),
            BLOCK,
            (storageId, node, bytes) -> !storageId.endsWith("1") && !storageId.endsWith("3"));
    assertThat(ids(chosen)).containsExactlyInAnyOrder("a2", "b2");
  }

  @Test
  void nodesThatReportAreNotLeftToHdfs() {
    assertThat(chooser.leavesToHdfs("n9")).as("it may report soon").isFalse();
    map.advance(20_001);
    assertThat(chooser.leavesToHdfs("n9")).isTrue();
    assertThat(List.of("n1", "n2", "n3", "n4")).noneMatch(chooser::leavesToHdfs);
  }

  @Test
  void degradedAndLateSuperchunksGetNothing() throws Exception {
    map.report(node("n2", DiskState.DISK_FAILED, frame("b1", 0, p(1, "a1", "n1"))), 0);
    map.report(node("n3", DiskState.LSTOR_FAILED, frame("a2", 0, p(2, "b2", "n4"))), 0);
    for (int i = 0; i < 5; i++) {
      assertThat(ids(choose(Optional.empty(), List.of(), Set.of())))
          .containsExactlyInAnyOrder("a3", "b3");
    }
  }

  @Test
  void aManagerThatHasJustStartedAsksForPatience() {
    SuperchunkMap young =
        new SuperchunkMap(new ManagerOptions.Silence(10_000, 20_000), Coefficients.THREE, 0);
    PlacementChooser chooser =
        new PlacementChooser(
            young::view,
            grants,
            roster,
            young::allHadTime,
            1 << 20,
            64L << 20,
            () -> 0,
            () -> new Random(5));
    young.report(node("n1", frame("a1", 0, p(1, "b1", "n2"))), 0);
    assertThatThrownBy(
            () -> chooser.chooseNew("/f", 2, Optional.empty(), List.of(), Set.of(), BLOCK, ALL))
        .isInstanceOf(PlacementPendingException.class)
        .hasMessageContaining("[n2, n3, n4], try again");
    young.advance(20_001);
    assertThatThrownBy(
            () -> chooser.chooseNew("/f", 2, Optional.empty(), List.of(), Set.of(), BLOCK, ALL))
        .isExactlyInstanceOf(PlacementRefusedException.class);
  }

  @Test
  void aBlockThatIsTooLargeIsRefusedByName() {
    assertThatThrownBy(
            () ->
                chooser.chooseNew(
                    "/big", 2, Optional.empty(), List.of(), Set.of(), (64L << 20) + 1, ALL))
        .isInstanceOf(PlacementRefusedException.class)
        .hasMessage(
            "Cannot place a block: blockSize=67108865, expected <= 67108864 (dfs.parity.raidp.max.block.size),"
                + " file=/big");
    assertThatThrownBy(
            () -> chooser.chooseNew("/three", 3, Optional.empty(), List.of(), Set.of(), BLOCK, ALL))
        .hasMessageContaining("replicas=3, expected 1 or 2");
  }

  @Test
  void allRoomIsGivenOutAndNotMore() throws Exception {
    int placed = 0;
    try {
      while (true) {
        choose(Optional.of("n1"), List.of(), Set.of());
        placed++;
      }
    } catch (PlacementRefusedException e) {
      assertThat(e)
          .hasMessageContaining("units=10")
          .hasMessageContaining("withRoom=0")
          .hasMessageContaining("sparesForRecovery=0 frames; add disks or delete files, or lower")
          .hasMessageContaining("layout.recovery.room.disks");
    }
    assertThat(placed).isEqualTo(30);
  }

  @Test
  void loadIsSpreadByRoom() throws Exception {
    grants.report(new FrameRef("a1", 0), 1, 40, 0, 0);
    Map<String, Integer> hits = new HashMap<>();
    PlacementChooser seeded =
        new PlacementChooser(
            map::view,
            grants,
            roster,
            map::allHadTime,
            1 << 20,
            64L << 20,
            () -> 0,
            new java.util.function.Supplier<Random>() {
              private final Random random = new Random(1);

              @Override
              public Random get() {
                return random;
              }
            });
    for (int i = 0; i < 12; i++) {
      List<String> chosen =
          ids(seeded.chooseNew("/f", 2, Optional.empty(), List.of(), Set.of(), BLOCK, ALL));
      hits.merge(chosen.stream().sorted().findFirst().orElseThrow(), 1, Integer::sum);
    }
    assertThat(hits.getOrDefault("a1", 0))
        .as("the fullest gets least")
        .isLessThan(hits.get("a2"))
        .isLessThan(hits.get("a3"));
  }

  /** Each try takes the lock of all grants in a handler of the NameNode, for any client. */
  @Test
  void manySuperchunksWithoutRoomAreRefusedAfterABoundedNumberOfTries() {
    int superchunks = 4 * PlacementChooser.MAX_TRIES;
    PlacementChooser large = chooserOf(superchunks);
    AtomicInteger calls = new AtomicInteger();
    assertThatThrownBy(
            () ->
                large.chooseNew(
                    "/f",
                    2,
                    Optional.of("n1"),
                    List.of("n2", "n1", "n2"),
                    Set.of(),
                    BLOCK,
                    (storageId, node, bytes) -> {
                      calls.incrementAndGet();
                      return false;
                    }))
        .isInstanceOf(PlacementRefusedException.class)
        .hasMessageContaining(
            "superchunks="
                + superchunks
                + " sample="
                + PlacementChooser.MAX_TRIES
                + " usable="
                + PlacementChooser.MAX_TRIES
                + " withRoom="
                + PlacementChooser.MAX_TRIES
                + " onUsableDisks=0")
        .hasMessageContaining("a random sample is tried and counted");
    assertThat(calls.get())
        .as("on the nodes that are wanted, anywhere, and to count")
        .isBetween(3 * PlacementChooser.MAX_TRIES, 3 * PlacementChooser.MAX_TRIES + 100);
  }

  @Test
  void eachSuperchunkIsTriedWhereThereAreNoMoreThanTheBound() throws Exception {
    PlacementChooser whole = chooserOf(PlacementChooser.MAX_TRIES);
    for (int only : new int[] {0, 77, PlacementChooser.MAX_TRIES - 1}) {
      List<Target> chosen =
          whole.chooseNew(
              "/f",
              2,
              Optional.empty(),
              List.of(),
              Set.of(),
              BLOCK,
              (storageId, node, bytes) -> storageId.substring(1).equals(String.valueOf(only)));
      assertThat(ids(chosen)).containsExactlyInAnyOrder("a" + only, "b" + only);
    }
  }

  /** Superchunk i is on volume ai of node n1 and on volume bi of node n2. */
  private PlacementChooser chooserOf(int superchunks) {
    SuperchunkMap large =
        new SuperchunkMap(new ManagerOptions.Silence(10_000, 20_000), Coefficients.THREE, 0);
    FrameReport[] ours = new FrameReport[superchunks];
    FrameReport[] theirs = new FrameReport[superchunks];
    for (int i = 0; i < superchunks; i++) {
      ours[i] = frame("a" + i, i, p(i + 1, "b" + i, "n2"));
      theirs[i] = frame("b" + i, i, p(i + 1, "a" + i, "n1"));
      grants.report(ours[i].ref(), 1, Reports.FREE_UNITS, 0, 0);
      grants.report(theirs[i].ref(), 1, Reports.FREE_UNITS, 0, 0);
    }
    large.report(node("n1", ours), 0);
    large.report(node("n2", theirs), 0);
    return new PlacementChooser(
        large::view, grants, roster, () -> true, 1 << 20, 64L << 20, () -> 0, () -> new Random(5));
  }
}
