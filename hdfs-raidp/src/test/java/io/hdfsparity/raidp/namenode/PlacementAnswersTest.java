/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static io.hdfsparity.raidp.namenode.DiskWorld.AB;
import static io.hdfsparity.raidp.namenode.DiskWorld.AC;
import static io.hdfsparity.raidp.namenode.DiskWorld.BC;
import static io.hdfsparity.raidp.namenode.DiskWorld.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.bridge.namenode.DegradedBlocks.Copy;
import io.hdfsparity.bridge.namenode.PairPlacement.Target;
import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.wire.message.SuperchunkAnswer;
import io.hdfsparity.raidp.wire.message.SuperchunkAnswer.Pair;
import io.hdfsparity.raidp.wire.message.SuperchunkAnswer.Plain;
import io.hdfsparity.raidp.wire.message.SuperchunkAnswer.Refused;
import io.hdfsparity.raidp.wire.message.SuperchunkRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.hdfs.server.blockmanagement.PlacedBlocks.Location;
import org.apache.hadoop.hdfs.server.blockmanagement.PlacedBlocks.Owner;
import org.apache.hadoop.hdfs.server.blockmanagement.PlacedBlocks.PlacedBlock;
import org.apache.hadoop.ipc.RetriableException;
import org.junit.jupiter.api.Test;

/** Answers where plain blocks lie beside those in superchunks. */
class PlacementAnswersTest {
  private static final long BLOCK = 100;
  private static final long BYTES = 64;
  private static final long INODE = 77;

  private final MixedWorld world = new MixedWorld();
  private final Map<Long, PlacedBlock> blocks = new HashMap<>();
  private final Map<Long, Integer> room = new HashMap<>(Map.of(AB, 9, AC, 9, BC, 9));
  private final Set<Long> wanted = new HashSet<>();
  private final List<Long> promised = new ArrayList<>();
  private final List<Long> plainForNow = new ArrayList<>();
  private final OpenBlocks kept = new OpenBlocks(50);
  private long lastAllocated = BLOCK - 1;
  private final PlacementAnswers answers =
      new PlacementAnswers(
          ids -> {
            Map<Long, PlacedBlock> found = new HashMap<>(blocks);
            found.keySet().retainAll(ids);
            return found;
          },
          () -> lastAllocated,
          world.storages,
          kept,
          new PlacementAnswers.Clues() {
            @Override
            public Optional<Copy> copyOf(long blockId) {
              return Optional.ofNullable(world.copies.get(blockId));
            }

            @Override
            public Optional<SuperchunkView> byRows(
                ClusterView view, long blockId, List<String> storageIds) {
              return world.homes.of(view, blockId, storageIds);
            }

            @Override
            public boolean isRowless(ClusterView view, long blockId, String storageId) {
              return world.superchunks.isRowless(view, blockId, storageId);
            }

            @Override
            public void want(long blockId, List<String> storageIds) {
              wanted.add(blockId);
              world.questions.want(blockId, storageIds);
            }

            @Override
            public boolean takeRoom(SuperchunkView superchunk, long blockBytes) {
              assertThat(blockBytes).isEqualTo(BYTES);
              return room.merge(superchunk.id(), -1, Integer::sum) >= 0;
            }

            @Override
            public void promised(long blockId) {
              promised.add(blockId);
            }

            @Override
            public void plainForNow(long inodeId) {
              plainForNow.add(inodeId);
            }

            @Override
            public void lacksSide(long blockId) {
              world.oneSided.add(blockId);
            }
          });

  private enum Stage {
    OPEN,
    AGAIN,
    COMPLETE
  }

  private void place(Stage stage, int wantedReplicas, boolean isProtected, String... volumes) {
    blocks.put(
        BLOCK,
        new PlacedBlock(
            1,
            stage == Stage.COMPLETE,
            false,
            stage != Stage.OPEN,
            new Owner(INODE, wantedReplicas, isProtected, BYTES),
            Arrays.stream(volumes).map(id -> new Location(node(id), id, true)).toList()));
  }

  private void open(String... volumes) {
    place(Stage.OPEN, 3, true, volumes);
  }

  private void openPlain(String... volumes) {
    place(Stage.OPEN, 3, false, volumes);
  }

  private SuperchunkAnswer ask(String volume) throws IOException {
    return ask(volume, Optional.of(volume));
  }

