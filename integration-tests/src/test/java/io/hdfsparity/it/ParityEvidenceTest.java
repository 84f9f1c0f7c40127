/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.it.RepairCluster.Group;
import io.hdfsparity.izs.config.VerifyKey;
import io.hdfsparity.izs.level.VerifyStatus;
import io.hdfsparity.izs.verify.ProgressFormat;
import io.hdfsparity.izs.verify.VerifyProgress;
import io.hdfsparity.izs.verify.VerifyReport;
import io.hdfsparity.izs.verify.VerifyReport.Finding;
import io.hdfsparity.izs.wire.LevelClient;
import io.hdfsparity.izs.wire.VerifyTask;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.datanode.VolumeFailures;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.VolumeChoosingPolicy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the level manager makes of reports; the test reports instead of the DataNodes. */
@Tag("full")
@Timeout(900)
class ParityEvidenceTest {
  private static final int LENGTH = 5 * VerifyingCluster.DATA_UNITS * VerifyingCluster.CELL_BYTES;

  private static final String ATTRIBUTE = "trusted.parity.izs.verified";

  /** A group in the hands of the test, which is one of its DataNodes. */
  private static final class Reporter implements AutoCloseable {
    private final Group group;
    private final long groupId;
    private final String pool;
    private final String node;
    private final LevelClient client;

    Reporter(VerifyingCluster cluster) throws IOException {
      group = cluster.repair().write(cluster.directory("izs", 2), "f", LENGTH);
      groupId = group.located().getBlock().getBlockId();
      pool = group.located().getBlock().getBlockPoolId();
      node = group.written().get(0).node().getDatanodeUuid();
      client = cluster.client();
    }

    private VerifyTask take() {
      List<VerifyTask> taken = new ArrayList<>();
      await("a task")
          .atMost(VerifyingCluster.TIMEOUT)
          // A NameNode that has just restarted answers a moment later.
          .ignoreExceptionsInstanceOf(IOException.class)
          .until(
              () -> {
                taken.addAll(client.takeGroups(node));
                return !taken.isEmpty();
              });
      assertThat(taken).hasSize(1);
      assertThat(taken.get(0).groupId()).isEqualTo(groupId);
      return taken.get(0);
    }

    private void report(VerifyTask task, Finding finding, List<Integer> units) throws IOException {
      client.reportGroups(
          node,
          List.of(
              new VerifyReport(
                  task.taskId(),
                  groupId,
                  finding,
                  task.isWhole(),
                  units,
                  /* readBytes= */ 0,
                  "test")));
    }

    /** Says what a sample was found to be. */
    void reportSample(Finding finding) throws IOException {
      VerifyTask task = take();
      assertThat(task.isWhole()).isFalse();
      report(task, finding, List.of());
    }

    /** Says what all bytes were found to be; samples before do not fit. */
    void reportWhole(Finding finding, List<Integer> units) throws IOException {
      VerifyTask task = take();
      while (!task.isWhole()) {
        report(task, Finding.WRONG_PARITY, List.of());
        task = take();
      }
      report(task, finding, units);
    }

    /** Asks for a task until the group cannot be compared. */
    void awaitObstacle(VerifyingCluster cluster) {
      await("an obstacle")
          .atMost(VerifyingCluster.TIMEOUT)
          .until(
              () ->
                  client.takeGroups(node).isEmpty()
                      && cluster.status().results().notCompared() > 0);
    }

    boolean isDoubted() throws IOException {
      return !client.mayBelieveParity(node, pool, groupId);
    }

    @Override
    public void close() {
      client.close();
    }
  }

  /** Each DataNode has two disks and puts all on the first that has not failed. */
  public static final class FirstVolume implements VolumeChoosingPolicy<FsVolumeSpi> {
    @Override
    public FsVolumeSpi chooseVolume(
        List<FsVolumeSpi> volumes, long replicaBytes, String storageId) {
      return volumes.get(0);
    }
  }

