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
import io.hdfsparity.raidp.wire.message.SuperchunkAnswer;
import io.hdfsparity.raidp.wire.message.SuperchunkAnswer.Pair;
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
import org.apache.hadoop.hdfs.server.blockmanagement.PlacedBlocks.Location;
import org.apache.hadoop.hdfs.server.blockmanagement.PlacedBlocks.Owner;
import org.apache.hadoop.hdfs.server.blockmanagement.PlacedBlocks.PlacedBlock;
import org.apache.hadoop.ipc.RetriableException;
import org.junit.jupiter.api.Test;

/** Answers where a volume is in several superchunks. */
class DiskPlacementsTest {
  private static final long BLOCK = 100;

  private final DiskWorld world = new DiskWorld();
  private final Map<Long, PlacedBlock> blocks = new HashMap<>();
  private final Map<Long, Copy> copies = new HashMap<>();
  private final Set<Long> wanted = new HashSet<>();
  private final Map<String, Long> roomiest = new HashMap<>();
  private final BlockHomes homes = new BlockHomes();
  private BlockPlacements placements = newPlacements();

  /** That of a NameNode that has become active. */
  private BlockPlacements newPlacements() {
    return new BlockPlacements(
        ids -> {
          Map<Long, PlacedBlock> found = new HashMap<>(blocks);
          found.keySet().retainAll(ids);
          return found;
        },
        world::view,
        new BlockPlacements.Clues() {
          @Override
          public Optional<Copy> copyOf(long blockId) {
            return Optional.ofNullable(copies.get(blockId));
          }

          @Override
          public Optional<SuperchunkView> byRows(
              ClusterView view, long blockId, List<String> storageIds) {
            return homes.of(view, blockId, storageIds);
          }

          @Override
          public void want(long blockId, List<String> storageIds) {
            wanted.add(blockId);
          }

          @Override
          public Optional<SuperchunkView> roomiest(String storageId) {
            return Optional.ofNullable(roomiest.get(storageId)).map(world::superchunk);
          }
        });
  }

  private void place(boolean complete, String... volumes) {
    blocks.put(
        BLOCK,
        new PlacedBlock(
            1,
            complete,
            false,
            complete,
            new Owner(0, 2, true, 1),
            Arrays.stream(volumes)
                .map(
                    volume -> new Location(node(volume), volume, !world.states.containsKey(volume)))
                .toList()));
  }

  private SuperchunkAnswer ask(String volume) throws IOException {
    return ask(volume, Optional.of(volume));
  }

  private SuperchunkAnswer ask(String volume, Optional<String> named) throws IOException {
    return placements.answer(new SuperchunkRequest("CID", node(volume), "BP", BLOCK, 1, named));
  }

  private void assertAwaitsRows(String volume) {
    wanted.clear();
    assertThatThrownBy(() -> ask(volume)).isInstanceOf(RetriableException.class);
    assertThat(wanted).containsExactly(BLOCK);
  }

  private void rowsSay(long superchunk) {
    homes.put(BLOCK, world.superchunk(superchunk));
  }

  @Test
  void theTwoStoragesThatItWasPlacedOnSayIt() throws IOException {
    place(false, "A", "C");
    assertThat(ask("C")).isEqualTo(new Pair("C", AC, 5));
    assertThat(ask("A", Optional.empty())).isEqualTo(new Pair("A", AC, 5));
    place(false, "B", "C");
    placements = newPlacements();
    assertThat(ask("C")).isEqualTo(new Pair("C", BC, 5));
    assertThat(ask("B")).isEqualTo(new Pair("B", BC, 5));
    assertThat(ask("A")).isInstanceOf(Refused.class);
  }

