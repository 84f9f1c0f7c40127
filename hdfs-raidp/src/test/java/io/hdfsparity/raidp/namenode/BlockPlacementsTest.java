/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static io.hdfsparity.raidp.namenode.Reports.frame;
import static io.hdfsparity.raidp.namenode.Reports.node;
import static io.hdfsparity.raidp.namenode.Reports.spare;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.bridge.namenode.DegradedBlocks.Copy;
import io.hdfsparity.raidp.config.Coefficients;
import io.hdfsparity.raidp.config.ManagerOptions;
import io.hdfsparity.raidp.wire.message.DiskState;
import io.hdfsparity.raidp.wire.message.Pairing;
import io.hdfsparity.raidp.wire.message.SuperchunkAnswer;
import io.hdfsparity.raidp.wire.message.SuperchunkAnswer.Pair;
import io.hdfsparity.raidp.wire.message.SuperchunkAnswer.Refused;
import io.hdfsparity.raidp.wire.message.SuperchunkRequest;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hdfs.server.blockmanagement.PlacedBlocks.Location;
import org.apache.hadoop.hdfs.server.blockmanagement.PlacedBlocks.Owner;
import org.apache.hadoop.hdfs.server.blockmanagement.PlacedBlocks.PlacedBlock;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;
import org.junit.jupiter.api.Test;

/**
 * Two pairs of frames: a on n1 with b on n2 is superchunk 7, c on n1 with d on n3 is superchunk 8;
 * s on n1 and t on n4 are spare.
 */
class BlockPlacementsTest {
  private static final long BLOCK = 100;
  private static final long STAMP = 5;

  private final SuperchunkMap map =
      new SuperchunkMap(new ManagerOptions.Silence(10, 100), Coefficients.THREE, 0);
  private final Map<Long, PlacedBlock> blocks = new HashMap<>();
  private final Clues clues = new Clues();
  private final BlockPlacements placements = placements(BlockPlacements.MAX_KEPT);

  BlockPlacementsTest() {
    map.report(
        node(
            "n1",
            frame("a", 0, with(7, "b", "n2", 3)),
            frame("c", 1, with(8, "d", "n3", 1)),
            spare("s", 2)),
        0);
    map.report(node("n2", frame("b", 0, with(7, "a", "n1", 3))), 0);
    map.report(node("n3", frame("d", 0, with(8, "c", "n1", 1))), 0);
    map.report(node("n4", spare("t", 0)), 0);
  }

  /** What the test says. */
  private static final class Clues implements BlockPlacements.Clues {
    private final Map<Long, Copy> copies = new HashMap<>();
    private final Map<Long, Long> rows = new HashMap<>();
    private final Map<String, Long> roomiest = new HashMap<>();
    private final Set<Long> wanted = new HashSet<>();
    private ClusterView view = ClusterView.empty();

    @Override
    public Optional<Copy> copyOf(long blockId) {
      return Optional.ofNullable(copies.get(blockId));
    }

    @Override
    public Optional<SuperchunkView> byRows(
        ClusterView newest, long blockId, List<String> storageIds) {
      view = newest;
      return Optional.ofNullable(rows.get(blockId)).map(newest.superchunks()::get);
    }

    @Override
    public void want(long blockId, List<String> storageIds) {
      wanted.add(blockId);
    }

    @Override
    public Optional<SuperchunkView> roomiest(String storageId) {
      return Optional.ofNullable(roomiest.get(storageId)).map(view.superchunks()::get);
    }
  }

  private BlockPlacements placements(int maxKept) {
    return new BlockPlacements(
        ids -> {
          Map<Long, PlacedBlock> found = new HashMap<>(blocks);
          found.keySet().retainAll(ids);
          return found;
        },
        map::view,
        clues,
        maxKept);
  }

  private static Pairing with(long superchunk, String partner, String node, long epoch) {
    return new Pairing(superchunk, epoch, partner, node, 1);
  }

  private static Location at(String nodeUuid, String storageId) {
    return new Location(nodeUuid, storageId, true);
  }

  private static Location dead(String nodeUuid, String storageId) {
    return new Location(nodeUuid, storageId, false);
  }

  private void open(long blockId, Location... locations) {
    blocks.put(
        blockId,
        new PlacedBlock(STAMP, false, false, false, new Owner(0, 2, true, 1), List.of(locations)));
  }

  private void complete(long blockId, Location... locations) {
    blocks.put(
        blockId,
        new PlacedBlock(STAMP, true, false, true, new Owner(0, 2, true, 1), List.of(locations)));
  }

  private static SuperchunkRequest request(String node, long blockId, long stamp, String named) {
    return new SuperchunkRequest("CID", node, "BP", blockId, stamp, Optional.ofNullable(named));
  }

  private SuperchunkAnswer ask(String node) throws IOException {
    return placements.answer(request(node, BLOCK, STAMP, null));
  }

  private static void assertRefused(SuperchunkAnswer answer, String reason) {
    assertThat(answer).isInstanceOf(Refused.class);
    assertThat(((Refused) answer).reason()).contains(reason);
  }

