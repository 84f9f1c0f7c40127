/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.ecupdate.client.StripedFileUpdater;
import io.hdfsparity.ecupdate.datanode.EcUpdateDataNodePlugin;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi.FsVolumeReferences;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.RoundRobinVolumeChoosingPolicy;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** First updates on a disk that does not answer, and other disks of that DataNode. */
@Timeout(300)
class EcUpdateAdmissionTest {
  private static final int NODES = 5;

  /** More than threads that judge tokens. */
  private static final int HUNG = 3;

  @TempDir Path root;

  @Test
  void aDiskThatHangsHoldsUpNoUpdatesOfOtherDisks() throws Exception {
    Map<String, String> keys = UpdateKeys.sessions("2s");
    keys.put(DFSConfigKeys.DFS_DATANODE_PLUGINS_KEY, EcUpdateDataNodePlugin.class.getName());
    // The NameNode names the same storage of a DataNode each time.
    keys.put(
        "dfs.datanode.fsdataset.volume.choosing.policy",
        RoundRobinVolumeChoosingPolicy.class.getName());
    try (MiniUpdates cluster = new MiniUpdates(root, NODES, keys)) {
      DataNode node = cluster.cluster().getDataNodes().get(0);
      List<String> onFirst = new ArrayList<>();
      List<String> onOther = new ArrayList<>();
      Map<String, Path> copies = new HashMap<>();
      String disk = null;
      for (int i = 0; onFirst.size() < HUNG || onOther.isEmpty(); i++) {
        assertThat(i).as("files").isLessThan(40);
        String path = "/f" + i;
        cluster.create(path, 5 * MiniUpdates.CELL_BYTES);
        MiniUpdates.Group group = cluster.group(path);
        long block = 0;
        for (int unit = 0; unit < group.nodes().length; unit++) {
          if (group.nodes()[unit].equals(node.getDatanodeUuid())) {
            block = group.blocks()[unit];
          }
        }
        String volume = volume(node, block);
        disk = disk == null ? volume : disk;
        if (volume.equals(disk)) {
          onFirst.add(path);
          copies.put(path, copy(volume, block));
        } else {
          onOther.add(path);
        }
      }
      List<String> hung = onFirst.subList(0, HUNG);
      for (String path : hung) {
        String pipe = copies.get(path).toString();
        assertThat(new ProcessBuilder("mkfifo", pipe).start().waitFor()).isZero();
      }
      List<CompletableFuture<StripedFileUpdater>> opening = new ArrayList<>();
      for (String path : hung) {
        opening.add(CompletableFuture.supplyAsync(() -> cluster.open(path)));
      }
      Awaitility.await("a writer of a pipe waits for its reader")
          .until(EcUpdateAdmissionTest::isCopying);
      try (StripedFileUpdater other = cluster.open(onOther.get(0))) {
        other.write(7, ByteBuffer.wrap(new byte[] {1, 2, 3}));
        other.flush();
      }
      assertThat(opening).noneMatch(CompletableFuture::isDone);
      for (String path : hung) {
        try (InputStream reader = Files.newInputStream(copies.get(path))) {
          reader.readAllBytes(); // the copy fails, as a pipe cannot be forced
        }
      }
      for (CompletableFuture<StripedFileUpdater> each : opening) {
        each.get(200, TimeUnit.SECONDS).close();
      }
    }
  }

  private static boolean isCopying() {
    return Thread.getAllStackTraces().values().stream()
        .flatMap(Arrays::stream)
        .anyMatch(frame -> frame.getClassName().endsWith(".FreshFiles"));
  }

  private static String volume(DataNode node, long block) throws IOException {
    try (FsVolumeReferences volumes = node.getFSDataset().getFsVolumeReferences()) {
      for (FsVolumeSpi volume : volumes) {
        File pools = new File(volume.getStorageLocation().getUri().getPath(), "current");
        try (var files = Files.walk(pools.toPath())) {
          if (files.anyMatch(file -> file.getFileName().toString().equals("blk_" + block))) {
            return volume.getStorageLocation().getUri().getPath();
          }
        }
      }
    }
    throw new AssertionError("block=" + block + " lies on no volume");
  }

  private static Path copy(String volume, long block) throws IOException {
    try (var pools = Files.newDirectoryStream(Path.of(volume, "ecupdate"))) {
      return pools.iterator().next().resolve("blk_" + block + ".copy");
    }
  }
}