  private SuperchunkAnswer ask(String volume, Optional<String> named) throws IOException {
    return answers.answer(new SuperchunkRequest("CID", node(volume), "BP", BLOCK, 1, named));
  }

  private static Pair pair(String volume, long superchunk) {
    return new Pair(volume, superchunk, 5);
  }

  private void assertAwaits(String volume) {
    assertThatThrownBy(() -> ask(volume)).isInstanceOf(RetriableException.class);
  }

  private void failover() {
    answers.stop();
    lastAllocated = BLOCK;
    world.questions.stop();
  }

  @Test
  void twoExpectedStoragesThatShareASuperchunkGetIt() throws IOException {
    open("A", "B");
    assertThat(ask("A")).isEqualTo(pair("A", AB));
    assertThat(ask("B")).isEqualTo(pair("B", AB));
    assertThat(ask("B", Optional.empty())).isEqualTo(pair("B", AB));
    assertThat(promised).contains(BLOCK);
    assertThat(room.get(AB)).as("room is taken once").isEqualTo(8);
  }

  /** Which of AB, AC and BC it is, all get the same answer, also the storage outside. */
  @Test
  void ofThreeStoragesOneIsOutside() throws IOException {
    open("C", "A", "B");
    assertThat(ask("C")).isInstanceOf(Plain.class);
    assertThat(ask("A")).isEqualTo(pair("A", AB));
    assertThat(ask("B")).isEqualTo(pair("B", AB));
  }

  @Test
  void withoutRoomTheNextPairIsTakenOrNone() throws IOException {
    room.put(AB, 0);
    open("A", "B", "C");
    assertThat(ask("A")).isEqualTo(pair("A", AC));
    kept.clear();
    room.replaceAll((id, units) -> 0);
    assertThat(ask("A")).isInstanceOf(Plain.class);
    room.replaceAll((id, units) -> 9);
    assertThat(ask("B")).as("decided for all nodes").isInstanceOf(Plain.class);
  }

  @Test
  void noTwoThatShareOneArePlain() throws IOException {
    open("A", "D");
    assertThat(ask("A")).isInstanceOf(Plain.class);
    assertThat(ask("D")).isInstanceOf(Plain.class);
    assertThat(plainForNow).as("adopted later").containsExactly(INODE);
  }

  private void openTwo(String... volumes) {
    place(Stage.OPEN, 2, true, volumes);
  }

  @Test
  void aFileOfTwoReplicasGetsNoTwoPlainOnes() throws IOException {
    openTwo("A", "D");
    assertThat(ask("A")).isInstanceOf(Refused.class);
    assertThat(kept.size()).isZero();
    openTwo("A", "B");
    room.put(AB, 0);
    assertThat(ask("A").toString()).contains("ask for another block");
    room.put(AB, 1);
    assertThat(ask("A")).isEqualTo(pair("A", AB));
    assertThat(plainForNow).isEmpty();
  }

  @Test
  void itWaitsForASuperchunkThatIsNotInService() throws IOException {
    openTwo("A", "B");
    world.disks.fail("B");
    assertAwaits("A");
    assertThat(kept.size()).isZero();
    open("A", "B");
    assertThat(ask("A")).as("three are wanted").isInstanceOf(Plain.class);
  }

  /**
   * It has replicas that are plain already: its mark is younger than it, or unlike its old name.
   */
  @Test
  void aPipelineOfTwoPlainReplicasDoesNotFail() throws IOException {
    openTwo("A", "D");
    assertThat(ask("C")).as("replaces a node").isInstanceOf(Plain.class);
    assertThat(ask("A")).as("decided for all").isInstanceOf(Plain.class);
    kept.clear();
    failover();
    world.ask(MixedWorld.block(BLOCK, "A", "D"));
    assertThat(ask("A")).as("placed by another NameNode").isInstanceOf(Plain.class);
    assertThat(plainForNow).containsExactly(INODE, INODE);
  }

  @Test
  void withoutProtectionOrWithOneReplicaItIsPlain() throws IOException {
    openPlain("A", "B");
    assertThat(ask("A")).isInstanceOf(Plain.class);
    kept.clear();
    place(Stage.OPEN, 1, true, "A", "B");
    assertThat(ask("A")).isInstanceOf(Plain.class);
    assertThat(promised).isEmpty();
  }

