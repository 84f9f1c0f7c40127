/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.it.ForeignCoders.Kind;
import io.hdfsparity.it.RepairCluster.Group;
import io.hdfsparity.izs.level.FileOutcome;
import io.hdfsparity.izs.level.VerifyStatus;
import io.hdfsparity.izs.wire.LevelClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Wrong parity is replaced although the NameNode ends in the middle, or the level changes. */
@Tag("full")
@Timeout(900)
class VerifiedParityCrashTest {
  private static final int LENGTH =
      3 * VerifyingCluster.DATA_UNITS * VerifyingCluster.CELL_BYTES - 999;

  private VerifyingCluster cluster;

  @BeforeEach
  void start(@TempDir Path root) throws IOException {
    // What a NameNode ordered before it ended is ordered again soon.
    cluster =
        VerifyingCluster.start(
            root,
            8,
            Map.of(DFSConfigKeys.DFS_NAMENODE_RECONSTRUCTION_PENDING_TIMEOUT_SEC_KEY, "5"));
  }

  @AfterEach
  void stop() throws IOException {
    cluster.close();
  }

  private Group sound(int level, String name) throws IOException {
    VerifyStatus before = cluster.status();
    Group sound = cluster.repair().write(cluster.directory("izs", level), name, LENGTH);
    cluster.awaitVerified(before, 1);
    return sound;
  }

  /** The same content beside it, with wrong parity. */
  private Group wrong(Group sound, String name) throws IOException {
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(sound.file().getParent(), name);
    cluster.writeForeign(Kind.REED_SOLOMON, file, sound.content());
    return cluster.repair().new Group(file, sound.content());
  }

  private void awaitDropped(VerifyStatus before) {
    await()
        .atMost(VerifyingCluster.TIMEOUT)
        .pollInterval(Duration.ofMillis(10))
        .until(
            () -> cluster.status().results().unitsReencoded() > before.results().unitsReencoded());
  }

  private void hearNothing(boolean isSilent) {
    for (DataNode node : cluster.repair().cluster().getDataNodes()) {
      DataNodeTestUtils.setHeartbeatsDisabledForTests(node, isSilent);
    }
  }

  private void assertReplaced(org.apache.hadoop.fs.Path file, Group sound) throws IOException {
    await()
        .atMost(VerifyingCluster.TIMEOUT)
        .ignoreExceptionsInstanceOf(IOException.class)
        .untilAsserted(
            () -> {
              VerifyStatus now = cluster.status();
              assertThat(now.isRunning()).isTrue();
              assertThat(now.unverified() + now.idsLeft()).isZero();
              // The connection of this client may have died with the NameNode that was before.
              assertThat(cluster.repair().fs().exists(file)).isTrue();
            });
    Group group = cluster.repair().new Group(file, sound.content());
    VerifyingCluster.awaitUnits(group, sound);
    group.lose(1);
    assertThat(cluster.read(file)).as("without unit 1").isEqualTo(sound.content());
    group.awaitAsWritten();
  }

  /** No DataNode has heard of the drop: all units are reported to the next NameNode. */
  @Test
  void endsBeforeTheWrongUnitsAreDeleted() throws Exception {
    Group sound = sound(2, "sound");
    VerifyStatus before = cluster.status();
    hearNothing(true);
    Group wrong = wrong(sound, "f");
    // Asked now, since a NameNode in safe mode says nothing.
    Map<Integer, ExtendedBlock> parity = Map.of(4, wrong.block(4), 5, wrong.block(5));
    awaitDropped(before);
    cluster.repair().cluster().restartNameNode(/* waitActive= */ false);
    parity.forEach(
        (unit, block) ->
            assertThat(wrong.written().get(unit).node().getFSDataset().isValidBlock(block))
                .as("unit %s is there", unit)
                .isTrue());
    hearNothing(false);
    assertReplaced(wrong.file(), sound);
  }

  /**
   * The NameNode takes two units for lost that were not reported yet, and the four others, wrong
   * parity among them, leave nothing to compare.
   */
  @Test
  void unitsThatAreNotReportedYetAreNotMadeOfWrongParity() throws Exception {
    Group sound = sound(2, "sound");
    VerifyStatus before = cluster.status();
    hearNothing(true);
    Group wrong = wrong(sound, "f");
    awaitDropped(before);
    Set<DataNode> late = Set.of(wrong.written().get(0).node(), wrong.written().get(5).node());
    cluster.repair().cluster().restartNameNode(/* waitActive= */ false);
    for (DataNode node : cluster.repair().cluster().getDataNodes()) {
      DataNodeTestUtils.setHeartbeatsDisabledForTests(node, late.contains(node));
    }
    await("a rebuild is tried")
        .atMost(VerifyingCluster.TIMEOUT)
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(
            () ->
                cluster.repair().repairMetric("FailedRepairs") > 0 || wrong.nodes().containsKey(0));
    assertThat(wrong.nodes()).doesNotContainKey(0);
    hearNothing(false);
    assertReplaced(wrong.file(), sound);
  }

  @Test
  void endsAfterTheWrongUnitsAreDeleted() throws Exception {
    Group sound = sound(3, "sound");
    for (int round = 0; round < 2; round++) {
      Group wrong = wrong(sound, "f" + round);
      DataNode node = wrong.written().get(4).node();
      ExtendedBlock parity = wrong.block(4);
      await()
          .atMost(VerifyingCluster.TIMEOUT)
          .pollInterval(Duration.ofMillis(10))
          .until(() -> !node.getFSDataset().isValidBlock(parity));
      cluster.repair().cluster().restartNameNode(/* waitActive= */ true);
      assertReplaced(wrong.file(), sound);
    }
  }

  /** What a change of level makes or drops is right at the end, whenever it comes. */
  @Test
  void levelsChangeBesideIt() throws Exception {
    Map<Integer, Group> twins = new LinkedHashMap<>();
    for (int level : List.of(1, 2, 3)) {
      twins.put(level, sound(level, "twin"));
    }
    byte[] content = twins.get(1).content();
    Map<org.apache.hadoop.fs.Path, Integer> files = new LinkedHashMap<>();
    for (int i = 0; i < 4; i++) {
      Kind kind = i < 2 ? Kind.REED_SOLOMON : Kind.LAST_WRONG;
      org.apache.hadoop.fs.Path file =
          new org.apache.hadoop.fs.Path(twins.get(2).file().getParent(), "f" + i);
      cluster.writeForeign(kind, file, content);
      int level = i % 2 == 0 ? 1 : 3;
      changeLevel(level, file);
      if (i >= 2) {
        level = 2;
        changeLevel(level, file);
      }
      files.put(file, level);
    }
    for (Map.Entry<org.apache.hadoop.fs.Path, Integer> each : files.entrySet()) {
      assertReplaced(each.getKey(), twins.get(each.getValue()));
    }
  }

  private void changeLevel(int level, org.apache.hadoop.fs.Path file) {
    await(file + " to level " + level)
        .atMost(VerifyingCluster.TIMEOUT)
        .untilAsserted(
            () -> {
              try (LevelClient client = cluster.client()) {
                FileOutcome outcome =
                    client.setLevel(level, List.of(file.toUri().getPath())).get(0);
                assertThat(outcome.refusal()).isEmpty();
              }
            });
  }
}