  /** A report from another node changes what the NameNode expects. */
  @Test
  void theFirstAnswerHoldsForTheOtherNodeToo() throws IOException {
    place(false, "A", "B");
    assertThat(ask("A")).isEqualTo(new Pair("A", AB, 5));
    place(false, "C", "A", "B");
    assertThat(ask("B")).isEqualTo(new Pair("B", AB, 5));
    assertThat(ask("A")).isEqualTo(new Pair("A", AB, 5));
    placements = newPlacements();
    assertAwaitsRows("B");
    rowsSay(AB);
    assertThat(ask("B")).as("A has its row").isEqualTo(new Pair("B", AB, 5));
  }

  @Test
  void theEpochIsThatOfTheAnswer() throws IOException {
    place(false, "A", "B");
    assertThat(ask("A")).isEqualTo(new Pair("A", AB, 5));
    world.pair(AB, 7, "A", 0, "B", 0);
    world.report();
    assertThat(ask("A")).isEqualTo(new Pair("A", AB, 7));
    assertThat(ask("B")).isEqualTo(new Pair("B", AB, 7));
  }

  /** The disk of B fails between allocation and question; then D takes its place. */
  @Test
  void theSideThatIsLeftIsToldTheSameSuperchunk() throws IOException {
    place(false, "A", "B");
    world.fail("B");
    place(false, "A", "B");
    assertThat(ask("A")).isEqualTo(new Pair("A", AB, 5));
    assertThat(ask("B")).isInstanceOf(Refused.class);
    world.pair(AB, 6, "A", 0, "D", 0);
    world.report();
    placements = newPlacements();
    assertThat(ask("A")).as("no answer kept").isEqualTo(new Pair("A", AB, 6));
    assertThat(ask("D")).as("the partner that it got").isEqualTo(new Pair("D", AB, 6));
    assertThat(ask("C")).isInstanceOf(Refused.class);
  }

  /** AB goes on with B and D between the two questions; of A only AC is left. */
  @Test
  void aVolumeThatTheSuperchunkLeftIsNotToldItsOnlyOtherOne() throws IOException {
    place(false, "A", "B");
    assertThat(ask("B")).isEqualTo(new Pair("B", AB, 5));
    world.pair(AB, 6, "B", 0, "D", 0);
    world.report();
    assertThat(world.view().superchunksOn("A")).extracting(SuperchunkView::id).containsExactly(AC);
    assertThat(ask("A")).isInstanceOf(Refused.class);
    assertThat(ask("B")).as("as before").isEqualTo(new Pair("B", AB, 6));
    placements = newPlacements();
    assertAwaitsRows("A");
  }

  @Test
  void ofTwoSuperchunksOfTheSameVolumesANewBlockGetsTheUsableOne() throws IOException {
    long again = 9;
    world.pair(again, 5, "A", 2, "B", 2);
    world.report();
    assertThat(world.superchunk(again).usable()).isFalse();
    place(false, "A", "B");
    assertThat(ask("A")).isEqualTo(new Pair("A", AB, 5));
    assertThat(ask("B")).isEqualTo(new Pair("B", AB, 5));
    place(true, "A", "B");
    placements = newPlacements();
    assertAwaitsRows("B");
  }

  @Test
  void aSingleReplicaGetsASuperchunkAndKeepsIt() throws IOException {
    place(false, "A");
    assertThat(ask("A")).isInstanceOf(Refused.class);
    roomiest.put("A", AC);
    assertThat(ask("A")).isEqualTo(new Pair("A", AC, 5));
    roomiest.put("A", AB);
    assertThat(ask("A")).isEqualTo(new Pair("A", AC, 5));
    assertThat(ask("C")).as("the partner of the only place").isEqualTo(new Pair("C", AC, 5));
    assertThat(ask("B")).isInstanceOf(Refused.class);
    place(true, "A");
    placements = newPlacements();
    assertAwaitsRows("A");
    rowsSay(AC);
    assertThat(ask("A")).isEqualTo(new Pair("A", AC, 5));
  }

