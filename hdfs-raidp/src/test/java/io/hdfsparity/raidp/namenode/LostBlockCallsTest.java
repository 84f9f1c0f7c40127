/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.raidp.namenode.SimCluster.SimFrame;
import io.hdfsparity.raidp.wire.message.ExpectedBlock;
import io.hdfsparity.raidp.wire.message.LostBlock;
import io.hdfsparity.raidp.wire.message.LstorSource;
import io.hdfsparity.raidp.wire.message.PeerAddress;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.StoredBlock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The two disks of {@link #ours} and {@link #partner}, with a block, have failed. */
class LostBlockCallsTest {
  private boolean countsDeadReplicas;
  private final SimCluster sim =
      new SimCluster(new Random(5), 12, 4, 1, 5) {
        @Override
        public Optional<StoredBlock> block(long id) {
          return super.block(id).map(block -> countsDeadReplicas ? withAllLive(block) : block);
        }
      };
  private final AskedBlocks asked = new AskedBlocks();
  private LostBlockCalls calls;
  private SimFrame ours;
  private SimFrame partner;
  private long blockId;

  @BeforeEach
  void fail() throws Exception {
    sim.copies = false;
    sim.steps(2);
    sim.manager
        .layout()
        .apply(sim.manager.layout().plan(ShapeOfCluster.byUuid(sim.nodes()), sim.nowMs));
    sim.steps(20);
    blockId = sim.write().orElseThrow();
    sim.steps(3);
    ours = sim.frames().stream().filter(f -> f.rows.containsKey(blockId)).findFirst().orElseThrow();
    partner = sim.framesOn(ours.pairing.orElseThrow().partnerStorageId()).get(0);
    calls =
        new LostBlockCalls(
            sim.manager.map()::view,
            sim,
            uuid -> Optional.of(new Registrations.Registered("127.0.0.1", Set.of(), Set.of())),
            () -> true,
            asked);
    assertThat(decoders(1)).isEmpty();
    ours.disk.failed = true;
    partner.disk.failed = true;
    sim.steps(3);
  }

  private List<PeerAddress> decoders(long id) throws IOException {
    return calls.findDecoders(sim.blockPoolId(), id);
  }

  private LostBlock find() throws IOException {
    return find(blockId);
  }

  private LostBlock find(long id) throws IOException {
    return calls.findLostBlock("n00", sim.blockPoolId(), id);
  }

  private static StoredBlock withAllLive(StoredBlock block) {
    return new StoredBlock(
        block.blockId(),
        block.generationStamp(),
        block.lengthBytes(),
        block.complete(),
        block.storageIds().size() - block.marks().size(),
        block.marks(),
        block.wantedReplicas(),
        block.storageIds());
  }

  private boolean isAsked(LostBlock block) {
    ExpectedBlock other = new ExpectedBlock(-1, 1, true, OptionalLong.empty());
    ExpectedBlock expected = block.expected().orElseThrow();
    return asked.first(List.of(other, expected)).get(0).equals(expected);
  }

  /** Whoever has such a block could make DataNodes look for it in all Lstors. */
  @Test
  void aBlockWithEnoughReplicasIsNotLost() throws Exception {
    LostBlock whole = find(sim.write().orElseThrow());
    assertThat(whole.expected()).isPresent();
    assertThat(whole.sources()).isEmpty();
    assertThat(whole.unreadable()).isEmpty();
    assertThat(isAsked(whole)).as("it does not come first in recovery").isFalse();
    assertThat(isAsked(find())).isTrue();
  }

  @Test
  void aReplicaThatSomebodyFoundDamagedDoesNotCount() throws Exception {
    long id = sim.write().orElseThrow();
    sim.givenUp.add(id + "@" + sim.block(id).orElseThrow().storageIds().get(0));
    assertThat(find(id).sources()).isNotEmpty();
  }

  /** HDFS counts the replicas of a dead node for ten minutes. */
  @Test
  void replicasOnDisksThatTheManagerKnowsAsLostDoNotCount() throws Exception {
    countsDeadReplicas = true;
    assertThat(sim.block(blockId).orElseThrow().liveReplicas()).isEqualTo(2);
    assertThat(find().sources()).hasSize(2);
  }

  /** Nor do those of a node that may be dead already. */
  @Test
  void replicasOfASilentNodeDoNotCount() throws Exception {
    countsDeadReplicas = true;
    long id = sim.write().orElseThrow();
    String storageId = sim.block(id).orElseThrow().storageIds().get(0);
    SimCluster.SimNode node = sim.framesOn(storageId).get(0).disk.node;
    node.up = false;
    while (sim.manager.map().view().nodes().get(node.uuid).silence() == NodeState.Silence.NONE) {
      assertThat(find(id).sources()).isEmpty();
      sim.steps(1);
    }
    assertThat(find(id).sources()).isNotEmpty();
  }

  /** No range of it is decoded before it is complete. */
  @Test
  void ofABlockThatIsBeingWrittenNoLstorIsNamed() throws Exception {
    sim.open.add(blockId);
    LostBlock open = find();
    assertThat(open.expected().orElseThrow().complete()).isFalse();
    assertThat(open.sources()).isEmpty();
    assertThat(isAsked(open)).isTrue();
  }

  @Test
  void aBlockKeepsItsDecodersAndBlocksAreSpreadOverThem() throws Exception {
    Set<String> first = new HashSet<>();
    for (long id = 1_000; id < 1_200; id++) {
      List<PeerAddress> found = decoders(id);
      assertThat(found).hasSize(4).doesNotHaveDuplicates();
      first.add(found.get(0).nodeUuid());
      for (int i = 0; i < 3; i++) {
        assertThat(decoders(id)).isEqualTo(found);
      }
    }
    assertThat(first).hasSize(sim.nodes.size());
    List<PeerAddress> before = decoders(1_000);
    sim.steps(5);
    assertThat(decoders(1_000)).isEqualTo(before);
  }

  @Test
  void aNodeThatDiesIsPassed() throws Exception {
    List<PeerAddress> before = decoders(77);
    sim.nodes.stream()
        .filter(node -> node.uuid.equals(before.get(1).nodeUuid()))
        .forEach(node -> node.up = false);
    sim.steps(70);
    List<PeerAddress> after = decoders(77);
    assertThat(after.subList(0, 3)).containsExactly(before.get(0), before.get(2), before.get(3));
  }

  /** It may hang: each range would wait for the time limit of a call. */
  @Test
  void aNodeThatIsLateIsPassed() throws Exception {
    List<PeerAddress> before = decoders(77);
    sim.nodes.stream()
        .filter(node -> node.uuid.equals(before.get(0).nodeUuid()))
        .forEach(node -> node.up = false);
    stepUntilLate(before.get(0));
    assertThat(decoders(77).subList(0, 3)).isEqualTo(before.subList(1, 4));
  }

  /** The NameNode stood still, and nobody could report. */
  @Test
  void whereAllAreLateTheyAreNamedNevertheless() throws Exception {
    List<PeerAddress> before = decoders(77);
    sim.nodes.forEach(node -> node.up = false);
    stepUntilLate(before.get(0));
    assertThat(decoders(77)).isEqualTo(before);
  }

  private void stepUntilLate(PeerAddress node) throws IOException {
    while (silence(node) == NodeState.Silence.NONE) {
      sim.steps(1);
    }
    assertThat(silence(node)).isEqualTo(NodeState.Silence.STALE);
  }

  private NodeState.Silence silence(PeerAddress node) {
    return sim.manager.map().view().nodes().get(node.nodeUuid()).silence();
  }

  @Test
  void lstorsOfSuperchunksWithoutAnySideComeFirst() throws Exception {
    LostBlock lost = find();
    assertThat(lost.expected()).isPresent();
    assertThat(lost.unreadable()).isEmpty();
    assertThat(lost.sources().stream().map(LstorSource::diskId))
        .containsExactlyInAnyOrder(ours.disk.id, partner.disk.id);
    // A third disk, that shares no lost superchunk but many that lack a side.
    sim.disks().stream()
        .filter(disk -> disk.alive() && !disk.node.uuid.equals("n00"))
        .filter(disk -> disk.frames.stream().noneMatch(this::isPairedWithFailed))
        .limit(2)
        .forEach(disk -> disk.failed = true);
    sim.steps(3);
    assertThat(find().sources()).hasSizeGreaterThan(2);
    assertThat(find().sources().stream().limit(2).map(LstorSource::diskId))
        .containsExactlyInAnyOrder(ours.disk.id, partner.disk.id);
  }

  private boolean isPairedWithFailed(SimFrame frame) {
    return frame.pairing.map(pairing -> !sim.alive(pairing.partnerStorageId())).orElse(false);
  }

  @Test
  void lstorsThatNobodyServesAreNamed() throws Exception {
    ours.disk.lstorDaemonUp = false;
    partner.disk.lstorDaemonUp = false;
    sim.steps(40);
    LostBlock lost = find();
    assertThat(lost.sources()).isEmpty();
    assertThat(lost.unreadable())
        .hasSize(2)
        .allMatch(each -> each.contains("does not report any more"))
        .anyMatch(each -> each.contains("Lstor of disk " + ours.disk.id + " of DataNode "))
        .anyMatch(each -> each.contains(partner.disk.node.uuid));
  }

  @Test
  void ofManyThatNobodyServesSomeAreNamed() throws Exception {
    sim.disks().stream()
        .filter(disk -> !disk.node.uuid.equals("n00"))
        .forEach(
            disk -> {
              disk.failed = true;
              disk.lstorDaemonUp = false;
            });
    sim.steps(40);
    List<String> names = find().unreadable();
    assertThat(names).hasSize(UnreadableLstors.MAX_NAMED + 1);
    assertThat(names.get(UnreadableLstors.MAX_NAMED)).isEqualTo("and 3 more");
  }
}
