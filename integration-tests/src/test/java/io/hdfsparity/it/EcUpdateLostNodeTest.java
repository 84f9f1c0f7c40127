/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.ecupdate.config.StorageKey;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import io.hdfsparity.ecupdate.updater.UpdaterOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A DataNode is dead to HDFS while a file is open for updates: its block group is written anew, if
 * there is a DataNode for each unit; else its return is waited for. By processes that are killed:
 * {@link EcUpdateHealTest}.
 */
@Tag("full")
@Timeout(1200)
class EcUpdateLostNodeTest {
  private static final int FILE_BYTES = 10 * MiniUpdates.CELL_BYTES + 30_001;
  private static final int NODES = 6;
  private static final UpdaterOptions PATIENT = UpdaterOptions.standard().withOperationMs(300_000);

  /** Of units that a session has left, or could not tell so. */
  private static final Logger LEAVING = Logger.getLogger("io.hdfsparity.ecupdate.client.Admission");

  private final ExecutorService pool = Executors.newSingleThreadExecutor();
  private final List<String> notTold = new CopyOnWriteArrayList<>();
  private final Handler listens =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          notTold.add(line.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    LEAVING.addHandler(listens);
  }

  @AfterEach
  void stop() {
    LEAVING.removeHandler(listens);
    pool.shutdownNow();
  }

  private static Map<String, String> keys() {
    Map<String, String> more = UpdateKeys.sessions("2s");
    more.putAll(UpdateKeys.lease("20s"));
    more.put(StorageKey.SNAPSHOT_AGE.key(), "1s");
    more.put("dfs.client.retry.window.base", "50");
    // It is said which are dead, and when.
    more.put("dfs.namenode.heartbeat.recheck-interval", "600000");
    return more;
  }

  private static long metric(String name) {
    return Metrics.value("EcUpdateSessions", name);
  }

  /** Stops a DataNode, and has the NameNode take it for dead. */
  private static MiniDFSCluster.DataNodeProperties lose(MiniUpdates cluster, String node)
      throws IOException {
    DatanodeID id = cluster.node(node).getDatanodeId();
    MiniDFSCluster.DataNodeProperties stopped = cluster.stop(node);
    cluster.cluster().setDataNodeDead(id);
    return stopped;
  }

  private static void assertReads(StripedFileUpdater updater, byte[] twin) throws IOException {
    ByteBuffer found = ByteBuffer.allocate(twin.length);
    assertThat(updater.read(0, found)).isEqualTo(twin.length);
    assertThat(Arrays.equals(found.array(), twin)).isTrue();
  }

  @Test
  void programsGoOnAndTheNodeThatIsBackServesNothingOld(@TempDir Path root) throws Exception {
    try (MiniUpdates cluster = new MiniUpdates(root, NODES, keys())) {
      byte[] twin = cluster.create("/busy", FILE_BYTES);
      try (StripedFileUpdater writes = cluster.open("/busy", PATIENT);
          StripedFileUpdater idle = cluster.open("/busy", PATIENT)) {
        MiniUpdates.writeSome(writes, twin, 1);
        assertReads(idle, twin);
        MiniUpdates.Group before = cluster.group("/busy");
        long healed = metric("GroupsHealed");
        String node = before.nodes()[1];
        MiniDFSCluster.DataNodeProperties stopped = lose(cluster, node);
        MiniUpdates.writeSome(writes, twin, 2);
        assertThat(metric("GroupsHealed")).isEqualTo(healed + 1);
        assertThat(cluster.group("/busy").blocks())
            .doesNotContain(Arrays.stream(before.blocks()).boxed().toArray(Long[]::new));
        // It still knows the old units only, of which the others are locked for good.
        assertReads(idle, twin);
        MiniUpdates.writeSome(idle, twin, 3);
        assertThat(WholeFile.isReadable(cluster.fs(), "/busy", twin)).isTrue();

        cluster.restart(Map.of(node, stopped));
        MiniUpdates.writeSome(writes, twin, 4);
        assertReads(idle, twin);
        try (StripedFileUpdater late = cluster.open("/busy")) {
          assertReads(late, twin);
          MiniUpdates.writeSome(late, twin, 5);
        }
        assertReads(writes, twin);
        assertThat(writes.verify(60_000, finding -> {}, stripes -> {})).isPositive();
        assertThat(metric("GroupsHealed")).isEqualTo(healed + 1);
      }
      assertThat(notTold).as("nobody waits for a unit that the file has no more").isEmpty();
      cluster.verify(cluster.group("/busy"));
      await("read").until(() -> WholeFile.isReadable(cluster.fs(), "/busy", twin));
      assertThat(cluster.corruptReplicas()).isZero();
    }
  }

