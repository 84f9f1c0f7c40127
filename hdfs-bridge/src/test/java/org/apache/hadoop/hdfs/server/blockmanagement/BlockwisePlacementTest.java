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
import io.hdfsparity.bridge.namenode.DegradedBlocks.Unfiled;
import io.hdfsparity.bridge.namenode.PairPlacement;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.CorruptReplicasMap.Reason;
import org.apache.hadoop.hdfs.server.namenode.NameNodeLock;
import org.apache.hadoop.hdfs.server.namenode.ProtectionMarks;
import org.apache.hadoop.hdfs.server.namenode.ReplicationCap.Lowering;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes 0 and 1 hold a superchunk, and blocks that are HDFS's alone lie on all five. */
@Tag("full")
class BlockwisePlacementTest {
  private static final int NODES = 5;
  private static final long SHARED = 7;
  private static final Duration QUIET = Duration.ofSeconds(4);

  @TempDir static Path dir;
  private static MiniDFSCluster cluster;
  private static DistributedFileSystem fs;
  private static NameNodeAccess access;
  private static DegradedBlocks degraded;
  private static Plan plan;
  private static long corruptBefore;

  private enum Room {
    FREE,
    FULL,
    PENDING
  }

  /** Knows what the test says of blocks. */
  private static final class Plan implements PairPlacement, BlockSuperchunks {
    private final List<Target> storages = new ArrayList<>();
    private final Set<Long> covered = ConcurrentHashMap.newKeySet();
    private final Set<Long> plain = ConcurrentHashMap.newKeySet();
    private final Map<Long, List<String>> undecided = new ConcurrentHashMap<>();
    private final Set<Long> asking = ConcurrentHashMap.newKeySet();
    private volatile Room room = Room.FREE;
    private volatile boolean plainWhenFull;
    private volatile boolean failing;

    Plan() throws IOException {
      for (var node : cluster.getDataNodes()) {
        try (var volumes = node.getFSDataset().getFsVolumeReferences()) {
          storages.add(new Target(volumes.get(0).getStorageID(), node.getDatanodeUuid()));
        }
      }
    }

    @Override
    public boolean isProtected(String path) throws IOException {
      if (failing) {
        throw new IOException("no marks");
      }
      return path.startsWith("/p/");
    }

    @Override
    public boolean isOldName(String path) {
      return path.startsWith("/old/");
    }

    @Override
    public boolean isPlainWhenFull() {
      return plainWhenFull;
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
      assertThat(path).matches("/(p|old)/.*");
      assertThat(replicas).isEqualTo(2);
      if (room == Room.PENDING) {
        throw new PlacementPendingException("not all pairs are known");
      }
      if (room == Room.FULL) {
        throw new PlacementRefusedException("no room");
      }
      return storages.subList(0, 2);
    }

    @Override
    public void excessUndecided(long blockId, List<String> storageIds) {
      undecided.put(blockId, storageIds);
    }

    @Override
    public void fileAsksForMore(long inodeId) {
      asking.add(inodeId);
    }

    @Override
    public Optional<Home> of(long blockId, List<String> storageIds) {
      return covered.contains(blockId)
          ? Optional.of(new Home(SHARED, 1, storages.subList(0, 2)))
          : Optional.empty();
    }

    @Override
    public boolean isPlain(long blockId, List<String> storageIds) {
      return plain.contains(blockId);
    }

    @Override
    public boolean leavesToHdfs(String nodeUuid) {
      return false;
    }
  }

  @BeforeAll
  static void start() throws Exception {
    HdfsConfiguration conf = BridgeCluster.conf(null, dir);
    conf.unset("dfs.datanode.fsdataset.factory");
    conf.set("dfs.block.replicator.classname", PairPlacementPolicy.class.getName());
    conf.setInt("dfs.client.block.write.locateFollowingBlock.retries", 1);
    cluster = new MiniDFSCluster.Builder(conf).numDataNodes(NODES).storagesPerDatanode(1).build();
    cluster.waitActive();
    fs = cluster.getFileSystem();
    access = new NameNodeAccess(cluster.getNameNode());
    plan = new Plan();
    markCorruptBefore();
    access.attach(plan);
    degraded = access.repair(plan, plan);
  }

