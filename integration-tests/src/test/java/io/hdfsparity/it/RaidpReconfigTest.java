/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfsparity.raidp.config.RaidpKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.ReconfigurationException;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Disks are added, fail, are replaced and removed by {@code dfsadmin -reconfig datanode}, while the
 * DataNodes run. After each step every file reads back.
 */
@Tag("full")
@Timeout(600)
class RaidpReconfigTest {
  private static final int BLOCK = 1 << 20;
  private static final String DATA_DIRS = "dfs.datanode.data.dir";
  private static final MiniRaidp.Shape SHAPE =
      new MiniRaidp.Shape(6, 1, 1, 6, 16L << 20, 1 << 16, BLOCK);

  private final Map<String, byte[]> files = new TreeMap<>();

  @TempDir Path root;

  @Test
  void anAddedDiskGetsSuperchunksAndBlocks() throws Exception {
    MiniRaidp.Shape roomy = new MiniRaidp.Shape(5, 1, 1, 8, 16L << 20, 1 << 16, BLOCK);
    Configuration extra = new Configuration(false);
    extra.setInt("dfs.parity.raidp.layout.recovery.room.disks", 0);
    try (MiniRaidp raidp = MiniRaidp.start(root, roomy, extra)) {
      for (int i = 0; i < 10; i++) {
        write(raidp, "/before" + i);
      }
      CompletableFuture<Void> load = CompletableFuture.runAsync(() -> writeMany(raidp));
      Files.createDirectories(MiniRaidp.lstorDir(root, 0, 1));
      reconfigure(raidp, 0, 0, 1);
      load.get(2, TimeUnit.MINUTES);
      awaitDisk(raidp, 0, 1, "USABLE");
      layOut(raidp);
      assertThat(disk(raidp, 0, 1).path("paired").asInt()).isPositive();
      for (int i = 0; i < 10; i++) {
        write(raidp, "/after" + i);
      }
      MiniRaidp.await("the added disk has blocks")
          .untilAsserted(() -> assertThat(disk(raidp, 0, 1).path("blocks").asInt()).isPositive());
      verify(raidp);
      MiniRaidp.Printed checked = raidp.admin("-fsck");
      assertThat(checked.exitCode()).as(checked.toString()).isZero();
    }
  }

  @Test
  void disksFailAreReplacedAndGo() throws Exception {
    Configuration extra = new Configuration(false);
    extra.set("dfs.parity.raidp.node.dead.timeout", "20s");
    try (MiniRaidp raidp = MiniRaidp.start(root, SHAPE, extra)) {
      for (int i = 0; i < 10; i++) {
        write(raidp, "/before" + i);
      }
      Files.createDirectories(MiniRaidp.lstorDir(root, 0, 1));
      reconfigure(raidp, 0, 0, 1);
      String added = awaitDisk(raidp, 0, 1, "USABLE").path("id").asText();
      layOut(raidp);

      String failed = disk(raidp, 1, 0).path("id").asText();
      raidp.failDisk(1, 0);
      awaitDisk(raidp, 1, 0, "DEAD");
      recover(raidp);
      assertThat(failedDisks(raidp, 1)).as("it has to be replaced").isEqualTo(1);

      // A new disk at the same mount point.
      Files.delete(MiniRaidp.diskRoot(root, 1, 0));
      Files.createDirectories(raidp.volumeDirs(1).get(0));
      reconfigure(raidp, 1, 0);
      String replacing = awaitDisk(raidp, 1, 0, "USABLE").path("id").asText();
      assertThat(replacing).isNotEqualTo(failed).isNotEqualTo(added);
      assertThat(lstors(1, 0)).contains("lstor-" + replacing);
      Path lstors = MiniRaidp.lstorDir(root, 1, 0);
      assertThat(List.of("lstor-" + failed, "unneeded-lstor-" + failed))
          .as("it may have been found out already that nothing needs it")
          .anyMatch(name -> Files.exists(lstors.resolve(name)));
      layOut(raidp);
      write(raidp, "/after-replacement");
      awaitForgotten(raidp, 1, failed);

      String leaving = disk(raidp, 0, 0).path("id").asText();
      reconfigure(raidp, 0, 1);
      awaitDisk(raidp, 0, 0, "DEAD");
      assertThat(openFiles()).noneMatch(file -> file.contains("lstor-" + leaving));
      recover(raidp);
      write(raidp, "/after-removal");
      awaitForgotten(raidp, 0, leaving);
      assertThat(lstors(0, 0)).isEmpty();

      // It comes back with what was on it, when its superchunks are elsewhere.
      reconfigure(raidp, 0, 0, 1);
      assertThat(awaitDisk(raidp, 0, 0, "USABLE").path("id").asText()).isEqualTo(leaving);
      assertThat(lstors(0, 0)).containsExactly("lstor-" + leaving);
      write(raidp, "/after-return");
      assertSound(raidp);
    }
  }