  private static VerifyingCluster start(Path root, String isWholeWanted) throws IOException {
    return start(root, isWholeWanted, 7);
  }

  private static VerifyingCluster start(Path root, String isWholeWanted, int nodes)
      throws IOException {
    Map<String, String> keys =
        Map.of(
            // DataNodes ask once, while there is nothing.
            VerifyKey.POLL.key(),
            "1h",
            // Over soon: it is not why contradictory parity is not believed.
            VerifyKey.REBUILD_WAIT.key(),
            "1s",
            // But for doubts, which are saved within seconds.
            VerifyKey.SAVE_INTERVAL.key(),
            "1h",
            VerifyKey.WHOLE.key(),
            isWholeWanted,
            DFSConfigKeys.DFS_DATANODE_FAILED_VOLUMES_TOLERATED_KEY,
            "1",
            DFSConfigKeys.DFS_DATANODE_FSDATASET_VOLUME_CHOOSING_POLICY_KEY,
            FirstVolume.class.getName());
    return VerifyingCluster.start(root, nodes, keys);
  }

  private static void assertNothingDropped(VerifyingCluster cluster, Reporter reporter)
      throws IOException {
    VerifyStatus.Results results = cluster.status().results();
    assertThat(results.unitsReencoded()).isZero();
    assertThat(results.suspectedData()).isEqualTo(1);
    assertThat(reporter.isDoubted()).isTrue();
  }

  /** HDFS makes parity of data alone; if that is wrong, so is what the new parity says. */
  @Test
  void noParityIsDroppedOnTheEvidenceOfOneThatWasMadeSince(@TempDir Path root) throws Exception {
    try (VerifyingCluster cluster = start(root, "true");
        Reporter reporter = new Reporter(cluster)) {
      reporter.reportSample(Finding.WRONG_PARITY);
      Group group = reporter.group;
      cluster
          .repair()
          .cluster()
          .stopDataNode(group.written().get(5).node().getDatanodeId().getXferAddr());
      group.awaitRebuilt(5);
      reporter.reportWhole(Finding.WRONG_PARITY, List.of(4));
      assertNothingDropped(cluster, reporter);
    }
  }

  /** With which parity the doubt began, only the NameNode before knew. */
  @Test
  void norOfOneThatWasMadeAfterAFailover(@TempDir Path root) throws Exception {
    try (VerifyingCluster cluster = start(root, "true");
        Reporter reporter = new Reporter(cluster)) {
      reporter.reportSample(Finding.WRONG_PARITY);
      Group group = reporter.group;
      awaitSaved(cluster, reporter);
      assertThat(saved(cluster, reporter.pool).suspected()).isEmpty();
      MiniDFSCluster mini = cluster.repair().cluster();
      mini.restartNameNode(/* waitActive= */ true);
      mini.triggerBlockReports();
      await("all units")
          .atMost(VerifyingCluster.TIMEOUT)
          .ignoreExceptionsInstanceOf(IOException.class)
          .until(() -> group.nodes().size() == 6);
      mini.stopDataNode(group.written().get(5).node().getDatanodeId().getXferAddr());
      group.awaitRebuilt(5);
      reporter.reportWhole(Finding.WRONG_PARITY, List.of(4));
      assertNothingDropped(cluster, reporter);
    }
  }

  private static void awaitSaved(VerifyingCluster cluster, Reporter reporter) {
    await("the doubt is saved")
        .atMost(VerifyingCluster.TIMEOUT)
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(() -> saved(cluster, reporter.pool).doubted().contains(reporter.groupId));
  }

  private static VerifyProgress saved(VerifyingCluster cluster, String pool) throws IOException {
    byte[] saved = cluster.repair().fs().getXAttr(new org.apache.hadoop.fs.Path("/"), ATTRIBUTE);
    return ProgressFormat.decode(saved, pool, ATTRIBUTE);
  }