  @Test
  void aMarkThatChangesBetweenTwoNodesChangesNothing() throws IOException {
    open("A", "B");
    assertThat(ask("A")).isEqualTo(pair("A", AB));
    openPlain("A", "B");
    assertThat(ask("B")).isEqualTo(pair("B", AB));
    kept.clear();
    assertThat(ask("A")).isInstanceOf(Plain.class);
    open("A", "B");
    assertThat(ask("B")).isInstanceOf(Plain.class);
  }

  @Test
  void aReplacementInAPipelineIsPlain() throws IOException {
    open("A", "B");
    assertThat(ask("A")).isEqualTo(pair("A", AB));
    assertThat(ask("C")).isInstanceOf(Plain.class);
    open("A", "C");
    assertThat(ask("C")).as("as before").isInstanceOf(Plain.class);
    assertThat(world.oneSided.size()).as("it may replace a side").isEqualTo(1);
    assertThat(ask("A")).as("the same node once more").isEqualTo(pair("A", AB));
    assertThat(ask("B")).as("the side that comes back").isEqualTo(pair("B", AB));
    assertThat(ask("B", Optional.of("B2"))).as("another disk").isInstanceOf(Plain.class);
  }

  @Test
  void aNodeThatHasNotReportedDelaysNoPlainBlock() throws IOException {
    openPlain("old", "A");
    assertThat(ask("old")).isInstanceOf(Plain.class);
    kept.clear();
    open("old", "A");
    assertAwaits("old");
    assertThat(kept.size()).isZero();
  }

  @Test
  void anErasureCodedBlockIsPlain() throws IOException {
    blocks.put(BLOCK, new PlacedBlock(1, false, true, false, new Owner(0, 1, true, 1), List.of()));
    assertThat(ask("A")).isInstanceOf(Plain.class);
  }

  @Test
  void aBlockThatIsGoneOrOlderIsRefused() throws IOException {
    assertThat(ask("A")).isInstanceOf(Refused.class);
    blocks.put(BLOCK, new PlacedBlock(2, false, false, false, new Owner(0, 3, true, 1), List.of()));
    assertThat(ask("A")).isInstanceOf(Refused.class);
    open("A", "B");
    assertThat(ask("A")).isEqualTo(pair("A", AB));
    assertThat(
            answers.answer(
                new SuperchunkRequest("CID", node("A"), "BP", BLOCK, 2, Optional.of("A"))))
        .as("a newer stamp is that of a recovery")
        .isEqualTo(pair("A", AB));
    blocks.clear();
    assertThat(ask("A")).as("deleted since").isInstanceOf(Refused.class);
  }

  /** A report from another node changes what the NameNode expects. */
  @Test
  void theFirstAnswerHoldsForTheOtherNodeToo() throws IOException {
    open("A", "B");
    assertThat(ask("A")).isEqualTo(pair("A", AB));
    open("C", "A", "B");
    assertThat(ask("B")).isEqualTo(pair("B", AB));
    assertThat(ask("C")).isInstanceOf(Plain.class);
    assertThat(ask("A")).isEqualTo(pair("A", AB));
  }

  @Test
  void theEpochIsThatOfTheAnswer() throws IOException {
    open("A", "B");
    assertThat(ask("A")).isEqualTo(pair("A", AB));
    world.disks.pair(AB, 7, "A", 0, "B", 0);
    world.disks.report();
    assertThat(ask("A")).isEqualTo(new Pair("A", AB, 7));
    assertThat(ask("B")).isEqualTo(new Pair("B", AB, 7));
  }

  /** The disk of B fails between the two questions; then D takes its place. */
  @Test
  void theSideThatIsLeftIsToldTheSameSuperchunk() throws IOException {
    open("A", "B");
    assertThat(ask("A")).isEqualTo(pair("A", AB));
    world.disks.fail("B");
    assertThat(ask("A")).isEqualTo(pair("A", AB));
    assertThat(ask("B")).isInstanceOf(Plain.class);
    assertThat(world.oneSided.size()).isEqualTo(1);
    world.disks.pair(AB, 6, "A", 0, "D", 0);
    world.disks.report();
    assertThat(ask("A")).isEqualTo(new Pair("A", AB, 6));
    assertThat(ask("D")).as("the partner that it got").isEqualTo(new Pair("D", AB, 6));
    assertThat(ask("C")).isInstanceOf(Plain.class);
  }

