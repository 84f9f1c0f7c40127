/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.tools.DFSck;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Protection is given back, and RAIDP leaves: for good, or from one DataNode for a while. */
@Tag("full")
@Timeout(900)
class RaidpSwitchOffTest {
  private static final int BLOCK = 256 << 10;
  private static final MiniRaidp.Shape SHAPE =
      new MiniRaidp.Shape(7, 1, 1, 5, 8L << 20, 1 << 16, BLOCK);

  @TempDir Path root;

  private MiniRaidp start() throws Exception {
    Configuration extra = new Configuration(false);
    extra.set("dfs.parity.raidp.layout.spare.share", "0.4");
    extra.set("dfs.parity.raidp.recovery.auto", "false");
    extra.set("dfs.parity.raidp.node.stale.timeout", "2s");
    extra.set("dfs.parity.raidp.node.dead.timeout", "6s");
    return MixedFiles.start(root, SHAPE, extra);
  }

  private static List<String> some(MixedFiles files, String directory) {
    return files.paths().stream()
        .filter(path -> path.startsWith(directory + "/"))
        .sorted()
        .toList();
  }

  /** Files are changed, a DataNode and the NameNode restarted while blocks are released. */
  @Test
  void whatIsLeftIsPlainHdfs() throws Exception {
    try (MiniRaidp raidp = start()) {
      MixedFiles files = new MixedFiles(raidp, 1);
      files.protect();
      files.fill(MixedFiles.PLAIN, 6);
      files.fill(MixedFiles.PROTECTED, 20);
      files.assertAsTheyShouldBe();

      MiniRaidp.Printed started = raidp.admin("-unprotect", "-all", "-release", "-json");
      assertThat(started.exitCode()).as(started.toString()).isZero();
      List<String> covered = some(files, MixedFiles.PROTECTED);
      files.append(covered.get(0), BLOCK / 3);
      files.truncate(covered.get(1), 1);
      files.delete(covered.get(2));
      files.rename(covered.get(3), MixedFiles.PLAIN + "/renamed");
      raidp.dfs().restartDataNode(2, true);
      files.append(covered.get(4), BLOCK / 5);
      raidp.dfs().restartNameNode();
      raidp.dfs().waitActive();
      files.assertReadable();

      MiniRaidp.await("a run that releases all")
          .ignoreExceptions()
          .untilAsserted(
              () -> {
                MiniRaidp.Printed done =
                    raidp.admin("-unprotect", "-all", "-release", "-progress", "-json");
                assertThat(done.exitCode()).as(done.toString()).isZero();
              });
      files.released();
      files.assertAsTheyShouldBe();
      for (String path : files.paths()) {
        assertThat(raidp.fs().getFileStatus(new org.apache.hadoop.fs.Path(path)).getReplication())
            .as(path)
            .isEqualTo((short) 3);
      }
      MiniRaidp.await("the status says so")
          .untilAsserted(
              () ->
                  assertThat(raidp.admin("-status").out())
                      .contains("Covered: nothing; RAIDP can be taken out"));

      raidp.switchOff();
      files.assertReadable();
      files.fill(MixedFiles.PLAIN, 2);
      files.append(some(files, MixedFiles.PLAIN).get(0), BLOCK / 4);
      files.assertReadable();
      MiniRaidp.await("fsck").untilAsserted(() -> assertThat(fsck(raidp)).contains("is HEALTHY"));
      MiniRaidp.await("three replicas of each block")
          .untilAsserted(
              () -> {
                for (String path : files.paths()) {
                  assertThat(Soundness.blocksOf(raidp, path))
                      .as(path)
                      .allMatch(block -> block.getLocations().length == 3);
                }
              });
    }
  }

  private static String fsck(MiniRaidp raidp) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Configuration conf = new Configuration(raidp.dfs().getConfiguration(0));
    new DFSck(conf, new PrintStream(out, true, StandardCharsets.UTF_8)).run(new String[] {"/"});
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void aDataNodeStartsWithoutThePlugin() throws Exception {
    try (MiniRaidp raidp = start()) {
      Daemons.startLstors(raidp);
      MixedFiles files = new MixedFiles(raidp, 2);
      files.protect();
      files.fill(MixedFiles.PLAIN, 5);
      files.fill(MixedFiles.PROTECTED, 30);
      files.assertAsTheyShouldBe();

      int node = 3;
      String address = raidp.dfs().getDataNodes().get(node).getDatanodeId().getXferAddr();
      String uuid = raidp.dfs().getDataNodes().get(node).getDatanodeUuid();
      Set<Integer> pair = FailedDisks.pairWith(raidp, node);
      raidp.restartWithoutPlugin(node);
      MiniRaidp.await("it is named")
          .untilAsserted(
              () ->
                  assertThat(raidp.admin("-status").out())
                      .contains("NODE_WITHOUT_PLUGIN " + uuid, "dfs.datanode.plugins"));

      List<String> covered = some(files, MixedFiles.PROTECTED);
      for (int i = 0; i < 6; i++) {
        files.delete(covered.get(i));
        files.append(covered.get(6 + i), BLOCK / 3 + i);
        // The same length, and other bytes.
        files.truncate(covered.get(12 + i), 1);
        files.append(covered.get(12 + i), BLOCK / 2);
      }
      files.assertReadable();

      raidp.restartWithPlugin(address);
      raidp.dfs().waitActive();
      MiniRaidp.await("it is not named any more")
          .untilAsserted(
              () -> assertThat(raidp.admin("-status").out()).doesNotContain("NODE_WITHOUT_PLUGIN"));
      files.assertAsTheyShouldBe();

      FailedDisks.failAndRecover(raidp, pair.toArray(Integer[]::new));
      files.assertAsTheyShouldBe();
    }
  }
}
