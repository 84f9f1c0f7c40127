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
import io.hdfsparity.izs.verify.VerifyReport;
import io.hdfsparity.izs.verify.VerifyReport.Finding;
import io.hdfsparity.izs.wire.LevelClient;
import io.hdfsparity.izs.wire.VerifyTask;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the level manager makes of reports; the test reports instead of the DataNodes. */
@Tag("full")
@Timeout(900)
class ParityEvidenceTest {
  private static final int LENGTH = 5 * VerifyingCluster.DATA_UNITS * VerifyingCluster.CELL_BYTES;

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

    boolean isDoubted() throws IOException {
      return !client.mayBelieveParity(node, pool, groupId);
    }

    @Override
    public void close() {
      client.close();
    }
  }

  private static VerifyingCluster start(Path root, String isWholeWanted) throws IOException {
    Map<String, String> keys =
        Map.of(
            // DataNodes ask once, while there is nothing.
            VerifyKey.POLL.key(),
            "1h",
            // Over soon: it is not why contradictory parity is not believed.
            VerifyKey.REBUILD_WAIT.key(),
            "1s",
            VerifyKey.WHOLE.key(),
            isWholeWanted);
    return VerifyingCluster.start(root, 7, keys);
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
      VerifyStatus.Results results = cluster.status().results();
      assertThat(results.unitsReencoded()).isZero();
      assertThat(results.suspectedData()).isEqualTo(1);
      assertThat(reporter.isDoubted()).isTrue();
    }
  }

  @Test
  void parityThatDoesNotFitIsDropped(@TempDir Path root) throws Exception {
    try (VerifyingCluster cluster = start(root, "true");
        Reporter reporter = new Reporter(cluster)) {
      reporter.reportSample(Finding.WRONG_PARITY);
      assertThat(reporter.isDoubted()).isTrue();
      reporter.reportWhole(Finding.WRONG_PARITY, List.of(4));
      assertThat(cluster.status().results().unitsReencoded()).isEqualTo(1);
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
