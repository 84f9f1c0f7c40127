/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.bridge.refusal.Refusal;
import io.hdfsparity.bridge.swap.FileIdentity;
import io.hdfsparity.bridge.swap.SwapAnswer;
import io.hdfsparity.bridge.swap.SwapPoints;
import io.hdfsparity.bridge.swap.SwapProtocol;
import io.hdfsparity.izs.level.FileOutcome;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.NodeHeartbeats;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.namenode.FileSwap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Units on silent nodes and failed disks. HDFS keeps them in its block map for minutes, so that
 * nothing is missing; what is dropped meanwhile would be missed.
 */
@Tag("full")
class LevelUnavailableTest {
  private static final byte[] BYTES = MiniLevels.bytes(MiniLevels.GROUP_BYTES, 5);

  /** Of level 3, two fewer than it can lose, and two more than level 1 can. */
  private static final int LOST = 2;

  @TempDir static java.nio.file.Path root;
  private static MiniLevels levels;
  private static DistributedFileSystem fs;

  @BeforeAll
  static void start() throws Exception {
    Configuration conf = MiniLevels.conf();
    // As it is by default: a node is dead, and a failed disk is looked at, after minutes.
    conf.setInt(
        DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY,
        DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_DEFAULT);
    conf.setLong(DFSConfigKeys.DFS_NAMENODE_STALE_DATANODE_INTERVAL_KEY, 5_000);
    conf.setInt(DFSConfigKeys.DFS_DATANODE_FAILED_VOLUMES_TOLERATED_KEY, 1);
    levels = MiniLevels.start(conf, root, MiniLevels.K + 3);
    fs = levels.cluster().getFileSystem();
    MiniLevels.addPolicies(fs, "rs");
    MiniLevels.makeDirectory(fs, "/rs", MiniLevels.policy("rs", 3));
  }

  @AfterAll
  static void stop() {
    levels.close();
  }

  private static void write(String path) throws IOException {
    MiniLevels.write(fs, path, BYTES);
    MiniLevels.awaitUnits(fs, path, 3);
  }

  private static BlockManager blocks() {
    return levels.cluster().getNamesystem().getBlockManager();
  }

  private static DatanodeDescriptor descriptor(String uuid) {
    return blocks().getDatanodeManager().getDatanode(uuid);
  }

  private record Place(DatanodeInfo node, String storageId) {}

  /** Where the units of a file are, by their number. */
  private static Map<Integer, Place> places(String path) throws IOException {
    LocatedStripedBlock group =
        (LocatedStripedBlock) fs.getClient().getLocatedBlocks(path, 0, 1).get(0);
    Map<Integer, Place> places = new TreeMap<>();
    for (int i = 0; i < group.getLocations().length; i++) {
      places.put(
          (int) group.getBlockIndices()[i],
          new Place(group.getLocations()[i], group.getStorageIDs()[i]));
    }
    return places;
  }

  private static void assertNotLowered(String path) throws IOException {
    FileOutcome outcome = levels.setLevel(0, 1, path);
    assertThat(outcome.refusal()).as(outcome.toString()).isPresent();
    Refusal refusal = outcome.refusal().get();
    assertThat(refusal.kind()).isEqualTo("stale");
    assertThat(refusal.reason()).contains("=[0, 1], expected none, file=" + path);
    assertThat(refusal.remedy()).contains("hdfs dfsadmin -report");
    assertThat(MiniLevels.policyOf(fs, path)).isEqualTo(MiniLevels.policy("rs", 3));
    assertThat(MiniLevels.read(fs, path, BYTES.length)).isEqualTo(BYTES);
    int live =
        new FileSwap(levels.cluster().getNameNode(), SwapPoints.NONE)
            .describe(path)
            .blocks()
            .get(0)
            .live();
    assertThat(live).isEqualTo(MiniLevels.K + 3 - LOST);
  }

  @Test
  void nodesThatAreSilent() throws Exception {
    write("/rs/silent");
    write("/rs/source");
    List<MiniDFSCluster.DataNodeProperties> stopped = new ArrayList<>();
    Map<Integer, Place> places = places("/rs/silent");
    for (int unit = 0; unit < LOST; unit++) {
      DatanodeInfo node = places.get(unit).node();
      stopped.add(levels.cluster().stopDataNode(node.getXferAddr()));
      await("silence of " + node)
          .until(() -> NodeHeartbeats.isStale(blocks(), descriptor(node.getDatanodeUuid())));
    }
    assertThat(places("/rs/silent")).as("HDFS lists all").hasSize(MiniLevels.K + 3);
    assertNotLowered("/rs/silent");
    SwapProtocol swaps = levels.swaps(0);
    FileIdentity source = swaps.inspect("/rs/source").identity();
    SwapAnswer answer = swaps.swap(source, swaps.inspect("/rs/silent").identity());
    assertThat(answer.outcome())
        .as("units of the copy are on silent nodes: %s", answer)
        .isEqualTo(SwapAnswer.Outcome.WAIT);
    assertThat(answer.refusal().orElseThrow().kind()).isEqualTo("thin");
    // The remedy helps.
    for (MiniDFSCluster.DataNodeProperties each : stopped) {
      levels.cluster().restartDataNode(each, /* keepPort= */ true);
    }
    levels.cluster().waitActive();
    levels.changeLevel(0, 1, "/rs/silent");
    MiniLevels.awaitUnits(fs, "/rs/silent", 1);
    assertThat(MiniLevels.read(fs, "/rs/silent", BYTES.length)).isEqualTo(BYTES);
  }

  @Test
  void disksThatHaveFailedWhileTheirNodesWereDown() throws Exception {
    write("/rs/failed");
    Map<Integer, Place> places = places("/rs/failed");
    for (int unit = 0; unit < LOST; unit++) {
      Place place = places.get(unit);
      DataNode node =
          levels.cluster().getDataNodes().stream()
              .filter(each -> each.getDatanodeUuid().equals(place.node().getDatanodeUuid()))
              .findFirst()
              .orElseThrow();
      File directory = directory(node, place.storageId());
      // While it runs, it reports each block of a disk that fails as deleted.
      MiniDFSCluster.DataNodeProperties stopped =
          levels.cluster().stopDataNode(place.node().getXferAddr());
      DataNodeTestUtils.injectDataDirFailure(directory);
      levels.cluster().restartDataNode(stopped, /* keepPort= */ true);
      int failed = unit;
      // HDFS sends no reader there any more, and still has the unit in its block map.
      await("failure of a disk of " + place.node())
          .until(() -> !places("/rs/failed").containsKey(failed));
    }
    assertNotLowered("/rs/failed");
  }

  private static File directory(DataNode node, String storageId) throws IOException {
    try (FsDatasetSpi.FsVolumeReferences volumes = node.getFSDataset().getFsVolumeReferences()) {
      for (FsVolumeSpi volume : volumes) {
        if (volume.getStorageID().equals(storageId)) {
          return new File(volume.getStorageLocation().getUri().getPath());
        }
      }
    }
    throw new AssertionError("no volume " + storageId);
  }
}
