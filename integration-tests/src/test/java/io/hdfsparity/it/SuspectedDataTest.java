/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.bridge.refusal.Refusal;
import io.hdfsparity.it.ForeignCoders.Kind;
import io.hdfsparity.it.RepairCluster.Group;
import io.hdfsparity.it.RepairCluster.Stored;
import io.hdfsparity.izs.level.VerifyStatus;
import io.hdfsparity.izs.verify.ProgressFormat;
import io.hdfsparity.izs.wire.LevelClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Groups of which all parity says that a data unit is wrong. The bytes it says are kept. */
@Tag("full")
@Timeout(900)
class SuspectedDataTest {
  /** More than are sampled. */
  private static final int STRIPES = 5;

  private static final int LENGTH =
      STRIPES * VerifyingCluster.DATA_UNITS * VerifyingCluster.CELL_BYTES;

  private static final String ATTRIBUTE = "trusted.parity.izs.verified";

  private VerifyingCluster verifying;
  private RepairCluster cluster;

  @BeforeEach
  void start(@TempDir Path root) throws IOException {
    // What a NameNode ordered before it ended is ordered again soon.
    verifying =
        VerifyingCluster.start(
            root,
            7,
            Map.of(DFSConfigKeys.DFS_NAMENODE_RECONSTRUCTION_PENDING_TIMEOUT_SEC_KEY, "5"));
    cluster = verifying.repair();
  }

  @AfterEach
  void stop() throws IOException {
    verifying.close();
  }

  /** Verification has found it, and that is durable. */
  private Group suspected(String name) throws IOException {
    org.apache.hadoop.fs.Path directory = verifying.directory("izs", 2);
    VerifyStatus before = verifying.status();
    byte[] content = cluster.write(directory, "for-" + name, LENGTH).content();
    verifying.awaitVerified(before, 1);
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(directory, name);
    verifying.writeForeign(Kind.OTHER_DATA_IN_STRIPE_1, file, content);
    Group group = cluster.new Group(file, content);
    long id = group.located().getBlock().getBlockId();
    String pool = cluster.cluster().getNamesystem().getBlockPoolId();
    await("the suspicion is saved")
        .atMost(VerifyingCluster.TIMEOUT)
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(
            () -> {
              byte[] saved = cluster.fs().getXAttr(new org.apache.hadoop.fs.Path("/"), ATTRIBUTE);
              return ProgressFormat.decode(saved, pool, ATTRIBUTE).suspected().contains(id);
            });
    return group;
  }

  private void awaitUnits(Group group, int count) {
    await(count + " units")
        .atMost(VerifyingCluster.TIMEOUT)
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(() -> group.nodes().size() == count);
  }

  /** Bytes of a unit on the node where it is now. */
  private static byte[] bytes(Group group, int unit) throws IOException {
    DataNode node = group.nodes().get(unit);
    if (node == null) {
      throw new IOException("no DataNode has unit " + unit);
    }
    return group.stored(unit, node).data();
  }

  /** HDFS makes parity of data alone; so it fits, and the other parity does not any more. */
  @Test
  void rebuiltParityIsNoEvidenceAgainstTheParityThatWasThere() throws Exception {
    Group group = suspected("f");
    Stored right = group.written().get(4);
    group.lose(5);
    await("parity 1 is rebuilt")
        .atMost(VerifyingCluster.TIMEOUT)
        .ignoreExceptionsInstanceOf(IOException.class)
        .untilAsserted(
            () ->
                assertThat(bytes(group, 5))
                    .as("parity of wrong data")
                    .isNotEqualTo(group.written().get(5).data()));

    cluster.cluster().restartNameNode(/* waitActive= */ true);
    cluster.cluster().triggerBlockReports();
    awaitUnits(group, 6);
    await("compared again")
        .atMost(VerifyingCluster.TIMEOUT)
        .ignoreExceptionsInstanceOf(IOException.class)
        .untilAsserted(
            () -> {
              VerifyStatus.Results results = verifying.status().results();
              assertThat(results.suspectedData() + results.wrongParity()).isPositive();
            });
    VerifyStatus status = verifying.status();
    assertThat(status.results().unitsReencoded()).isZero();
    assertThat(status.results().suspectedData()).isEqualTo(1);
    assertThat(bytes(group, 4)).as("all that is left of the right bytes").isEqualTo(right.data());

    for (int level : List.of(1, 3)) {
      assertThat(refusal(level, group)).as("to level %s", level).isEqualTo("contradiction");
    }
  }

  private String refusal(int level, Group group) throws IOException {
    verifying.directory("izs", level); // adds the policy
    try (LevelClient client = verifying.client()) {
      return client
          .setLevel(level, List.of(group.file().toUri().getPath()))
          .get(0)
          .refusal()
          .map(Refusal::kind)
          .orElse("none");
    }
  }

  /**
   * One parity unit to spare says in stripe 1 that another unit is wrong. No sample is of stripe 1.
   */
  @Test
  void noUnitIsRebuiltFromTheWrongOne() throws Exception {
    Group group = suspected("f");
    long contradictions = cluster.repairMetric("Contradictions");
    group.lose(0);
    await("a repair")
        .atMost(VerifyingCluster.TIMEOUT)
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(() -> cluster.repairMetric("Contradictions") > contradictions || isStored(group, 0));
    assertThat(isStored(group, 0)).isFalse();
    assertThat(cluster.repairMetric("ComparedBytes"))
        .isGreaterThanOrEqualTo(5L * VerifyingCluster.CELL_BYTES);
  }

  private boolean isStored(Group group, int unit) throws IOException {
    ExtendedBlock block = group.block(unit);
    return cluster.cluster().getDataNodes().stream()
        .anyMatch(node -> node.getFSDataset().isValidBlock(block));
  }

  /** Without it everything fits. */
  @Test
  void theWrongUnitIsRebuiltAsAllParitySays() throws Exception {
    Group group = suspected("f");
    long compared = cluster.repairMetric("ComparedBytes");
    group.lose(1);
    group.awaitRebuilt(1);
    byte[] right = group.written().get(1).data().clone();
    right[VerifyingCluster.CELL_BYTES] ^= 1;
    assertThat(bytes(group, 1)).isEqualTo(right);
    assertThat(cluster.repairMetric("ComparedBytes") - compared)
        .as("all units that are left, whole")
        .isGreaterThanOrEqualTo(5L * STRIPES * VerifyingCluster.CELL_BYTES);
  }

  /** What is verified and fits is compared by samples, and lost parity is made of data. */
  @Test
  void soundGroupsAreNotComparedWhole() throws Exception {
    VerifyStatus before = verifying.status();
    Group group = cluster.write(verifying.directory("izs", 2), "sound", LENGTH);
    verifying.awaitVerified(before, 1);
    long compared = cluster.repairMetric("ComparedBytes");
    group.lose(5);
    group.awaitAsWritten();
    assertThat(cluster.repairMetric("ComparedBytes")).isEqualTo(compared);
    group.lose(1);
    group.awaitAsWritten();
    assertThat(cluster.repairMetric("ComparedBytes") - compared)
        .isBetween(1L, 4L * STRIPES * VerifyingCluster.CELL_BYTES);
  }
}