  @Test
  void eachNodeIsToldItsStorageOfAnOpenBlock() throws IOException {
    open(BLOCK, at("n1", "a"), at("n2", "b"));
    assertThat(ask("n1")).isEqualTo(new Pair("a", 7, 3));
    assertThat(ask("n2")).isEqualTo(new Pair("b", 7, 3));
    assertRefused(ask("n3"), "other DataNodes");
    assertRefused(ask("n4"), "other DataNodes");
  }

  @Test
  void aNodeWithSeveralStoragesIsToldTheRightOne() throws IOException {
    open(BLOCK, at("n3", "d"), at("n1", "c"));
    assertThat(ask("n1")).isEqualTo(new Pair("c", 8, 1));
  }

  @Test
  void aNamedStorageMustBeTheOneOfTheBlock() throws IOException {
    open(BLOCK, at("n1", "a"), at("n2", "b"));
    assertThat(placements.answer(request("n1", BLOCK, STAMP, "a"))).isEqualTo(new Pair("a", 7, 3));
    for (String wrong : List.of("c", "s")) {
      assertRefused(
          placements.answer(request("n1", BLOCK, STAMP, wrong)), "another storage of this node");
    }
  }

  @Test
  void blocksThatAreNotThereAreRefused() throws IOException {
    assertRefused(ask("n1"), "no such block");
    open(BLOCK, at("n1", "a"), at("n2", "b"));
    assertThat(ask("n1")).isInstanceOf(Pair.class);
    blocks.clear();
    assertRefused(ask("n1"), "no such block");
  }

  @Test
  void anOlderGenerationStampIsRefusedAndANewerOneIsThatOfARecovery() throws IOException {
    open(BLOCK, at("n1", "a"), at("n2", "b"));
    assertRefused(
        placements.answer(request("n1", BLOCK, STAMP - 1, null)), "generation stamp is 5 by now");
    assertThat(placements.answer(request("n1", BLOCK, STAMP + 1, null)))
        .isEqualTo(new Pair("a", 7, 3));
  }

  @Test
  void anErasureCodedBlockIsRefused() throws IOException {
    blocks.put(
        BLOCK,
        new PlacedBlock(
            STAMP, false, true, false, new Owner(0, 1, true, 1), List.of(at("n1", "a"))));
    assertRefused(ask("n1"), "erasure-coded");
  }

  @Test
  void aCompleteBlockIsWhereItIsStored() throws IOException {
    complete(BLOCK, at("n1", "a"), at("n2", "b"));
    assertThat(ask("n2")).isEqualTo(new Pair("b", 7, 3));
    assertRefused(ask("n3"), "other DataNodes");
    assertThat(placements.keptAnswers()).isZero();
  }

  /** The NameNode learns of the new node when the pipeline is complete. */
  @Test
  void aReplacementIsThePartnerOfTheOnlyLivePlace() throws IOException {
    map.report(node("n2", DiskState.DISK_FAILED, frame("b", 0, with(7, "a", "n1", 3))), 1);
    map.report(
        node("n1", frame("a", 0, with(7, "t", "n4", 4)), frame("c", 1, with(8, "d", "n3", 1))), 1);
    map.report(node("n4", frame("t", 0, with(7, "a", "n1", 4))), 1);
    open(BLOCK, at("n1", "a"), dead("n2", "b"));
    assertThat(ask("n4")).isEqualTo(new Pair("t", 7, 4));
    assertRefused(ask("n3"), "other DataNodes");
    open(BLOCK + 1, dead("n1", "a"), dead("n2", "b"));
    assertRefused(placements.answer(request("n4", BLOCK + 1, STAMP, null)), "other DataNodes");
    open(BLOCK + 2, at("n1", "a"), at("n2", "b"));
    assertRefused(placements.answer(request("n4", BLOCK + 2, STAMP, null)), "other DataNodes");
    complete(BLOCK + 3, at("n1", "a"));
    assertThat(placements.answer(request("n4", BLOCK + 3, STAMP, null)))
        .as("a copy that another program sends to the right place")
        .isEqualTo(new Pair("t", 7, 4));
  }

  @Test
  void theOnlyLivePlaceHasNoPartnerWhileItsSuperchunkIsDegraded() throws IOException {
    map.report(node("n2", DiskState.DISK_FAILED, frame("b", 0, with(7, "a", "n1", 3))), 1);
    open(BLOCK, at("n1", "a"), dead("n2", "b"));
    assertThat(ask("n1")).isEqualTo(new Pair("a", 7, 3));
    assertRefused(ask("n2"), "in no superchunk now");
    assertRefused(ask("n4"), "other DataNodes");
  }

  @Test
  void aStorageWithoutASuperchunkIsRefused() throws IOException {
    open(BLOCK, at("n1", "s"), at("n4", "t"));
    assertRefused(ask("n1"), "in no superchunk now");
  }

  @Test
  void twoStoragesOfOneNodeAreRefused() throws IOException {
    open(BLOCK, at("n1", "a"), at("n1", "c"));
    assertRefused(ask("n1"), "several storages of this node");
  }

