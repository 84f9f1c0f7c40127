/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.ecupdate.client.FileUpdates;
import io.hdfsparity.ecupdate.config.StorageKey;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import io.hdfsparity.ecupdate.updater.UpdaterOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSClientAdapter;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What HDFS has rebuilt takes updates again: the first program that uses the block group writes it
 * anew, under other ids.
 */
@Tag("full")
@Timeout(1200)
class EcUpdateRenewalTest {
  private static final int FILE_BYTES = 10 * MiniUpdates.CELL_BYTES + 30_001;

  @TempDir static java.nio.file.Path root;
  private static MiniUpdates cluster;

  @BeforeAll
  static void start() throws IOException {
    Map<String, String> more = UpdateKeys.sessions("5s");
    more.putAll(UpdateKeys.lease("20s"));
    more.put(StorageKey.SNAPSHOT_AGE.key(), "1s");
    more.put("dfs.client.retry.window.base", "50");
    more.put("dfs.parity.ecupdate.renewal.abandoned", "2s");
    // A reconstruction that was refused is tried again after that.
    more.put("dfs.namenode.reconstruction.pending.timeout-sec", "5");
    // Of a node's first report HDFS deletes nothing, but of the next one.
    more.put("dfs.blockreport.intervalMsec", "3000");
    // One that is started again must not be taken for dead.
    more.put("dfs.namenode.heartbeat.recheck-interval", "60000");
    cluster = new MiniUpdates(root, 7, more);
  }

  @AfterAll
  static void stop() throws IOException {
    cluster.close();
  }

  private static HdfsFileStatus status(String path) throws IOException {
    return (HdfsFileStatus) cluster.fs().getFileStatus(new Path(path));
  }

  private static Path beside(String path) throws IOException {
    return new Path("/.parity-renewal-" + status(path).getFileId() + "-0");
  }

  private static long replaced() {
    return Metrics.value("EcUpdateSessions", "GroupsReplaced");
  }

  private static void assertNothingIsLeftBeside(String path) throws IOException {
    assertThat(cluster.fs().exists(beside(path))).isFalse();
  }

  /** A file that was updated, and of which HDFS has rebuilt a unit; its node is started again. */
  private static byte[] healed(String path) throws Exception {
    byte[] twin = cluster.create(path, FILE_BYTES);
    try (StripedFileUpdater updater = cluster.open(path)) {
      MiniUpdates.writeSome(updater, twin, path.hashCode());
    }
    String node = cluster.group(path).nodes()[1];
    DatanodeID id = cluster.node(node).getDatanodeId();
    cluster.restart(node, () -> rebuild(path, node, id));
    await("one replica of each unit is left")
        .until(() -> cluster.located(path).getLocations().length == 5);
    return twin;
  }

  private static void rebuild(String path, String node, DatanodeID id) throws IOException {
    cluster.cluster().setDataNodeDead(id);
    await("another node has the lost unit")
        .until(() -> cluster.located(path).getLocations().length == 5 && !cluster.isAt(path, node));
  }

  @Test
  void aReplicaThatComesBackLaterIsNotServed() throws Exception {
    byte[] twin = cluster.create("/back", FILE_BYTES);
    try (StripedFileUpdater updater = cluster.open("/back")) {
      MiniUpdates.writeSome(updater, twin, 1);
    }
    MiniUpdates.Group before = cluster.group("/back");
    final long inode = status("/back").getFileId();
    String node = before.nodes()[1];
    DatanodeID id = cluster.node(node).getDatanodeId();
    cluster.restart(
        node,
        () -> {
          rebuild("/back", node, id);
          try (StripedFileUpdater updater = cluster.open("/back")) {
            MiniUpdates.writeSome(updater, twin, 2);
            assertThat(cluster.group("/back").blocks())
                .doesNotContain(Arrays.stream(before.blocks()).boxed().toArray(Long[]::new));
            ByteBuffer content = ByteBuffer.allocate(FILE_BYTES);
            assertThat(updater.read(0, content)).isEqualTo(FILE_BYTES);
            assertThat(content.array()).isEqualTo(twin);
          }
        });
    // It is back, and has what the file was before.
    String pool = cluster.located("/back").getBlock().getBlockPoolId();
    for (int unit = 0; unit < before.blocks().length; unit++) {
      long block = before.blocks()[unit];
      String at = before.nodes()[unit];
      await("the old unit " + unit + " is deleted")
          .until(
              () -> {
                assertThat(WholeFile.isReadable(cluster.fs(), "/back", twin)).isTrue();
                return !cluster.node(at).getFSDataset().contains(new ExtendedBlock(pool, block));
              });
    }
    try (StripedFileUpdater updater = cluster.open("/back")) {
      MiniUpdates.writeSome(updater, twin, 3);
    }
    await("read").until(() -> WholeFile.isReadable(cluster.fs(), "/back", twin));
    assertThat(status("/back").getFileId()).isEqualTo(inode);
    cluster.verify(cluster.group("/back"));
    assertThat(cluster.corruptReplicas()).isZero();
    assertNothingIsLeftBeside("/back");
  }

