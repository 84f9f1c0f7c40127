/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.bridge.BridgeCluster;
import io.hdfsparity.bridge.namenode.BlockSuperchunks;
import io.hdfsparity.bridge.namenode.DegradedBlocks;
import io.hdfsparity.bridge.namenode.PairPlacement;
import io.hdfsparity.core.check.Timers;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.Node;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.StoredBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.namenode.NameNodeLock;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.NodeBase;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The policy and the NameNode's view on a cluster of three DataNodes with two storages each, in a
 * ring of three pairs.
 */
@Tag("full")
class PairPlacementPolicyTest {
  @TempDir static Path dir;
  private static BridgeCluster c;
  private static NameNodeAccess access;
  private static Ring ring;
  private static ScheduledExecutorService repairs;

  /** A request as the policy passed it on. */
  private record Asked(
      String path,
      int replicas,
      Optional<String> writer,
      List<String> favored,
      Set<String> excluded,
      long blockBytes) {}

  /** Pairs (0,1), (1,2), (2,0): the first that holds no excluded and only usable storages. */
  private static final class Ring implements PairPlacement, BlockSuperchunks {
    private final List<List<Target>> pairs = new ArrayList<>();
    private final Map<String, Target> partner = new HashMap<>();
    private final List<Asked> asked = new CopyOnWriteArrayList<>();

    Ring(List<DataNode> nodes) throws IOException {
      List<List<Target>> storages = new ArrayList<>();
      for (DataNode node : nodes) {
        List<Target> own = new ArrayList<>();
        try (var volumes = node.getFSDataset().getFsVolumeReferences()) {
          for (FsVolumeSpi volume : volumes) {
            own.add(new Target(volume.getStorageID(), node.getDatanodeUuid()));
          }
        }
        storages.add(own);
      }
      for (int i = 0; i < 3; i++) {
        Target a = storages.get(i).get(0);
        Target b = storages.get((i + 1) % 3).get(1);
        pairs.add(List.of(a, b));
        partner.put(a.storageId(), b);
        partner.put(b.storageId(), a);
      }
    }

    @Override
    public List<Target> chooseNew(
        String path,
        int replicas,
        Optional<String> writer,
        List<String> favored,
        Set<String> excluded,
        long blockBytes,
        Usable usable)
        throws PlacementRefusedException {
      asked.add(new Asked(path, replicas, writer, favored, excluded, blockBytes));
      List<List<Target>> order = new ArrayList<>(pairs);
      order.sort((a, b) -> Integer.compare(rank(a, favored, writer), rank(b, favored, writer)));
      for (List<Target> pair : order) {
        if (pair.stream()
            .allMatch(
                t ->
                    !excluded.contains(t.nodeUuid())
                        && usable.test(t.storageId(), t.nodeUuid(), blockBytes))) {
          return pair.subList(0, Math.min(replicas, 2));
        }
      }
      throw new PlacementRefusedException(
          "Cannot place a block: excluded=" + excluded.size() + ", expected a usable pair");
    }

    private static int rank(List<Target> pair, List<String> favored, Optional<String> writer) {
      if (pair.stream().anyMatch(t -> favored.contains(t.nodeUuid()))) {
        return 0;
      }
      return pair.stream().anyMatch(t -> writer.equals(Optional.of(t.nodeUuid()))) ? 1 : 2;
    }

    Optional<Target> partnerOf(String storageId) {
      return Optional.ofNullable(partner.get(storageId));
    }

    @Override
    public Optional<Home> of(long blockId, List<String> storageIds) {
      return pairs.stream()
          .filter(pair -> pair.stream().anyMatch(side -> storageIds.contains(side.storageId())))
          .map(pair -> new Home(pairs.indexOf(pair), 1, pair))
          .findFirst();
    }

    @Override
    public boolean leavesToHdfs(String nodeUuid) {
      return false;
    }
  }