  /** The log of edits has the block, and not where it was placed. */
  @Test
  void aNameNodeThatBecameActiveSinceRefuses() throws IOException {
    open(BLOCK);
    assertRefused(ask("n1"), "has become active since");
    open(BLOCK, at("n1", "a"));
    assertThat(ask("n2")).as("n1 has reported its replica").isEqualTo(new Pair("b", 7, 3));
  }

  @Test
  void aNodeThatHasNotReportedYetAsksAgain() {
    open(BLOCK, at("n9", "x"));
    assertThatThrownBy(() -> ask("n9"))
        .isInstanceOf(RetriableException.class)
        .hasMessageContaining("node=n9");
  }

  /** A replica that was sent to another storage changes what the NameNode expects. */
  @Test
  void theFirstAnswerStaysUntilTheBlockIsCompleteOrGone() throws IOException {
    open(BLOCK, at("n1", "a"), at("n2", "b"));
    assertThat(ask("n1")).isEqualTo(new Pair("a", 7, 3));
    open(BLOCK, at("n1", "c"), at("n2", "b"));
    assertThat(ask("n1")).isEqualTo(new Pair("a", 7, 3));
    complete(BLOCK, at("n1", "c"), at("n2", "b"));
    assertRefused(ask("n3"), "other DataNodes");
    assertThat(placements.keptAnswers()).isZero();
    assertThat(ask("n1")).isEqualTo(new Pair("c", 8, 1));
  }

  @Test
  void anAnswerOfAStorageThatHasFailedIsFoundAnew() throws IOException {
    open(BLOCK, at("n1", "a"), at("n2", "b"));
    assertThat(ask("n2")).isEqualTo(new Pair("b", 7, 3));
    map.report(node("n2", DiskState.DISK_FAILED, frame("b", 0, with(7, "a", "n1", 3))), 1);
    assertRefused(ask("n2"), "in no superchunk now");
  }

  @Test
  void whatIsKeptIsBounded() throws IOException {
    BlockPlacements few = placements(10);
    for (long id = 1; id <= 100; id++) {
      open(id, at("n1", "a"), at("n2", "b"));
      assertThat(few.answer(request("n1", id, STAMP, null))).isEqualTo(new Pair("a", 7, 3));
      assertThat(few.keptAnswers()).isLessThanOrEqualTo(10);
    }
    assertThat(few.keptAnswers()).isEqualTo(10);
    for (long id = 1; id <= 100; id++) {
      complete(id, at("n1", "a"), at("n2", "b"));
    }
    for (int i = 0; i < 5; i++) {
      few.answer(request("n1", 1, STAMP, null));
    }
    assertThat(few.keptAnswers()).as("each question drops two that are complete").isZero();
  }

  @Test
  void onlyTheActiveNameNodeAnswersAndOnlyRegisteredNodesAboutThemselves() throws IOException {
    open(BLOCK, at("n1", "a"), at("n2", "b"));
    AtomicBoolean active = new AtomicBoolean();
    PlacementQuestions questions =
        new PlacementQuestions(
            id ->
                id.startsWith("n")
                    ? Optional.of(
                        new Registrations.Registered("10.0.0.1", Set.of(), Set.of("a", "c", "s")))
                    : Optional.empty(),
            id -> id.equals("n-of-hdfs"),
            active::get,
            () -> "CID",
            () -> "BP",
            placements);
    SuperchunkRequest good = request("n1", BLOCK, STAMP, null);
    assertThatThrownBy(() -> questions.answer(good)).isInstanceOf(StandbyException.class);
    active.set(true);
    assertThat(questions.answer(good)).isEqualTo(new Pair("a", 7, 3));
    assertThat(questions.answer(request("n-of-hdfs", BLOCK, STAMP, null)))
        .isEqualTo(new SuperchunkAnswer.Plain());
    for (Map.Entry<SuperchunkRequest, String> wrong :
        Map.of(
                request("invented", BLOCK, STAMP, null),
                "node=invented",
                request("n1", BLOCK, STAMP, "b"),
                "storage=b, expected one that the node has registered",
                new SuperchunkRequest("CID-2", "n1", "BP", BLOCK, STAMP, Optional.empty()),
                "clusterId=CID-2",
                new SuperchunkRequest("CID", "n1", "BP-2", BLOCK, STAMP, Optional.empty()),
                "blockPoolId=BP-2")
            .entrySet()) {
      assertThatThrownBy(() -> questions.answer(wrong.getKey()))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(wrong.getValue());
    }
    String big = "x".repeat(PlacementQuestions.MAX_ID_CHARS + 1);
    for (SuperchunkRequest huge :
        Arrays.asList(
            new SuperchunkRequest(big, "n1", "BP", BLOCK, STAMP, Optional.empty()),
            new SuperchunkRequest("CID", big, "BP", BLOCK, STAMP, Optional.empty()),
            new SuperchunkRequest("CID", "n1", big, BLOCK, STAMP, Optional.empty()),
            new SuperchunkRequest("CID", "n1", "BP", BLOCK, STAMP, Optional.of(big)))) {
      assertThatThrownBy(() -> questions.answer(huge))
          .hasMessageContaining("length=257, expected at most 256");
    }
  }
}
