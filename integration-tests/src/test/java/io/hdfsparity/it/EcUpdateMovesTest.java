/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.ecupdate.config.SessionKey;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DiskBalancerWorkStatus;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi.FsVolumeReferences;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsVolumeImpl;
import org.apache.hadoop.hdfs.tools.DiskBalancerCLI;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code hdfs diskbalancer} and {@code hdfs mover}, as administrators run them, on DataNodes that
 * take updates: blocks of HDFS and units that were never updated move, the others stay and are
 * counted, and all bytes are right afterwards. {@code hdfs balancer} has a test of its own.
 */
@Tag("full")
@Timeout(600)
class EcUpdateMovesTest {
  private static final int NODES = 5;
  private static final int FILES = 6;
  private static final int FILE_BYTES = 12 * MiniUpdates.CELL_BYTES + 777;
  private static final String UPDATED = "/updated";
  private static final Pattern PLAN = Pattern.compile("/\\S+\\.plan\\.json");

  private final Map<String, byte[]> files = new HashMap<>();

  private static Map<String, String> keys() {
    Map<String, String> more = UpdateKeys.sessions("2s");
    more.put(SessionKey.SWEEP_INTERVAL.key(), "100ms");
    more.put("dfs.namenode.heartbeat.recheck-interval", "60000");
    more.put("dfs.client.retry.window.base", "50");
    more.put(DFSConfigKeys.DFS_MOVER_RETRY_MAX_ATTEMPTS_KEY, "2");
    more.put("dfs.datanode.directoryscan.interval", "3600");
    // A du that began before the files were written may end later: the next one sees them.
    more.put("fs.du.interval", "1000");
    more.put("fs.getspaceused.jitterMillis", "0");
    return more;
  }

  /** Files in copies and in code, one of which is updated. */
  private void make(MiniUpdates cluster) throws IOException {
    for (int i = 0; i < FILES; i++) {
      files.put("/coded" + i, cluster.create("/coded" + i, FILE_BYTES));
      byte[] bytes = Arrays.copyOf(files.get("/coded" + i), FILE_BYTES - i);
      files.put("/plain" + i, bytes);
      try (OutputStream out =
          cluster
              .fs()
              .createFile(new Path("/plain" + i))
              .replicate()
              .replication((short) 3)
              .build()) {
        out.write(bytes);
      }
    }
    byte[] twin = cluster.create(UPDATED, FILE_BYTES);
    try (StripedFileUpdater updater = cluster.open(UPDATED)) {
      MiniUpdates.writeSome(updater, twin, 1);
    }
    files.put(UPDATED, twin);
  }

  private void assertBytes(MiniUpdates cluster) throws Exception {
    for (Map.Entry<String, byte[]> each : files.entrySet()) {
      try (FSDataInputStream in = cluster.fs().open(new Path(each.getKey()))) {
        assertThat(Arrays.equals(in.readAllBytes(), each.getValue())).as(each.getKey()).isTrue();
      }
    }
    assertThat(cluster.corruptReplicas()).isZero();
    cluster.verify(cluster.group(UPDATED));
  }

  private static long refusedMoves(DataNode node) {
    return Metrics.value(
        "EcUpdateReplicas-" + node.getDisplayName().replace(':', '-'), "MovesRefused");
  }

  /** Ids of the blocks that a volume has. */
  private static Set<Long> blocks(DataNode node, FsVolumeSpi volume, String pool)
      throws IOException {
    Set<Long> ids = new HashSet<>();
    node.getFSDataset()
        .getFinalizedBlocks(pool)
        .forEach(
            replica -> {
              if (replica.getVolume().getStorageID().equals(volume.getStorageID())) {
                ids.add(replica.getBlockId());
              }
            });
    return ids;
  }

  private static boolean isReported(
      MiniUpdates cluster, String storageId, long capacityBytes, long leastUsedBytes)
      throws IOException {
    return Arrays.stream(cluster.fs().getClient().getDatanodeStorageReport(DatanodeReportType.LIVE))
        .flatMap(node -> Arrays.stream(node.getStorageReports()))
        .anyMatch(
            report ->
                report.getStorage().getStorageID().equals(storageId)
                    && report.getCapacity() == capacityBytes
                    && report.getDfsUsed() >= leastUsedBytes);
  }

  private static String diskBalancer(Configuration conf, String... args) throws Exception {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    int exit =
        ToolRunner.run(
            conf,
            new DiskBalancerCLI(conf, new PrintStream(said, true, StandardCharsets.UTF_8)),
            args);
    assertThat(exit).as("%s: %s", List.of(args), said).isZero();
    return said.toString(StandardCharsets.UTF_8);
  }

  /**
   * The file of a plan. What is reported as used changes while logs of updates are merged, so the
   * first try may find nothing to move. It leaves the file open that says that it runs, and another
   * one is refused as long as that is there.
   */
  private static String planned(MiniUpdates cluster, Configuration conf, DataNode node) {
    AtomicReference<String> plan = new AtomicReference<>();
    await("there is something to move")
        .untilAsserted(
            () -> {
              cluster.fs().delete(new Path("/system/diskbalancer.id"), false);
              String said =
                  diskBalancer(
                      conf, "-plan", node.getDatanodeUuid(), "-thresholdPercentage", "1", "-v");
              Matcher file = PLAN.matcher(said);
              assertThat(file.find()).as(said).isTrue();
              plan.set(file.group());
            });
    return plan.get();
  }

