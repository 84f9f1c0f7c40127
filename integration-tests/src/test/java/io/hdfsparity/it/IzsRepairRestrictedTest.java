/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.it.RepairCluster.Group;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Repairs with block tokens, encrypted data transfer, and reconstruction throttlers that are slower
 * than any machine.
 */
@Tag("full")
class IzsRepairRestrictedTest {
  private static final int CELL = 16 * 1024;
  private static final int STRIPES = 8;
  private static final long READ_BYTES_PER_SECOND = 256 << 10;
  private static final long WRITE_BYTES_PER_SECOND = 128 << 10;

  /** HDFS's throttlers let so much pass at once: the rest of a tenth of a second, and of three. */
  private static final double BURST_SECONDS = 0.4;

  /** Of one order for a group of k = 4: HDFS's weight of 0.5 for each of the k sources. */
  private static final int XMITS = 2;

  private static RepairCluster cluster;
  private static org.apache.hadoop.fs.Path directory;

  @BeforeAll
  static void start(@TempDir Path root) throws IOException {
    Configuration conf = RepairCluster.withPlugin(RepairCluster.conf());
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, 64L * CELL);
    conf.setBoolean(DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY, true);
    conf.setBoolean(DFSConfigKeys.DFS_ENCRYPT_DATA_TRANSFER_KEY, true);
    conf.setLong(
        DFSConfigKeys.DFS_DATANODE_EC_RECONSTRUCT_READ_BANDWIDTHPERSEC_KEY, READ_BYTES_PER_SECOND);
    conf.setLong(
        DFSConfigKeys.DFS_DATANODE_EC_RECONSTRUCT_WRITE_BANDWIDTHPERSEC_KEY,
        WRITE_BYTES_PER_SECOND);
    cluster = RepairCluster.start(root, conf, 10);
    directory = cluster.directory("izs", 4, 3, CELL);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void oneLostDataUnitIsReadToFiveEighths() throws IOException {
    Group group = cluster.write(directory, "data", STRIPES * 4 * CELL);
    long before = cluster.repairMetric("BytesRead");
    long half = cluster.repairMetric("HalfReadRepairs");
    assertTakesLonger(group, 0, 1);
    assertThat(cluster.repairMetric("HalfReadRepairs")).isEqualTo(half + 1);
    assertThat(cluster.repairMetric("BytesRead") - before).isEqualTo(STRIPES * 4 * CELL * 5 / 8);
  }

  /** The reads are the limit. */
  @Test
  void lostParityUnitIsReadAtTheRateSet() throws IOException {
    Group group = cluster.write(directory, "parity", STRIPES * 4 * CELL);
    double readBytes = STRIPES * 4 * CELL;
    double minSeconds = (readBytes - 4 * CELL) / READ_BYTES_PER_SECOND - BURST_SECONDS;
    assertTakesLonger(group, minSeconds, 5);
  }

  /** The writes are. */
  @Test
  void threeLostUnitsAreWrittenAtTheRateSet() throws IOException {
    Group group = cluster.write(directory, "three", STRIPES * 4 * CELL);
    double writtenBytes = STRIPES * 3 * CELL;
    double minSeconds = (writtenBytes - 3 * CELL) / WRITE_BYTES_PER_SECOND - BURST_SECONDS;
    assertTakesLonger(group, minSeconds, 0, 2, 6);
  }

  private static void assertTakesLonger(Group group, double minSeconds, int... lost)
      throws IOException {
    AtomicInteger maxXmits = new AtomicInteger();
    long before = cluster.repairMetric("RepairMillis");
    for (int unit : lost) {
      group.lose(unit);
    }
    Awaitility.await()
        .pollInterval(Duration.ofMillis(20))
        .until(
            () -> {
              for (DataNode node : cluster.cluster().getDataNodes()) {
                maxXmits.accumulateAndGet(node.getXmitsInProgress(), Math::max);
              }
              return cluster.repairMetric("RepairMillis") > before;
            });
    group.awaitAsWritten();
    assertThat((cluster.repairMetric("RepairMillis") - before) / 1e3)
        .isGreaterThanOrEqualTo(minSeconds);
    assertThat(maxXmits).hasValue(XMITS);
    Awaitility.await()
        .until(
            () ->
                cluster.cluster().getDataNodes().stream()
                    .allMatch(node -> node.getXmitsInProgress() == 0));
    assertThat(cluster.repairMetric("FailedRepairs")).isZero();
  }
}
