/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.izs.admin.IzsAdmin;
import io.hdfsparity.izs.config.LevelKey;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.tools.DFSck;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** hdfs izs on a tree of files, while it is read and written. */
@Tag("full")
class LevelCommandTest {
  private static final int FILES = Integer.getInteger("level.command.files", 60);

  /** Without content, so that there can be many. */
  private static final int EMPTY_FILES = Integer.getInteger("level.command.empty.files", 2000);

  private record Answer(int code, String out, String err) {}

  @Test
  void treesWhileTheyAreReadAndWritten(@TempDir Path root) throws Exception {
    Configuration conf = MiniLevels.conf();
    conf.set(LevelKey.BATCH_FILES.key(), "7");
    try (MiniLevels levels = MiniLevels.start(conf, root, MiniLevels.K + 3)) {
      DistributedFileSystem fs = levels.cluster().getFileSystem();
      MiniLevels.addPolicies(fs, "rs");
      MiniLevels.makeDirectory(fs, "/t", MiniLevels.policy("rs", 1));
      MiniLevels.makeDirectory(fs, "/new", MiniLevels.policy("rs", 1));
      for (int i = 0; i < FILES; i++) {
        MiniLevels.write(fs, "/t/d" + i % 3 + "/f" + i, MiniLevels.bytes(5000 + i, i));
      }
      byte[] hot = MiniLevels.bytes(2 * MiniLevels.GROUP_BYTES, 99);
      MiniLevels.write(fs, "/t/hot", hot);
      MiniLevels.makeDirectory(fs, "/t/plain", "REPLICATION");
      MiniLevels.write(fs, "/t/plain/copy", new byte[100]);

      AtomicBoolean stop = new AtomicBoolean();
      ExecutorService threads = Executors.newFixedThreadPool(3);
      Future<Integer> openOnce = threads.submit(() -> readOn(fs, "/t/hot", hot, stop, false));
      Future<Integer> openAgain = threads.submit(() -> readOn(fs, "/t/hot", hot, stop, true));
      Future<Integer> writer = threads.submit(() -> writeOn(fs, stop));
      for (int level : new int[] {3, 1, 2}) {
        changeAll(levels, level);
      }
      stop.set(true);
      assertThat(openOnce.get(120, TimeUnit.SECONDS)).isPositive();
      assertThat(openAgain.get(120, TimeUnit.SECONDS)).isPositive();
      int written = writer.get(120, TimeUnit.SECONDS);
      threads.shutdown();

      Answer held = refusedFile(levels, fs);
      assertThat(held.code()).isEqualTo(-1);
      assertThat(held.out()).contains("refused open: 1").contains("remedy: ");
      levels.cluster().restartNameNode(true);
      for (int i = 0; i < FILES; i++) {
        String path = "/t/d" + i % 3 + "/f" + i;
        assertThat(MiniLevels.policyOf(fs, path)).isEqualTo(MiniLevels.policy("rs", 2));
        assertThat(MiniLevels.read(fs, path, 5000 + i)).isEqualTo(MiniLevels.bytes(5000 + i, i));
      }
      for (int i = 0; i < written; i++) {
        assertThat(MiniLevels.read(fs, "/t/w" + i, 3000)).isEqualTo(MiniLevels.bytes(3000, i));
      }
      MiniLevels.awaitUnits(fs, "/t/hot", 2);
      assertThat(MiniLevels.read(fs, "/t/hot", hot.length)).isEqualTo(hot);
      assertFsckIsContent(levels);
      thousandsOfFiles(levels, fs);
    }
  }

  /** In hundreds of calls, with one summary at the end; run again, nothing is left to do. */
  private static void thousandsOfFiles(MiniLevels levels, DistributedFileSystem fs)
      throws Exception {
    MiniLevels.makeDirectory(fs, "/many", MiniLevels.policy("rs", 1));
    for (int i = 0; i < EMPTY_FILES; i++) {
      fs.create(new org.apache.hadoop.fs.Path("/many/d" + i % 10 + "/f" + i)).close();
    }
    await("the NameNode that was started again changes levels")
        .untilAsserted(() -> assertThat(izs(levels, "-status").out()).contains("active, guarded"));
    try (OutputStream out = fs.create(new org.apache.hadoop.fs.Path("/many/d3/open"))) {
      out.write(1);
      Answer all = izs(levels, "-setLevel", "3", "/many", "-R");
      assertThat(all.code()).isEqualTo(-1);
      assertThat(all.out())
          .as(all.err())
          .startsWith("level 3: " + EMPTY_FILES + " changed, 0 unchanged, 1 refused, 0 replicated")
          .contains("refused open: 1");
      assertThat(izs(levels, "-setLevel", "3", "/many", "-R").out())
          .startsWith("level 3: 0 changed, " + EMPTY_FILES + " unchanged, 1 refused");
    }
    assertThat(izs(levels, "-setLevel", "3", "/many", "-R").code()).isZero();
    levels.cluster().restartNameNode(true);
    assertThat(izs(levels, "-getLevel", "/many", "-R").out())
        .contains("level 3  " + MiniLevels.policy("rs", 3) + "  " + (EMPTY_FILES + 1) + " files");
  }