  private static BlockManager blocks() {
    return cluster.getNamesystem().getBlockManager();
  }

  /** What HDFS knows of corrupt replicas before its map is replaced. */
  private static void markCorruptBefore() throws IOException {
    BlockInfo block = new BlockInfoContiguous(new Block(1, 1, 1), (short) 1);
    blocks()
        .corruptReplicas
        .addToCorruptReplicasMap(block, node(0), "test", Reason.CORRUPTION_REPORTED, false);
    corruptBefore = blocks().corruptReplicas.getCorruptBlocks();
    assertThat(corruptBefore).isEqualTo(1);
  }

  @AfterAll
  static void stop() {
    cluster.shutdown(true);
  }

  @BeforeEach
  void free() {
    plan.room = Room.FREE;
    plan.plainWhenFull = false;
    plan.failing = false;
  }

  @AfterEach
  void clean() throws IOException {
    for (var each : fs.listStatus(new org.apache.hadoop.fs.Path("/"))) {
      fs.delete(each.getPath(), true);
    }
  }

  private static DatanodeDescriptor node(int index) {
    return blocks().getDatanodeManager().getDatanode(plan.storages.get(index).nodeUuid());
  }

  private static LocatedBlock block(String path) throws IOException {
    return fs.getClient().getLocatedBlocks(path, 0, Long.MAX_VALUE).get(0);
  }

  private static long id(String path) throws IOException {
    return block(path).getBlock().getBlockId();
  }

  private static long inode(String path) throws IOException {
    return fs.getClient().getFileInfo(path).getFileId();
  }

  private static Set<String> holders(String path) throws IOException {
    return Arrays.stream(block(path).getLocations())
        .map(DatanodeInfo::getDatanodeUuid)
        .collect(Collectors.toSet());
  }

  /** A file may be closed when one of its DataNodes has reported the block. */
  private static void awaitHolders(String path, int... on) {
    await().until(() -> holders(path).equals(nodes(on)));
  }

  private static Set<String> nodes(int... indexes) {
    return Arrays.stream(indexes)
        .mapToObj(i -> plan.storages.get(i).nodeUuid())
        .collect(Collectors.toSet());
  }

  private static Set<String> storages(int... indexes) {
    return Arrays.stream(indexes)
        .mapToObj(i -> plan.storages.get(i).storageId())
        .collect(Collectors.toSet());
  }

  /** Writes a block of HDFS's on these nodes. */
  private static long write(String path, int... on) throws IOException {
    create(path, on.length, on);
    awaitHolders(path, on);
    return id(path);
  }

  private static void create(String path, int replicas, int... favored) throws IOException {
    try (FSDataOutputStream out =
        fs.create(
            new org.apache.hadoop.fs.Path(path),
            FsPermission.getFileDefault(),
            true,
            4096,
            (short) replicas,
            1 << 20,
            null,
            Arrays.stream(favored)
                .mapToObj(i -> new InetSocketAddress(node(i).getIpAddr(), node(i).getXferPort()))
                .toArray(InetSocketAddress[]::new))) {
      out.write(BridgeCluster.bytes(1000, 1));
    }
  }

  private static void setReplication(String path, int replicas) throws IOException {
    fs.setReplication(new org.apache.hadoop.fs.Path(path), (short) replicas);
  }

  /** Runs something while a node is away. */
  private static void losing(int index, Lost then) throws Exception {
    DatanodeDescriptor node = node(index);
    MiniDFSCluster.DataNodeProperties stopped = cluster.stopDataNode(node.getXferAddr());
    cluster.setDataNodeDead(node);
    try {
      then.run();
    } finally {
      cluster.restartDataNode(stopped, true);
      cluster.waitActive();
    }
  }

  @FunctionalInterface
  private interface Lost {
    void run() throws Exception;
  }

