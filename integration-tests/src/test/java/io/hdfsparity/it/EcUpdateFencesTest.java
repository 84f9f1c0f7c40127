/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.Tid;
import io.hdfsparity.ecupdate.datanode.EcUpdateDataNodeFeature;
import io.hdfsparity.ecupdate.datanode.UpdateReplicas;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.Sender;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.StorageLocation;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi.FsVolumeReferences;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi.BlockIterator;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.RoundRobinVolumeChoosingPolicy;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.ParityFsDataset;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.apache.hadoop.io.nativeio.NativeIO;
import org.apache.hadoop.security.token.Token;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cluster that takes updates does with what nobody has updated what HDFS does: serves, moves and
 * reports it, whoever asks.
 */
@Timeout(300)
class EcUpdateFencesTest {
  private static final int NODES = 5;

  @TempDir static Path root;
  private static MiniUpdates cluster;

  /** How Hadoop locks memory; here it locks none. */
  private static NativeIO.POSIX.CacheManipulator locking;

  @BeforeAll
  static void start() throws IOException {
    Map<String, String> more = UpdateKeys.sessions("2s");
    // Units of new files come to the disks of a DataNode in turn.
    more.put(
        DFSConfigKeys.DFS_DATANODE_FSDATASET_VOLUME_CHOOSING_POLICY_KEY,
        RoundRobinVolumeChoosingPolicy.class.getName());
    // It would find itself what readers are to report.
    more.put("dfs.datanode.directoryscan.interval", "3600");
    more.put(DFSConfigKeys.DFS_DATANODE_MAX_LOCKED_MEMORY_KEY, String.valueOf(16 << 20));
    more.put(DFSConfigKeys.DFS_DATANODE_LAZY_WRITER_INTERVAL_SEC, "1");
    locking = NativeIO.POSIX.getCacheManipulator();
    NativeIO.POSIX.setCacheManipulator(new NativeIO.POSIX.NoMlockCacheManipulator());
    cluster = new MiniUpdates(root, NODES, more);
  }

  @AfterAll
  static void stop() throws IOException {
    cluster.close();
    NativeIO.POSIX.setCacheManipulator(locking);
  }

  /** A unit of a file's one group, as Hadoop's client knows it. */
  private static LocatedBlock unit(LocatedStripedBlock group, int index) {
    return Arrays.stream(
            StripedBlockUtil.parseStripedBlockGroup(
                group, MiniUpdates.CELL_BYTES, MiniUpdates.DATA, 2))
        .skip(index)
        .findFirst()
        .orElseThrow();
  }

  /** Begins to read a unit from its begin, by what a client takes it for. */
  private static RawRead begin(LocatedBlock unit, long saidBytes, String client, int lengthBytes)
      throws IOException {
    ExtendedBlock asked = new ExtendedBlock(unit.getBlock());
    asked.setNumBytes(saidBytes);
    return RawRead.begin(
        unit.getLocations()[0], asked, unit.getBlockToken(), client, 0, lengthBytes);
  }

  private static byte[] cell(byte[] file, int index) {
    return Arrays.copyOfRange(
        file, index * MiniUpdates.CELL_BYTES, (index + 1) * MiniUpdates.CELL_BYTES);
  }

  /** As hdfs-native does: HDFS serves it, block tokens or not. */
  @Test
  void aClientThatSaysTheLengthOfTheGroupOfEachUnitIsServed() throws Exception {
    byte[] bytes = cluster.create("/whole", 7 * MiniUpdates.CELL_BYTES + 11);
    LocatedStripedBlock group = cluster.located("/whole");
    for (int i = 0; i < MiniUpdates.DATA; i++) {
      try (RawRead read =
          begin(
              unit(group, i),
              group.getBlockSize(),
              UUID.randomUUID().toString(),
              MiniUpdates.CELL_BYTES)) {
        assertThat(read.finish()).as("unit %d", i).isEqualTo(cell(bytes, i));
      }
    }
    // One that goes by another form: Hadoop's own client says the length of the unit.
    assertThatThrownBy(
            () ->
                begin(
                        unit(group, 0),
                        group.getBlockSize(),
                        "DFSClient_NONMAPREDUCE_1_2",
                        MiniUpdates.CELL_BYTES)
                    .close())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("rewritten in another form");
  }