  /** AB goes on with B and D between the two questions; of A only AC is left. */
  @Test
  void aVolumeThatTheSuperchunkLeftIsNotToldItsOnlyOtherOne() throws IOException {
    open("A", "B");
    assertThat(ask("B")).isEqualTo(pair("B", AB));
    world.disks.pair(AB, 6, "B", 0, "D", 0);
    world.disks.report();
    assertThat(world.disks.view().superchunksOn("A"))
        .extracting(SuperchunkView::id)
        .containsExactly(AC);
    assertThat(ask("A")).isInstanceOf(Plain.class);
    assertThat(ask("B")).as("as before").isEqualTo(new Pair("B", AB, 6));
  }

  @Test
  void ofTwoSuperchunksOfTheSameVolumesANewBlockGetsTheUsableOne() throws IOException {
    long again = 9;
    world.disks.pair(again, 5, "A", 2, "B", 2);
    world.disks.report();
    assertThat(world.disks.superchunk(again).usable()).isFalse();
    room.put(again, 9);
    open("A", "B");
    assertThat(ask("A")).isEqualTo(pair("A", AB));
    assertThat(ask("B")).isEqualTo(pair("B", AB));
  }

  /** Any order of questions, reports and failovers. */
  @Test
  void noTwoNodesAreToldDifferentSuperchunks() {
    SeededRuns.of(500).check(random -> new PlacementAnswersTest().randomLife(random));
  }

  private void randomLife(Random random) throws IOException {
    List<String> volumes = new ArrayList<>(List.of("A", "B", "C"));
    Collections.shuffle(volumes, random);
    int replicas = 2 + random.nextInt(2);
    Set<String> expected = new TreeSet<>(volumes.subList(0, replicas));
    Map<String, Long> made = new TreeMap<>();
    for (int i = 0; i < 30; i++) {
      place(Stage.OPEN, replicas, random.nextInt(4) > 0, expected.toArray(new String[0]));
      String volume = volumes.get(random.nextInt(3));
      switch (random.nextInt(8)) {
        // A replica elsewhere is reported: the NameNode expects it there too.
        case 0 -> expected.add(volumes.get(2));
        case 1 -> {
          // A failover: the places are those that have reported.
          failover();
          expected.clear();
          expected.addAll(made.keySet());
        }
        case 2 -> room.replaceAll((id, units) -> random.nextInt(3));
        case 3 -> world.ask(MixedWorld.block(BLOCK, expected.toArray(new String[0])));
        default -> {
          try {
            if (ask(volume) instanceof Pair pair) {
              assertThat(pair.storageId()).isEqualTo(volume);
              made.put(volume, pair.superchunkId());
              world.disks.putRow(BLOCK, pair.superchunkId(), volume, SlotState.RESERVED);
            }
          } catch (RetriableException e) {
            assertThat(e).hasMessageContaining("try again");
          }
        }
      }
      assertThat(Set.copyOf(made.values())).hasSizeLessThanOrEqualTo(1);
    }
  }

  // ---- after a failover ----

  @Test
  void afterAFailoverRowsDecideAlsoAgainstTheMark() throws IOException {
    openPlain("A");
    world.disks.write(BLOCK, AB, "A");
    failover();
    assertAwaits("B");
    assertThat(wanted).containsExactly(BLOCK);
    world.ask();
    assertThat(ask("B")).isEqualTo(pair("B", AB));
    assertThat(ask("C")).isInstanceOf(Plain.class);
  }

  @Test
  void afterAFailoverABlockWithoutRowsIsPlainWithoutMark() throws IOException {
    openPlain("A");
    failover();
    assertAwaits("B");
    world.ask();
    assertThat(ask("B")).isInstanceOf(Plain.class);
  }

  @Test
  void afterAFailoverSilentNodesDelayNoPlainBlock() throws IOException {
    openPlain("old");
    failover();
    world.questions.ask(List.of(), 0);
    assertThat(ask("B")).isInstanceOf(Plain.class);
    kept.clear();
    open("old");
    assertAwaits("B");
  }