  private static String storageOf(Group group, int unit) throws IOException {
    LocatedStripedBlock located = group.located();
    for (int i = 0; i < located.getStorageIDs().length; i++) {
      if (located.getBlockIndices()[i] == unit) {
        return located.getStorageIDs()[i];
      }
    }
    throw new IOException("no DataNode has unit " + unit);
  }

  private static FsVolumeSpi volume(DataNode node, String storageId) throws IOException {
    try (FsDatasetSpi.FsVolumeReferences volumes = node.getFSDataset().getFsVolumeReferences()) {
      for (FsVolumeSpi volume : volumes) {
        if (volume.getStorageID().equals(storageId)) {
          return volume;
        }
      }
    }
    throw new AssertionError("no volume " + storageId);
  }

  /** With as many nodes as units, no other node can have it. */
  @Test
  void norOfOneThatWasMadeOnAnotherDiskOfItsNode(@TempDir Path root) throws Exception {
    try (VerifyingCluster cluster = start(root, "true", 6);
        Reporter reporter = new Reporter(cluster)) {
      reporter.reportSample(Finding.WRONG_PARITY);
      Group group = reporter.group;
      DataNode node = group.written().get(5).node();
      String failed = storageOf(group, 5);
      VolumeFailures.handle(node, Set.of(volume(node, failed)));
      group.awaitRebuilt(5);
      assertThat(group.nodes().get(5)).isSameAs(node);
      assertThat(storageOf(group, 5)).isNotEqualTo(failed);
      reporter.reportWhole(Finding.WRONG_PARITY, List.of(4));
      assertNothingDropped(cluster, reporter);
    }
  }

  @Test
  void norOfOneThatWasMadeWhereItWasBefore(@TempDir Path root) throws Exception {
    try (VerifyingCluster cluster = start(root, "true", 6);
        Reporter reporter = new Reporter(cluster)) {
      reporter.reportSample(Finding.WRONG_PARITY);
      Group group = reporter.group;
      DataNode node = group.written().get(5).node();
      String storage = storageOf(group, 5);
      // No other node can have the unit, and this one is not notified that it shall.
      DataNodeTestUtils.setHeartbeatsDisabledForTests(node, true);
      group.lose(5);
      reporter.awaitObstacle(cluster);
      DataNodeTestUtils.setHeartbeatsDisabledForTests(node, false);
      group.awaitRebuilt(5);
      assertThat(storageOf(group, 5)).isEqualTo(storage);
      reporter.reportWhole(Finding.WRONG_PARITY, List.of(4));
      assertNothingDropped(cluster, reporter);
    }
  }

  /** A NameNode that fails over in the middle of it leaves no doubt about what is left. */
  @Test
  void parityThatDoesNotFitIsDropped(@TempDir Path root) throws Exception {
    try (VerifyingCluster cluster = start(root, "true");
        Reporter reporter = new Reporter(cluster)) {
      reporter.reportSample(Finding.WRONG_PARITY);
      assertThat(reporter.isDoubted()).isTrue();
      awaitSaved(cluster, reporter);
      reporter.reportWhole(Finding.WRONG_PARITY, List.of(4));
      await("the drop")
          .atMost(VerifyingCluster.TIMEOUT)
          .until(() -> cluster.status().results().unitsReencoded() == 1);
      assertThat(saved(cluster, reporter.pool).doubted()).isEmpty();
      await("the end of rebuild.wait").until(() -> !reporter.isDoubted());
    }
  }

  /** What does not fit in some bytes may fit in others. */
  @Test
  void aSampleThatFitsEndsNoDoubt(@TempDir Path root) throws Exception {
    try (VerifyingCluster cluster = start(root, "false");
        Reporter reporter = new Reporter(cluster)) {
      reporter.reportSample(Finding.WRONG_PARITY);
      reporter.reportWhole(Finding.NOT_COMPARED, List.of());
      reporter.reportSample(Finding.FITS);
      assertThat(reporter.isDoubted()).isTrue();
      reporter.reportWhole(Finding.FITS, List.of());
      assertThat(reporter.isDoubted()).isFalse();
    }
  }
}