  @BeforeAll
  static void start() throws Exception {
    HdfsConfiguration conf = BridgeCluster.conf("placement", dir);
    conf.set("dfs.block.replicator.classname", PairPlacementPolicy.class.getName());
    conf.setInt("dfs.namenode.stale.datanode.interval", 3000);
    conf.setInt("dfs.namenode.stale.datanode.minimum.interval", 1);
    conf.setInt("dfs.namenode.decommission.interval", 1);
    c = BridgeCluster.start(conf, 3);
    access = new NameNodeAccess(c.cluster.getNameNode());
    ring = new Ring(c.cluster.getDataNodes());
    DegradedBlocks degraded = access.repair(ring, ring);
    repairs = Timers.daemon("test-repair");
    repairs.scheduleWithFixedDelay(() -> repairAll(degraded), 500, 500, TimeUnit.MILLISECONDS);
  }

  @AfterAll
  static void stop() {
    repairs.shutdownNow();
    c.close();
  }

  /** Copies what lacks a replica, as a manager does; a pair is a superchunk by its place. */
  private static void repairAll(DegradedBlocks degraded) {
    degraded.refile(0);
    for (DegradedBlocks.Degraded each : degraded.superchunks()) {
      degraded.handOut(each.superchunkId(), 100, source -> true);
    }
  }

  @BeforeEach
  void attach() throws Exception {
    access.attach(ring);
    ring.asked.clear();
  }

  /** A file may be closed before its second DataNode has reported the replica. */
  private static void assertPaired(String path) throws Exception {
    c.awaitReplicas(path, 2);
    for (LocatedBlock block : c.located(path)) {
      List<String> ids = List.of(block.getStorageIDs());
      assertThat(ids).hasSize(2);
      assertThat(ring.partnerOf(ids.get(0)).orElseThrow().storageId()).isEqualTo(ids.get(1));
    }
  }

  @Test
  void withoutAManagerNewBlocksAreRefusedWithAReasonAndTheNameNodeLives() throws Exception {
    c.write("/waits", BridgeCluster.bytes(10, 1), 1);
    access.detach(ring);
    assertThatThrownBy(
            () -> {
              try (OutputStream out = c.fs.create(new org.apache.hadoop.fs.Path("/refused"))) {
                out.write(1);
              }
            })
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Cannot place a block: path=/refused")
        .hasMessageContaining("placement manager");
    // Re-replication meanwhile chooses nothing and does not end the NameNode's redundancy monitor.
    c.fs.setReplication(new org.apache.hadoop.fs.Path("/waits"), (short) 2);
    await().during(Duration.ofSeconds(4)).until(() -> c.storages("/waits").size() == 1);
    access.attach(ring);
    assertPaired("/waits");
  }

  @Test
  void aRefusalOfThePlacementReachesTheClient() throws Exception {
    access.detach(ring);
    access.attach(
        new PairPlacement() {
          @Override
          public List<Target> chooseNew(
              String path,
              int replicas,
              Optional<String> writer,
              List<String> favored,
              Set<String> excluded,
              long blockBytes,
              Usable usable)
              throws PlacementRefusedException {
            throw new PlacementRefusedException("no superchunk has room, says the test");
          }

          @Override
          public boolean leavesToHdfs(String nodeUuid) {
            return false;
          }
        });
    assertThatThrownBy(
            () -> {
              try (OutputStream out = c.fs.create(new org.apache.hadoop.fs.Path("/noroom"))) {
                out.write(1);
              }
            })
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no superchunk has room, says the test");
  }

  @Test
  void blocksLieInOnePairAndTheStorageIdsReachTheVolumes() throws Exception {
    c.write("/paired", BridgeCluster.bytes(3_500_000, 2), 2);
    assertPaired("/paired");
    assertThat(ring.asked)
        .allSatisfy(
            a -> {
              assertThat(a.path()).isEqualTo("/paired");
              assertThat(a.replicas()).isEqualTo(2);
              assertThat(a.blockBytes()).isEqualTo(BridgeCluster.BLOCK_BYTES);
              assertThat(a.writer()).isPresent();
            });
    for (LocatedBlock block : c.located("/paired")) {
      for (String storage : block.getStorageIDs()) {
        assertThat(c.script.kinds(block.getBlock().getBlockId(), storage))
            .containsExactly("reserve", "finalizing");
      }
    }
  }

