/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.raidp.config.RaidpKey;
import io.hdfsparity.raidp.wire.NodeClientTranslator;
import io.hdfsparity.raidp.wire.message.SuperchunkAnswer;
import io.hdfsparity.raidp.wire.message.SuperchunkRequest;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSOutputStream;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.PlacedBlocks;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.net.NetUtils;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients that name no storage in OP_WRITE_BLOCK: their blocks go where the NameNode has placed
 * them, also when it is not there for a while.
 */
@Tag("full")
@Timeout(1200)
class RaidpUnnamedStorageTest {
  private static final MiniRaidp.Shape SHAPE =
      new MiniRaidp.Shape(4, 2, 1, 4, 64L << 20, 1 << 16, 1 << 20);

  @TempDir Path root;

  /** Each node has storages in three superchunks. */
  private static Configuration allPairs() {
    Configuration extra = new Configuration(false);
    extra.set(RaidpKey.LAYOUT_SPARE_SHARE.key(), "0");
    extra.set(RaidpKey.LAYOUT_RECOVERY_ROOM.key(), "0");
    return extra;
  }

  /** Hadoop's own client, with a NameNode that does not tell it storages. */
  private static DFSClient unnamedClient(MiniRaidp raidp) throws IOException {
    ClientProtocol nameNode = raidp.fs().getClient().getNamenode();
    ClientProtocol silent =
        (ClientProtocol)
            Proxy.newProxyInstance(
                RaidpUnnamedStorageTest.class.getClassLoader(),
                new Class<?>[] {ClientProtocol.class, Closeable.class},
                (proxy, method, args) -> {
                  if (method.getName().equals("close")) {
                    return null;
                  }
                  try {
                    Object answer = method.invoke(nameNode, args);
                    return answer instanceof LocatedBlock block
                            && method.getName().equals("addBlock")
                        ? withoutStorages(block)
                        : answer;
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
    return new DFSClient(null, silent, raidp.conf(), null);
  }

  private static LocatedBlock withoutStorages(LocatedBlock block) {
    DatanodeInfo[] nodes =
        Arrays.stream(block.getLocations())
            .map(node -> new DatanodeInfo.DatanodeInfoBuilder().setFrom(node).build())
            .toArray(DatanodeInfo[]::new);
    String[] none = new String[nodes.length];
    Arrays.fill(none, "");
    LocatedBlock silent = new LocatedBlock(block.getBlock(), nodes, none, block.getStorageTypes());
    silent.setBlockToken(block.getBlockToken());
    return silent;
  }

  private static List<String> storages(LocatedBlock block) {
    return Arrays.stream(block.getStorageIDs()).sorted().toList();
  }

  private static LocatedBlock reported(MiniRaidp raidp, String path) throws IOException {
    return raidp.fs().getClient().getLocatedBlocks(path, 0).get(0);
  }

  private static void awaitStorages(MiniRaidp raidp, String path, List<String> expected) {
    MiniRaidp.await("both replicas are where they were placed")
        .untilAsserted(() -> assertThat(storages(reported(raidp, path))).isEqualTo(expected));
  }

  private static DataNode dataNode(MiniRaidp raidp, String uuid) {
    return raidp.dfs().getDataNodes().stream()
        .filter(node -> node.getDatanodeUuid().equals(uuid))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void blocksOfClientsThatNameNoStorageGoWhereTheyWerePlaced() throws Exception {
    try (MiniRaidp raidp = MiniRaidp.start(root, SHAPE, allPairs())) {
      DFSClient dfs = raidp.fs().getClient();
      for (int i = 0; i < 8; i++) {
        RawFile file = RawFile.create(dfs, "/raw" + i, 1 << 20);
        byte[] bytes = MiniRaidp.bytes(i, 1 + i * 140_001);
        file.write(bytes, /* isNamed= */ false).get();
        file.complete(dfs, bytes.length);
        assertThat(raidp.read(file.path())).isEqualTo(bytes);
        awaitStorages(raidp, file.path(), storages(file.located()));
      }
      aBlockThatOutgrowsItsSize(raidp);
      pipelines(raidp);
      blocksThatTheNameNodeDoesNotKnowAreRefused(raidp);
      cost(raidp);
      Soundness.assertSound(raidp);
    }
  }

  /**
   * HBase's writer makes one block of each log, however long that gets. HDFS takes it all, so it
   * has to be covered: what was acknowledged could not be read otherwise.
   */
  private static void aBlockThatOutgrowsItsSize(MiniRaidp raidp) throws Exception {
    DFSClient dfs = raidp.fs().getClient();
    RawFile file = RawFile.create(dfs, "/long", 1 << 20);
    byte[] bytes = MiniRaidp.bytes(77, 5 * (1 << 20) + 77);
    file.write(bytes, /* isNamed= */ false).get();
    file.complete(dfs, bytes.length);
    assertThat(raidp.read(file.path())).isEqualTo(bytes);
    awaitStorages(raidp, file.path(), storages(file.located()));
  }

  private static void pipelines(MiniRaidp raidp) throws Exception {
    try (DFSClient unnamed = unnamedClient(raidp)) {
      for (int i = 0; i < 4; i++) {
        String path = "/pipeline" + i;
        byte[] bytes = MiniRaidp.bytes(100 + i, 3 * (1 << 20) + i);
        try (OutputStream out = unnamed.create(path, true)) {
          out.write(bytes);
        }
        assertThat(raidp.read(path)).isEqualTo(bytes);
      }
    }
    MiniRaidp.await("two replicas of all").until(() -> Soundness.allBlocksHaveTwoReplicas(raidp));
  }

  private static void blocksThatTheNameNodeDoesNotKnowAreRefused(MiniRaidp raidp) throws Exception {
    DFSClient dfs = raidp.fs().getClient();
    RawFile file = RawFile.create(dfs, "/elsewhere", 1 << 20);
    List<DatanodeInfo> chosen = List.of(file.located().getLocations());
    ExtendedBlock block = file.located().getBlock();
    ExtendedBlock unknown = new ExtendedBlock(block);
    unknown.setBlockId(block.getBlockId() + 1_000_000);
    ExtendedBlock older = new ExtendedBlock(block);
    older.setGenerationStamp(block.getGenerationStamp() - 1);
    refused(raidp, chosen.get(0), file, unknown, "has no such block");
    refused(raidp, chosen.get(0), file, older, "generation stamp is");
    byte[] bytes = MiniRaidp.bytes(5, 4321);
    file.write(bytes, /* isNamed= */ false).get();
    file.complete(dfs, bytes.length);
    assertThat(raidp.read(file.path())).isEqualTo(bytes);
  }

  private static void refused(
      MiniRaidp raidp, DatanodeInfo node, RawFile file, ExtendedBlock block, String why)
      throws IOException {
    assertThatThrownBy(
            () -> RawWrite.begin(node, file.located(), block, file.client(), null).close())
        .isInstanceOf(IOException.class);
    DataNode dataNode = dataNode(raidp, node.getDatanodeUuid());
    for (String storage : new String[] {null, ""}) {
      assertThatThrownBy(
              () -> dataNode.getFSDataset().createRbw(StorageType.DISK, storage, block, false))
          .hasMessageContaining("Cannot make a replica: block=")
          .hasMessageContaining(why);
      assertThatThrownBy(
              () ->
                  dataNode.getFSDataset().createTemporary(StorageType.DISK, storage, block, false))
          .hasMessageContaining(why);
    }
    assertThat(dataNode.getFSDataset().getReplicaString(block.getBlockPoolId(), block.getBlockId()))
        .isEqualTo("null");
  }

  /** Prints what docs/design/raidp.md says. */
  private static void cost(MiniRaidp raidp) throws Exception {
    DFSClient dfs = raidp.fs().getClient();
    RawFile file = RawFile.create(dfs, "/cost", 1 << 20);
    long id = file.located().getBlock().getBlockId();
    FSNamesystem namesystem = raidp.dfs().getNamesystem();
    PlacedBlocks blocks = new PlacedBlocks(namesystem);
    double lookupMicros =
        micros(200_000, () -> assertThat(blocks.find(List.of(id - 1, id - 2, id))).containsKey(id));
    InetSocketAddress address =
        NetUtils.createSocketAddr(raidp.conf().get("dfs.parity.namenode.rpc-address"));
    DataNode node = dataNode(raidp, file.located().getLocations()[0].getDatanodeUuid());
    SuperchunkRequest request =
        new SuperchunkRequest(
            raidp.clusterId(),
            node.getDatanodeUuid(),
            file.located().getBlock().getBlockPoolId(),
            id,
            file.located().getBlock().getGenerationStamp(),
            Optional.empty());
    double callMicros;
    try (NodeClientTranslator client = new NodeClientTranslator(address, raidp.conf(), 60_000)) {
      callMicros =
          micros(
              5_000,
              () ->
                  assertThat(client.superchunkOf(request))
                      .isInstanceOf(SuperchunkAnswer.Pair.class));
    }
    List<Integer> numbers = new ArrayList<>();
    double createMicros =
        micros(
            100,
            () -> {
              numbers.add(0);
              RawFile.create(dfs, "/cost" + numbers.size(), 1 << 20);
            });
    System.out.printf(
        "cost of a question: lookup with lock %.2f us, call %.0f us; create and addBlock %.0f us%n",
        lookupMicros, callMicros, createMicros);
    raidp.fs().delete(new org.apache.hadoop.fs.Path("/cost"), false);
    for (int i = 1; i <= numbers.size(); i++) {
      raidp.fs().delete(new org.apache.hadoop.fs.Path("/cost" + i), false);
    }
  }

  /** Anything that may fail. */
  @FunctionalInterface
  private interface Work {
    void run() throws Exception;
  }

  private static double micros(int times, Work work) throws Exception {
    for (int i = 0; i < times / 10; i++) {
      work.run();
    }
    long start = System.nanoTime();
    for (int i = 0; i < times; i++) {
      work.run();
    }
    return (System.nanoTime() - start) / 1e3 / times;
  }

  @Test
  void whileNoNameNodeIsActiveNothingElseWaitsAndThenTheWriteEnds() throws Exception {
    Configuration extra = allPairs();
    extra.set(RaidpKey.PLACEMENT_QUERY_TIMEOUT.key(), "10m");
    extra.setInt("dfs.ha.tail-edits.period", 1);
    extra.setInt("dfs.ha.log-roll.period", 1);
    try (MiniRaidp raidp = MiniRaidp.startHighlyAvailable(root, SHAPE, extra)) {
      DFSClient dfs = raidp.fs().getClient();
      byte[] before = MiniRaidp.bytes(1, 900_000);
      raidp.write("/before", before);
      RawFile unnamed = RawFile.create(dfs, "/unnamed", 1 << 20);
      RawFile named = RawFile.create(dfs, "/named", 1 << 20);
      byte[] bytes = MiniRaidp.bytes(2, 700_001);
      // Its nodes are known before the NameNode is away.
      try (FSDataInputStream open = raidp.fs().open(new org.apache.hadoop.fs.Path("/before"))) {
        open.read();
        raidp.dfs().transitionToStandby(0);
        long since = System.nanoTime();
        CompletableFuture<Void> asking = unnamed.write(bytes, /* isNamed= */ false);
        MiniRaidp.await("both DataNodes ask").until(() -> receivers(raidp) >= 2);
        CompletableFuture<Void> telling = named.write(bytes, /* isNamed= */ true);
        byte[] read = new byte[before.length];
        MiniRaidp.await("a minute of heartbeats and reads")
            .pollInterval(Duration.ofSeconds(1))
            .until(
                () -> {
                  open.readFully(0, read);
                  assertThat(read).isEqualTo(before);
                  awaitHeartbeats(raidp, 0);
                  awaitHeartbeats(raidp, 1);
                  return System.nanoTime() - since > TimeUnit.SECONDS.toNanos(61);
                });
        assertThat(asking.isDone()).as("it still waits").isFalse();
        assertThat(telling.isDone())
            .as("a storage does not say which superchunk a block is in")
            .isFalse();
        raidp.dfs().transitionToActive(0);
        assertThat(asking).succeedsWithin(Duration.ofMinutes(5));
        assertThat(telling).succeedsWithin(Duration.ofMinutes(5));
      }
      unnamed.complete(dfs, bytes.length);
      named.complete(dfs, bytes.length);
      assertThat(raidp.read("/unnamed")).isEqualTo(bytes);
      assertThat(raidp.read("/named")).isEqualTo(bytes);
      awaitStorages(raidp, "/unnamed", storages(unnamed.located()));
      failover(raidp);
      Soundness.assertSound(raidp);
    }
  }

  /** Threads of DataNodes that wait for an answer, all in this JVM. */
  private static long receivers(MiniRaidp raidp) {
    return Thread.getAllStackTraces().values().stream()
        .filter(
            stack ->
                Arrays.stream(stack)
                    .anyMatch(each -> each.getClassName().endsWith(".PlacementQuery")))
        .count();
  }

  private static void awaitHeartbeats(MiniRaidp raidp, int nameNode) {
    List<DatanodeDescriptor> nodes = new ArrayList<>();
    raidp
        .dfs()
        .getNamesystem(nameNode)
        .getBlockManager()
        .getDatanodeManager()
        .fetchDatanodes(nodes, null, false);
    assertThat(nodes).hasSize(SHAPE.nodes());
    List<Long> seen = nodes.stream().map(DatanodeDescriptor::getLastUpdateMonotonic).toList();
    MiniRaidp.await("a heartbeat of each")
        .until(
            () ->
                IntStream.range(0, nodes.size())
                    .allMatch(i -> nodes.get(i).getLastUpdateMonotonic() > seen.get(i)));
  }

  /**
   * The new active NameNode does not know where a block was placed. It is plain at first, and taken
   * into a superchunk when its file is closed.
   */
  private static void failover(MiniRaidp raidp) throws Exception {
    DFSClient dfs = raidp.fs().getClient();
    RawFile lost = RawFile.create(dfs, "/lost", 1 << 20);
    byte[] bytes = MiniRaidp.bytes(3, 2_500_000);
    byte[] few = MiniRaidp.bytes(4, 700_000);
    try (DFSClient unnamed = unnamedClient(raidp);
        DFSOutputStream out = (DFSOutputStream) unnamed.create("/through", true)) {
      out.write(bytes, 0, 1_000_000);
      // No question for a block may be on its way: a NameNode that is shut down in one's own
      // process answers with an error that no real one would.
      out.hflush();
      raidp.dfs().shutdownNameNode(0);
      CompletableFuture<Void> asking = lost.write(few, /* isNamed= */ false);
      MiniRaidp.await("both DataNodes ask").until(() -> receivers(raidp) >= 2);
      raidp.dfs().transitionToActive(1);
      assertThat(asking).succeedsWithin(Duration.ofMinutes(5));
      lost.complete(dfs, few.length);
      out.write(bytes, 1_000_000, bytes.length - 1_000_000);
    }
    assertThat(raidp.read("/through")).isEqualTo(bytes);
    assertThat(raidp.read("/lost")).isEqualTo(few);
    // Not waiting for it: a standby may stay in safe mode until the next edits are tailed.
    raidp.dfs().restartNameNode(0, false);
  }
}
