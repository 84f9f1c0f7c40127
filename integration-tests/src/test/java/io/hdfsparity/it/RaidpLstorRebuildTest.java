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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Damaged and lost Lstors are made anew by command, and carry a failure of two disks after that.
 */
@Tag("full")
class RaidpLstorRebuildTest {
  private static final int BLOCK = 256 << 10;
  private static final MiniRaidp.Shape SHAPE =
      new MiniRaidp.Shape(8, 1, 1, 5, 8L << 20, 1 << 16, BLOCK);

  private static MiniRaidp start(Path root) throws Exception {
    Configuration extra = new Configuration(false);
    extra.set("dfs.parity.raidp.layout.spare.share", "0.4");
    MiniRaidp raidp = MiniRaidp.start(root, SHAPE, extra);
    Daemons.startLstors(raidp);
    return raidp;
  }

  private static Map<String, byte[]> fill(MiniRaidp raidp, int seed) throws Exception {
    Map<String, byte[]> files = new TreeMap<>();
    for (int i = 0; i < 30; i++) {
      byte[] content = MiniRaidp.bytes(seed * 100L + i, 1 + i * 17_003 % (2 * BLOCK));
      raidp.write("/d/" + i, content);
      files.put("/d/" + i, content);
    }
    MiniRaidp.await("all replicas").until(() -> Soundness.allBlocksHaveTwoReplicas(raidp));
    for (int i = 20; i < 24; i++) {
      raidp.fs().delete(new org.apache.hadoop.fs.Path("/d/" + i), false);
      files.remove("/d/" + i);
    }
    return files;
  }

  private static String diskId(MiniRaidp raidp, int node) throws Exception {
    return DiskFile.read(MiniRaidp.diskRoot(raidp.root(), node, 0)).diskId();
  }

  private static Path lstorFile(MiniRaidp raidp, int node) throws Exception {
    return MiniRaidp.lstorDir(raidp.root(), node, 0).resolve("lstor-" + diskId(raidp, node));
  }

  private static int nodeIndex(JsonNode replica) {
    return Integer.parseInt(replica.path("node").asText().replaceAll("^host([0-9]+)\\..*", "$1"));
  }