  private static UpdateReplicas replicas(DataNode node) throws IOException {
    return EcUpdateDataNodeFeature.replicasOf(node);
  }

  /** Changes the begin of a unit, and brings that into its file. */
  private static void change(MiniUpdates.Group group, int unit, byte[] fresh, int number)
      throws Exception {
    cluster.ask(
        group,
        unit,
        0,
        new Request.Swap(new Patch(0, Bytes.wrap(fresh)), new Tid(1, number, unit)));
    replicas(cluster.node(group.nodes()[unit])).merge(group.blocks()[unit]);
  }

  /** Packets that a DataNode has sent by reference. */
  private static long sentByReference(DataNode node) {
    return Metrics.value(node, "SendDataPacketTransferNanosNumOps");
  }

  /** Reads that a DataNode has ended, with all of their packets counted. */
  private static long readsEnded(DataNode node) {
    return Metrics.value(node, "BlocksRead");
  }

  @Test
  void whatIsOnItsWayToAReaderStaysAsItWas() throws Exception {
    byte[] bytes = cluster.create("/onitsway", 48 * MiniUpdates.CELL_BYTES);
    byte[] unit = new byte[16 * MiniUpdates.CELL_BYTES];
    for (int stripe = 0; stripe < 16; stripe++) {
      System.arraycopy(
          cell(bytes, stripe * MiniUpdates.DATA),
          0,
          unit,
          stripe * MiniUpdates.CELL_BYTES,
          MiniUpdates.CELL_BYTES);
    }
    LocatedBlock first = unit(cluster.located("/onitsway"), 0);
    DataNode node = cluster.node(first.getLocations()[0].getDatanodeUuid());
    long before = sentByReference(node);
    long ended = readsEnded(node);
    byte[] fresh = new byte[MiniUpdates.CELL_BYTES];
    MiniUpdates.Group group;
    // Room for more than a packet: a DataNode counts it when all of it is in sockets.
    try (RawRead slow =
        RawRead.begin(
            first.getLocations()[0],
            first.getBlock(),
            first.getBlockToken(),
            "DFSClient_NONMAPREDUCE_3_4",
            0,
            unit.length,
            3 * MiniUpdates.CELL_BYTES)) {
      Awaitility.await("pages of the file wait in sockets")
          .until(() -> sentByReference(node) > before);
      group = cluster.admit("/onitsway", "PL");
      change(group, 0, fresh, 1);
      assertThat(slow.finish()).isEqualTo(unit);
    }
    System.arraycopy(fresh, 0, unit, 0, fresh.length);
    Awaitility.await("the read has ended").until(() -> readsEnded(node) > ended);
    long sent = sentByReference(node);
    try (RawRead later = begin(first, unit.length, "DFSClient_NONMAPREDUCE_3_4", unit.length)) {
      assertThat(later.finish()).isEqualTo(unit);
    }
    Awaitility.await("the later read has ended").until(() -> readsEnded(node) > ended + 1);
    assertThat(sentByReference(node)).as("its file changes").isEqualTo(sent);
  }

  @Test
  void aFileThatWasCutIsReportedByWhoReadsIt() throws Exception {
    byte[] bytes = cluster.create("/cut", 9 * MiniUpdates.CELL_BYTES);
    LocatedBlock first = unit(cluster.located("/cut"), 0);
    DataNode node = cluster.node(first.getLocations()[0].getDatanodeUuid());
    int index = cluster.cluster().getDataNodes().indexOf(node);
    Damage.cut(cluster.cluster().getBlockFile(index, first.getBlock()).toPath(), 10);
    long corrupt = cluster.corruptReplicas();
    try (FSDataInputStream in = cluster.fs().open(new org.apache.hadoop.fs.Path("/cut"))) {
      assertThat(in.readAllBytes()).isEqualTo(bytes);
    }
    Awaitility.await("the NameNode is told").until(() -> cluster.corruptReplicas() > corrupt);
  }