  /**
   * Each disk that was declared failed leaves blocks behind whose superchunks the NameNode has to
   * ask for.
   */
  private static MiniRaidp.Printed failDisk(MiniRaidp raidp, String diskId) {
    AtomicReference<MiniRaidp.Printed> answer = new AtomicReference<>();
    MiniRaidp.await("superchunks of all blocks that lack a replica")
        .untilAsserted(
            () -> {
              answer.set(raidp.admin("-failDisk", diskId));
              assertThat(answer.get().err()).doesNotContain("blocks of unknown superchunks=");
            });
    return answer.get();
  }

  /**
   * The disk of a node is declared failed, that of its partner is refused, and it is taken back.
   */
  @Test
  void aDiskThatWasDeclaredFailedByMistakeComesBack() throws Exception {
    Configuration extra = new Configuration(false);
    extra.setInt("dfs.parity.raidp.layout.recovery.room.disks", 0);
    try (MiniRaidp raidp = MiniRaidp.start(root, SHAPE, extra)) {
      for (int i = 0; i < 20; i++) {
        write(raidp, "/file" + i);
      }
      MiniRaidp.await("all replicas").until(() -> Soundness.allBlocksHaveTwoReplicas(raidp));
      MiniRaidp.await("all blocks reported")
          .untilAsserted(() -> assertThat(disk(raidp, 1, 0).path("blocks").asInt()).isPositive());
      String declared = disk(raidp, 0, 0).path("id").asText();
      assertThat(raidp.admin("-failDisk", declared, "-undo").exitCode())
          .as("not yet")
          .isEqualTo(-1);
      MiniRaidp.Printed failed = raidp.admin("-failDisk", declared);
      assertThat(failed.exitCode()).as(failed.toString()).isZero();
      awaitDisk(raidp, 0, 0, "DEAD");
      String before = raidp.admin("-layout", "-json").out();
      int refused = 0;
      for (int node = 1; node < SHAPE.nodes(); node++) {
        String other = disk(raidp, node, 0).path("id").asText();
        MiniRaidp.Printed answer = failDisk(raidp, other);
        if (answer.exitCode() == -1) {
          assertThat(answer.err())
              .contains("failDisk: Cannot fail a disk: disk=" + other + ", superchunks=", "-force");
          refused++;
        } else {
          assertThat(raidp.admin("-failDisk", other, "-undo").exitCode()).isZero();
        }
      }
      assertThat(refused).as(before).isPositive();

      MiniRaidp.Printed undone = raidp.admin("-failDisk", declared, "-undo");
      assertThat(undone.exitCode()).as(undone.toString()).isZero();
      raidp.dfs().restartDataNodes();
      raidp.dfs().waitActive();
      for (int node = 0; node < SHAPE.nodes(); node++) {
        awaitDisk(raidp, node, 0, "USABLE");
      }
      assertThat(disk(raidp, 0, 0).path("id").asText()).isEqualTo(declared);
      assertSound(raidp);
    }
  }

  /** Its superchunks have waited for it, while files were deleted and written. */
  @Test
  void aRemovedDiskComesBackWithItsOldContent() throws Exception {
    Configuration extra = new Configuration(false);
    extra.setInt("dfs.parity.raidp.layout.recovery.room.disks", 0);
    try (MiniRaidp raidp = MiniRaidp.start(root, SHAPE, extra)) {
      for (int i = 0; i < 10; i++) {
        write(raidp, "/before" + i);
      }
      Files.createDirectories(MiniRaidp.lstorDir(root, 0, 1));
      reconfigure(raidp, 0, 0, 1);
      awaitDisk(raidp, 0, 1, "USABLE");
      reconfigure(raidp, 0, 1);
      awaitDisk(raidp, 0, 0, "DEAD");
      for (int i = 0; i < 5; i++) {
        raidp.fs().delete(new org.apache.hadoop.fs.Path("/before" + i), false);
        files.remove("/before" + i);
        write(raidp, "/meanwhile" + i);
      }
      reconfigure(raidp, 0, 0, 1);
      awaitDisk(raidp, 0, 0, "USABLE");
      write(raidp, "/after-return");
      assertSound(raidp);
    }
  }

