/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static io.hdfsparity.raidp.namenode.DiskWorld.AB;
import static io.hdfsparity.raidp.namenode.DiskWorld.AC;
import static io.hdfsparity.raidp.namenode.DiskWorld.BC;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.raidp.layout.RecoveryPlan.Kind;
import io.hdfsparity.raidp.lstor.Run;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.namenode.FsckReport.Finding;
import io.hdfsparity.raidp.wire.message.Pairing;
import io.hdfsparity.raidp.wire.message.RebuildCounts;
import io.hdfsparity.raidp.wire.message.ScrubRequest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What goes by the rows of volumes that are in several superchunks. */
class DiskChecksTest {
  private final DiskWorld world = new DiskWorld();

  private void writeAll() {
    world.write(1, AB, "A", "B");
    world.write(2, AC, "A", "C");
    world.write(3, BC, "B", "C");
    world.write(4, AB, "A", "B");
  }

  private FsckReport fsck() throws Exception {
    world.listed.clear();
    return new Fsck(world::view, world, world, () -> {}, new NodeScrubs(world, 3, () -> 0), Set::of)
        .run(new ScrubRequest(Optional.empty(), false, true));
  }

  private List<String> findings() throws Exception {
    return fsck().findings().stream()
        .map(f -> f.kind() + " " + f.blockId().orElse(-1) + " " + f.superchunkId().orElse(-1L))
        .toList();
  }

  @Test
  void fsckCountsEachBlockOnceAndReadsEachVolumeOnce() throws Exception {
    writeAll();
    FsckReport report = fsck();
    assertThat(report.findings()).isEmpty();
    assertThat(report.blocks()).isEqualTo(4);
    assertThat(report.rows()).isEqualTo(8);
    assertThat(world.listed).filteredOn(each -> each.length() == 1).containsOnlyOnce("A", "B", "C");
    assertThat(world.listed)
        .filteredOn(each -> each.length() > 1)
        .containsExactlyInAnyOrder("B/1", "C/2", "C/3");
  }

  @Test
  void fsckFindsBlocksWithARowOnOneSideOnly() throws Exception {
    writeAll();
    world.rows.get("A").remove(1L);
    assertThat(findings()).containsExactly("NOT_COVERED 1 1");
    assertThat(fsck().findings()).extracting(Finding::detail).allMatch(d -> d.contains("row=null"));
    world.rows.get("B").remove(1L);
    assertThat(fsck().findings()).isEmpty();
    assertThat(fsck().plainBlocks()).hasValue(1);
  }

  @Test
  void fsckFindsABlockWithRowsInTwoSuperchunks() throws Exception {
    writeAll();
    world.blocks.get(2L).add("B");
    world.putRow(2, BC, "B", SlotState.LIVE);
    assertThat(findings()).containsExactly("NOT_COVERED 2 3");
    world.blocks.get(2L).remove("C");
    assertThat(findings()).contains("SINGLE 2 2", "SINGLE 2 3");
  }

  @Test
  void fsckFindsRowsThatDiffer() throws Exception {
    writeAll();
    SlotEntry row = world.rows.get("C").get(3L);
    world
        .rows
        .get("C")
        .put(
            3L,
            new SlotEntry(
                row.frameIndex(), 3, 1, List.of(new Run(70, 1)), row.coverage(), row.status()));
    assertThat(findings()).containsExactly("SLOTS_DIFFER 3 3");
  }

  /** B comes back after D has taken its place in AB; its other superchunk is in service. */
  @Test
  void ofAFrameThatCameBackTooLateOnlyItsOwnBlocksAreStrays() {
    world.write(1, AB, "A", "B");
    world.write(3, BC, "B", "C");
    world.write(5, BC, "B");
    world.write(7, BC, "B", "C");
    world.blocks.get(7L).add("A");
    world.pair(AB, 6, "A", 0, "D", 0);
    world.frames.get("B").put(0, new Pairing(AB, 5, "A", "nA", 2));
    world.report();
    assertThat(world.view().frames().superseded()).hasSize(1);
    List<Long> lacking = new ArrayList<>();
    StraySweeper sweeper = new StraySweeper(world, world, lacking::add);
    sweeper.sweep(world.view(), 0);
    assertThat(world.givenUp).as("A has the only other replica").isEmpty();
    assertThat(lacking).as("HDFS sees two replicas").containsExactly(1L);
    world.blocks.get(1L).add("D");
    world.marked.add("1@D");
    sweeper.sweep(world.view(), 3_000);
    assertThat(world.givenUp).as("D's replica is damaged").isEmpty();
    world.marked.clear();
    sweeper.sweep(world.view(), 6_000);
    assertThat(world.givenUp).containsExactly("1@B");
  }

