/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No space: writers hear of it, and what was acknowledged stays. */
@Tag("full")
class RaidpFullTest {
  private static final int BLOCK = 256 << 10;
  private final Map<String, byte[]> files = new TreeMap<>();
  private MiniRaidp raidp;

  /** Writes as many files of a block; a busy machine may need more than one try for one. */
  private void fill(String prefix, int count) {
    for (int i = 0; i < count; i++) {
      String name = prefix + i;
      byte[] content = MiniRaidp.bytes(name.hashCode(), BLOCK - i);
      MiniRaidp.await("room for " + name)
          .ignoreExceptionsInstanceOf(IOException.class)
          .until(
              () -> {
                raidp.fs().delete(new org.apache.hadoop.fs.Path(name), false);
                raidp.write(name, content);
                return true;
              });
      files.put(name, content);
    }
  }

  private void assertReadable() throws IOException {
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      assertThat(raidp.read(file.getKey())).as(file.getKey()).isEqualTo(file.getValue());
    }
  }

  private void delete(String path) throws IOException {
    raidp.fs().delete(new org.apache.hadoop.fs.Path(path), true);
    files.keySet().removeIf(name -> name.startsWith(path));
  }

  /** Slot table and units are one: a row has at least one unit, and there is a row for each. */
  @Test
  void everyUnitOfEveryLstorIsTaken(@TempDir Path root) throws Exception {
    MiniRaidp.Shape shape = new MiniRaidp.Shape(4, 2, 1, 2, 1L << 20, 1 << 16, BLOCK);
    Configuration extra = new Configuration(false);
    extra.set("dfs.parity.raidp.layout.spare.share", "0");
    extra.setInt("dfs.client.block.write.retries", 2);
    extra.setInt("dfs.client.block.write.locateFollowingBlock.retries", 1);
    extra.set("dfs.parity.raidp.grant.lease", "2s");
    try (MiniRaidp cluster = MiniRaidp.start(root, shape, extra)) {
      raidp = cluster;
      int superchunks = raidp.admin("-layout", "-json").json().path("superchunks").size();
      assertThat(superchunks).isPositive();
      fill("/full/", superchunks * 4);
      assertThatThrownBy(() -> raidp.write("/full/more", new byte[1]))
          .as("says that there is no room, and where")
          .isInstanceOf(IOException.class)
          .hasMessageContaining("withRoom=0")
          .hasMessageContaining("/full/more");
      delete("/full/more");
      assertReadable();
      Soundness.assertSound(raidp);
      delete("/full/");
      MiniRaidp.await("deleted units are free again")
          .ignoreExceptions()
          .until(
              () -> {
                byte[] content = MiniRaidp.bytes(7, BLOCK);
                raidp.write("/again", content);
                return true;
              });
      Soundness.assertSound(raidp);
    }
  }

  /**
   * HDFS deletes nothing upon the first full report of a node that was dead, and the next one would
   * be hours away.
   */
  @Test
  void unitsOfFilesThatWereDeletedWhileTheirNodeWasDeadAreFreeAgain(@TempDir Path root)
      throws Exception {
    MiniRaidp.Shape shape = new MiniRaidp.Shape(4, 2, 1, 2, 1L << 20, 1 << 16, BLOCK);
    Configuration extra = new Configuration(false);
    extra.set("dfs.parity.raidp.layout.spare.share", "0");
    extra.set("dfs.parity.raidp.grant.lease", "2s");
    extra.set("dfs.parity.raidp.leftover.report.interval", "2s");
    try (MiniRaidp cluster = MiniRaidp.start(root, shape, extra)) {
      raidp = cluster;
      int superchunks = raidp.admin("-layout", "-json").json().path("superchunks").size();
      fill("/old/", superchunks * 4);
      DatanodeID node = raidp.dfs().getDataNodes().get(0).getDatanodeId();
      MiniDFSCluster.DataNodeProperties stopped = raidp.dfs().stopDataNode(0);
      raidp.dfs().setDataNodeDead(node);
      delete("/old/");
      raidp.dfs().restartDataNode(stopped, true);
      fill("/new/", superchunks * 4);
      assertReadable();
      Soundness.assertSound(raidp);
    }
  }

  @Test
  void aDiskHasNoSpaceLeft(@TempDir Path root) throws Exception {
    MiniRaidp.Shape shape = new MiniRaidp.Shape(4, 2, 1, 2, 4L << 20, 1 << 16, BLOCK);
    Path small = Files.createDirectories(MiniRaidp.diskRoot(root, 0, 0));
    // A full device cannot be had without one of its own.
    assertThat(run("mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", small.toString()))
        .as("mounting a small file system at %s, as root or by sudo -n", small)
        .isTrue();
    try {
      fillTheDisk(root, shape);
    } finally {
      assertThat(run("umount", "-l", small.toString())).isTrue();
    }
  }

  private void fillTheDisk(Path root, MiniRaidp.Shape shape) throws Exception {
    Configuration extra = new Configuration(false);
    extra.set("dfs.parity.raidp.layout.spare.share", "0");
    extra.setInt("dfs.client.block.write.retries", 2);
    extra.setInt("dfs.client.block.write.locateFollowingBlock.retries", 1);
    // A block that could not be placed holds its units so long.
    extra.set("dfs.parity.raidp.grant.lease", "2s");
    try (MiniRaidp cluster = MiniRaidp.start(root, shape, extra)) {
      raidp = cluster;
      for (int i = 0; i < 40 || i < 400 && hasRoom(root); i++) {
        String name = "/full/" + i;
        byte[] content = MiniRaidp.bytes(i, BLOCK - i);
        try {
          raidp.write(name, content);
          files.put(name, content);
        } catch (IOException e) {
          assertThat(e).hasMessageMatching("(?s).*(" + name + "|blk_|space).*");
          raidp.fs().delete(new org.apache.hadoop.fs.Path(name), false);
        }
      }
      assertThat(hasRoom(root)).as("the disk is really full").isFalse();
      assertReadable();
      // With room again, what has one replica gets its second.
      for (int i = 0; i < 24; i++) {
        delete("/full/" + i);
      }
      Soundness.assertSound(raidp);
      assertReadable();
    }
  }

  private static boolean hasRoom(Path root) throws IOException {
    return Files.getFileStore(MiniRaidp.diskRoot(root, 0, 0)).getUsableSpace() >= BLOCK;
  }

  private static boolean run(String... command) throws IOException, InterruptedException {
    List<String> sudo = new ArrayList<>(List.of("sudo", "-n"));
    sudo.addAll(List.of(command));
    return succeeds(List.of(command)) || succeeds(sudo);
  }

  private static boolean succeeds(List<String> command) throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor(120, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException e) {
      // No such program.
      return false;
    }
  }
}