  private void assertSound(MiniRaidp raidp) throws Exception {
    verify(raidp);
    MiniRaidp.await("a clean check")
        .atMost(java.time.Duration.ofSeconds(60))
        .untilAsserted(
            () -> {
              MiniRaidp.Printed checked = raidp.admin("-fsck");
              assertThat(checked.exitCode()).as(checked.toString()).isZero();
            });
  }

  @Test
  void aDiskWithoutLstorHasPlainReplicasOnlyUntilItGetsOne() throws Exception {
    MiniRaidp.Shape small = new MiniRaidp.Shape(3, 1, 1, 3, 16L << 20, 1 << 16, BLOCK);
    Configuration extra = new Configuration(false);
    extra.setInt("dfs.parity.raidp.layout.recovery.room.disks", 0);
    try (MiniRaidp raidp = MiniRaidp.start(root, small, extra)) {
      DataNode node = raidp.dfs().getDataNodes().get(0);
      String lstors = node.getConf().get(RaidpKey.LSTOR_DIRS.key());
      Files.createDirectories(data(0, 1));
      assertThatThrownBy(() -> node.reconfigurePropertyImpl(DATA_DIRS, dirs(0, 0, 1)))
          .isInstanceOf(ReconfigurationException.class)
          .hasStackTraceContaining(RaidpKey.LSTOR_DIRS.key());
      assertThat(node.getFSDataset().getVolumeInfoMap()).hasSize(1);
      assertThat(node.getConf().get(RaidpKey.LSTOR_DIRS.key())).isEqualTo(lstors);

      Files.createFile(MiniRaidp.lstorDir(root, 0, 1));
      reconfigure(raidp, 0, 0, 1);
      assertThat(node.getFSDataset().getVolumeInfoMap()).hasSize(2);
      JsonNode held = awaitDisk(raidp, 0, 1, "HELD");
      MiniRaidp.Printed status = raidp.admin("-status");
      assertThat(status.out()).contains("LSTOR_FAILED " + held.path("id").asText());
      write(raidp, "/protected");

      Files.delete(MiniRaidp.lstorDir(root, 0, 1));
      Files.createDirectories(MiniRaidp.lstorDir(root, 0, 1));
      MiniRaidp.Printed rebuilt = raidp.admin("-lstor", "-rebuild", held.path("id").asText());
      assertThat(rebuilt.exitCode()).as(rebuilt.toString()).isZero();
      awaitDisk(raidp, 0, 1, "USABLE");

      // A refused disk can be taken out as well.
      reconfigure(raidp, 0, 0);
      awaitDisk(raidp, 0, 1, "DEAD");
      verify(raidp);
    }
  }

  /** What an operator changes in the file, and then what the thread of {@code -reconfig} calls. */
  private void reconfigure(MiniRaidp raidp, int node, int... disks) throws Exception {
    DataNode datanode = raidp.dfs().getDataNodes().get(node);
    for (int disk : disks) {
      Files.createDirectories(data(node, disk));
    }
    configure(datanode, node, disks);
    datanode.reconfigurePropertyImpl(DATA_DIRS, dirs(node, disks));
  }

  private void configure(DataNode datanode, int node, int... disks) {
    Configuration conf = datanode.getConf();
    conf.set(
        RaidpKey.DISK_ROOTS.key(), join(disks, d -> MiniRaidp.diskRoot(root, node, d).toString()));
    conf.set(
        RaidpKey.LSTOR_DIRS.key(), join(disks, d -> MiniRaidp.lstorDir(root, node, d).toString()));
  }

  private String dirs(int node, int... disks) {
    return join(disks, d -> "[DISK]file:" + data(node, d));
  }

