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
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * DataNodes whose repair plugin could not be started: HDFS's own reconstruction refuses what it
 * cannot decode, and never stores anything else than what was lost.
 */
@Tag("full")
class IzsRepairFailClosedTest {
  private static final int CELL = 64 * 1024;

  @Test
  void stockReconstructionRefusesAndTheMetricSaysWhy(@TempDir Path root) throws Exception {
    Configuration conf = RepairCluster.withPlugin(RepairCluster.conf());
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, 64L * CELL);
    conf.set("dfs.parity.izs.repair.no-such-key", "1");
    try (RepairCluster cluster = RepairCluster.start(root, conf, 8)) {
      cluster.orderAgainAfter(5);
      assertThat(cluster.repairMetric("FailedClosed")).isEqualTo(8);
      org.apache.hadoop.fs.Path izs = cluster.directory("izs", 4, 2, CELL);
      Group twoData = cluster.write(izs, "two-data", 5 * 4 * CELL + 100);
      Group shiftedParity = cluster.write(izs, "shifted-parity", 5 * 4 * CELL);
      Group oneData = cluster.write(izs, "one-data", 5 * 4 * CELL);
      twoData.lose(0);
      twoData.lose(2);
      shiftedParity.lose(5);
      oneData.lose(1);
      Awaitility.await().until(() -> cluster.nodeMetric("EcFailedReconstructionTasks") >= 6);
      assertThat(stored(twoData)).doesNotContainKeys(0, 2);
      assertThat(stored(shiftedParity)).doesNotContainKey(5);
      // One lost data unit is a plain XOR, where HDFS happens to read parity 0.
      for (Map.Entry<Integer, DataNode> unit : stored(oneData).entrySet()) {
        assertThat(oneData.stored(unit.getKey(), unit.getValue()).data())
            .isEqualTo(oneData.written().get(unit.getKey()).data());
      }
      oneData.assertReads();
      shiftedParity.assertReads();
    }
  }

  /** Units that a node really has. */
  private static Map<Integer, DataNode> stored(Group group) throws IOException {
    Map<Integer, DataNode> stored = group.nodes();
    for (Integer unit : java.util.List.copyOf(stored.keySet())) {
      if (!stored.get(unit).getFSDataset().isValidBlock(group.block(unit))) {
        stored.remove(unit);
      }
    }
    return stored;
  }
}