  /** The reader is only refused: it has no bytes to report a wrong checksum of. */
  @Test
  void damageOfAnUpdatedReplicaIsReportedByWhoReadsIt() throws Exception {
    cluster.create("/cutlater", 9 * MiniUpdates.CELL_BYTES);
    cluster.admit("/cutlater", "PL");
    LocatedBlock first = unit(cluster.located("/cutlater"), 0);
    DataNode node = cluster.node(first.getLocations()[0].getDatanodeUuid());
    int index = cluster.cluster().getDataNodes().indexOf(node);
    Damage.cut(cluster.cluster().getBlockFile(index, first.getBlock()).toPath(), 10);
    long corrupt = cluster.corruptReplicas();
    assertThatThrownBy(
            () -> begin(first, first.getBlockSize(), "DFSClient_NONMAPREDUCE_5_6", 10).close())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("lengthBytes=10");
    Awaitility.await("the NameNode is told").until(() -> cluster.corruptReplicas() > corrupt);
  }

  /** The volume of a node that has a replica, and one that has it not. */
  private record Volumes(FsVolumeSpi at, FsVolumeSpi other) {
    static Volumes of(DataNode node, ExtendedBlock block) throws IOException {
      FsVolumeSpi at = node.getFSDataset().getVolume(block);
      try (FsVolumeReferences all = node.getFSDataset().getFsVolumeReferences()) {
        for (FsVolumeSpi each : all) {
          if (each != at) {
            return new Volumes(at, each);
          }
        }
      }
      throw new AssertionError("one volume");
    }
  }

  private static Set<Long> movable(FsVolumeSpi volume, String pool) throws IOException {
    Set<Long> ids = new HashSet<>();
    try (BlockIterator blocks = volume.newBlockIterator(pool, "DiskBalancerSource")) {
      while (!blocks.atEnd()) {
        ExtendedBlock block = blocks.nextBlock();
        if (block != null) {
          ids.add(block.getBlockId());
        }
      }
    }
    return ids;
  }

