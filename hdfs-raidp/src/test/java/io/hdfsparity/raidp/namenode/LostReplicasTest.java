/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.raidp.namenode.SimCluster.SimDisk;
import io.hdfsparity.raidp.wire.message.ExpectedBlock;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which length a rebuild is to bring back of a block in the superchunk of two disks. */
class LostReplicasTest {
  private final SimCluster sim = new SimCluster(new Random(5), 12, 4, 1, 5);
  private long blockId;
  private long superchunkId;
  private SimDisk ours;
  private SimDisk partners;

  @BeforeEach
  void write() throws Exception {
    sim.copies = false;
    RecoveryRuns.layOut(sim);
    blockId = sim.write().orElseThrow();
    sim.open.add(blockId);
    sim.steps(3);
    SimCluster.SimFrame frame =
        sim.frames().stream().filter(f -> f.rows.containsKey(blockId)).findFirst().orElseThrow();
    superchunkId = frame.pairing.orElseThrow().superchunkId();
    ours = frame.disk;
    partners = sim.framesOn(frame.pairing.orElseThrow().partnerStorageId()).get(0).disk;
  }

  private OptionalLong expectedBytes() throws Exception {
    ClusterView view = sim.manager.map().view();
    SuperchunkView superchunk = view.superchunks().get(superchunkId);
    assertThat(superchunk.state()).isEqualTo(SuperchunkState.LOST);
    return new RebuildOrders(sim, sim, new AskedBlocks(), diskId -> false)
        .missing(view, superchunk).stream()
            .filter(block -> block.blockId() == blockId)
            .findFirst()
            .map(ExpectedBlock::numBytes)
            .orElseThrow();
  }

  private void silence(SimDisk... disks) throws Exception {
    for (SimDisk disk : disks) {
      disk.node.up = false;
    }
    sim.steps(65);
  }

  private void declareFailed(SimDisk disk) throws Exception {
    sim.manager.map().declareFailed(disk.id);
    sim.steps(2);
  }

  private static OptionalLong atLeastTheNameNodes() {
    return OptionalLong.of(SimCluster.BLOCK_BYTES);
  }

  @Test
  void silentNodesMayComeBack() throws Exception {
    silence(ours, partners);
    assertThat(expectedBytes()).isEqualTo(atLeastTheNameNodes());
  }

  @Test
  void disksThatTheirNodesReportAsFailedDoNot() throws Exception {
    ours.failed = true;
    partners.failed = true;
    sim.steps(3);
    assertThat(expectedBytes()).isEmpty();
  }

  @Test
  void oneSilentNodeIsWaitedFor() throws Exception {
    ours.failed = true;
    silence(partners);
    assertThat(expectedBytes()).isEqualTo(atLeastTheNameNodes());
    declareFailed(partners);
    assertThat(expectedBytes()).isEmpty();
  }

  @Test
  void anAdministratorGivesUpBoth() throws Exception {
    silence(ours, partners);
    declareFailed(ours);
    assertThat(expectedBytes()).isEqualTo(atLeastTheNameNodes());
    declareFailed(partners);
    assertThat(expectedBytes()).isEmpty();
  }

  /** The NameNode has started since, and knows of the writer's nodes only what is reported. */
  @Test
  void aNameNodeThatDoesNotKnowWhereItWasWrittenLooksAtTheSuperchunk() throws Exception {
    silence(ours, partners);
    sim.blocks.get(blockId).clear();
    assertThat(expectedBytes()).isEqualTo(atLeastTheNameNodes());
    sim.restartManager();
    sim.steps(65);
    assertThat(expectedBytes()).as("known from their Lstors").isEqualTo(atLeastTheNameNodes());
    declareFailed(ours);
    declareFailed(partners);
    assertThat(expectedBytes()).isEmpty();
  }

  @Test
  void aReplicaOutsideTheSuperchunkIsWaitedFor() throws Exception {
    ours.failed = true;
    partners.failed = true;
    SimDisk third =
        sim.disks().stream()
            .filter(disk -> disk.node != ours.node && disk.node != partners.node)
            .findFirst()
            .orElseThrow();
    silence(third);
    sim.blocks.get(blockId).add(third.frames.get(0).storageId);
    assertThat(expectedBytes()).isEqualTo(atLeastTheNameNodes());
  }

  @Test
  void aCompleteBlockIsExpectedAsItIs() throws Exception {
    sim.open.remove(blockId);
    ours.failed = true;
    partners.failed = true;
    sim.steps(3);
    assertThat(expectedBytes()).isEqualTo(OptionalLong.of(SimCluster.BLOCK_BYTES));
  }
}
