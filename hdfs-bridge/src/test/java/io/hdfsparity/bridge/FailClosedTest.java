/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge;

import static io.hdfsparity.bridge.BridgeCluster.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.bridge.RecordingHooks.Event;
import io.hdfsparity.bridge.datanode.DatasetHooks;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hooks that fail, disks that fail, and no hooks at all. */
@Tag("full")
class FailClosedTest {
  @TempDir Path dir;

  @ParameterizedTest
  @ValueSource(strings = {"open", "volume", "started", "missing class"})
  void hooksThatDoNotStartKeepTheDataNodeOutOfService(String failing) throws Exception {
    HdfsConfiguration conf = BridgeCluster.conf("closed-" + failing, dir);
    RecordingHooks.script("closed-" + failing).failing.add(failing);
    if (failing.equals("missing class")) {
      conf.set(DatasetHooks.CLASSES_KEY, "io.hdfsparity.NoSuchHooks");
    }
    MiniDFSCluster cluster = new MiniDFSCluster.Builder(conf).numDataNodes(0).build();
    try {
      cluster.startDataNodes(conf, 1, true, null, null);
      DataNode dn = cluster.getDataNodes().get(0);
      await().until(() -> !dn.isDatanodeUp());
      assertThat(cluster.getFileSystem().getDataNodeStats(DatanodeReportType.LIVE)).isEmpty();
      assertThatThrownBy(
              () -> {
                try (var out =
                    cluster
                        .getFileSystem()
                        .create(new org.apache.hadoop.fs.Path("/y"), (short) 1)) {
                  out.write(1);
                }
              })
          .isInstanceOf(IOException.class)
          .hasMessageContaining("could only be written to 0");
    } finally {
      cluster.shutdown(true);
    }
  }

  @Test
  void oneFailedVolumeTakesTheWidenedSetWithItAndTheDataNodeStaysUp() throws Exception {
    try (BridgeCluster c = BridgeCluster.start(BridgeCluster.conf("failed", dir), 2)) {
      byte[] data = bytes(5_000, 1);
      c.write("/f", data, 2);
      DataNode dn = c.cluster.getDataNodes().get(0);
      Set<String> volumes =
          Set.copyOf(
              c.script.instances.stream()
                  .filter(h -> h.datanode == dn)
                  .findFirst()
                  .orElseThrow()
                  .volumes);
      List<File> roots = new ArrayList<>();
      try (var references = dn.getFSDataset().getFsVolumeReferences()) {
        for (FsVolumeSpi v : references) {
          roots.add(new File(v.getStorageLocation().getUri()));
        }
      }
      DataNodeTestUtils.injectDataDirFailure(roots.get(0));
      try {
        dn.checkDiskError();
        await()
            .until(
                () ->
                    c.script.events.stream()
                            .filter(e -> e.kind().equals("failed"))
                            .map(Event::storageId)
                            .distinct()
                            .count()
                        == 2);
        assertThat(
                c.script.events.stream()
                    .filter(e -> e.kind().equals("failed"))
                    .map(Event::storageId)
                    .distinct())
            .containsExactlyInAnyOrderElementsOf(volumes);
        try (var references = dn.getFSDataset().getFsVolumeReferences()) {
          assertThat(references.size()).isZero();
        }
        assertThat(dn.isDatanodeUp()).isTrue();
        await()
            .during(Duration.ofSeconds(5))
            .until(
                () ->
                    dn.isBPServiceAlive(c.cluster.getNamesystem().getBlockPoolId())
                        && c.fs.getDataNodeStats(DatanodeReportType.LIVE).length == 2);
        assertThat(c.read("/f")).isEqualTo(data);
        await().until(() -> c.cluster.getNamesystem().getVolumeFailuresTotal() == 2);
      } finally {
        DataNodeTestUtils.restoreDataDirFromFailure(roots.get(0));
      }
    }
  }

  @Test
  void declaredFailuresTakeTheWidenedSetToo() throws Exception {
    try (BridgeCluster c = BridgeCluster.start(BridgeCluster.conf("declared", dir), 2)) {
      RecordingHooks hooks = c.script.instances.get(0);
      hooks.access.declareFailed(List.of(hooks.volumes.iterator().next()), "the test says so");
      assertThat(hooks.datanode.getFSDataset().getVolumeInfoMap()).isEmpty();
      assertThat(
              c.script.events.stream().filter(e -> e.kind().equals("failed")).map(Event::storageId))
          .containsExactlyInAnyOrderElementsOf(hooks.volumes);
      assertThat(hooks.datanode.isDatanodeUp()).isTrue();
    }
  }

