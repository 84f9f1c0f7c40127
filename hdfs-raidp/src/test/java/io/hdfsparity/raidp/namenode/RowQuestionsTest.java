/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static io.hdfsparity.raidp.namenode.DiskWorld.AB;
import static io.hdfsparity.raidp.namenode.DiskWorld.AC;
import static io.hdfsparity.raidp.namenode.DiskWorld.BC;
import static io.hdfsparity.raidp.namenode.MixedWorld.block;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.namenode.DegradedBlocks.Unfiled;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.lstor.SlotStatus;
import io.hdfsparity.raidp.wire.message.Pairing;
import io.hdfsparity.raidp.wire.message.PeerAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** What a block is, by what DataNodes say of its rows. */
class RowQuestionsTest {
  private static final long BLOCK = 7;
  private static final long CD = 4;

  private final MixedWorld world = new MixedWorld();
  private final DiskWorld disks = world.disks;

  @Test
  void twoStoragesThatShareASuperchunkSayNothing() {
    assertThat(world.homeOf(BLOCK, "A", "B")).isEmpty();
    assertThat(world.isPlain(BLOCK, "A", "B")).isFalse();
  }

  @Test
  void aRowSaysTheSuperchunk() {
    disks.write(BLOCK, AC, "A", "C");
    assertThat(world.ask(block(BLOCK, "A", "B", "C"))).isEqualTo(3);
    assertThat(world.homeOf(BLOCK, "A", "B", "C")).contains(AC);
    assertThat(world.isPlain(BLOCK, "A", "B", "C")).isFalse();
    assertThat(world.isPlain(BLOCK, "B")).as("its stranger alone").isTrue();
    assertThat(world.homeOf(BLOCK, "B")).isEmpty();
    assertThat(world.superchunks.of(BLOCK, List.of("A")).orElseThrow().lacking(List.of("A")))
        .hasValueSatisfying(side -> assertThat(side.storageId()).isEqualTo("C"));
  }

