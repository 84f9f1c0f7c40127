/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream.SyncFlag;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Stock clients against RAIDP storage. Whatever a scenario does, afterwards no block lies outside
 * its superchunk, both sides agree on slots, every parity equals its recomputation and every file
 * reads as written.
 */
@Tag("full")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RaidpStockClientTest {
  private static final int BLOCK = MiniRaidp.Shape.small().blockBytes();

  private MiniRaidp raidp;
  private DistributedFileSystem fs;
  private final Map<String, byte[]> expected = new ConcurrentSkipListMap<>();

  private static final MiniRaidp.Shape SHAPE =
      new MiniRaidp.Shape(6, 1, 1, 5, 64L << 20, 1 << 16, BLOCK);

  /** Each disk shares a superchunk with each other. */
  private static Configuration extra() {
    Configuration extra = new Configuration(false);
    extra.set("dfs.parity.raidp.layout.spare.share", "0");
    extra.set("dfs.parity.raidp.layout.recovery.room.disks", "0");
    return extra;
  }

  @BeforeAll
  void start(@TempDir Path root) throws Exception {
    raidp = MiniRaidp.start(root, SHAPE, extra());
    fs = raidp.fs();
  }

  @AfterAll
  void stop() throws Exception {
    if (raidp != null) {
      raidp.close();
    }
  }

  @AfterEach
  void everythingIsSound() throws Exception {
    for (Map.Entry<String, byte[]> file : new TreeMap<>(expected).entrySet()) {
      assertThat(raidp.read(file.getKey())).as(file.getKey()).isEqualTo(file.getValue());
    }
    Soundness.assertSound(raidp);
    for (String file : expected.keySet()) {
      fs.delete(new org.apache.hadoop.fs.Path(file), false);
    }
    expected.clear();
  }

  private void put(String path, long seed, int length) throws IOException {
    byte[] content = MiniRaidp.bytes(seed, length);
    raidp.write(path, content);
    expected.put(path, content);
  }

  private static org.apache.hadoop.fs.Path path(String s) {
    return new org.apache.hadoop.fs.Path(s);
  }

  @Test
  void filesOfOddSizes() throws Exception {
    int[] sizes = {
      0, 1, 511, 512, 513, 1024, 65535, 65536, 65537, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 777
    };
    for (int size : sizes) {
      put("/odd/" + size, size, size);
    }
  }

  @Test
  void aSmallFileCostsOneUnit() throws Exception {
    put("/small/one", 1, 1000);
    long blockId = fs.getClient().getLocatedBlocks("/small/one", 0).get(0).getBlock().getBlockId();
    MiniRaidp.await("one unit on each side")
        .ignoreExceptions()
        .until(() -> Soundness.unitsOf(raidp, blockId).equals(List.of(1, 1)));
  }

  @Test
  void eightConcurrentWritersCreateAndDelete() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(8);
    List<Callable<Void>> writers = new ArrayList<>();
    for (int w = 0; w < 8; w++) {
      int writer = w;
      writers.add(
          () -> {
            for (int i = 0; i < 20; i++) {
              put("/many/" + writer + "/" + i, writer * 1000L + i, BLOCK / 2 + i * 777);
              if (i >= 4) {
                String old = "/many/" + writer + "/" + (i - 4);
                fs.delete(path(old), false);
                expected.remove(old);
              }
            }
            return null;
          });
    }
    for (Future<Void> f : pool.invokeAll(writers)) {
      f.get();
    }
    pool.shutdown();
  }

  @Test
  void overwriteReplacesBlocks() throws Exception {
    for (int i = 0; i < 5; i++) {
      put("/over/a", 100 + i, BLOCK + 1000 * i);
    }
  }

  @Test
  void appends() throws Exception {
    Random random = new Random(7);
    for (int f = 0; f < 4; f++) {
      String name = "/append/" + f;
      put(name, f, 1 + random.nextInt(BLOCK));
      for (int i = 0; i < 4; i++) {
        byte[] more = MiniRaidp.bytes(f * 10L + i, 1 + random.nextInt(BLOCK / 2));
        try (OutputStream out = fs.append(path(name))) {
          out.write(more);
        }
        expected.put(name, concat(expected.get(name), more));
      }
    }
  }

  @Test
  void hflushAndHsyncInsideABlock() throws Exception {
    byte[] content = MiniRaidp.bytes(3, BLOCK + 12345);
    try (FSDataOutputStream out = fs.create(path("/flush/f"))) {
      for (int at = 0; at < content.length; at += 100_001) {
        out.write(content, at, Math.min(100_001, content.length - at));
        out.hflush();
        ((HdfsDataOutputStream) out).hsync(EnumSet.of(SyncFlag.UPDATE_LENGTH));
        assertThat(raidp.read("/flush/f"))
            .isEqualTo(Arrays.copyOf(content, Math.min(content.length, at + 100_001)));
      }
    }
    expected.put("/flush/f", content);
  }

  @Test
  void truncateInPlaceThenAppend() throws Exception {
    put("/trunc/f", 5, 2 * BLOCK + 5000);
    for (int newLength : new int[] {BLOCK + 70_001, BLOCK + 512, BLOCK, BLOCK / 2 + 13, 1}) {
      fs.truncate(path("/trunc/f"), newLength);
      MiniRaidp.await("truncate").until(() -> fs.isFileClosed(path("/trunc/f")));
      byte[] cut = Arrays.copyOf(expected.get("/trunc/f"), newLength);
      byte[] more = MiniRaidp.bytes(newLength, 3001);
      try (OutputStream out = fs.append(path("/trunc/f"))) {
        out.write(more);
      }
      fs.truncate(path("/trunc/f"), newLength);
      MiniRaidp.await("truncate").until(() -> fs.isFileClosed(path("/trunc/f")));
      expected.put("/trunc/f", cut);
    }
  }

  @Test
  void concatAndRename() throws Exception {
    for (int i = 0; i < 4; i++) {
      put("/concat/" + i, 40 + i, BLOCK + 10_007 * i);
    }
    put("/concat/over", 50, BLOCK / 2);
    fs.concat(
        path("/concat/0"), new org.apache.hadoop.fs.Path[] {path("/concat/1"), path("/concat/2")});
    byte[] two = concat(expected.get("/concat/0"), expected.remove("/concat/1"));
    expected.put("/concat/0", concat(two, expected.remove("/concat/2")));
    fs.rename(path("/concat/3"), path("/concat/over"), Options.Rename.OVERWRITE);
    expected.put("/concat/over", expected.remove("/concat/3"));
    try (OutputStream out = fs.append(path("/concat/over"))) {
      out.write(MiniRaidp.bytes(60, 4_001));
    }
    expected.put("/concat/over", concat(expected.get("/concat/over"), MiniRaidp.bytes(60, 4_001)));
  }

  @Test
  void whoAsksForThreeReplicasGetsTwo() throws Exception {
    byte[] content = MiniRaidp.bytes(70, 2 * BLOCK + 5);
    try (OutputStream out = fs.create(path("/three/f"), (short) 3)) {
      out.write(content);
    }
    expected.put("/three/f", content);
    MiniRaidp.await("lowered").until(() -> replication("/three/f") == 2);
    fs.setReplication(path("/three/f"), (short) 3);
    MiniRaidp.await("lowered again").until(() -> replication("/three/f") == 2);
  }

  private int replication(String file) throws IOException {
    return fs.getFileStatus(path(file)).getReplication();
  }

  @Test
  void truncateOfASnapshottedFileCopies() throws Exception {
    put("/snap/f", 6, BLOCK + 9999);
    byte[] old = expected.get("/snap/f");
    fs.allowSnapshot(path("/snap"));
    fs.createSnapshot(path("/snap"), "s1");
    fs.truncate(path("/snap/f"), BLOCK + 4321);
    MiniRaidp.await("truncate").until(() -> fs.isFileClosed(path("/snap/f")));
    expected.put("/snap/f", Arrays.copyOf(old, BLOCK + 4321));
    assertThat(raidp.read("/snap/.snapshot/s1/f")).isEqualTo(old);
    fs.deleteSnapshot(path("/snap"), "s1");
  }

  @Test
  void favoredNodesAreHonoured() throws Exception {
    InetSocketAddress favored = raidp.dfs().getDataNodes().get(4).getXferAddress();
    for (int i = 0; i < 5; i++) {
      byte[] content = MiniRaidp.bytes(i, 5000);
      try (OutputStream out =
          fs.create(
              path("/fav/" + i),
              FsPermission.getFileDefault(),
              true,
              4096,
              (short) 2,
              BLOCK,
              null,
              new InetSocketAddress[] {favored})) {
        out.write(content);
      }
      expected.put("/fav/" + i, content);
      String file = "/fav/" + i;
      MiniRaidp.await("a replica on the favored node")
          .until(
              () ->
                  Arrays.stream(fs.getClient().getLocatedBlocks(file, 0).get(0).getLocations())
                      .anyMatch(node -> node.getXferPort() == favored.getPort()));
    }
  }

  @Test
  void leaseRecoveryOfAnAbandonedWriter() throws Exception {
    byte[] content = MiniRaidp.bytes(8, BLOCK + 300_000);
    DistributedFileSystem other =
        (DistributedFileSystem) org.apache.hadoop.fs.FileSystem.newInstance(raidp.conf());
    FSDataOutputStream out = other.create(path("/lease/f"));
    out.write(content);
    out.hflush();
    other.getClient().getLeaseRenewer().interruptAndJoin();
    MiniRaidp.await("lease recovered").until(() -> fs.recoverLease(path("/lease/f")));
    expected.put("/lease/f", content);
  }

  @Test
  void pipelineFailureInTheMiddleOfABlock() throws Exception {
    byte[] content = MiniRaidp.bytes(9, BLOCK - 77);
    FSDataOutputStream out = fs.create(path("/pipe/f"));
    out.write(content, 0, BLOCK / 2);
    out.hflush();
    LocatedBlock block = fs.getClient().getLocatedBlocks("/pipe/f", 0).getLastLocatedBlock();
    int victim = indexOf(block.getLocations()[1]);
    var stopped = raidp.dfs().stopDataNode(victim);
    out.write(content, BLOCK / 2, content.length - BLOCK / 2);
    out.close();
    expected.put("/pipe/f", content);
    raidp.dfs().restartDataNode(stopped, true);
    raidp.dfs().waitActive();
  }

  @Test
  void dataNodeRestart() throws Exception {
    for (int i = 0; i < 8; i++) {
      put("/dnrestart/" + i, i, BLOCK / 3 + i * 4097);
    }
    for (int node = 0; node < raidp.shape().nodes(); node += 2) {
      raidp.dfs().restartDataNode(0, true);
      raidp.dfs().waitActive();
    }
    put("/dnrestart/after", 99, BLOCK + 5);
  }

  @Test
  void nameNodeRestart() throws Exception {
    for (int i = 0; i < 8; i++) {
      put("/nnrestart/" + i, i, BLOCK / 3 + i * 4097);
    }
    raidp.dfs().restartNameNode(true);
    fs = raidp.dfs().getFileSystem();
    MiniRaidp.await("a write after restart")
        .ignoreExceptions()
        .until(
            () -> {
              put("/nnrestart/after", 99, BLOCK + 5);
              return true;
            });
  }

  private int indexOf(DatanodeInfo node) {
    List<DataNode> nodes = raidp.dfs().getDataNodes();
    for (int i = 0; i < nodes.size(); i++) {
      if (nodes.get(i).getXferPort() == node.getXferPort()) {
        return i;
      }
    }
    throw new AssertionError("no such DataNode: " + node);
  }

  private static byte[] concat(byte[] a, byte[] b) {
    byte[] c = Arrays.copyOf(a, a.length + b.length);
    System.arraycopy(b, 0, c, a.length, b.length);
    return c;
  }

  /** Superchunks by the storages of their sides. */
  private Map<Set<String>, JsonNode> superchunks() throws Exception {
    Map<Set<String>, JsonNode> superchunks = new HashMap<>();
    for (JsonNode chunk : raidp.admin("-layout", "-json").json().path("superchunks")) {
      Set<String> sides = Set.copyOf(chunk.path("replicas").findValuesAsText("storageId"));
      assertThat(sides).as("sides of %s", chunk).hasSize(2);
      assertThat(superchunks.put(sides, chunk)).as("shares another: %s", chunk).isNull();
    }
    return superchunks;
  }

  @Test
  void blocksOfAVolumeLieInManySuperchunks() throws Exception {
    for (int i = 0; i < 40; i++) {
      put("/spread/" + i, i, 70_001 + i * 1009);
    }
    MiniRaidp.await("all replicas").until(() -> Soundness.allBlocksHaveTwoReplicas(raidp));
    Map<Set<String>, JsonNode> superchunks = superchunks();
    Map<String, Set<Long>> ofVolume = new HashMap<>();
    Map<Long, Integer> blocks = new HashMap<>();
    for (LocatedBlock block : Soundness.blocks(raidp)) {
      JsonNode chunk = superchunks.get(Soundness.storages(block));
      assertThat(chunk).as("superchunk of %s", block).isNotNull();
      long id = chunk.path("id").asLong();
      blocks.merge(id, 1, Integer::sum);
      for (String storage : block.getStorageIDs()) {
        ofVolume.computeIfAbsent(storage, k -> new HashSet<>()).add(id);
      }
    }
    assertThat(ofVolume).as("one volume a node").hasSize(SHAPE.nodes());
    assertThat(ofVolume.values())
        .as("superchunks with blocks, by volume")
        .allMatch(ids -> ids.size() > 1);
    awaitCounts(blocks);
  }

  /** What is said of each superchunk is what lies in it. */
  private void awaitCounts(Map<Long, Integer> blocks) {
    MiniRaidp.await("-layout counts by superchunk")
        .untilAsserted(
            () -> {
              for (JsonNode chunk : superchunks().values()) {
                int expected = blocks.getOrDefault(chunk.path("id").asLong(), 0);
                assertThat(chunk.path("replicas").findValues("blocks"))
                    .as("%s", chunk)
                    .allMatch(side -> side.asInt() == expected);
              }
            });
  }

  @Test
  void figuresAreOfFramesNotVolumes() throws Exception {
    for (int i = 0; i < 12; i++) {
      put("/figures/" + i, i, 150_001);
    }
    Soundness.assertSound(raidp);
    MiniRaidp.Shape shape = SHAPE;
    long units = shape.frameBytes() / shape.unitBytes();
    Map<Set<String>, JsonNode> superchunks = superchunks();
    Map<String, Integer> paired = new HashMap<>();
    superchunks
        .keySet()
        .forEach(sides -> sides.forEach(side -> paired.merge(side, 1, Integer::sum)));
    // Three units a block, on both sides.
    MiniRaidp.await("figures of -status")
        .untilAsserted(
            () -> {
              JsonNode status = raidp.admin("-status", "-json").json();
              int frames = shape.nodes() * shape.frames();
              assertThat(status.at("/frames/live").asInt()).isEqualTo(frames);
              assertThat(status.at("/frames/blocks").asInt()).isEqualTo(2 * 12);
              assertThat(status.at("/frames/freeUnits").asLong())
                  .isEqualTo(frames * units - 2 * 3 * 12);
              assertThat(status.at("/spareFrames").asInt())
                  .isEqualTo(frames - 2 * superchunks.size());
              assertThat(status.at("/superchunks/active").asInt()).isEqualTo(superchunks.size());
              assertThat(status.path("problems")).isEmpty();
              assertThat(status.findValues("frames").stream().filter(JsonNode::isInt))
                  .hasSize(shape.nodes())
                  .allMatch(each -> each.asInt() == shape.frames());
              assertThat(status.findValues("paired").stream().mapToInt(JsonNode::asInt).sorted())
                  .isEqualTo(paired.values().stream().sorted().toList());
            });
    JsonNode fsck = raidp.admin("-fsck", "-json").json();
    assertThat(fsck.path("findings")).as("%s", fsck).isEmpty();
    assertThat(fsck.path("superchunks").asInt()).isEqualTo(superchunks.size());
    assertThat(fsck.path("blocks").asInt()).isEqualTo(12);
    assertThat(fsck.path("rows").asInt()).isEqualTo(2 * 12);
    MiniRaidp.Printed scrub = raidp.admin("-scrub", "-json");
    assertThat(scrub.exitCode()).as("%s", scrub).isZero();
    assertThat(scrub.json().path("findings")).as("%s", scrub).isEmpty();
    assertThat(scrub.json().path("bytesRead").asLong()).isGreaterThanOrEqualTo(2L * 12 * 150_001);
  }
}