  @Test
  void aProtectedBlockGetsAPairAndOthersWhatHdfsChooses() throws Exception {
    create("/p/two", 2);
    create("/p/three", 3);
    awaitHolders("/p/two", 0, 1);
    awaitHolders("/p/three", 0, 1);
    assertThat(fs.getFileStatus(new org.apache.hadoop.fs.Path("/p/three")).getReplication())
        .isEqualTo((short) 3);
    write("/plain", 0, 1, 2);
    create("/p/one", 1, 3);
    awaitHolders("/p/one", 3);
    create("/many", NODES);
    await().until(() -> holders("/many").size() == NODES);
  }

  /** Its inode says whether it is protected, and HDFS does not tell the policy which that is. */
  @Test
  void aFileOfTwoReplicasByItsOldNameGetsAPairIfThereIsOne() throws Exception {
    create("/old/two", 2, 3, 4);
    awaitHolders("/old/two", 0, 1);
    plan.room = Room.FULL;
    create("/old/full", 2);
    await().until(() -> holders("/old/full").size() == 2);
    create("/old/three", 3);
    await().until(() -> holders("/old/three").size() == 3);
  }

  @Test
  void whereNoPairHasRoomItIsRefusedOrPlainAsConfigured() throws Exception {
    plan.room = Room.FULL;
    assertThatThrownBy(() -> create("/p/a", 3)).hasMessageContaining("no room");
    plan.plainWhenFull = true;
    assertThatThrownBy(() -> create("/p/b", 2)).hasMessageContaining("no room");
    create("/p/c", 3);
    await().until(() -> holders("/p/c").size() == 3);
    plan.room = Room.PENDING;
    assertThatThrownBy(() -> create("/p/d", 3)).hasMessageContaining("not all pairs are known");
    create("/plain", 2);
    plan.failing = true;
    assertThatThrownBy(() -> create("/plain2", 2)).hasMessageContaining("no marks");
  }

  @Test
  void hdfsReplacesLostReplicasOfBlocksThatAreKnownToBeItsOwn() throws Exception {
    plan.plain.add(write("/plain", 1, 4));
    long unknown = write("/unknown", 1, 4);
    plan.covered.add(write("/covered", 0, 4));
    losing(
        4,
        () -> {
          await().until(() -> holders("/plain").size() == 2);
          await()
              .during(QUIET)
              .until(() -> holders("/unknown").size() == 1 && holders("/covered").size() == 1);
          assertThat(degraded.refile(10)).contains(new Unfiled(unknown, List.copyOf(storages(1))));
          plan.plain.add(unknown);
          degraded.refile(10);
          await().until(() -> holders("/unknown").size() == 2);
          // The one in a superchunk is copied to its other side, by who knows it.
          assertThat(degraded.superchunks())
              .containsExactly(new DegradedBlocks.Degraded(SHARED, 1));
          assertThat(degraded.handOut(SHARED, 10, node -> true)).hasSize(1);
          awaitHolders("/covered", 0, 1);
        });
  }

  /** While it is not known a block waits; that it is asked for again needs no event of HDFS's. */
  @Test
  void lookingAgainFindsBlocksThatLackReplicas() throws Exception {
    long id = write("/unknown", 1, 4);
    losing(
        4,
        () -> {
          await().until(() -> holders("/unknown").size() == 1);
          plan.plain.add(id);
          access.lookAgain(List.of(id, 123L));
          await().until(() -> holders("/unknown").size() == 2);
        });
  }

  @Test
  void excessReplicasGoByWhatTheBlockIs() throws Exception {
    plan.plain.add(write("/plain", 0, 1, 2));
    long covered = write("/covered", 0, 1, 2);
    plan.covered.add(covered);
    long unknown = write("/unknown", 0, 1, 2);
    long halved = write("/halved", 1, 2, 3);
    plan.covered.add(halved);
    for (String path : List.of("/plain", "/covered", "/unknown", "/halved")) {
      setReplication(path, 2);
    }
    await().until(() -> holders("/plain").size() == 2 && holders("/covered").size() == 2);
    assertThat(holders("/covered")).isEqualTo(nodes(0, 1));
    await().during(QUIET).until(() -> holders("/unknown").size() == 3);
    assertThat(plan.undecided.get(unknown)).containsExactlyInAnyOrderElementsOf(storages(0, 1, 2));
    assertThat(plan.undecided).doesNotContainKey(covered).containsKey(halved);
    assertThat(holders("/halved")).hasSize(3);

    plan.covered.add(unknown);
    access.lookAgain(List.of(unknown));
    awaitHolders("/unknown", 0, 1);

    // A side is missing, however many others there are: it is copied, and then a stranger goes.
    access.lookAgain(List.of(halved));
    assertThat(degraded.handOut(SHARED, 10, node -> true)).hasSize(1);
    awaitHolders("/halved", 0, 1);
    assertThat(access.underReplicatedCount()).isZero();
  }

