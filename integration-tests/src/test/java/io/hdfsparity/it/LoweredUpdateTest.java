/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.bridge.config.SuiteKey;
import io.hdfsparity.core.check.FreePorts;
import io.hdfsparity.ecupdate.config.StorageKey;
import io.hdfsparity.ecupdate.config.UpdateKey;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import io.hdfsparity.izs.config.LevelKey;
import io.hdfsparity.izs.level.FileOutcome;
import io.hdfsparity.izs.namenode.LevelManager;
import io.hdfsparity.izs.wire.LevelClient;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.GuardedEcPlacementPolicy;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A unit that lowering has dropped, and that its node brings back after the file was raised again,
 * has the id, the generation and the length of the new one: it must not be older.
 */
@Tag("full")
@Timeout(1200)
class LoweredUpdateTest {
  private static final int FILE_BYTES = 10 * MiniUpdates.CELL_BYTES + 30_001;
  private static final ErasureCodingPolicy LOW =
      new ErasureCodingPolicy(new ECSchema("rs", MiniUpdates.DATA, 1), MiniUpdates.CELL_BYTES);

  @TempDir static java.nio.file.Path root;
  private static final int LEVEL_PORT = FreePorts.next();
  private static MiniUpdates cluster;
  private static DistributedFileSystem fs;

  @BeforeAll
  static void start() throws IOException {
    Map<String, String> more = UpdateKeys.sessions("2s");
    more.putAll(UpdateKeys.lease("20s"));
    // What one parity unit has room for.
    more.put(UpdateKey.SURVIVE.key(), "1c0s");
    more.put(StorageKey.SNAPSHOT_AGE.key(), "1s");
    more.put(SuiteKey.FEATURES.key(), "ecupdate," + LevelManager.class.getName());
    more.put(
        DFSConfigKeys.DFS_BLOCK_PLACEMENT_EC_CLASSNAME_KEY,
        GuardedEcPlacementPolicy.class.getName());
    more.put(SuiteKey.NAMENODE_RPC_ADDRESS.key(), "127.0.0.1:" + LEVEL_PORT);
    more.put(LevelKey.SWEEP_INTERVAL.key(), "300ms");
    more.put("dfs.client.retry.window.base", "50");
    more.put("dfs.namenode.reconstruction.pending.timeout-sec", "5");
    // One that is started again must not be taken for dead.
    more.put("dfs.namenode.heartbeat.recheck-interval", "60000");
    cluster = new MiniUpdates(root, 7, more);
    fs = cluster.fs();
    assertThat(fs.addErasureCodingPolicies(new ErasureCodingPolicy[] {LOW})[0].isSucceed())
        .isTrue();
    fs.enableErasureCodingPolicy(LOW.getName());
  }

  @AfterAll
  static void stop() throws IOException {
    cluster.close();
  }

  private static FileOutcome setLevel(int level, String path) throws IOException {
    try (LevelClient client =
        new LevelClient(
            new InetSocketAddress("127.0.0.1", LEVEL_PORT),
            cluster.cluster().getConfiguration(0),
            120_000)) {
      return client.setLevel(level, List.of(path)).get(0);
    }
  }

  /** What hinders it for a moment only is waited for; so is a connection from before a restart. */
  private static void changeLevel(int level, String path) {
    await(path + " to level " + level)
        .ignoreExceptions()
        .untilAsserted(() -> assertThat(setLevel(level, path).refusal()).isEmpty());
  }

  private static DatanodeInfo holder(String path, int unit) throws IOException {
    LocatedStripedBlock group =
        (LocatedStripedBlock) fs.getClient().getLocatedBlocks(path, 0, 1).get(0);
    for (int i = 0; i < group.getBlockIndices().length; i++) {
      if (group.getBlockIndices()[i] == unit) {
        return group.getLocations()[i];
      }
    }
    throw new AssertionError("no unit " + unit + " of " + path);
  }

  private static void awaitUnits(String path, int units) {
    await(units + " units of " + path)
        .ignoreExceptions()
        .until(
            () ->
                fs.getClient().getLocatedBlocks(path, 0, 1).get(0).getLocations().length == units);
  }

  private static void update(String path, byte[] twin, int seed) throws IOException {
    try (StripedFileUpdater updater = cluster.openAtLast(path)) {
      MiniUpdates.writeSome(updater, twin, seed);
    }
  }

  private static long groupId(String path) throws IOException {
    return cluster.located(path).getBlock().getBlockId();
  }