  @Test
  void favoredNodesAndTheWritersNodeArePassedOn() throws Exception {
    DataNode favored = c.cluster.getDataNodes().get(2);
    try (OutputStream out =
        c.fs.create(
            new org.apache.hadoop.fs.Path("/favored"),
            FsPermission.getFileDefault(),
            true,
            4096,
            (short) 2,
            BridgeCluster.BLOCK_BYTES,
            null,
            new InetSocketAddress[] {favored.getXferAddress()})) {
      out.write(1);
    }
    assertThat(ring.asked.get(0).favored()).containsExactly(favored.getDatanodeUuid());
    ring.asked.clear();
    try (OutputStream out =
        c.fs.create(
            new org.apache.hadoop.fs.Path("/notlocal"),
            FsPermission.getFileDefault(),
            EnumSet.of(CreateFlag.CREATE, CreateFlag.NO_LOCAL_WRITE),
            4096,
            (short) 2,
            BridgeCluster.BLOCK_BYTES,
            null)) {
      out.write(1);
    }
    assertThat(ring.asked.get(0).writer()).isEmpty();
    assertThat(ring.asked.get(0).excluded()).hasSize(1);
    assertPaired("/notlocal");
  }

  /** No replica of a node that is leaving counts, and it still gives what it has. */
  @Test
  void theOnlyReplicaOnALeavingNodeIsCopiedToThePartner() throws Exception {
    c.write("/leaving", BridgeCluster.bytes(5_000, 9), 1);
    String only = c.storages("/leaving").iterator().next();
    DatanodeManager datanodes = c.cluster.getNamesystem().getBlockManager().getDatanodeManager();
    DatanodeDescriptor leaving =
        datanodes.getDatanode(c.first("/leaving").getLocations()[0].getDatanodeUuid());
    underLock(() -> datanodes.getDatanodeAdminManager().startDecommission(leaving));
    try {
      String partner = ring.partnerOf(only).orElseThrow().storageId();
      await().until(() -> c.storages("/leaving").contains(partner));
    } finally {
      underLock(() -> datanodes.getDatanodeAdminManager().stopDecommission(leaving));
    }
  }

  private static void underLock(Runnable change) {
    NameNodeLock.ALL.writeLock(c.cluster.getNamesystem());
    try {
      change.run();
    } finally {
      NameNodeLock.ALL.writeUnlock(c.cluster.getNamesystem(), "test");
    }
  }

  /** The thread that copies blocks ends the NameNode on any error. */
  @Test
  void aPlacementThatFailsForABlockThatIsToBeCopiedGetsNoCopy() {
    Configuration conf = new Configuration(false);
    PairPlacementPolicy policy = new PairPlacementPolicy();
    policy.initialize(conf, null, new NetworkTopology(), new Host2NodesMap());
    policy.attach(
        new NoPairs() {
          @Override
          public boolean isCopiedByHdfs(String path) {
            throw new AssertionError("Absolute path required, but got '" + path + "'");
          }
        },
        Optional::empty);
    org.apache.hadoop.net.Node source = new NodeBase("n1", "/r");
    Set<org.apache.hadoop.net.Node> excluded = new HashSet<>(Set.of(source));
    assertThat(policy.chooseTarget("f", 1, source, List.of(), false, excluded, 1, null, null))
        .isEmpty();
  }

