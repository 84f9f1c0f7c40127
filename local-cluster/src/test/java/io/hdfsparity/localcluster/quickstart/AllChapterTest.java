/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All chapters with small files, on one cluster of processes. */
@Tag("full")
class AllChapterTest {
  /** Empty, one byte, less than a cell, less than a stripe, and more than a block group. */
  private static final int[] LENGTHS = {0, 1, 700_001, (3 << 20) + 5, (37 << 20) + 111};

  /** So many blocks that three superchunks have some whose disks form a triangle. */
  private static final int SMALL_FILES = 100;

  private static final int SMALL_LENGTH = 5_000;

  @TempDir Path dir;

  @Test
  void everyByteComesBackAfterEveryStepOfEachChapter() throws Exception {
    Path source = Files.createDirectories(dir.resolve("source"));
    for (int file = 0; file < LENGTHS.length + SMALL_FILES; file++) {
      byte[] bytes = new byte[file < LENGTHS.length ? LENGTHS[file] : SMALL_LENGTH];
      new Random(file).nextBytes(bytes);
      Files.write(source.resolve("f" + file), bytes);
    }
    QuickstartOptions options =
        QuickstartOptions.parse(List.of("all", "source"), dir, dir.resolve("cluster"));
    ByteArrayOutputStream shown = new ByteArrayOutputStream();
    Screen screen = new Screen(new PrintStream(shown, true, StandardCharsets.UTF_8), 0, 0);
    Runner runner = new Runner(options, Path.of("..").toAbsolutePath().normalize(), screen);
    Chapter chapter = options.chapter().chapter(runner);
    runner.chooseFiles(chapter);
    Workspace workspace = Workspace.take(options.clusterDir(), screen::line);
    try {
      runner.run(chapter);
    } finally {
      System.out.println(shown.toString(StandardCharsets.UTF_8));
      workspace.clear();
    }
    assertThat(shown.toString(StandardCharsets.UTF_8))
        .contains("CHAPTER raidp", "6/6 ", "healthy: ")
        .contains("CHAPTER izs", "7/7 ")
        .contains("62.5 % = 5/8, to the byte")
        .contains("4 of 8 nodes are dead")
        .contains("SHA-256 equal        105 files of 105")
        .contains("CHAPTER ec-update", "5/5 ")
        .contains("Kill dn1 (kill -9) in the middle", "all parity right")
        .contains("CHAPTER caso", "9/9 ")
        .contains("rebuilt from its copy, all bytes right")
        .contains("AFTER ALL CHAPTERS")
        .contains("ALL CHAPTERS PASSED ON ONE CLUSTER");
    assertThat(options.clusterDir()).doesNotExist();
    assertThat(chapter.commands()).allMatch(each -> !each.isBlank());
  }
}