  @Test
  void anUpdateNeverMeetsAUnitThatLoweringHasDropped() throws Exception {
    byte[] twin = cluster.create("/f", FILE_BYTES);
    update("/f", twin, 1);
    int last = MiniUpdates.DATA + 1;
    final long first = groupId("/f");
    DatanodeInfo away = holder("/f", last);
    MiniDFSCluster.DataNodeProperties stopped = cluster.cluster().stopDataNode(away.getXferAddr());
    changeLevel(1, "/f");
    cluster.cluster().setDataNodeDead(away);
    awaitUnits("/f", MiniUpdates.DATA + 1);

    fs.rename(new Path("/f"), new Path("/renamed"));
    cluster.cluster().restartNameNode(/* waitActive= */ false);
    await("a mark that no client sees")
        .ignoreExceptions()
        .untilAsserted(() -> assertThat(fs.getXAttrs(new Path("/renamed"))).isEmpty());
    // The NameNode has not forgotten it: the first program rewrites the group.
    update("/renamed", twin, 2);
    long second = groupId("/renamed");
    assertThat(second).isNotEqualTo(first);
    update("/renamed", twin, 3);
    assertThat(groupId("/renamed")).as("rewritten once").isEqualTo(second);

    changeLevel(2, "/renamed");
    awaitUnits("/renamed", MiniUpdates.DATA + 2);
    cluster.cluster().restartDataNode(stopped, /* keepPort= */ true);
    cluster.cluster().waitActive();
    // Its units were updated under the code of the level before.
    update("/renamed", twin, 4);
    assertThat(groupId("/renamed")).isNotIn(first, second);
    awaitUnits("/renamed", MiniUpdates.DATA + 2);

    List<MiniDFSCluster.DataNodeProperties> lost = new ArrayList<>();
    for (int unit = 0; unit < 2; unit++) {
      lost.add(cluster.cluster().stopDataNode(holder("/renamed", unit).getXferAddr()));
    }
    await("read by both parity units").until(() -> WholeFile.isReadable(fs, "/renamed", twin));
    for (MiniDFSCluster.DataNodeProperties each : lost) {
      cluster.cluster().restartDataNode(each, /* keepPort= */ true);
    }
    cluster.cluster().waitActive();
  }

  /** There and back: the units know the code that the file has again. */
  @Test
  void aLevelThatIsChangedThereAndBackIsNoWayAroundIt() throws Exception {
    byte[] twin = cluster.create("/back", FILE_BYTES);
    update("/back", twin, 5);
    long first = groupId("/back");
    changeLevel(1, "/back");
    changeLevel(2, "/back");
    awaitUnits("/back", MiniUpdates.DATA + 2);
    update("/back", twin, 6);
    assertThat(groupId("/back")).isNotEqualTo(first);
    assertThat(WholeFile.isReadable(fs, "/back", twin)).isTrue();
  }

  /**
   * At level 1 nothing shows that the parity is wrong, and the unit that is silent for a moment is
   * deleted with the old group.
   */
  @Test
  void whatOnlyParityHasIsNotCopied() throws Exception {
    Path directory = new Path("/low");
    fs.mkdirs(directory);
    fs.setErasureCodingPolicy(directory, LOW.getName());
    byte[] twin = new byte[FILE_BYTES];
    new Random(7).nextBytes(twin);
    String path = "/low/f";
    try (FileSystem foreign =
            FileSystem.newInstance(
                fs.getUri(), ForeignCoders.use(cluster.cluster().getConfiguration(0)));
        OutputStream out = foreign.create(new Path(path))) {
      out.write(twin);
    }
    awaitUnits(path, MiniUpdates.DATA + 1);
    changeLevel(2, path);
    awaitUnits(path, MiniUpdates.DATA + 2);
    changeLevel(1, path);
    awaitUnits(path, MiniUpdates.DATA + 1);
    final long first = groupId(path);
    try (StripedFileUpdater updater = cluster.openAtLast(path)) {
      MiniDFSCluster.DataNodeProperties silent =
          cluster.cluster().stopDataNode(holder(path, 1).getXferAddr());
      twin[0] ^= 1;
      assertThatThrownBy(() -> updater.write(0, ByteBuffer.wrap(twin, 0, 1)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("decoded=true");
      assertThat(groupId(path)).isEqualTo(first);
      cluster.cluster().restartDataNode(silent, /* keepPort= */ true);
      cluster.cluster().waitActive();
      await("the unit is back")
          .ignoreExceptionsInstanceOf(IOException.class)
          .until(
              () -> {
                updater.write(0, ByteBuffer.wrap(twin, 0, 1));
                return true;
              });
      assertThat(groupId(path)).isNotEqualTo(first);
    }
    assertThat(WholeFile.isReadable(fs, path, twin)).isTrue();
  }
}
