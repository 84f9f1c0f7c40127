/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.BridgeCluster;
import io.hdfsparity.bridge.RecordingHooks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.StorageLocation;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A disk is taken out and put back while the DataNode runs. It has a replica of which another disk
 * has a file of the same age by then: HDFS would use one and delete the other.
 */
@Timeout(300)
class DuplicateReplicasTest {
  private static final String DATA_DIRS = "dfs.datanode.data.dir";

  @TempDir private Path dir;

  /** The replica on the disk that was put back, and that on the other one. */
  private record Duplicates(
      BridgeCluster cluster, ExtendedBlock block, String returned, List<Path> files) {
    ReplicaInfo used() {
      return dataset(cluster.cluster.getDataNodes().get(0))
          .volumeMap
          .get(block.getBlockPoolId(), block.getBlockId());
    }

    void assertOtherIsUsed() throws Exception {
      assertThat(used().getStorageUuid()).isNotEqualTo(returned);
      assertThat(cluster.read("/f")).hasSize(1000);
    }
  }

  private static ParityFsDataset dataset(DataNode node) {
    return (ParityFsDataset) node.getFSDataset();
  }

  private static List<Path> files(ReplicaInfo replica) {
    return List.of(Path.of(replica.getBlockURI()), Path.of(replica.getMetadataURI()));
  }

  /**
   * @param keeping what the hooks do not allow of the disk that is put back
   */
  private Duplicates putBack(BridgeCluster bridge, List<String> keeping) throws Exception {
    bridge.script.hotSwap = true;
    bridge.write("/f", new byte[1000], 1);
    ExtendedBlock block = bridge.block("/f");
    DataNode node = bridge.cluster.getDataNodes().get(0);
    ReplicaInfo replica = dataset(node).getReplicaInfo(block);
    FsVolumeSpi home = replica.getVolume();
    final List<Path> files = files(replica);
    Path root = Path.of(home.getStorageLocation().getUri());
    final String all = node.getConf().get(DATA_DIRS);
    String rest =
        Arrays.stream(all.split(","))
            .filter(each -> !locationOf(each).equals(home.getStorageLocation()))
            .collect(Collectors.joining(","));
    node.reconfigurePropertyImpl(DATA_DIRS, rest);
    assertThat(dataset(node).contains(block)).isFalse();
    Path other = Path.of(locationOf(rest).getUri());
    for (Path file : files) {
      Path copy = other.resolve(root.relativize(file));
      Files.createDirectories(copy.getParent());
      Files.copy(file, copy);
    }
    DataNodeTestUtils.runDirectoryScanner(node);
    assertThat(dataset(node).contains(block)).isTrue();
    bridge.script.failing.addAll(keeping);
    node.reconfigurePropertyImpl(DATA_DIRS, all);
    assertThat(dataset(node).getVolumeInfoMap()).hasSize(2);
    bridge.awaitReplicas("/f", 1);
    return new Duplicates(bridge, block, home.getStorageID(), files);
  }

  private static StorageLocation locationOf(String directory) {
    try {
      return StorageLocation.parse(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private BridgeCluster start(String script) throws Exception {
    RecordingHooks.script(script).hotSwap = true;
    return BridgeCluster.start(BridgeCluster.conf(script, dir), 1);
  }

  @Test
  void theHooksOfTheDiskThatIsPutBackAreAskedBeforeItsReplicaIsDeleted() throws Exception {
    try (BridgeCluster bridge = start("duplicates")) {
      Duplicates found = putBack(bridge, List.of());
      found.assertOtherIsUsed();
      assertThat(found.files()).noneMatch(Files::exists);
      assertThat(bridge.script.kinds(found.block().getBlockId(), found.returned()))
          .endsWith("removing", "removingMeta");
    }
  }

  @Test
  void whatTheHooksDoNotReleaseStaysAndIsNotUsed() throws Exception {
    try (BridgeCluster bridge = start("kept-duplicates")) {
      Duplicates found = putBack(bridge, List.of("removing", "removingMeta"));
      found.assertOtherIsUsed();
      assertThat(found.files()).allMatch(Files::exists);
    }
  }

  @Test
  void whatTheHooksTakeAwayIsGone() throws Exception {
    try (BridgeCluster bridge = start("taken-duplicates")) {
      bridge.script.limbo = true;
      Duplicates found = putBack(bridge, List.of());
      found.assertOtherIsUsed();
      assertThat(found.files()).noneMatch(Files::exists);
      assertThat(dir.toFile()).isDirectoryRecursivelyContaining("regex:.*/limbo/blk_[0-9]+");
    }
  }
}