  /** Also twice in a row, when HDFS would skip its own check. */
  @Test
  void aDiskThatFailsAFeaturesCheckIsTakenOutAtOnce() throws Exception {
    try (BridgeCluster c = BridgeCluster.start(BridgeCluster.conf("checked", dir), 2)) {
      RecordingHooks hooks = c.script.instances.get(0);
      String storageId = hooks.volumes.iterator().next();
      assertThat(hooks.access.checkDisk(storageId)).isTrue();
      assertThat(hooks.access.checkDisk("DS-none")).isFalse();
      assertThat(hooks.datanode.getFSDataset().getVolumeInfoMap()).hasSize(2);
      File root = root(hooks.datanode, storageId);
      DataNodeTestUtils.injectDataDirFailure(root);
      try {
        assertThat(hooks.access.checkDisk(storageId)).isFalse();
        assertThat(hooks.datanode.getFSDataset().getVolumeInfoMap()).isEmpty();
        assertThat(hooks.access.checkDisk(storageId)).isFalse();
      } finally {
        DataNodeTestUtils.restoreDataDirFromFailure(root);
      }
    }
  }

  /** Directories are in memory still, and nothing that is written gets to the disk. */
  @Test
  void aDiskThatTakesNoWritesFailsAFeaturesCheck() throws Exception {
    try (BridgeCluster c = BridgeCluster.start(BridgeCluster.conf("unwritable", dir), 2)) {
      RecordingHooks hooks = c.script.instances.get(0);
      String storageId = hooks.volumes.iterator().next();
      Path probe =
          root(hooks.datanode, storageId)
              .toPath()
              .resolve("current")
              .resolve(hooks.access.blockPoolId())
              .resolve("tmp/DiskIoCheck.OK_TO_DELETE");
      Files.createSymbolicLink(probe, Path.of("/dev/full"));
      assertThat(hooks.access.checkDisk(storageId)).as("a full disk works").isTrue();
      assertThat(probe).doesNotExist();
      Files.createSymbolicLink(probe, Path.of("/proc/self/mem")); // EIO at offset 0
      assertThat(hooks.access.checkDisk(storageId)).isFalse();
      assertThat(hooks.datanode.getFSDataset().getVolumeInfoMap()).isEmpty();
    }
  }

  private static File root(DataNode datanode, String storageId) throws Exception {
    try (var volumes = datanode.getFSDataset().getFsVolumeReferences()) {
      for (FsVolumeSpi volume : volumes) {
        if (volume.getStorageID().equals(storageId)) {
          return new File(volume.getStorageLocation().getUri());
        }
      }
    }
    throw new AssertionError("no volume " + storageId);
  }

  @Test
  void volumesCannotBeChangedAtRunTime() throws Exception {
    try (BridgeCluster c = BridgeCluster.start(BridgeCluster.conf("hot", dir), 1)) {
      DataNode dn = c.cluster.getDataNodes().get(0);
      String dirs = dn.getConf().get("dfs.datanode.data.dir");
      assertThatThrownBy(
              () ->
                  dn.reconfigureProperty("dfs.datanode.data.dir", dirs + "," + dir.resolve("more")))
          .hasStackTraceContaining("expected paired volumes to be added by a restart");
      assertThatThrownBy(() -> dn.reconfigureProperty("dfs.datanode.data.dir", dirs.split(",")[0]))
          .hasStackTraceContaining("Cannot remove volumes");
      assertThat(dn.getFSDataset().getVolumeInfoMap()).hasSize(2);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void withoutHooksItBehavesAsTheStockDataset(boolean configuredButUnwanted) throws Exception {
    String script = configuredButUnwanted ? "stock-volumes" : null;
    HdfsConfiguration conf = BridgeCluster.conf(script, dir);
    if (configuredButUnwanted) {
      RecordingHooks.script(script).stockVolumes = true;
    }
    try (BridgeCluster c = BridgeCluster.start(conf, 2)) {
      byte[] data = bytes(3_000_000, 2);
      c.write("/stock", data, 2);
      try (var out = c.fs.append(new org.apache.hadoop.fs.Path("/stock"))) {
        out.write(data, 0, 1_000);
      }
      c.fs.truncate(new org.apache.hadoop.fs.Path("/stock"), 3_000_000);
      await().until(() -> c.fs.isFileClosed(new org.apache.hadoop.fs.Path("/stock")));
      c.cluster.restartDataNodes();
      c.cluster.waitActive();
      c.awaitReplicas("/stock", 2);
      assertThat(c.read("/stock")).isEqualTo(data);
      try (var volumes = c.cluster.getDataNodes().get(0).getFSDataset().getFsVolumeReferences()) {
        for (FsVolumeSpi volume : volumes) {
          assertThat(volume.getClass().getSimpleName()).isEqualTo("FsVolumeImpl");
        }
      }
      c.fs.delete(new org.apache.hadoop.fs.Path("/stock"), false);
      DataNode dn = c.cluster.getDataNodes().get(0);
      await()
          .until(
              () ->
                  dn.getFSDataset()
                      .deepCopyReplica(c.cluster.getNamesystem().getBlockPoolId())
                      .isEmpty());
      assertThat(c.script.events).isEmpty();
    }
  }
}