  @Test
  void withoutADataNodeForTheUnitTheOldOneIsWaitedFor(@TempDir Path root) throws Exception {
    try (MiniUpdates cluster = new MiniUpdates(root, NODES, keys())) {
      byte[] twin = cluster.create("/waits", FILE_BYTES);
      try (StripedFileUpdater updater = cluster.open("/waits", PATIENT)) {
        MiniUpdates.writeSome(updater, twin, 1);
        MiniUpdates.Group before = cluster.group("/waits");
        String spare =
            cluster.cluster().getDataNodes().stream()
                .map(DataNode::getDatanodeUuid)
                .filter(uuid -> !List.of(before.nodes()).contains(uuid))
                .findFirst()
                .orElseThrow();
        String node = before.nodes()[4];
        Map<String, MiniDFSCluster.DataNodeProperties> stopped =
            Map.of(spare, lose(cluster, spare), node, lose(cluster, node));
        long refused = metric("CallsRefused");
        Future<?> writing =
            pool.submit(
                () -> {
                  MiniUpdates.writeSome(updater, twin, 2);
                  return null;
                });
        await("it is asked whether the group can be healed, more than once")
            .until(() -> metric("CallsRefused") > refused + 2);
        assertThat(writing).isNotDone();
        cluster.restart(stopped);
        writing.get(5, TimeUnit.MINUTES);
        assertThat(cluster.group("/waits").blocks()).isEqualTo(before.blocks());
        assertReads(updater, twin);
      }
      cluster.verify(cluster.group("/waits"));
      await("read").until(() -> WholeFile.isReadable(cluster.fs(), "/waits", twin));
    }
  }

  /**
   * A write needs what was there before, and the disk has other bytes, which no reader has met. The
   * DataNode gives the unit up, and programs rewrite the group as if the DataNode were lost.
   */
  @Test
  void aUnitThatAWriteFindsDamagedIsReplaced(@TempDir Path root) throws Exception {
    try (MiniUpdates cluster = new MiniUpdates(root, NODES, keys())) {
      byte[] twin = cluster.create("/damaged", FILE_BYTES);
      try (StripedFileUpdater writes = cluster.open("/damaged", PATIENT);
          StripedFileUpdater idle = cluster.open("/damaged", PATIENT)) {
        twin[0] ^= 1;
        writes.write(0, ByteBuffer.wrap(twin, 0, 1));
        MiniUpdates.Group before = cluster.group("/damaged");
        long healed = metric("GroupsHealed");
        Damage.flip(blockFile(cluster, before.nodes()[1], before.blocks()[1]), 1050);
        int at = MiniUpdates.CELL_BYTES + 1100; // of the same chunk
        twin[at] ^= 2;
        writes.write(at, ByteBuffer.wrap(twin, at, 1));
        assertThat(metric("GroupsHealed")).isEqualTo(healed + 1);
        assertThat(cluster.group("/damaged").blocks())
            .doesNotContain(Arrays.stream(before.blocks()).boxed().toArray(Long[]::new));
        MiniUpdates.writeSome(writes, twin, 6);
        // It has not used the group before, and knows the old one since it was opened.
        assertReads(idle, twin);
        MiniUpdates.writeSome(idle, twin, 7);
        assertReads(writes, twin);
        try (StripedFileUpdater late = cluster.open("/damaged")) {
          assertReads(late, twin);
        }
      }
      cluster.verify(cluster.group("/damaged"));
      await("read").until(() -> WholeFile.isReadable(cluster.fs(), "/damaged", twin));
      await("the damaged replica is deleted").until(() -> cluster.corruptReplicas() == 0);
    }
  }

  private static Path blockFile(MiniUpdates cluster, String node, long block) {
    ReplicaInfo replica =
        DataNodeTestUtils.fetchReplicaInfo(
            cluster.node(node), cluster.cluster().getNamesystem().getBlockPoolId(), block);
    return Path.of(replica.getBlockURI());
  }
}