  /** Hadoop's own check, which makes a placement policy of its own in the NameNode. */
  private static void assertFsckIsContent(MiniLevels levels) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int code =
        ToolRunner.run(
            new DFSck(
                levels.cluster().getConfiguration(0),
                new PrintStream(out, true, StandardCharsets.UTF_8)),
            new String[] {"/t"});
    assertThat(code).as(out.toString(StandardCharsets.UTF_8)).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8)).contains("HEALTHY");
  }

  private static void changeAll(MiniLevels levels, int level) throws Exception {
    await("all at level " + level)
        .pollInterval(java.time.Duration.ofMillis(500))
        .untilAsserted(
            () -> {
              Answer answer = izs(levels, "-setLevel", "" + level, "/t", "-R", "-json");
              assertThat(answer.out()).contains("\"replicated\" : 1");
              assertThat(answer.code()).as(answer.out()).isZero();
            });
    Answer again = izs(levels, "-setLevel", "" + level, "/t/d0", "-R");
    assertThat(again.out())
        .contains("level " + level + ": 0 changed, " + FILES / 3 + " unchanged, 0 refused");
    assertThat(izs(levels, "-getLevel", "/t/d1", "-R").out())
        .contains(
            "level " + level + "  " + MiniLevels.policy("rs", level) + "  " + FILES / 3 + " files");
    Answer status = izs(levels, "-status", "-progress");
    assertThat(status.code()).isZero();
    assertThat(status.out()).contains("active, guarded").contains("0 groups lack units");
  }

  private static Answer refusedFile(MiniLevels levels, DistributedFileSystem fs) throws Exception {
    try (OutputStream out = fs.create(new org.apache.hadoop.fs.Path("/t/d2/open"))) {
      out.write(1);
      assertThat(izs(levels, "-setLevel", "2", "/t").err()).contains("-R takes all files");
      assertThat(izs(levels, "-setLevel", "4", "/t", "-R").err()).contains("expected 1, 2 or 3");
      assertThat(izs(levels, "-setLevel", "2", "/absent").err()).contains("/absent");
      return izs(levels, "-setLevel", "2", "/t/d2", "-R");
    }
  }

  private static int readOn(
      DistributedFileSystem fs, String path, byte[] bytes, AtomicBoolean stop, boolean reopen)
      throws Exception {
    int reads = 0;
    FSDataInputStream in = fs.open(new org.apache.hadoop.fs.Path(path));
    try {
      while (!stop.get()) {
        byte[] read = new byte[bytes.length];
        in.seek(0);
        in.readFully(read);
        assertThat(Arrays.equals(read, bytes)).as("read %d", reads).isTrue();
        reads++;
        if (reopen) {
          in.close();
          in = fs.open(new org.apache.hadoop.fs.Path(path));
        }
      }
    } finally {
      in.close();
    }
    return reads;
  }

  private static int writeOn(DistributedFileSystem fs, AtomicBoolean stop) throws Exception {
    int files = 0;
    while (!stop.get() && files < 40) {
      // Renamed in when whole, so that the tree holds no open file.
      MiniLevels.write(fs, "/new/f", MiniLevels.bytes(3000, files));
      fs.rename(
          new org.apache.hadoop.fs.Path("/new/f"), new org.apache.hadoop.fs.Path("/t/w" + files));
      files++;
    }
    return files;
  }

  private static Answer izs(MiniLevels levels, String... args) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code =
        ToolRunner.run(
            new IzsAdmin(
                levels.cluster().getConfiguration(0),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8)),
            args);
    return new Answer(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }
}