  @Test
  void allButWhatIsUpdatedIsMovedToOtherDisks() throws Exception {
    org.apache.hadoop.fs.Path copied = new org.apache.hadoop.fs.Path("/copied");
    try (OutputStream out = cluster.fs().createFile(copied).replicate().build()) {
      out.write(cell(new byte[2 * MiniUpdates.CELL_BYTES], 0));
    }
    LocatedBlock plain = cluster.fs().getClient().getLocatedBlocks("/copied", 0).get(0);
    byte[] bytes = cluster.create("/untouched", 9 * MiniUpdates.CELL_BYTES);
    LocatedBlock untouched = unit(cluster.located("/untouched"), 1);
    for (LocatedBlock each : List.of(plain, untouched)) {
      DataNode node = cluster.node(each.getLocations()[0].getDatanodeUuid());
      Volumes volumes = Volumes.of(node, each.getBlock());
      assertThat(movable(volumes.at(), each.getBlock().getBlockPoolId()))
          .contains(each.getBlock().getBlockId());
      node.getFSDataset().moveBlockAcrossVolumes(each.getBlock(), volumes.other());
      assertThat(node.getFSDataset().getVolume(each.getBlock())).isSameAs(volumes.other());
    }
    try (FSDataInputStream in = cluster.fs().open(new org.apache.hadoop.fs.Path("/untouched"))) {
      assertThat(in.readAllBytes()).isEqualTo(bytes);
    }
    MiniUpdates.Group moved = cluster.group("/untouched");
    assertThatThrownBy(() -> cluster.admit(moved, 1)).hasMessageContaining("rewrite the group");

    cluster.create("/updated", 9 * MiniUpdates.CELL_BYTES);
    cluster.admit("/updated", "PL");
    LocatedBlock updated = unit(cluster.located("/updated"), 2);
    DataNode node = cluster.node(updated.getLocations()[0].getDatanodeUuid());
    Volumes volumes = Volumes.of(node, updated.getBlock());
    String source = "EcUpdateReplicas-" + node.getDisplayName().replace(':', '-');
    long refused = Metrics.value(source, "MovesRefused");
    assertThat(movable(volumes.at(), updated.getBlock().getBlockPoolId()))
        .doesNotContain(updated.getBlock().getBlockId());
    assertThatThrownBy(
            () -> node.getFSDataset().moveBlockAcrossVolumes(updated.getBlock(), volumes.other()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("block=" + updated.getBlock().getBlockId())
        .hasMessageContaining("it stays where it is");
    assertThat(Metrics.value(source, "MovesRefused")).isGreaterThanOrEqualTo(refused + 2);
  }

  /** As what a session has left that ended while its DataNode was down. */
  @Test
  void whatIsKeptForASessionThatNoNameNodeKnowsIsForgotten() throws Exception {
    cluster.create("/left", 9 * MiniUpdates.CELL_BYTES);
    MiniUpdates.Group group = cluster.admit("/left", "PL");
    DataNode node = cluster.node(group.nodes()[0]);
    Request.Swap swap = new Request.Swap(new Patch(0, Bytes.zeros(100)), new Tid(77L << 32, 1, 0));
    Reply made = replicas(node).handle(group.blocks()[0], 0, swap).get();
    assertThat(((Reply.SwapReply) made).previous()).isNotNull();
    String source = "EcUpdateReplicas-" + node.getDisplayName().replace(':', '-');
    Awaitility.await()
        .untilAsserted(() -> assertThat(Metrics.value(source, "ReceiptBytes")).isZero());
    Reply again = replicas(node).handle(group.blocks()[0], 0, swap).get();
    assertThat(((Reply.SwapReply) again).previous())
        .as("it was made, and nobody knows what it has replaced")
        .isNull();
  }

  /** As the Balancer and the Mover ask for it. */
  private static void moveToAnotherNode(LocatedBlock unit, DatanodeInfo target) throws IOException {
    try (Socket socket = new Socket(target.getIpAddr(), target.getXferPort())) {
      DataOutputStream out =
          new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
      DatanodeInfo source = unit.getLocations()[0];
      Token<BlockTokenIdentifier> token =
          cluster
              .cluster()
              .getNamesystem()
              .getBlockManager()
              .getBlockTokenSecretManager()
              .generateToken(
                  unit.getBlock(),
                  EnumSet.of(AccessMode.REPLACE, AccessMode.COPY),
                  unit.getStorageTypes(),
                  new String[0]);
      new Sender(out)
          .replaceBlock(
              unit.getBlock(),
              unit.getStorageTypes()[0],
              token,
              source.getDatanodeUuid(),
              source,
              /* storageId= */ null);
      BlockOpResponseProto response;
      do {
        response =
            BlockOpResponseProto.parseFrom(PBHelperClient.vintPrefixed(socket.getInputStream()));
      } while (response.getStatus() == Status.IN_PROGRESS);
      assertThat(response.getStatus()).as(response.getMessage()).isEqualTo(Status.SUCCESS);
    }
  }

  /** The DataNode that takes it says {@code dfs.blocksize} for the unit's length. */
  @Test
  void aUnitThatNobodyHasUpdatedIsMovedToAnotherNode() throws Exception {
    byte[] bytes = cluster.create("/balanced", 9 * MiniUpdates.CELL_BYTES);
    LocatedStripedBlock group = cluster.located("/balanced");
    LocatedBlock unit = unit(group, 1);
    moveToAnotherNode(unit, group.getLocations()[3]);
    DataNode target = cluster.node(group.getLocations()[3].getDatanodeUuid());
    assertThat(target.getFSDataset().contains(unit.getBlock())).isTrue();
    try (FSDataInputStream in = cluster.fs().open(new org.apache.hadoop.fs.Path("/balanced"))) {
      assertThat(in.readAllBytes()).isEqualTo(bytes);
    }
  }

  /** Where a volume has the files of updates. */
  private static Path updates(FsVolumeSpi volume, LocatedBlock unit) {
    return Path.of(volume.getStorageLocation().getUri())
        .resolve("ecupdate")
        .resolve(unit.getBlock().getBlockPoolId());
  }

  /** A named pipe that nobody reads or writes stands for a disk that does not answer. */
  private static void pipe(Path path) throws Exception {
    assertThat(new ProcessBuilder("mkfifo", path.toString()).start().waitFor()).isZero();
  }

  /** Opens a named pipe: returns when somebody has opened its other end. */
  private static <T> T opened(Callable<T> opening) throws Exception {
    CompletableFuture<T> opened = new CompletableFuture<>();
    run(() -> opened.complete(opening.call()))
        .exceptionally(
            failure -> {
              opened.completeExceptionally(failure);
              return null;
            });
    return opened.get(60, TimeUnit.SECONDS);
  }

  /** Runs on a thread of its own: it may hang. */
  private static CompletableFuture<Void> run(ThrowingCallable task) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                task.call();
                done.complete(null);
              } catch (Throwable e) {
                done.completeExceptionally(e);
              }
            });
    thread.setDaemon(true);
    thread.start();
    return done;
  }

  /** How many replicas a DataNode reports of a volume. */
  private static int reported(DataNode node, FsVolumeSpi volume, String pool) {
    return node.getFSDataset().getBlockReports(pool).entrySet().stream()
        .filter(each -> each.getKey().getStorageID().equals(volume.getStorageID()))
        .mapToInt(each -> each.getValue().getNumberOfBlocks())
        .sum();
  }

  @Test
  void aDiskIsTakenOutAndPutInWhileTheDataNodeRuns() throws Exception {
    byte[] bytes = cluster.create("/swapped", 9 * MiniUpdates.CELL_BYTES);
    MiniUpdates.Group group = cluster.admit("/swapped", "PL");
    byte[] fresh = new byte[MiniUpdates.CELL_BYTES];
    change(group, 1, fresh, 9);
    System.arraycopy(fresh, 0, bytes, MiniUpdates.CELL_BYTES, fresh.length);
    LocatedBlock changed = unit(cluster.located("/swapped"), 1);
    DataNode node = cluster.node(group.nodes()[1]);
    String all = node.getConf().get("dfs.datanode.data.dir");
    FsVolumeSpi volume = node.getFSDataset().getVolume(changed.getBlock());
    String out = volume.getStorageLocation().toString();
    String rest =
        StorageLocation.parse(all.split(",")[0]).toString().equals(out)
            ? all.split(",")[1]
            : all.split(",")[0];

    node.reconfigurePropertyImpl("dfs.datanode.data.dir", rest);
    assertThat(node.getFSDataset().contains(changed.getBlock())).isFalse();
    assertThatThrownBy(() -> replicas(node).merge(group.blocks()[1]))
        .isInstanceOf(IOException.class);
    // Others are served meanwhile.
    cluster.create("/meanwhile", 9 * MiniUpdates.CELL_BYTES);

    Path descriptor = updates(volume, changed).resolve("blk_-16.replica");
    pipe(descriptor);
    CompletableFuture<Void> added =
        run(() -> node.reconfigurePropertyImpl("dfs.datanode.data.dir", all));
    try (OutputStream nothing = opened(() -> Files.newOutputStream(descriptor))) {
      // Its replicas are known, but what was changed of them is not.
      Files.delete(descriptor);
      FsVolumeSpi starting = node.getFSDataset().getVolume(changed.getBlock());
      assertThat(starting.getStorageID()).isEqualTo(volume.getStorageID());
      assertThat(starting.getAvailable()).isZero();
      assertThat(reported(node, starting, changed.getBlock().getBlockPoolId())).isZero();
      assertThatThrownBy(
              () -> begin(changed, changed.getBlockSize(), "DFSClient_NONMAPREDUCE_7_8", 10))
          .isInstanceOf(IOException.class);
      assertThat(added).isNotDone();
    }
    added.get(60, TimeUnit.SECONDS);
    assertThat(
            reported(
                node,
                node.getFSDataset().getVolume(changed.getBlock()),
                changed.getBlock().getBlockPoolId()))
        .isPositive();
    Awaitility.await("the NameNode knows its replicas again")
        .until(() -> cluster.located("/swapped").getLocations().length == NODES);
    try (FSDataInputStream in = cluster.fs().open(new org.apache.hadoop.fs.Path("/swapped"))) {
      assertThat(in.readAllBytes()).isEqualTo(bytes);
    }
    change(group, 1, new byte[] {1, 2, 3}, 10);
    assertThat(Arrays.copyOf(cluster.content(group, 1), 4)).containsExactly(1, 2, 3, 0);
  }

  /** Whether a DataNode has the replica of a file's only block in memory; empty: it has none. */
  private static Optional<Boolean> isInMemory(String uuid, String path) throws IOException {
    LocatedBlock block = cluster.fs().getClient().getLocatedBlocks(path, 0).get(0);
    return Optional.ofNullable(cluster.node(uuid).getFSDataset().getVolume(block.getBlock()))
        .map(FsVolumeSpi::isTransientStorage);
  }

  private static void restart(String uuid, String directories) throws IOException {
    MiniDFSCluster.DataNodeProperties stopped = cluster.stop(uuid);
    stopped.setDnArgs("-D", "dfs.datanode.data.dir=" + directories);
    cluster.restart(Map.of(uuid, stopped));
  }

  @Test
  void replicasInMemoryArePersistedLazily() throws Exception {
    cluster.create("/any", 9 * MiniUpdates.CELL_BYTES);
    DataNode node = cluster.node(cluster.group("/any").nodes()[0]);
    String uuid = node.getDatanodeUuid();
    String all = node.getConf().get("dfs.datanode.data.dir");
    Path memory = Files.createDirectories(root.resolve("memory"));
    restart(uuid, all + ",[RAM_DISK]" + memory.toUri());
    try {
      org.apache.hadoop.fs.Path lazy = new org.apache.hadoop.fs.Path("/lazy");
      byte[] bytes = new byte[100_000];
      new Random(20).nextBytes(bytes);
      Awaitility.await("the NameNode knows the volume")
          .untilAsserted(
              () -> {
                try (OutputStream out =
                    cluster
                        .fs()
                        .createFile(lazy)
                        .replicate()
                        .replication((short) 1)
                        .overwrite(true)
                        .lazyPersist()
                        .build()) {
                  out.write(bytes);
                }
                assertThat(isInMemory(uuid, "/lazy")).contains(true);
              });
      Awaitility.await("the replica is on a disk as well, and leaves the memory")
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(
              () -> {
                ((ParityFsDataset) cluster.node(uuid).getFSDataset())
                    .evictLazyPersistBlocks(Long.MAX_VALUE);
                assertThat(isInMemory(uuid, "/lazy")).contains(false);
              });
      try (FSDataInputStream in = cluster.fs().open(lazy)) {
        assertThat(in.readAllBytes()).isEqualTo(bytes);
      }
    } finally {
      restart(uuid, all);
    }
  }

  /** A new file, and which disk of a node has its unit. */
  private record Placed(String path, LocatedBlock unit, FsVolumeSpi volume) {
    static Placed create(String path, DataNode node) throws IOException {
      cluster.create(path, 9 * MiniUpdates.CELL_BYTES);
      MiniUpdates.Group group = cluster.group(path);
      int index = List.of(group.nodes()).indexOf(node.getDatanodeUuid());
      LocatedBlock unit = EcUpdateFencesTest.unit(cluster.located(path), index);
      return new Placed(path, unit, node.getFSDataset().getVolume(unit.getBlock()));
    }
  }

  private static void update(String path) throws IOException {
    try (StripedFileUpdater updater = cluster.open(path)) {
      updater.write(0, ByteBuffer.wrap(new byte[] {1, 2, 3}));
    }
  }

  /** More than a DataNode has threads that let connections in. */
  private static final int HANGING = 3;

  @Test
  void aDiskThatHangsHoldsUpOnlyFirstUpdatesOfItsReplicas() throws Exception {
    DataNode node = cluster.cluster().getDataNodes().get(0);
    Placed hanging = Placed.create("/hanging", node);
    List<Placed> there = new ArrayList<>();
    List<Placed> elsewhere = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Placed file = Placed.create("/placed" + i, node);
      (file.volume() == hanging.volume() ? there : elsewhere).add(file);
    }
    assertThat(there).isNotEmpty();
    assertThat(elsewhere).isNotEmpty();
    update(there.get(0).path());
    Path copy =
        updates(hanging.volume(), hanging.unit())
            .resolve("blk_" + hanging.unit().getBlock().getBlockId() + ".copy");
    pipe(copy);
    List<CompletableFuture<Void>> waiting = new ArrayList<>();
    for (int i = 0; i < HANGING; i++) {
      waiting.add(run(() -> update(hanging.path())));
    }
    try (InputStream copied = opened(() -> Files.newInputStream(copy))) {
      // The pipe is full soon. What was copied before on the disk, and what is on others:
      update(there.get(0).path());
      update(elsewhere.get(0).path());
      assertThat(waiting).noneMatch(CompletableFuture::isDone);
      copied.readAllBytes();
    }
    for (CompletableFuture<Void> each : waiting) {
      // A pipe cannot be made durable: the copy into it fails, and is made anew for who comes next.
      each.exceptionally(failure -> null).get(60, TimeUnit.SECONDS);
    }
    update(hanging.path());
    cluster.verify(cluster.group(hanging.path()));
  }
}