  @Test
  void reReplicationGoesToThePartnerAndToNoOtherNode() throws Exception {
    byte[] data = BridgeCluster.bytes(5_000, 3);
    c.write("/partner", data, 2);
    LocatedBlock block = c.first("/partner");
    MiniDFSCluster.DataNodeProperties stopped =
        c.cluster.stopDataNode(block.getLocations()[1].getXferAddr());
    c.cluster.setDataNodeDead(block.getLocations()[1]);
    await().until(() -> c.first("/partner").getLocations().length == 1);
    // A third node is alive and idle, but the only legal place is gone.
    await()
        .during(Duration.ofSeconds(5))
        .until(() -> c.first("/partner").getLocations().length == 1);
    assertThat(access.block(block.getBlock().getBlockId()).orElseThrow().liveReplicas())
        .isEqualTo(1);
    assertThat(access.underReplicatedCount()).isPositive();
    Node dead = access.node(block.getLocations()[1].getDatanodeUuid()).orElseThrow();
    assertThat(dead.alive()).isFalse();
    c.cluster.restartDataNode(stopped, true);
    c.cluster.waitActive();
    assertPaired("/partner");
    assertThat(c.read("/partner")).isEqualTo(data);
  }

  @Test
  void aReconfiguredPolicyRefusesUntilAttachedAgain() throws Exception {
    BlockManager blocks = c.cluster.getNamesystem().getBlockManager();
    blocks.refreshBlockPlacementPolicy(c.cluster.getConfiguration(0));
    assertThat(((PairPlacementPolicy) blocks.getBlockPlacementPolicy()).isAttached(ring)).isFalse();
    access.attach(ring);
    assertThat(((PairPlacementPolicy) blocks.getBlockPlacementPolicy()).isAttached(ring)).isTrue();
  }

  @Test
  void theManagersViewMatchesTheNamespace() throws Exception {
    c.write("/view", BridgeCluster.bytes(2_000_000, 5), 2);
    assertThat(access.isActive()).isTrue();
    assertThat(access.isInSafeMode()).isFalse();
    assertThat(access.clusterId()).isEqualTo(c.cluster.getNamesystem().getClusterId());
    assertThat(access.blockPoolId()).isEqualTo(c.cluster.getNamesystem().getBlockPoolId());
    assertThat(access.rpcAddress().getPort()).isEqualTo(c.cluster.getNameNodePort());
    assertThat(access.missingBlockCount()).isZero();
    assertThat(access.nodes())
        .hasSize(3)
        .allSatisfy(
            n -> {
              assertThat(n.alive()).isTrue();
              assertThat(n.adminState()).isEqualTo("NORMAL");
              assertThat(n.rack()).startsWith("/");
              assertThat(n.storages())
                  .hasSize(2)
                  .allSatisfy(
                      s -> {
                        assertThat(s.failed()).isFalse();
                        assertThat(s.type()).isEqualTo("DISK");
                        assertThat(s.capacityBytes()).isPositive();
                        assertThat(s.remainingBytes()).isBetween(1L, s.capacityBytes());
                      });
            });
    for (LocatedBlock located : c.located("/view")) {
      long id = located.getBlock().getBlockId();
      StoredBlock block = access.block(id).orElseThrow();
      assertThat(block.storageIds()).containsExactlyInAnyOrder(located.getStorageIDs());
      assertThat(block.lengthBytes()).isEqualTo(located.getBlockSize());
      assertThat(block.generationStamp()).isEqualTo(located.getBlock().getGenerationStamp());
      assertThat(block.complete()).isTrue();
      assertThat(block.liveReplicas()).isEqualTo(2);
      for (int i = 0; i < 2; i++) {
        assertThat(
                access.blocks(
                    located.getLocations()[i].getDatanodeUuid(), located.getStorageIDs()[i]))
            .contains(block);
      }
    }
    assertThat(access.block(1)).isEmpty();
    assertThat(access.blocks("none", "none")).isEmpty();
  }

  @Test
  void onlyASuperuserPasses() throws Exception {
    access.checkSuperuser("test");
    Configuration conf = c.cluster.getConfiguration(0);
    assertThat(conf.getBoolean("dfs.permissions.enabled", true)).isTrue();
    UserGroupInformation nobody =
        UserGroupInformation.createUserForTesting("nobody", new String[] {"none"});
    assertThatThrownBy(
            () ->
                nobody.doAs(
                    (PrivilegedExceptionAction<Void>)
                        () -> {
                          access.checkSuperuser("test");
                          return null;
                        }))
        .isInstanceOf(AccessControlException.class)
        .hasMessageContaining("nobody");
  }
}