  @Test
  void withoutLocationsAPlainBlockIsPlain() throws IOException {
    openPlain();
    failover();
    assertThat(ask("A")).isInstanceOf(Plain.class);
  }

  @Test
  void whatWasPlacedSinceWaitsForNoRows() throws IOException {
    failover();
    lastAllocated = BLOCK - 1;
    openPlain("A", "B");
    assertThat(ask("A")).isInstanceOf(Plain.class);
    assertThat(wanted).isEmpty();
  }

  // ---- blocks that were written before ----

  @Test
  void anAppendChangesNothing() throws IOException {
    place(Stage.AGAIN, 3, true, "A", "B", "C");
    world.ask(MixedWorld.block(BLOCK, "A", "B", "C"));
    assertThat(ask("A")).as("a plain block, marked since").isInstanceOf(Plain.class);
    assertThat(ask("D")).as("a replacement").isInstanceOf(Plain.class);
    world.disks.write(BLOCK, AB, "A", "B");
    world.rowless.forget(BLOCK);
    world.ask(MixedWorld.block(BLOCK, "A"));
    place(Stage.AGAIN, 3, false, "A", "C");
    assertThat(ask("C")).as("its stranger").isInstanceOf(Plain.class);
    assertThat(ask("B")).as("its other side, unmarked since").isEqualTo(pair("B", AB));
    assertThat(kept.size()).isZero();
    assertThat(wanted).isEmpty();
  }

  @Test
  void copiesOfCompleteBlocksFollowRowsAndCopiesUnderWay() throws IOException {
    place(Stage.COMPLETE, 3, true, "A", "C");
    world.ask(MixedWorld.block(BLOCK, "A", "C"));
    assertThat(ask("B")).as("HDFS copies it").isInstanceOf(Plain.class);
    world.copies.put(BLOCK, new Copy(BLOCK, 1, BYTES, AB, node("A"), new Target("B", node("B"))));
    assertThat(ask("B")).isEqualTo(pair("B", AB));
    assertThat(ask("B", Optional.of("B2"))).isInstanceOf(Plain.class);
    assertThat(ask("D")).isInstanceOf(Plain.class);
    world.copies.clear();
    world.disks.write(BLOCK, AC, "A", "C");
    world.rowless.forget(BLOCK);
    world.ask(MixedWorld.block(BLOCK, "A", "C"));
    assertThat(ask("B")).isInstanceOf(Plain.class);
    place(Stage.COMPLETE, 3, false, "A");
    assertThat(ask("C")).as("rows win").isEqualTo(pair("C", AC));
  }

  /** A side of it comes back after its rows were forgotten, or never asked for. */
  @Test
  void aCompleteBlockOfUnknownRowsIsAskedForWhereTheyMatter() throws IOException {
    place(Stage.COMPLETE, 2, true, "A", "D");
    world.disks.write(BLOCK, AB, "A");
    assertThat(ask("D")).as("it shares none with A").isInstanceOf(Plain.class);
    assertThat(ask("B", Optional.of("B2"))).as("nor another disk").isInstanceOf(Plain.class);
    assertThat(wanted).isEmpty();
    assertAwaits("B");
    assertThat(wanted).containsExactly(BLOCK);
    world.ask();
    assertThat(ask("B")).isEqualTo(pair("B", AB));
  }

  @Test
  void aCompleteBlockDoesNotWaitForSilentNodes() throws IOException {
    place(Stage.COMPLETE, 2, true, "A", "C");
    world.disks.map.advance(11_000);
    assertThat(ask("B")).isInstanceOf(Plain.class);
  }

  @Test
  void decisionsAreForgottenWhenBlocksAreComplete() throws IOException {
    for (long id = 1; id <= 200; id++) {
      blocks.put(id, new PlacedBlock(1, false, false, false, new Owner(0, 3, false, 1), List.of()));
      answers.answer(new SuperchunkRequest("CID", "nA", "BP", id, 1, Optional.of("A")));
    }
    assertThat(kept.size()).isEqualTo(50);
    blocks.replaceAll(
        (id, old) -> new PlacedBlock(1, true, false, true, new Owner(0, 3, false, 1), List.of()));
    for (int i = 0; i < 30; i++) {
      answers.answer(new SuperchunkRequest("CID", "nA", "BP", 1, 1, Optional.of("A")));
    }
    assertThat(kept.size()).isZero();
  }
}
