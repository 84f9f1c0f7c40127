/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static io.hdfsparity.raidp.namenode.DiskWorld.AB;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.namenode.DegradedBlocks.Unfiled;
import io.hdfsparity.raidp.adoption.SharedSuperchunk;
import io.hdfsparity.raidp.config.ManagerOptions;
import io.hdfsparity.raidp.config.WhenFull;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.wire.message.PeerAddress;
import io.hdfsparity.raidp.wire.message.SuperchunkRef;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.CorruptReplica;
import org.apache.hadoop.hdfs.server.blockmanagement.PlacedBlocks.Owner;
import org.apache.hadoop.hdfs.server.blockmanagement.PlacedBlocks.PlacedBlock;
import org.junit.jupiter.api.Test;

/** What calls of an adoption leave with the manager. */
class ProtectionStateTest {
  private static final long BLOCK = 7;
  private static final PeerAddress PEER = new PeerAddress("nA", "x", 1);

  private final DiskWorld disks = new DiskWorld();
  private final Grants grants = new Grants(60_000);
  private final BlockHomes homes = new BlockHomes();
  private final ProtectionState mixed =
      new ProtectionState(
          new ManagerOptions.Placement(10, 100, 60_000, WhenFull.REFUSE),
          new ProtectionState.Shared(
              disks.map,
              homes,
              grants,
              new PlacementChooser(
                  disks::view,
                  grants,
                  new NodeRoster(Map.of(), addresses -> {}),
                  () -> true,
                  10,
                  100,
                  () -> 0,
                  () -> new Random(1))),
          disks,
          () -> 0);
  private final HomeQuestions questions =
      mixed.questions(
          disks, Runnable::run, ProtectionStateTest::placed, blockId -> Optional.empty());

  /** Each block has a file of its own; those of blocks with odd numbers are protected. */
  private static Map<Long, PlacedBlock> placed(Collection<Long> blockIds) {
    Map<Long, PlacedBlock> placed = new HashMap<>();
    for (long id : blockIds) {
      Owner file = new Owner(-id, 2, id % 2 == 1, 100);
      placed.put(id, new PlacedBlock(1, true, false, true, file, List.of()));
    }
    return placed;
  }

  private boolean isPlain(String... storageIds) {
    questions.ask(List.of(new Unfiled(BLOCK, List.of(storageIds))), 0);
    return mixed.superchunks().isPlain(BLOCK, List.of(storageIds));
  }

  private void cover(String storageId, List<Long> taken) throws IOException {
    mixed
        .covers((peer, storage, superchunk, blockIds) -> taken)
        .cover(PEER, storageId, new SuperchunkRef(AB, 5), List.of(BLOCK));
  }

  /** The answers of before it was covered are still kept, and its file is lowered now. */
  @Test
  void aRowThatAnAdoptionFindsIsKnown() throws Exception {
    assertThat(isPlain("A", "B", "C")).isTrue();
    disks.write(BLOCK, AB, "A", "B");
    assertThat(mixed.rows(disks).findRows(PEER, "A", List.of(BLOCK))).hasSize(1);
    assertThat(mixed.superchunks().isPlain(BLOCK, List.of("A", "B", "C"))).isFalse();
    assertThat(mixed.superchunks().of(BLOCK, List.of("A", "B", "C"))).isPresent();
    assertThat(mixed.superchunks().isPlain(BLOCK, List.of("C"))).as("asked again").isFalse();
  }

  /** HDFS has enough replicas of it, and no parity has any of them. */
  @Test
  void theFileOfABlockThatLacksBothSidesIsAdoptedAgain() {
    for (long id = BLOCK; id <= BLOCK + 1; id++) {
      mixed.oneSided().add(id);
      disks.blocks.put(id, new TreeSet<>(List.of("C", "D")));
    }
    questions.ask(List.of(), 0);
    assertThat(mixed.placement().filesToLower().take(2)).containsExactly(-BLOCK);
  }

  @Test
  void aRowInLimboSaysNothing() throws Exception {
    disks.putRow(BLOCK, AB, "A", SlotState.LIMBO);
    mixed.rows(disks).findRows(PEER, "A", List.of(BLOCK));
    assertThat(homes.size()).isZero();
  }

  @Test
  void aBlockIsPlainAgainWhenNoSideHasTakenIt() throws Exception {
    cover("A", List.of(BLOCK));
    assertThat(isPlain("A", "C")).isFalse();
    assertThat(isPlain("C")).as("it gets no row").isTrue();
    cover("A", List.of());
    assertThat(isPlain("A", "C")).isTrue();
  }

  /** Half-covered in its new superchunk: that one's rows may be what is answered first. */
  @Test
  void aBlockThatABalanceLeavesBelongsWhereItWas() {
    SharedSuperchunk from = new SharedSuperchunk(AB, 5, "A", "B");
    disks.write(BLOCK, AB, "A", "B");
    mixed.moving().note(BLOCK, new SharedSuperchunk(4, 5, "C", "D"));
    mixed.left(BLOCK, from);
    List<String> all = List.of("C", "D", "A", "B");
    assertThat(mixed.superchunks().of(BLOCK, all))
        .hasValueSatisfying(home -> assertThat(home.superchunkId()).isEqualTo(AB));
    assertThat(mixed.oneSided().size()).isEqualTo(1);
    mixed.left(BLOCK, new SharedSuperchunk(AB, 4, "A", "B"));
    assertThat(mixed.superchunks().of(BLOCK, all)).as("its rows are asked for").isEmpty();
    disks.fail("B");
    mixed.left(BLOCK, from);
    assertThat(mixed.superchunks().of(BLOCK, all)).isEmpty();
  }

  private boolean isHealed(String storageId) {
    return mixed.isHealed(
        new CorruptReplica(disks.block(BLOCK).orElseThrow(), "n" + storageId, storageId),
        questions);
  }

  @Test
  void onlyTheSidesOfASuperchunkInServiceAreHealed() {
    disks.write(BLOCK, AB, "A", "B");
    disks.blocks.get(BLOCK).add("C");
    assertThat(isHealed("A")).as("its rows are asked for now").isFalse();
    questions.ask(List.of(), 0);
    assertThat(isHealed("A")).isTrue();
    assertThat(isHealed("B")).isTrue();
    assertThat(isHealed("C")).as("HDFS makes up for it").isFalse();
    disks.fail("B");
    assertThat(isHealed("A")).as("nobody has its bytes").isFalse();
  }

  @Test
  void aPlainReplicaIsNotHealed() {
    disks.blocks.put(BLOCK, new TreeSet<>(List.of("A", "B")));
    assertThat(isPlain("A", "B")).isTrue();
    assertThat(isHealed("A")).isFalse();
  }
}