  private static String join(int[] disks, java.util.function.IntFunction<String> each) {
    return java.util.Arrays.stream(disks).mapToObj(each).collect(Collectors.joining(","));
  }

  private Path data(int node, int disk) {
    return MiniRaidp.diskRoot(root, node, disk).resolve("data");
  }

  private List<String> lstors(int node, int disk) throws IOException {
    try (Stream<Path> all = Files.list(MiniRaidp.lstorDir(root, node, disk))) {
      return all.map(file -> file.getFileName().toString())
          .filter(name -> name.matches("lstor-[0-9a-f-]*"))
          .toList();
    }
  }

  /** Of this process, which runs all daemons. */
  private static List<String> openFiles() throws IOException {
    List<String> open = new java.util.ArrayList<>();
    try (Stream<Path> fds = Files.list(Path.of("/proc/self/fd"))) {
      for (Path fd : fds.toList()) {
        if (Files.isSymbolicLink(fd)) {
          open.add(Files.readSymbolicLink(fd).toString());
        }
      }
    }
    return open;
  }

  private JsonNode disk(MiniRaidp raidp, int node, int disk) throws Exception {
    String path = MiniRaidp.diskRoot(root, node, disk).toString();
    JsonNode found = com.fasterxml.jackson.databind.node.MissingNode.getInstance();
    for (JsonNode each : raidp.admin("-status", "-json").json().path("nodes")) {
      for (JsonNode candidate : each.path("disks")) {
        boolean isBetter = !found.path("health").asText().equals("USABLE");
        if (candidate.path("path").asText().equals(path) && isBetter) {
          found = candidate;
        }
      }
    }
    return found;
  }

  private JsonNode awaitDisk(MiniRaidp raidp, int node, int disk, String health) throws Exception {
    MiniRaidp.await("disk " + disk + " of node " + node + " is " + health)
        .atMost(java.time.Duration.ofSeconds(30))
        .untilAsserted(
            () -> {
              JsonNode now = disk(raidp, node, disk);
              assertThat(now.path("health").asText()).as(now.toString()).isEqualTo(health);
            });
    return disk(raidp, node, disk);
  }

  /** The alert of a disk ends, when nothing depends on the disk any more. */
  private static void awaitForgotten(MiniRaidp raidp, int node, String diskId) {
    MiniRaidp.await("disk " + diskId + " is forgotten")
        .atMost(java.time.Duration.ofSeconds(60))
        .untilAsserted(
            () -> {
              assertThat(raidp.admin("-status", "-json").json().path("nodes").toString())
                  .doesNotContain(diskId);
              assertThat(failedDisks(raidp, node)).isZero();
            });
  }

  private static long failedDisks(MiniRaidp raidp, int node) {
    return Metrics.value(
        "RaidpDataNode-" + raidp.dfs().getDataNodes().get(node).getDatanodeUuid(), "DisksFailed");
  }

  private static void layOut(MiniRaidp raidp) throws Exception {
    MiniRaidp.Printed applied = raidp.admin("-layout", "-apply");
    assertThat(applied.exitCode()).as(applied.toString()).isZero();
    MiniRaidp.await("all superchunks active")
        .untilAsserted(
            () -> {
              JsonNode status = raidp.admin("-status", "-json").json();
              assertThat(status.path("assignmentsOutstanding").asInt(-1))
                  .as(status.toString())
                  .isZero();
              assertThat(status.path("superchunks").path("usable").asInt())
                  .isEqualTo(status.path("superchunks").path("total").asInt());
            });
  }

  private void recover(MiniRaidp raidp) throws Exception {
    MiniRaidp.Printed recovered = raidp.admin("-recover", "-progress");
    assertThat(recovered.exitCode()).as(recovered.toString()).isZero();
    verify(raidp);
  }

  private void writeMany(MiniRaidp raidp) {
    try {
      for (int i = 0; i < 10; i++) {
        write(raidp, "/meanwhile" + i);
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private void write(MiniRaidp raidp, String path) throws IOException {
    byte[] content = MiniRaidp.bytes(path.hashCode(), 3 * BLOCK - 1000);
    raidp.write(path, content);
    files.put(path, content);
  }

  private void verify(MiniRaidp raidp) throws IOException {
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      assertThat(raidp.read(file.getKey())).as(file.getKey()).isEqualTo(file.getValue());
    }
  }
}
