/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.junit.jupiter.api.io.TempDir;

/**
 * A DataNode with RAIDP comes back with what was right long ago, after many changes of its blocks.
 * No byte of the old content is ever read, and both parities are right again; then any two disks of
 * a superchunk fail.
 */
abstract class OldContent {
  private static final int BLOCK = 256 << 10;
  static final int NODE = 3;
  static final MiniRaidp.Shape SHAPE = new MiniRaidp.Shape(7, 1, 1, 5, 16L << 20, 1 << 16, BLOCK);

  @TempDir Path root;

  /** What is put back as it was. */
  enum Restored {
    DISK_AND_LSTOR(true, true),
    DISK(true, false),
    LSTOR(false, true);

    private final boolean disk;
    private final boolean lstor;

    Restored(boolean disk, boolean lstor) {
      this.disk = disk;
      this.lstor = lstor;
    }

    List<Path> directories(Path root) {
      Path diskRoot = MiniRaidp.diskRoot(root, NODE, 0);
      Path lstorDir = MiniRaidp.lstorDir(root, NODE, 0);
      return disk && lstor ? List.of(diskRoot, lstorDir) : List.of(disk ? diskRoot : lstorDir);
    }
  }

  MiniRaidp start(String deadTimeout) throws Exception {
    Configuration extra = new Configuration(false);
    extra.set("dfs.parity.raidp.layout.spare.share", "0.4");
    extra.set("dfs.parity.raidp.recovery.auto", "false");
    extra.set("dfs.parity.raidp.node.stale.timeout", "2s");
    extra.set("dfs.parity.raidp.node.dead.timeout", deadTimeout);
    MiniRaidp raidp = MixedFiles.start(root, SHAPE, extra);
    Daemons.startLstors(raidp);
    return raidp;
  }

  static MixedFiles filled(MiniRaidp raidp, long seed) throws Exception {
    MixedFiles files = new MixedFiles(raidp, seed);
    files.protect();
    files.fill(MixedFiles.PLAIN, 4);
    files.fill(MixedFiles.PROTECTED, 20);
    files.assertAsTheyShouldBe();
    return files;
  }

  /** As much as happens in a week: most blocks get other bytes, at the same length too, or end. */
  static void change(MixedFiles files) throws IOException {
    List<String> covered =
        files.paths().stream()
            .filter(path -> path.startsWith(MixedFiles.PROTECTED + "/"))
            .sorted()
            .toList();
    for (int i = 0; i < covered.size(); i++) {
      String path = covered.get(i);
      switch (i % 5) {
        case 0 -> files.delete(path);
        case 1 -> files.append(path, BLOCK / 3 + i);
        case 2 -> {
          int length = files.contents().get(path).length;
          files.truncate(path, 1);
          files.append(path, length - 1);
        }
        case 3 -> files.truncate(path, files.contents().get(path).length / 2);
        default -> files.rename(path, path + ".renamed");
      }
    }
    files.fill(MixedFiles.PROTECTED, covered.size() / 5);
  }

  private static int indexOf(MiniRaidp raidp, String uuid) {
    return raidp.dfs().getDataNodes().stream()
        .map(DataNode::getDatanodeUuid)
        .toList()
        .indexOf(uuid);
  }

  static void failAndRecover(MiniRaidp raidp, Set<Integer> pair, MixedFiles files)
      throws Exception {
    FailedDisks.failAndRecover(raidp, pair.toArray(Integer[]::new));
    files.assertAsTheyShouldBe();
  }

  /** Its superchunks wait for it: nothing is recovered meanwhile. */
  /** As from a backup, or a disk that was taken out and put in again. */
  final void putBack(Restored restored) throws Exception {
    try (MiniRaidp raidp = start("1h")) {
      MixedFiles files = filled(raidp, 7 + restored.ordinal());
      String uuid = raidp.dfs().getDataNodes().get(NODE).getDatanodeUuid();
      Set<Integer> pair = FailedDisks.pairWith(raidp, NODE);
      DataNodeProperties down = raidp.dfs().stopDataNode(NODE);
      for (Path directory : restored.directories(root)) {
        copy(directory, saved(directory));
      }
      assertThat(raidp.dfs().restartDataNode(down, true)).isTrue();
      raidp.dfs().waitActive();
      change(files);
      files.assertAsTheyShouldBe();
      change(files);

      down = raidp.dfs().stopDataNode(indexOf(raidp, uuid));
      for (Path directory : restored.directories(root)) {
        FileUtils.deleteDirectory(directory.toFile());
        Files.move(saved(directory), directory);
      }
      assertThat(raidp.dfs().restartDataNode(down, true)).isTrue();
      raidp.dfs().waitActive();
      files.assertAsTheyShouldBe();
      failAndRecover(raidp, pair, files);
    }
  }

  private static Path saved(Path directory) {
    return directory.resolveSibling(directory.getFileName() + ".saved");
  }

  private static void copy(Path from, Path to) throws IOException {
    FileUtils.copyDirectory(from.toFile(), to.toFile(), true);
  }
}