  /** The new NameNode knows only the node that has reported its replica. */
  @Test
  void afterAFailoverTheRowsOfTheFirstNodeSayIt() throws IOException {
    place(false, "A", "C");
    assertThat(ask("A")).isEqualTo(new Pair("A", AC, 5));
    placements = newPlacements();
    blocks.put(BLOCK, new PlacedBlock(1, false, false, false, new Owner(0, 2, true, 1), List.of()));
    assertThat(ask("C")).isInstanceOf(Refused.class);
    place(false, "A");
    assertAwaitsRows("C");
    rowsSay(AC);
    assertThat(ask("C")).isEqualTo(new Pair("C", AC, 5));
    assertThat(ask("B")).isInstanceOf(Refused.class);
  }

  @Test
  void aCopyIsToldWhatItWasHandedOutFor() throws IOException {
    place(true, "A", "D");
    copies.put(BLOCK, new Copy(BLOCK, 1, 10, AC, "nA", new Target("C", "nC")));
    assertThat(ask("C")).isEqualTo(new Pair("C", AC, 5));
    assertThat(ask("C", Optional.of("D"))).isInstanceOf(Refused.class);
    assertThat(ask("B")).isInstanceOf(Refused.class);
    copies.clear();
    place(true, "A");
    assertAwaitsRows("C");
    rowsSay(AC);
    assertThat(ask("C")).as("the row of its source says it too").isEqualTo(new Pair("C", AC, 5));
  }

  @Test
  void anotherProgramsCopyMustGoToThePartnerThatTheRowSays() throws IOException {
    place(true, "A");
    rowsSay(AC);
    assertThat(ask("B")).isInstanceOf(Refused.class);
    assertThat(ask("C")).isEqualTo(new Pair("C", AC, 5));
    assertThat(ask("D")).isInstanceOf(Refused.class);
  }

  /** Any order of questions, reports, failovers and a lost pipeline node. */
  @Test
  void noTwoNodesAreToldDifferentSuperchunks() {
    SeededRuns.of(500).check(random -> new DiskPlacementsTest().randomLife(random));
  }

  private void randomLife(Random random) throws IOException {
    List<String> volumes = new ArrayList<>(List.of("A", "B", "C"));
    Collections.shuffle(volumes, random);
    int replicas = 1 + random.nextInt(2);
    List<String> pipeline = volumes.subList(0, replicas);
    roomiest.put("A", AB + random.nextInt(2));
    roomiest.put("B", random.nextBoolean() ? AB : BC);
    roomiest.put("C", AC + random.nextInt(2));
    Set<String> expected = new HashSet<>(pipeline);
    Map<String, Long> made = new HashMap<>();
    for (int i = 0; i < 30; i++) {
      place(false, expected.toArray(new String[0]));
      String volume = pipeline.get(random.nextInt(replicas));
      switch (random.nextInt(8)) {
        // A replica elsewhere is reported: the NameNode expects it there too.
        case 0 -> expected.add(volumes.get(2));
        case 1 -> {
          // A failover: the places are those that have reported.
          placements = newPlacements();
          homes.clear();
          roomiest.replaceAll((id, old) -> random.nextBoolean() ? old : roomiestOther(id, old));
          expected.clear();
          expected.addAll(made.keySet());
        }
        case 2 -> {
          if (!made.isEmpty()) {
            rowsSay(made.values().iterator().next());
          }
        }
        default -> {
          if (!made.containsKey(volume)) {
            try {
              if (ask(volume) instanceof Pair pair) {
                assertThat(pair.storageId()).isEqualTo(volume);
                made.put(volume, pair.superchunkId());
              }
            } catch (RetriableException e) {
              // It asks again.
              assertThat(e).hasMessageContaining("try again");
            }
          }
        }
      }
      assertThat(new HashSet<>(made.values())).hasSizeLessThanOrEqualTo(1);
    }
  }

  private static long roomiestOther(String volume, long old) {
    return switch (volume) {
      case "A" -> old == AB ? AC : AB;
      case "B" -> old == AB ? BC : AB;
      default -> old == AC ? BC : AC;
    };
  }
}
