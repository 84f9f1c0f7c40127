/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.wire.message.ExpectedBlock;
import io.hdfsparity.raidp.wire.message.FrameReport;
import io.hdfsparity.raidp.wire.message.LstorSource;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Both disks of a superchunk have failed, and a block of it has a third replica elsewhere. */
class RebuildOrdersTest {
  private static final long BLOCK = 7;
  private static final int SILENT_MS = 15_000;

  private final DiskWorld world = new DiskWorld();
  private final RebuildOrders orders =
      new RebuildOrders(
          world,
          (lstor, frameIndex) -> List.<SlotEntry>copyOf(world.rows.get("A").values()),
          new AskedBlocks(),
          diskId -> false);

  @BeforeEach
  void failBothSides() {
    world.putRow(BLOCK, DiskWorld.AB, "A", SlotState.LIVE);
    world.putRow(BLOCK, DiskWorld.AB, "B", SlotState.LIVE);
    world.blocks.put(BLOCK, Set.of("A", "B", "D"));
    world.fail("A");
    world.fail("B");
    reportLstorOfA();
  }

  private void reportLstorOfA() {
    FrameReport[] frames =
        IntStream.range(0, 2)
            .mapToObj(
                i ->
                    new FrameReport(
                        "A",
                        i,
                        Optional.of(world.frames.get("A").get(i)),
                        new FrameReport.Load(0, 0, 1, 0, 0),
                        false))
            .toArray(FrameReport[]::new);
    world.map.report(Reports.lstor("nA", false, frames), 0);
  }

  private List<Long> missing() throws IOException {
    return orders.missing(world.view(), world.superchunk(DiskWorld.AB)).stream()
        .map(ExpectedBlock::blockId)
        .toList();
  }

  @Test
  void aGoodReplicaElsewhereIsEnough() throws IOException {
    assertThat(world.superchunk(DiskWorld.AB).state()).isEqualTo(SuperchunkState.LOST);
    assertThat(missing()).isEmpty();
  }

  /** HDFS keeps it as long as it has no other one. */
  @Test
  void aDamagedReplicaElsewhereDoesNotKeepABlockFromItsRebuild() throws IOException {
    world.marked.add(BLOCK + "@D");
    assertThat(missing()).containsExactly(BLOCK);
  }

  /** A node counts as dead only after minutes. */
  @Test
  void aReplicaOnASilentNodeDoesNotKeepABlockFromItsRebuild() throws IOException {
    world.map.advance(SILENT_MS);
    world.map.report(
        Reports.lstor("nA", false, world.view().lstors().get("nA-d").report().frames().get(0)),
        SILENT_MS);
    assertThat(world.view().isAlive("D")).isTrue();
    assertThat(missing()).containsExactly(BLOCK);
  }

  /** It may have more than the parity has. */
  @Test
  void anOpenBlockIsLeftToItsReplicas() {
    world.marked.add(BLOCK + "@D");
    assertThat(
            RebuildOrders.hasNoLiveReplica(
                world.view(), world.superchunk(DiskWorld.AB), world.block(BLOCK, false)))
        .isFalse();
  }

  /** What was called damaged in a frame of the superchunk is healed there, from this parity. */
  @Test
  void aDamagedReplicaOnASideIsKept() {
    world.write(8, DiskWorld.AC, "A", "C");
    world.marked.add("8@C");
    assertThat(
            RebuildOrders.hasNoLiveReplica(
                world.view(), world.superchunk(DiskWorld.AC), world.block(8).orElseThrow()))
        .isFalse();
  }

  /** Both old sides are gone; a copy to a new one goes on, or has stalled. */
  @Test
  void theMirrorOfADeadFrameIsTheHolderWithTheBlocks() {
    String receiver = "Ab"; // comes before D, as the first holder of a pair does
    world.frames.put(receiver, new TreeMap<>());
    world.rows.put(receiver, new TreeMap<>());
    world.pair(DiskWorld.AC, 7, receiver, 0, "D", 2);
    world.putRow(BLOCK + 1, DiskWorld.AC, "D", SlotState.LIVE);
    world.report();
    reportLstorOfA();
    assertThat(world.superchunk(DiskWorld.AC).survivor().orElseThrow().storageId())
        .isEqualTo(receiver);

    assertThat(
            RebuildOrders.sources(world.view(), List.of(world.superchunk(DiskWorld.AB)))
                .get(0)
                .mirrors())
        .filteredOn(mirror -> mirror.frameIndex() == 1)
        .extracting(mirror -> mirror.mirrorStorageId().orElseThrow())
        .containsExactly("D");
  }

  /** The receiver may be empty for hours; the old partner has all that the dead side had. */
  @Test
  void theMirrorOfADeadFrameIsItsPartnerNotTheReceiverThatTookItsPlace() {
    String receiver = "Ab"; // comes before C, as the first holder of a pair does
    world.frames.put(receiver, new TreeMap<>());
    world.rows.put(receiver, new TreeMap<>());
    world.pair(DiskWorld.AC, 7, receiver, 0, "C", 0);
    world.report();
    reportLstorOfA();
    assertThat(world.superchunk(DiskWorld.AC).survivor().orElseThrow().storageId())
        .isEqualTo(receiver);

    List<LstorSource> sources =
        RebuildOrders.sources(world.view(), List.of(world.superchunk(DiskWorld.AB)));
    assertThat(sources).hasSize(1);
    assertThat(sources.get(0).mirrors())
        .filteredOn(mirror -> mirror.frameIndex() == 1)
        .extracting(mirror -> mirror.mirrorStorageId().orElseThrow())
        .containsExactly("C");
  }
}