  @Test
  void programsThatFindItAtTheSameTimeGoOnTogether() throws Exception {
    final byte[] twin = healed("/together");
    final long replacedBefore = replaced();
    List<StripedFileUpdater> updaters = new ArrayList<>();
    ExecutorService pool = Executors.newCachedThreadPool();
    try {
      for (int i = 0; i < 3; i++) {
        updaters.add(cluster.open("/together"));
      }
      List<Future<Integer>> writes = new ArrayList<>();
      for (int i = 0; i < updaters.size(); i++) {
        StripedFileUpdater updater = updaters.get(i);
        byte[] bytes = new byte[50_000];
        new Random(i).nextBytes(bytes);
        int position = 100_000 * i;
        writes.add(
            pool.submit(
                () -> {
                  updater.write(position, ByteBuffer.wrap(bytes));
                  return position;
                }));
        System.arraycopy(bytes, 0, twin, position, bytes.length);
      }
      for (Future<Integer> write : writes) {
        write.get(300, TimeUnit.SECONDS);
      }
    } finally {
      pool.shutdownNow();
      for (StripedFileUpdater updater : updaters) {
        updater.close();
      }
    }
    await("read").until(() -> WholeFile.isReadable(cluster.fs(), "/together", twin));
    cluster.verify(cluster.group("/together"));
    assertNothingIsLeftBeside("/together");
    assertThat(replaced() - replacedBefore).isEqualTo(1);
  }

  @Test
  void aCopyThatSomebodyHasLeftBehindIsInNobodysWay() throws Exception {
    byte[] twin = healed("/left");
    try (OutputStream out = cluster.fs().create(beside("/left"))) {
      out.write(7);
    }
    final long forced = Metrics.forcedBlocks(cluster.cluster());
    try (StripedFileUpdater updater = cluster.open("/left")) {
      MiniUpdates.writeSome(updater, twin, 4);
    }
    assertThat(Metrics.forcedBlocks(cluster.cluster()) - forced)
        .as("units that were forced before the former ones, which were durable, were given up")
        .isGreaterThanOrEqualTo(cluster.group("/left").blocks().length);
    await("read").until(() -> WholeFile.isReadable(cluster.fs(), "/left", twin));
    assertNothingIsLeftBeside("/left");
  }

  @Test
  void aCopyWhoseWriterHasDiedIsInNobodysWay() throws Exception {
    byte[] twin = healed("/died");
    cluster.cluster().setLeasePeriod(/* soft= */ 1000, /* hard= */ 3_600_000);
    DistributedFileSystem dies =
        (DistributedFileSystem)
            FileSystem.newInstance(cluster.fs().getUri(), cluster.fs().getConf());
    OutputStream out = dies.create(beside("/died"));
    try {
      out.write(new byte[8 * MiniUpdates.CELL_BYTES]);
      out.flush();
      DFSClientAdapter.stopLeaseRenewer(dies);
      try (StripedFileUpdater updater = cluster.open("/died")) {
        MiniUpdates.writeSome(updater, twin, 5);
      }
    } finally {
      cluster
          .cluster()
          .setLeasePeriod(
              HdfsConstants.LEASE_SOFTLIMIT_PERIOD, HdfsConstants.LEASE_SOFTLIMIT_PERIOD * 60);
      dies.getClient().closeAllFilesBeingWritten(/* abort= */ true);
      dies.close();
    }
    await("read").until(() -> WholeFile.isReadable(cluster.fs(), "/died", twin));
    assertNothingIsLeftBeside("/died");
  }

  @Test
  void whoMayNotWriteBesideTheFileIsTold() throws Exception {
    byte[] twin = healed("/alone");
    cluster.fs().setPermission(new Path("/alone"), new FsPermission((short) 0666));
    cluster.fs().setPermission(new Path("/"), new FsPermission((short) 0755));
    StripedFileUpdater[] opened = new StripedFileUpdater[1];
    UserGroupInformation.createUserForTesting("other", new String[] {"people"})
        .doAs(
            (PrivilegedExceptionAction<Void>)
                () -> {
                  try (DistributedFileSystem fs =
                      (DistributedFileSystem)
                          FileSystem.newInstance(cluster.fs().getUri(), cluster.fs().getConf())) {
                    opened[0] = FileUpdates.open(fs, new Path("/alone"), UpdaterOptions.standard());
                  }
                  return null;
                });
    try (StripedFileUpdater updater = opened[0]) {
      assertThatThrownBy(() -> updater.write(0, ByteBuffer.allocate(1)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("Permission denied");
      // It has left the units that had let it in: HDFS decodes them meanwhile.
      cluster.restart(
          cluster.group("/alone").nodes()[0],
          () ->
              await("a degraded read")
                  .until(() -> WholeFile.isReadable(cluster.fs(), "/alone", twin)));
    }
  }
}