  /** Fails the disk of a node and one that shares a superchunk with it; everything comes back. */
  private static void loseTwoAndRecover(MiniRaidp raidp, int node, Map<String, byte[]> files)
      throws Exception {
    int other = -1;
    for (JsonNode chunk : raidp.admin("-layout", "-json").json().path("superchunks")) {
      int a = nodeIndex(chunk.path("replicas").path(0));
      int b = nodeIndex(chunk.path("replicas").path(1));
      other = a == node ? b : b == node ? a : other;
    }
    raidp.failDisk(node, 0);
    raidp.failDisk(other, 0);
    MiniRaidp.await("failure noticed")
        .until(
            () -> {
              boolean lost = false;
              for (JsonNode chunk : raidp.admin("-layout", "-json").json().path("superchunks")) {
                lost |= chunk.path("state").asText().equals("LOST");
              }
              return lost;
            });
    MiniRaidp.Printed recovered = raidp.admin("-recover", "-progress", "-json");
    assertThat(recovered.exitCode()).as(recovered.toString()).isZero();
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      assertThat(raidp.read(file.getKey())).as(file.getKey()).isEqualTo(file.getValue());
    }
    Soundness.assertSound(raidp);
  }

  @Test
  void parityThatIsDamagedInServiceIsRecomputedInPlace(@TempDir Path root) throws Exception {
    try (MiniRaidp raidp = start(root)) {
      Map<String, byte[]> files = fill(raidp, 1);
      Path lstor = lstorFile(raidp, 2);
      // The parity lies behind the tables and the ring; bytes in the last third belong to it.
      try (FileChannel channel = FileChannel.open(lstor, StandardOpenOption.WRITE)) {
        long from = Files.size(lstor) - SHAPE.frameBytes() / 2;
        for (int i = 0; i < 16; i++) {
          channel.write(ByteBuffer.wrap(MiniRaidp.bytes(i, 8192)), from + i * (64L << 10));
        }
      }
      assertThat(raidp.admin("-scrub", "-disk", diskId(raidp, 2)).exitCode()).isNotZero();

      MiniRaidp.Printed rebuilt = raidp.admin("-lstor", "-rebuild", diskId(raidp, 2), "-json");
      assertThat(rebuilt.exitCode()).as(rebuilt.toString()).isZero();
      assertThat(rebuilt.json().path("phase").asText()).isEqualTo("DONE");
      assertThat(rebuilt.json().path("counted").asText()).isEqualTo("units");

      MiniRaidp.Printed scrub = raidp.admin("-scrub", "-disk", diskId(raidp, 2));
      assertThat(scrub.exitCode()).as(scrub.toString()).isZero();
      loseTwoAndRecover(raidp, 2, files);
    }
  }

  private static List<ExtendedBlock> blocksAt(MiniRaidp raidp, FsDatasetSpi<?> dataset, String path)
      throws IOException {
    return raidp
        .fs()
        .getClient()
        .getLocatedBlocks(path, 0, Long.MAX_VALUE)
        .getLocatedBlocks()
        .stream()
        .map(LocatedBlock::getBlock)
        .filter(dataset::contains)
        .toList();
  }

  private static boolean hasAny(MiniRaidp raidp, FsDatasetSpi<?> dataset, Set<String> paths)
      throws IOException {
    for (String path : paths) {
      if (!blocksAt(raidp, dataset, path).isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /** HDFS forgets the replicas of a refused disk, whose files cannot be deleted. */
  private static void deleteWhileRefused(MiniRaidp raidp, Map<String, byte[]> files)
      throws Exception {
    DataNode node =
        raidp.dfs().getDataNodes().stream()
            .filter(each -> each.getDatanodeHostname().startsWith("host1."))
            .findFirst()
            .orElseThrow();
    // Its disk is refused, and the manager told so, before that.
    MiniRaidp.await("the restarted node has found its replicas")
        .until(
            () ->
                node.isDatanodeFullyStarted()
                    && hasAny(raidp, node.getFSDataset(), files.keySet()));
    FsDatasetSpi<?> refused = node.getFSDataset();
    List<ExtendedBlock> deleted = new ArrayList<>();
    for (String path : List.copyOf(files.keySet())) {
      List<ExtendedBlock> there = blocksAt(raidp, refused, path);
      if (!there.isEmpty() && deleted.size() < 3) {
        deleted.addAll(there);
        raidp.fs().delete(new org.apache.hadoop.fs.Path(path), false);
        files.remove(path);
      }
    }
    assertThat(deleted).isNotEmpty();
    MiniRaidp.await("HDFS has forgotten them")
        .until(() -> deleted.stream().noneMatch(refused::contains));
  }

  @Test
  void anLstorThatIsLostIsMadeAnewWhileTheDataNodeServes(@TempDir Path root) throws Exception {
    try (MiniRaidp raidp = start(root)) {
      Map<String, byte[]> files = fill(raidp, 2);
      Path lstor = lstorFile(raidp, 1);
      DataNodeProperties stopped = raidp.dfs().stopDataNode(1);
      try (FileChannel channel = FileChannel.open(lstor, StandardOpenOption.WRITE)) {
        channel.write(ByteBuffer.allocate(64 << 10), 0);
      }
      // Not waitActive: it waits for ever for a node without capacity, which is what we make.
      raidp.dfs().restartDataNode(stopped, true);
      MiniRaidp.await("disk refused")
          .until(
              () ->
                  raidp.admin("-status", "-json").out().contains("LSTOR_FAILED")
                      && Soundness.allBlocksHaveTwoReplicas(raidp));
      deleteWhileRefused(raidp, files);

      AtomicReference<MiniRaidp.Printed> answer = new AtomicReference<>();
      // Until it has reported, the manager knows the address that it had before.
      MiniRaidp.await("the restarted node is asked")
          .until(
              () -> {
                answer.set(raidp.admin("-lstor", "-rebuild", diskId(raidp, 1), "-json"));
                return !answer.get().err().contains("Connection refused");
              });
      MiniRaidp.Printed rebuilt = answer.get();
      assertThat(rebuilt.exitCode()).as(rebuilt.toString()).isZero();
      assertThat(rebuilt.json().path("phase").asText()).isEqualTo("DONE");
      assertThat(rebuilt.json().path("done").asLong())
          .as(rebuilt.toString())
          .isPositive()
          .isEqualTo(rebuilt.json().path("total").asLong());
      assertThat(MiniRaidp.lstorDir(raidp.root(), 1, 0).toFile().list())
          .as("the damaged one is kept")
          .anyMatch(name -> name.startsWith("replaced-lstor-"));

      MiniRaidp.await("all usable again")
          .until(
              () -> {
                JsonNode chunks = raidp.admin("-layout", "-json").json().path("superchunks");
                boolean all = !chunks.isEmpty();
                for (JsonNode chunk : chunks) {
                  all &= chunk.path("usable").asBoolean();
                }
                return all;
              });
      byte[] more = MiniRaidp.bytes(77, BLOCK + 5);
      for (int i = 0; i < 10; i++) {
        raidp.write("/after/" + i, more);
        files.put("/after/" + i, more);
      }
      Soundness.assertSound(raidp);
      loseTwoAndRecover(raidp, 1, files);
    }
  }
}