  @Test
  void theDiskBalancerMovesAllButWhatIsUpdated(@TempDir java.nio.file.Path root) throws Exception {
    try (MiniUpdates cluster = new MiniUpdates(root, NODES, keys())) {
      make(cluster);
      MiniUpdates.Group group = cluster.group(UPDATED);
      DataNode node = cluster.node(group.nodes()[0]);
      String pool = cluster.located(UPDATED).getBlock().getBlockPoolId();
      try (FsVolumeReferences volumes = node.getFSDataset().getFsVolumeReferences()) {
        FsVolumeSpi full = volumes.get(0);
        FsVolumeSpi empty = volumes.get(1);
        if (!blocks(node, full, pool).contains(group.blocks()[0])) {
          full = volumes.get(1);
          empty = volumes.get(0);
        }
        final Set<Long> before = blocks(node, full, pool);
        final Set<Long> others = blocks(node, empty, pool);
        assertThat(before).contains(group.blocks()[0]).hasSizeGreaterThan(2);
        // The plan is made by shares: nearly all of what the first has goes to the second.
        ((FsVolumeImpl) full).setCapacityForTesting(16L << 20);
        ((FsVolumeImpl) empty).setCapacityForTesting(32L << 30);
        final String fullId = full.getStorageID();
        final String emptyId = empty.getStorageID();
        await("the NameNode knows the capacities, and what the first volume has")
            .until(
                () ->
                    isReported(cluster, fullId, 16L << 20, 512 << 10)
                        && isReported(cluster, emptyId, 32L << 30, 0));
        final long refused = refusedMoves(node);
        Configuration conf = new HdfsConfiguration(cluster.cluster().getConfiguration(0));
        // The command closes the file system that it gets.
        conf.setBoolean("fs.hdfs.impl.disable.cache", true);
        String plan = planned(cluster, conf, node);
        diskBalancer(conf, "-execute", plan);
        await("the plan is done")
            .until(
                () ->
                    node.queryDiskBalancerPlan().getResult()
                        != DiskBalancerWorkStatus.Result.PLAN_UNDER_PROGRESS);
        assertThat(node.queryDiskBalancerPlan().getResult())
            .isEqualTo(DiskBalancerWorkStatus.Result.PLAN_DONE);
        Set<Long> moved = new HashSet<>(blocks(node, empty, pool));
        moved.removeAll(others);
        // The plan is a file of HDFS, too.
        moved.retainAll(before);
        System.out.println("hdfs diskbalancer moved " + moved.size() + " of " + before.size());
        assertThat(moved).as("blocks and units that were never updated").hasSizeGreaterThan(1);
        assertThat(blocks(node, full, pool)).contains(group.blocks()[0]);
        assertThat(refusedMoves(node)).isGreaterThan(refused);
      }
      assertBytes(cluster);
      // What has moved is updated after its group was copied.
      for (String path : List.of("/coded0", UPDATED)) {
        try (StripedFileUpdater updater = cluster.open(path)) {
          MiniUpdates.writeSome(updater, files.get(path), 2);
        }
      }
      assertBytes(cluster);
    }
  }

  /** As {@code hdfs mover}; its main method would end this process. */
  private static int move(MiniUpdates cluster) throws Exception {
    Configuration conf = new HdfsConfiguration(cluster.cluster().getConfiguration(0));
    Constructor<?> made =
        Class.forName("org.apache.hadoop.hdfs.server.mover.Mover$Cli").getDeclaredConstructor();
    made.setAccessible(true);
    return ToolRunner.run(conf, (Tool) made.newInstance(), new String[] {"-p", "/"});
  }

  private static List<StorageType> types(MiniUpdates cluster, String path) throws IOException {
    List<StorageType> types = new ArrayList<>();
    for (LocatedBlock block : StoredBytes.blocks(cluster.fs(), path)) {
      types.addAll(List.of(block.getStorageTypes()));
    }
    return types;
  }

  @Test
  void theMoverMovesAllButWhatIsUpdated(@TempDir java.nio.file.Path root) throws Exception {
    try (MiniUpdates cluster = MiniUpdates.startTiered(root, NODES, keys())) {
      make(cluster);
      String[] nodes = cluster.group(UPDATED).nodes();
      assertThat(types(cluster, UPDATED)).containsOnly(StorageType.DISK);
      long refused = 0;
      for (DataNode node : cluster.cluster().getDataNodes()) {
        refused += refusedMoves(node);
      }
      cluster.fs().setStoragePolicy(new Path("/"), "COLD");
      final int exit = move(cluster);
      System.out.println("hdfs mover: " + exit);
      // It says that it could not move all: no success.
      assertThat(exit).isNotZero();
      for (String path : files.keySet()) {
        StorageType type = path.equals(UPDATED) ? StorageType.DISK : StorageType.ARCHIVE;
        await(path + " is on " + type)
            .untilAsserted(() -> assertThat(types(cluster, path)).as(path).containsOnly(type));
      }
      assertThat(cluster.group(UPDATED).nodes()).isEqualTo(nodes);
      long refusedThen = 0;
      for (DataNode node : cluster.cluster().getDataNodes()) {
        refusedThen += refusedMoves(node);
      }
      assertThat(refusedThen).isGreaterThan(refused);
      assertBytes(cluster);
    }
  }
}