  /** Listing the rows of a frame takes a while, and giving up its replicas. */
  @Test
  void aStrayIsLookedAtRightBeforeItIsGivenUp() {
    for (long id = 1; id <= 2; id++) {
      world.write(id, AB, "A", "B");
      world.blocks.get(id).add("D");
    }
    world.pair(AB, 6, "A", 0, "D", 0);
    world.frames.get("B").put(0, new Pairing(AB, 5, "A", "nA", 2));
    world.report();
    world.onGiveUp = () -> world.blocks.get(2L).remove("A");
    new StraySweeper(world, world, id -> {}).sweep(world.view(), 0);
    assertThat(world.givenUp).containsExactly("1@B");
  }

  @Test
  void aNodeThatDoesNotAnswerIsLeftAloneForAWhile() {
    world.write(1, AB, "A", "B");
    world.write(2, BC, "B", "C");
    world.blocks.get(1L).add("D");
    for (int index = 0; index < 2; index++) {
      long superchunk = index == 0 ? AB : BC;
      Pairing old = world.frames.get("B").get(index);
      world.pair(superchunk, 6, index == 0 ? "A" : "C", index, "D", index);
      world.frames.get("B").put(index, old);
    }
    world.report();
    assertThat(world.view().frames().superseded()).hasSize(2);
    world.silent.add("nB");
    StraySweeper sweeper = new StraySweeper(world, world, id -> {});
    sweeper.sweep(world.view(), 0);
    assertThat(world.listed).hasSize(1);
    sweeper.sweep(world.view(), 3_000);
    sweeper.sweep(world.view(), 8_000);
    assertThat(world.listed).as("longer each time").hasSize(2);
    world.silent.clear();
    sweeper.sweep(world.view(), 11_000);
    assertThat(world.listed).hasSize(4);
    assertThat(world.givenUp).containsExactly("1@B");
  }

  @Test
  void whoLooksForProgressDoesNotWaitForADataNode() {
    writeAll();
    ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    CopyProgress progress = new CopyProgress(world, world, id -> {}, tasks::add);
    SuperchunkView superchunk = world.superchunk(AB);
    RecoveryMove move =
        RecoveryMove.start(
            AB, Kind.COPY, RecoveryMove.Receiver.of(superchunk.follower()), superchunk.epoch());
    for (int i = 0; i < 3; i++) {
      assertThat(progress.advance(world.view(), superchunk, superchunk.leader(), move)).isEmpty();
    }
    assertThat(tasks).hasSize(1);
    world.silent.add("nA");
    tasks.remove().run();
    assertThat(progress.advance(world.view(), superchunk, superchunk.leader(), move)).isEmpty();
    world.silent.clear();
    assertThat(progress.advance(world.view(), superchunk, superchunk.leader(), move)).isEmpty();
    tasks.remove().run();
    assertThat(progress.advance(world.view(), superchunk, superchunk.leader(), move))
        .contains(new RebuildCounts(200, 200, 2, 2));
  }

  @Test
  void theProgressOfCopiesIsThatOfOneSuperchunk() {
    writeAll();
    world.write(6, AB, "A");
    world.blocks.get(1L).remove("B");
    CopyProgress progress = new CopyProgress(world, world, id -> {}, Runnable::run);
    RecoveryMove move =
        RecoveryMove.start(
            AB,
            Kind.COPY,
            RecoveryMove.Receiver.of(world.superchunk(AB).follower()),
            world.superchunk(AB).epoch());
    FrameView source = world.superchunk(AB).leader();
    assertThat(progress.advance(world.view(), world.superchunk(AB), source, move))
        .contains(new RebuildCounts(300, 100, 3, 1));
    world.blocks.get(1L).add("B");
    world.blocks.remove(6L);
    assertThat(progress.advance(world.view(), world.superchunk(AB), source, move))
        .contains(new RebuildCounts(300, 300, 3, 3));
    assertThat(world.listed).as("once").containsExactly("A/1");
  }

  /** A balance may give a block another superchunk while this one gets another side. */
  @Test
  void aBlockThatHasGoneElsewhereIsNotWaitedFor() {
    writeAll();
    world.write(6, AB, "A");
    world.blocks.get(1L).removeAll(List.of("A", "B"));
    world.blocks.get(1L).addAll(List.of("C", "D"));
    world.blocks.get(6L).clear();
    CopyProgress progress = new CopyProgress(world, world, id -> {}, Runnable::run);
    SuperchunkView superchunk = world.superchunk(AB);
    RecoveryMove move =
        RecoveryMove.start(
            AB, Kind.COPY, RecoveryMove.Receiver.of(superchunk.follower()), superchunk.epoch());
    assertThat(progress.advance(world.view(), superchunk, superchunk.leader(), move))
        .as("block 6, which has no replica now, is waited for")
        .contains(new RebuildCounts(300, 200, 3, 2));
  }
}
