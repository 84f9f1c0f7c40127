/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfsparity.raidp.format.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Repairs, restarts and failovers where a disk is one volume with many superchunks: each block
 * stays in its superchunk.
 */
@Tag("full")
@Timeout(1200)
class RaidpDisksRepairTest {
  private static final int BLOCK = 256 << 10;
  private static final MiniRaidp.Shape SHAPE =
      new MiniRaidp.Shape(6, 1, 1, 5, 8L << 20, 1 << 16, BLOCK);

  private final Map<String, byte[]> files = new TreeMap<>();
  private MiniRaidp raidp;

  /** Each disk shares a superchunk with each other. */
  private static Configuration allPairs() {
    Configuration extra = new Configuration(false);
    extra.set("dfs.parity.raidp.layout.spare.share", "0");
    extra.set("dfs.parity.raidp.layout.recovery.room.disks", "0");
    return extra;
  }

  private void fill(String prefix, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      byte[] content = MiniRaidp.bytes(prefix.hashCode() + i, 1 + i * 17_003 % (2 * BLOCK));
      raidp.write(prefix + i, content);
      files.put(prefix + i, content);
    }
    MiniRaidp.await("all replicas").until(() -> Soundness.allBlocksHaveTwoReplicas(raidp));
  }

  private void assertAllIsWell() throws Exception {
    Soundness.assertSound(raidp);
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      assertThat(raidp.read(file.getKey())).as(file.getKey()).isEqualTo(file.getValue());
    }
  }

  private LocatedBlock block(String file) throws IOException {
    return raidp.fs().getClient().getLocatedBlocks(file, 0).get(0);
  }

  @Test
  void singleReplicasComeBackToTheirSuperchunk(@TempDir Path root) throws Exception {
    try (MiniRaidp cluster = MiniRaidp.start(root, SHAPE, allPairs())) {
      raidp = cluster;
      assertThat(Soundness.pairs(raidp)).hasSize(15);
      fill("/d/", 24);
      Soundness.assertSound(raidp);
      damagedOnesAreHealed();
      deletedOnesAreCopied();
      assertAllIsWell();
    }
  }

  private void damagedOnesAreHealed() throws Exception {
    for (int i = 3; i < 7; i++) {
      Damage.Replica replica = Damage.replicas(raidp, "/d/" + i).get(i % 2);
      Damage.flip(replica.data(), Files.size(replica.data()) / 2);
    }
    MiniRaidp.Printed scrub = raidp.admin("-scrub", "-json");
    assertThat(scrub.exitCode()).as("%s", scrub).isNotZero();
    Soundness.assertSound(raidp);
    for (int i = 3; i < 7; i++) {
      String file = "/d/" + i;
      for (Damage.Replica replica : Damage.replicas(raidp, file)) {
        byte[] first = Arrays.copyOf(files.get(file), (int) Files.size(replica.data()));
        assertThat(Files.readAllBytes(replica.data())).as(file).isEqualTo(first);
      }
    }
  }

  /** As HDFS deletes: the row goes with the partner's consent, and a new one takes its place. */
  private void deletedOnesAreCopied() throws Exception {
    Map<String, Set<String>> before = new TreeMap<>();
    for (int i = 8; i < 16; i++) {
      String file = "/d/" + i;
      LocatedBlock block = block(file);
      before.put(file, Soundness.storages(block));
      DatanodeInfo node = block.getLocations()[i % 2];
      DataNode dataNode = raidp.dfs().getDataNode(node.getIpcPort());
      dataNode
          .getFSDataset()
          .invalidate(
              block.getBlock().getBlockPoolId(), new Block[] {block.getBlock().getLocalBlock()});
      MiniRaidp.await("deleted")
          .until(() -> !Damage.holds(raidp, index(node), block.getBlock().getBlockId()));
    }
    MiniRaidp.await("copied to the other side of its superchunk")
        .untilAsserted(
            () -> {
              // The NameNode learns what it has not ordered itself.
              raidp.dfs().triggerBlockReports();
              for (String file : before.keySet()) {
                LocatedBlock block = block(file);
                assertThat(Soundness.storages(block)).isEqualTo(before.get(file));
                for (DatanodeInfo node : block.getLocations()) {
                  assertThat(Damage.holds(raidp, index(node), block.getBlock().getBlockId()))
                      .as("%s on %s", block, node)
                      .isTrue();
                }
              }
            });
  }

  private int index(DatanodeInfo node) {
    return IntStream.range(0, SHAPE.nodes())
        .filter(i -> raidp.dfs().getDataNodes().get(i).getXferPort() == node.getXferPort())
        .findFirst()
        .orElseThrow();
  }

  @Test
  void restartsOfAllDaemons(@TempDir Path root) throws Exception {
    try (MiniRaidp cluster = MiniRaidp.start(root, SHAPE, allPairs())) {
      raidp = cluster;
      Set<Set<String>> pairs = Soundness.pairs(raidp);
      fill("/a/", 20);
      for (int node = 0; node < SHAPE.nodes(); node += 2) {
        raidp.dfs().restartDataNode(0, true);
        raidp.dfs().waitActive();
      }
      fill("/b/", 10);
      raidp.dfs().restartNameNode(true);
      awaitUsable();
      fill("/c/", 10);
      raidp.dfs().restartDataNodes();
      raidp.dfs().restartNameNode(true);
      awaitUsable();
      assertThat(Soundness.pairs(raidp)).isEqualTo(pairs);
      assertAllIsWell();
    }
  }

  private void awaitUsable() {
    MiniRaidp.await("all superchunks usable")
        .ignoreExceptions()
        .until(
            () -> {
              JsonNode chunks = raidp.admin("-status", "-json").json().path("superchunks");
              return chunks.path("total").asInt() == 15 && chunks.path("usable").asInt() == 15;
            });
  }

  @Test
  void anotherNameNodeTakesOverWhileFilesAreWritten(@TempDir Path root) throws Exception {
    Configuration extra = allPairs();
    extra.setInt("dfs.ha.tail-edits.period", 1);
    extra.setInt("dfs.ha.log-roll.period", 1);
    try (MiniRaidp cluster = MiniRaidp.startHighlyAvailable(root, SHAPE, extra);
        LedgerLoad load = new LedgerLoad(cluster.conf(), 4, 2 * BLOCK, 60L * BLOCK, 5)) {
      raidp = cluster;
      progress(load);
      raidp.dfs().transitionToStandby(0);
      raidp.dfs().transitionToActive(1);
      progress(load);
      raidp.dfs().restartDataNode(2, true);
      progress(load);
      raidp.dfs().shutdownNameNode(1);
      raidp.dfs().transitionToActive(0);
      progress(load);
      load.pause();
      // The partner of a replica is needed to open its block again.
      assertThat(load.causes()).allMatch(cause -> cause.startsWith(LedgerLoad.APPEND));
      // Not waiting for it: a standby may stay in safe mode until the next edits are tailed.
      raidp.dfs().restartNameNode(1, false);
      Soundness.assertSound(raidp);
      assertThat(load.verify()).isEmpty();
    }
  }

  private static void progress(LedgerLoad load) {
    long acks = load.acks();
    MiniRaidp.await("writes go on").until(() -> load.acks() > acks + 12);
  }

  @Test
  void anLstorIsMadeAnewWhosePartnerIsDownAtFirst(@TempDir Path root) throws Exception {
    try (MiniRaidp cluster = MiniRaidp.start(root, SHAPE, allPairs())) {
      raidp = cluster;
      Daemons.startLstors(raidp);
      fill("/d/", 24);
      Soundness.assertSound(raidp);
      String disk = DiskFile.read(MiniRaidp.diskRoot(root, 1, 0)).diskId();
      DataNodeProperties partner = raidp.dfs().stopDataNode(4);
      DataNodeProperties owner = raidp.dfs().stopDataNode(1);
      try (FileChannel lstor =
          FileChannel.open(
              ParityTwin.lstorFile(MiniRaidp.lstorDir(root, 1, 0)), StandardOpenOption.WRITE)) {
        lstor.write(ByteBuffer.allocate(64 << 10), 0);
      }
      // Not waitActive: it waits for ever for a node without capacity, which is what we make.
      raidp.dfs().restartDataNode(owner, true);
      MiniRaidp.await("disk refused")
          .until(() -> raidp.admin("-status", "-json").out().contains("LSTOR_FAILED"));
      // Only the partner's rows tell which of the replicas are of the superchunk with it.
      CompletableFuture<MiniRaidp.Printed> rebuilt =
          CompletableFuture.supplyAsync(() -> rebuild(disk));
      Path lstors = MiniRaidp.lstorDir(root, 1, 0);
      MiniRaidp.await("the damaged one is put aside")
          .until(
              () ->
                  Arrays.stream(lstors.toFile().list())
                      .anyMatch(name -> name.startsWith("replaced-lstor-")));
      assertThat(rebuilt).as("waits for the partner").isNotDone();
      raidp.dfs().restartDataNode(partner, true);
      assertRebuilt(rebuilt.get());
      awaitUsable();
      fill("/after/", 12);
      assertAllIsWell();
    }
  }

  private MiniRaidp.Printed rebuild(String disk) {
    AtomicReference<MiniRaidp.Printed> answer = new AtomicReference<>();
    // Until it has reported, the manager knows the address that the node had before.
    MiniRaidp.await("the restarted node is asked")
        .until(
            () -> {
              answer.set(raidp.admin("-lstor", "-rebuild", disk, "-json"));
              return !answer.get().err().contains("Connection refused");
            });
    return answer.get();
  }

  private static void assertRebuilt(MiniRaidp.Printed rebuilt) {
    assertThat(rebuilt.exitCode()).as("%s", rebuilt).isZero();
    assertThat(rebuilt.json().path("phase").asText()).as("%s", rebuilt).isEqualTo("DONE");
  }
}