  @Test
  void aFileOfOneReplicaLosesASideOfItsPair() throws Exception {
    plan.covered.add(write("/covered", 0, 1, 3));
    setReplication("/covered", 1);
    await().until(() -> holders("/covered").size() == 1);
    assertThat(nodes(0, 1)).containsAll(holders("/covered"));
    access.lookAgain(List.of(id("/covered")));
    assertThat(access.underReplicatedCount()).as("it is not copied back").isZero();
    assertThat(degraded.superchunks()).isEmpty();
  }

  /** Without the block, which HDFS does not tell, nothing is deleted. */
  @Test
  void aBlockThatIsNotTheOneOfTheStoragesIsNotTakenForIt() throws Exception {
    plan.plain.add(write("/plain", 0, 1, 2));
    write("/other", 0, 1, 3);
    BlockInfo other = blocks().getStoredBlock(new Block(id("/other")));
    BlockInfo plainBlock = blocks().getStoredBlock(new Block(id("/plain")));
    NameNodeLock.ALL.writeLock(cluster.getNamesystem());
    try {
      List<DatanodeStorageInfo> storages = List.of(blocks().getStorages(plainBlock));
      blocks().corruptReplicas.getNodes(other);
      assertThat(choose(storages)).isEmpty();
      blocks().corruptReplicas.getNodes(plainBlock);
      assertThat(choose(storages)).hasSize(1);
      access.detach(plan);
      blocks().corruptReplicas.getNodes(plainBlock);
      assertThat(choose(storages)).as("nobody knows anything").isEmpty();
      access.attach(plan);
    } finally {
      NameNodeLock.ALL.writeUnlock(cluster.getNamesystem(), "test");
    }
  }

  private static List<DatanodeStorageInfo> choose(List<DatanodeStorageInfo> storages) {
    return blocks()
        .getBlockPlacementPolicy()
        .chooseReplicasToDelete(
            storages, storages, 2, new ArrayList<>(List.of(StorageType.DISK)), null, null);
  }

  @Test
  void aFileThatAsksForMoreThanItsPairIsNamed() throws Exception {
    create("/p/three", 3);
    long id = id("/p/three");
    await().until(() -> blocks().getStoredBlock(new Block(id)).isComplete());
    await().until(() -> access.underReplicatedCount() == 1);
    plan.covered.add(id);
    degraded.refile(10);
    assertThat(degraded.handOut(SHARED, 10, node -> true)).isEmpty();
    assertThat(plan.asking).containsExactly(inode("/p/three"));
    assertThat(fs.getFileStatus(new org.apache.hadoop.fs.Path("/p/three")).getReplication())
        .isEqualTo((short) 3);
    access.marks().set("/p", ProtectionMarks.Mark.PROTECTED);
    assertThat(
            access.lowerReplication(
                inode("/p/three"), Map.of(id, block("/p/three").getBlock().getGenerationStamp())))
        .isEqualTo(Lowering.LOWERED);
    assertThat(access.underReplicatedCount()).isZero();
  }

  @Test
  void whatIsKnownOfCorruptReplicasStays() throws Exception {
    assertThat(blocks().corruptReplicas).isInstanceOf(NotedBlocks.class);
    assertThat(blocks().corruptReplicas.getCorruptBlocks()).isEqualTo(corruptBefore);
    assertThat(blocks().corruptReplicas.isReplicaCorrupt(new Block(1), node(0))).isTrue();
  }
}