  @Test
  void aNodeThatHangsIsNotAskedTwiceAndOthersAreAnswered() throws Exception {
    disks.write(1, AB, "A");
    disks.write(2, BC, "C");
    CountDownLatch hangs = new CountDownLatch(1);
    CountDownLatch answered = new CountDownLatch(1);
    List<String> asked = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      RowQuestions parallel =
          world.questions(
              (peer, storageId, blockIds) -> {
                synchronized (asked) {
                  asked.add(storageId);
                }
                if (storageId.equals("A")) {
                  try {
                    hangs.await();
                  } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                }
                return disks.findRows(peer, storageId, blockIds);
              },
              task ->
                  threads.execute(
                      () -> {
                        task.run();
                        answered.countDown();
                      }));
      parallel.ask(List.of(block(1, "A"), block(2, "C")), 0);
      answered.await();
      assertThat(world.homeOf(2, "C")).contains(BC);
      parallel.ask(List.of(block(1, "A")), 60_000);
      synchronized (asked) {
        assertThat(asked).containsExactlyInAnyOrder("A", "C");
      }
      assertThat(world.homeOf(1, "A")).isEmpty();
    } finally {
      hangs.countDown();
      threads.shutdown();
    }
  }

  @Test
  void withoutARowOnAnyOfItsStoragesItIsPlain() {
    world.ask(block(BLOCK, "A", "B", "C"));
    assertThat(disks.listed).containsExactlyInAnyOrder("A:1", "B:1", "C:1");
    assertThat(world.isPlain(BLOCK, "A", "B", "C")).isTrue();
    assertThat(world.isPlain(BLOCK, "A", "C")).isTrue();
    assertThat(world.isPlain(BLOCK, "A", "D")).as("D was not asked").isFalse();
    assertThat(world.isPlain(BLOCK)).as("no storage says nothing").isFalse();
    assertThat(world.isPlain(BLOCK + 1, "A")).isFalse();
    assertThat(world.ask(block(BLOCK, "A", "B", "C"))).as("it is known").isZero();
    assertThat(world.ask(block(BLOCK, "A", "D"))).as("D only").isEqualTo(1);
    assertThat(world.isPlain(BLOCK, "A", "D")).isTrue();
  }

  @Test
  void oneSilentStorageKeepsItUnknown() {
    disks.silent.add("nB");
    world.ask(block(BLOCK, "A", "B"));
    assertThat(world.isPlain(BLOCK, "A", "B")).isFalse();
    assertThat(world.isPlain(BLOCK, "A")).isTrue();
    disks.silent.clear();
    world.nowMs += NodeRounds.FAILED_MS - 1;
    assertThat(world.ask(block(BLOCK, "A", "B"))).as("left alone for a while").isZero();
    world.nowMs += 1;
    world.ask(block(BLOCK, "A", "B"));
    assertThat(world.isPlain(BLOCK, "A", "B")).isTrue();
  }

  @Test
  void aStaleNodeIsNotAskedAndAwaited() {
    disks.map.advance(11_000);
    assertThat(world.ask(block(BLOCK, "A", "B"))).isZero();
    assertThat(world.isPlain(BLOCK, "A", "B")).isFalse();
  }

  /** HDFS has declared it dead before, or goes on with it alone. */
  @Test
  void aNodeWhoseAgentIsGoneForLongIsNotAwaited() {
    disks.map.advance(61_000);
    world.allHadTime = true;
    world.nowMs = 61_000;
    assertThat(world.ask(block(BLOCK, "A", "B"))).isZero();
    assertThat(world.isPlain(BLOCK, "A", "B")).isFalse();
    world.nowMs = RowStorages.GONE_MS;
    assertThat(world.isPlain(BLOCK, "A", "B")).isTrue();
    assertThat(world.superchunks.isProvenPlain(BLOCK, List.of("A", "B")))
        .as("nothing is deleted for silence")
        .isFalse();
  }

  @Test
  void aFailedDiskHasNoRowsToRead() {
    disks.fail("B");
    world.ask(block(BLOCK, "A", "B"));
    assertThat(disks.listed).containsExactly("A:1");
    assertThat(world.isPlain(BLOCK, "A", "B")).isTrue();
  }

  @Test
  void nodesThatAreHdfssAloneHaveNoRows() {
    world.ask(block(BLOCK, "A", "out"));
    assertThat(disks.listed).containsExactly("A:1");
    assertThat(world.isPlain(BLOCK, "A", "out")).isTrue();
    assertThat(world.superchunks.isProvenPlain(BLOCK, List.of("A", "out"))).isTrue();
    assertThat(world.isPlain(BLOCK, "A", "old")).as("has yet to report").isFalse();
    assertThat(world.isPlain(BLOCK, "A", "unknown")).isFalse();
  }

  @Test
  void aRowInLimboIsThatOfADeletedReplica() {
    disks.putRow(BLOCK, AB, "A", SlotState.LIMBO);
    world.ask(block(BLOCK, "A", "C"));
    assertThat(world.homeOf(BLOCK, "A", "C")).isEmpty();
    assertThat(world.isPlain(BLOCK, "A", "C")).isTrue();
    disks.putRow(BLOCK + 1, AB, "A", SlotState.LIMBO);
    disks.putRow(BLOCK + 1, AB, "B", SlotState.RESERVED);
    world.ask(block(BLOCK + 1, "A", "B"));
    assertThat(world.homeOf(BLOCK + 1, "A", "B")).contains(AB);
    assertThat(world.isPlain(BLOCK + 1, "A", "B")).isFalse();
  }

  /** Of A and B the superchunk goes on with B and D; what A has is no side of it. */
  @Test
  void aRowInASupersededFrameProtectsNothing() {
    disks.write(BLOCK, AB, "A");
    disks.frames.get("B").put(0, new Pairing(AB, 6, "D", "nD", 1));
    disks.frames.get("D").put(0, new Pairing(AB, 6, "B", "nB", 2));
    disks.report();
    world.ask(block(BLOCK, "A", "C"));
    assertThat(world.homeOf(BLOCK, "A", "C")).isEmpty();
    assertThat(world.isPlain(BLOCK, "A", "C")).isTrue();
  }

  /** As a balance leaves it that ended with a failover: whole in AB, on its way to CD. */
  private void writeInTwo(long coveredBytes, boolean ackPending) {
    disks.pair(CD, 5, "C", 2, "D", 0);
    disks.report();
    disks.write(BLOCK, AB, "A", "B");
    disks.blocks.get(BLOCK).addAll(List.of("C", "D"));
    SlotStatus status = new SlotStatus(SlotState.LIVE, ackPending, false);
    disks.putRow(BLOCK, CD, "C", coveredBytes, status);
    disks.putRow(BLOCK, CD, "D", coveredBytes, status);
  }

  @Test
  void ofTwoSuperchunksTheOneThatCoversAllIsTaken() {
    writeInTwo(DiskWorld.BLOCK_BYTES, true);
    world.ask(block(BLOCK, "C", "D", "A", "B"));
    assertThat(world.homeOf(BLOCK, "C", "D", "A", "B")).contains(AB);
  }

  @Test
  void aPartThatIsAcknowledgedIsNotTheBlock() {
    writeInTwo(DiskWorld.BLOCK_BYTES / 2, false);
    world.ask(block(BLOCK, "C", "D", "A", "B"));
    assertThat(world.homeOf(BLOCK, "C", "D", "A", "B")).contains(AB);
  }

  /** B has failed, and D does not cover it yet: whatever HDFS deleted would be missed. */
  @Test
  void aBlockThatIsWholeInNoneOfTwoStaysUnknown() {
    writeInTwo(DiskWorld.BLOCK_BYTES, true);
    disks.rows.get("B").remove(BLOCK);
    disks.blocks.get(BLOCK).remove("B");
    world.ask(block(BLOCK, "C", "D", "A"));
    assertThat(world.homeOf(BLOCK, "C", "D", "A")).isEmpty();
    assertThat(world.isPlain(BLOCK, "C", "D", "A")).isFalse();
    SlotStatus acknowledged = new SlotStatus(SlotState.LIVE, false, false);
    disks.putRow(BLOCK, CD, "C", DiskWorld.BLOCK_BYTES, acknowledged);
    disks.putRow(BLOCK, CD, "D", DiskWorld.BLOCK_BYTES, acknowledged);
    world.ask(block(BLOCK, "C", "D", "A"));
    assertThat(world.homeOf(BLOCK, "C", "D", "A")).contains(CD);
  }

  /** After a failover two DataNodes report first, and the other two later. */
  @Test
  void whatTwoReplicasHaveSaidDoesNotCountForFour() {
    writeInTwo(DiskWorld.BLOCK_BYTES, true);
    world.ask(block(BLOCK, "C", "D"));
    assertThat(world.homeOf(BLOCK, "C", "D")).contains(CD);
    assertThat(world.homeOf(BLOCK, "C", "D", "A", "B")).isEmpty();
    world.ask(block(BLOCK, "C", "D", "A", "B"));
    assertThat(world.homeOf(BLOCK, "C", "D", "A", "B")).contains(AB);
  }

  @Test
  void oneSilentStorageLeavesTheHalfCoveredSuperchunkUnnamed() {
    writeInTwo(DiskWorld.BLOCK_BYTES, true);
    disks.silent.addAll(List.of("nA", "nB"));
    world.ask(block(BLOCK, "C", "D", "A", "B"));
    assertThat(world.homeOf(BLOCK, "C", "D", "A", "B")).isEmpty();
  }

  @Test
  void aBlockThatWasPromisedToASuperchunkIsNotCalledPlain() {
    world.promised.add(BLOCK);
    world.ask(block(BLOCK, "A", "B"));
    assertThat(world.isPlain(BLOCK, "A", "B")).isFalse();
    world.promised.clear();
    world.ask(block(BLOCK, "A", "B"));
    assertThat(world.isPlain(BLOCK, "A", "B")).isTrue();
  }

  /** The DataNode looks, then the row is made, then the answer comes. */
  @Test
  void anAnswerFromBeforeARowWasMadeIsNotBelieved() {
    RowQuestions racing =
        world.questions(
            (PeerAddress peer, String storageId, List<Long> blockIds) -> {
              List<SlotEntry> rows = disks.findRows(peer, storageId, blockIds);
              world.rowless.forget(BLOCK);
              disks.write(BLOCK, AB, "A", "B");
              return rows;
            });
    racing.ask(List.of(block(BLOCK, "A")), 0);
    assertThat(world.isPlain(BLOCK, "A")).isFalse();
    racing.ask(List.of(block(BLOCK, "A")), 0);
    assertThat(world.homeOf(BLOCK, "A")).contains(AB);
  }

  @Test
  void aSuperchunkUnderANewEpochIsAskedForAgain() {
    disks.write(BLOCK, AB, "A", "B");
    world.ask(block(BLOCK, "A"));
    disks.fail("B");
    assertThat(world.homeOf(BLOCK, "A")).as("of the side that is left").contains(AB);
    disks.pair(AB, 6, "A", 0, "D", 0);
    disks.report();
    assertThat(world.homeOf(BLOCK, "A")).isEmpty();
    assertThat(world.isPlain(BLOCK, "A")).isFalse();
    world.ask(block(BLOCK, "A"));
    assertThat(world.homeOf(BLOCK, "A")).contains(AB);
  }

  @Test
  void blocksThatAreWantedAreAskedForOnce() {
    world.questions.want(BLOCK, List.of("A", "B"));
    assertThat(world.ask()).isEqualTo(2);
    assertThat(world.isPlain(BLOCK, "A", "B")).isTrue();
    assertThat(world.ask()).isZero();
  }

  @Test
  void hdfsLooksAgainAtSurplusBlocksThatAreKnownNow() {
    disks.silent.add("nC");
    disks.blocks.put(2L, new TreeSet<>(List.of("A", "C")));
    world.excess.add(1, List.of("A", "B"));
    world.excess.add(2, List.of("A", "C"));
    world.ask();
    assertThat(disks.lookedAt).containsExactly(1L);
    assertThat(world.excess.size()).isEqualTo(1);
    disks.silent.clear();
    world.nowMs += NodeRounds.FAILED_MS;
    world.ask();
    assertThat(disks.lookedAt).containsExactly(1L, 2L);
    assertThat(world.excess.size()).isZero();
  }

  /** As when a node with many blocks comes back, after others have got their replicas. */
  @Test
  void hdfsLooksAgainAtAllSurplusBlocksHoweverMany() {
    int all = UndecidedExcess.MAX_BLOCKS + 5_000;
    for (long id = 0; id < all; id++) {
      world.excess.add(id, List.of("A", "B"));
    }
    for (int round = 0; round < 30; round++) {
      world.ask();
    }
    assertThat(Set.copyOf(disks.lookedAt)).hasSize(all);
    assertThat(world.excess.size()).isZero();
  }

  /** HDFS would tell it again at once, and delete nothing. */
  @Test
  void aSurplusBlockThatLacksASideIsLookedAtOnceAndAgainWhenItIsWhole() {
    disks.write(1, AB, "A");
    disks.blocks.get(1L).addAll(List.of("C", "D"));
    world.excess.add(1, List.of("A", "C", "D"));
    world.ask();
    assertThat(disks.lookedAt).as("so that it is queued").containsExactly(1L);
    for (int i = 0; i < 3; i++) {
      world.excess.add(1, List.of("A", "C", "D"));
      world.ask();
    }
    assertThat(disks.lookedAt).containsExactly(1L);
    assertThat(world.excess.size()).isEqualTo(1);
    disks.write(1, AB, "A", "B");
    disks.blocks.get(1L).addAll(List.of("C", "D"));
    world.ask();
    world.ask();
    assertThat(disks.lookedAt).containsExactly(1L, 1L);
    assertThat(world.excess.size()).isZero();
  }

  @Test
  void aSurplusBlockThatIsDeletedIsForgotten() {
    disks.write(1, AB, "A");
    world.excess.add(1, List.of("A", "C"));
    disks.blocks.clear();
    world.ask();
    assertThat(world.excess.size()).isZero();
    assertThat(disks.lookedAt).isEmpty();
  }

  /** Its client went on with a plain replica on C when B, the other side, had failed. */
  @Test
  void hdfsLooksAgainAtABlockThatLacksASideOnceItIsComplete() {
    world.oneSided.add(1);
    world.oneSided.add(2);
    world.open.add(1L);
    disks.write(1, AB, "A");
    disks.blocks.get(1L).add("C");
    world.ask();
    assertThat(disks.lookedAt).isEmpty();
    assertThat(world.oneSided.size()).as("the deleted one is forgotten").isEqualTo(1);
    world.open.clear();
    world.ask();
    assertThat(world.homeOf(1, "A", "C")).contains(AB);
    assertThat(disks.lookedAt).containsExactly(1L);
    assertThat(world.lostBothSides).isEmpty();
  }

  /** HDFS drops it from its queue when its file is opened for append. */
  @Test
  void hdfsLooksAgainAndAgainAtABlockUntilItHasBothSides() {
    world.oneSided.add(1);
    disks.write(1, AB, "A");
    disks.blocks.get(1L).add("C");
    world.ask();
    assertThat(disks.lookedAt).containsExactly(1L);
    world.ask();
    assertThat(disks.lookedAt).as("it has time for the copy").hasSize(1);
    world.nowMs += 3_000;
    world.ask();
    assertThat(disks.lookedAt).hasSize(2);
    world.nowMs += 3_000;
    world.ask();
    assertThat(disks.lookedAt).as("longer and longer").hasSize(2);
    disks.write(1, AB, "A", "B");
    disks.blocks.get(1L).add("C");
    world.nowMs += 3_000;
    world.ask();
    assertThat(disks.lookedAt).as("C has one too many").hasSize(3);
    assertThat(world.oneSided.size()).isZero();
  }

  /** Its client went on with plain replicas when first A and then B, the other side, had failed. */
  @Test
  void aBlockThatLacksBothSidesOfItsSuperchunkIsNamedOnceItIsComplete() {
    world.oneSided.add(1);
    world.open.add(1L);
    disks.blocks.put(1L, new TreeSet<>(List.of("C", "D")));
    world.ask();
    assertThat(world.lostBothSides).isEmpty();
    world.open.clear();
    world.ask();
    assertThat(world.lostBothSides).containsExactly(1L);
    assertThat(world.oneSided.size()).isZero();
  }

  @Test
  void anotherActiveNameNodeMakesAllUnknown() {
    disks.write(1, AB, "A");
    world.excess.add(3, List.of("A"));
    world.ask(block(1, "A"), block(2, "A"));
    world.questions.stop();
    assertThat(world.homeOf(1, "A")).isEmpty();
    assertThat(world.isPlain(2, "A")).isFalse();
    assertThat(world.excess.size()).isZero();
  }

  /** In few calls, none of them for more blocks than a call may have. */
  @Test
  void aMillionUnknownBlocksAreResolvedInFewCalls() {
    int all = 1_000_000;
    for (long id = 0; id < 1_000; id++) {
      disks.putRow(id * 1_000, AB, "A", SlotState.LIVE);
    }
    int rounds = 0;
    for (long from = 0; from < all; from += RowQuestions.MAX_UNFILED) {
      List<Unfiled> left = new ArrayList<>();
      for (long id = from; id < from + RowQuestions.MAX_UNFILED; id++) {
        left.add(block(id, "A", "B"));
      }
      while (!left.isEmpty()) {
        world.questions.ask(left, world.nowMs);
        rounds++;
        left.removeIf(each -> world.superchunks.isKnown(each.blockId(), each.storageIds()));
      }
    }
    assertThat(disks.listed).hasSizeBetween(200, 210);
    assertThat(rounds).isBetween(100, 105);
    assertThat(world.homes.size()).isEqualTo(1_000);
    assertThat(world.isPlain(1, "A", "B")).isTrue();
    assertThat(world.homeOf(1_000, "A", "B")).contains(AB);
  }
}
