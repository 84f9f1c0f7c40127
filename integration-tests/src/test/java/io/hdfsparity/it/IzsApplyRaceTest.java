/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.level.CrashPoints;
import io.hdfsparity.bridge.swap.SwapPoints;
import io.hdfsparity.izs.apply.MovePoints;
import io.hdfsparity.izs.apply.MovePoints.Point;
import io.hdfsparity.izs.config.ApplyKey;
import io.hdfsparity.izs.namenode.LevelManager;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * While a file moves between copies and code, others write, read, replace and change it, and the
 * NameNode fails: the path leads to all bytes that were acknowledged, in one form or the other.
 */
@Tag("full")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class IzsApplyRaceTest {
  private static final int BYTES = MiniApply.BYTES;
  private static final AtomicReference<SwapPoints.Point> FAIL_AT = new AtomicReference<>();
  private static final AtomicReference<Callable<?>> AFTER_JUDGEMENT = new AtomicReference<>();

  @TempDir static java.nio.file.Path root;
  private static MiniApply apply;
  private static DistributedFileSystem fs;

  /** A level manager whose swaps fail where the test says, each of them. */
  public static final class FailingManager extends LevelManager {
    public FailingManager() {
      super(CrashPoints.NONE, (SwapPoints) FailingManager::reached);
    }

    private static void reached(SwapPoints.Point point) {
      if (FAIL_AT.get() == point) {
        throw new IllegalStateException("fails at " + point);
      }
      Callable<?> meanwhile =
          point == SwapPoints.Point.JUDGED ? AFTER_JUDGEMENT.getAndSet(null) : null;
      if (meanwhile != null) {
        try {
          meanwhile.call();
        } catch (Exception e) {
          throw new IllegalStateException(e);
        }
      }
    }
  }

  @BeforeAll
  static void start() throws IOException {
    apply = MiniApply.start(root, FailingManager.class);
    fs = apply.fs();
  }

  @AfterAll
  static void stop() {
    apply.close();
  }

  @AfterEach
  void forget() {
    FAIL_AT.set(null);
    AFTER_JUDGEMENT.set(null);
  }

  /** What a writer does, and what has to be at the path and beside it afterwards. */
  private record Intrusion(String name, MiniApply.Doing doing, byte[] expected, String kind) {}

  @Test
  void whatAWriterDoesBeforeTheSwapStays() throws Exception {
    byte[] bytes = MiniLevels.bytes(BYTES, 11);
    byte[] other = MiniLevels.bytes(BYTES, 12);
    Path file = new Path("/race/f");
    Path aside = new Path("/race-aside");
    List<Intrusion> intrusions =
        List.of(
            new Intrusion(
                "append",
                () -> {
                  try (FSDataOutputStream out = fs.append(file)) {
                    out.write(7);
                  }
                },
                MiniApply.append(bytes, 7),
                "changed"),
            new Intrusion(
                "overwrite", () -> MiniLevels.write(fs, "/race/f", other), other, "changed"),
            new Intrusion(
                "rename",
                () -> assertThat(fs.rename(file, aside)).isTrue(),
                new byte[0],
                "changed"),
            new Intrusion(
                "delete",
                () -> assertThat(fs.delete(file, false)).isTrue(),
                new byte[0],
                "changed"),
            new Intrusion(
                "truncate and append the same length, with the time set back",
                () -> {
                  long modifiedMs = fs.getFileStatus(file).getModificationTime();
                  truncateLastByte(file);
                  try (FSDataOutputStream out = fs.append(file)) {
                    out.write(bytes[BYTES - 1] ^ 1);
                  }
                  fs.setTimes(file, modifiedMs, -1);
                },
                withLast(bytes),
                "changed"),
            new Intrusion(
                "another file of the same times",
                () -> {
                  long modifiedMs = fs.getFileStatus(file).getModificationTime();
                  MiniLevels.write(fs, "/race-aside", other);
                  fs.setTimes(aside, modifiedMs, -1);
                  fs.rename(aside, file, org.apache.hadoop.fs.Options.Rename.OVERWRITE);
                },
                other,
                "changed"));
    for (Intrusion each : intrusions) {
      for (Point point : List.of(Point.WRITING, Point.COPIED, Point.VERIFIED, Point.DRESSED)) {
        MiniLevels.write(fs, "/race/f", bytes);
        fs.delete(aside, false);
        apply.want("/race", "code");
        MiniApply.Run run = apply.apply(apply.conf(), MiniApply.at(point, each.doing()), "/race");
        assertThat(run.refusals(each.kind()))
            .as("%s at %s: %s", each.name(), point, run.doc())
            .isEqualTo(1);
        if (each.expected().length > 0) {
          apply.assertBytes("/race/f", each.expected());
        } else {
          assertThat(fs.exists(file)).as(each.name()).isFalse();
        }
        if (each.name().equals("rename")) {
          apply.assertBytes("/race-aside", bytes);
        }
        assertThat(apply.leftovers()).as(each.name()).isEmpty();
      }
    }
  }

  private static byte[] withLast(byte[] bytes) {
    byte[] changed = bytes.clone();
    changed[bytes.length - 1] ^= 1;
    return changed;
  }

  private static void truncateLastByte(Path file) throws Exception {
    if (!fs.truncate(file, BYTES - 1)) {
      Awaitility.await().until(() -> fs.isFileClosed(file));
    }
  }

  @Test
  void aWriterThatStillWritesKeepsItsFile() throws Exception {
    byte[] bytes = apply.write("/writer/f", 2, 13);
    apply.want("/writer", "code");
    List<FSDataOutputStream> writers = new ArrayList<>();
    MovePoints open =
        MiniApply.at(
            Point.DRESSED,
            () -> {
              FSDataOutputStream out = fs.append(new Path("/writer/f"));
              out.write(9);
              ((HdfsDataOutputStream) out).hsync();
              writers.add(out);
            });
    MiniApply.Run run = apply.apply(apply.conf(), open, "/writer");
    assertThat(run.refusals("open")).as("%s", run.doc()).isEqualTo(1);
    writers.get(0).write(10);
    writers.get(0).close();
    apply.assertBytes("/writer/f", MiniApply.append(MiniApply.append(bytes, 9), 10));
    assertThat(apply.apply("/writer").code()).isZero();
    apply.assertBytes("/writer/f", MiniApply.append(MiniApply.append(bytes, 9), 10));
    assertThat(apply.form("/writer/f")).isEqualTo("ec RS-4-1-16k");
  }

  @Test
  void attributesThatChangeMeanwhileAreNotLost() throws Exception {
    byte[] bytes = apply.write("/chmod/f", 2, 14);
    Path file = new Path("/chmod/f");
    apply.want("/chmod", "code");
    MovePoints change =
        MiniApply.at(
            Point.DRESSED,
            () -> {
              fs.setPermission(file, new FsPermission((short) 0600));
              fs.setXAttr(file, "user.late", new byte[] {'y'});
              fs.setOwner(file, "judy", null);
            });
    MiniApply.Run run = apply.apply(apply.conf(), change, "/chmod");
    assertThat(run.code()).as("%s %s", run.doc(), run.err()).isZero();
    FileStatus status = fs.getFileStatus(file);
    assertThat(status.getPermission().toShort()).isEqualTo((short) 0600);
    assertThat(status.getOwner()).isEqualTo("judy");
    assertThat(fs.getXAttrs(file)).containsKey("user.late");
    assertThat(apply.form("/chmod/f")).isEqualTo("ec RS-4-1-16k");
    apply.assertBytes("/chmod/f", bytes);
  }

  @Test
  void aReaderOfTheOldFileGetsRightBytesOrAnError() throws Exception {
    byte[] bytes = apply.write("/reader/f", 2, 15);
    apply.want("/reader", "code");
    byte[] read = new byte[BYTES];
    try (FSDataInputStream in = fs.open(new Path("/reader/f"))) {
      int half = MiniLevels.BLOCK_BYTES / 2;
      in.readFully(0, read, 0, half);
      assertThat(apply.apply("/reader").code()).isZero();
      try {
        in.readFully(half, read, half, BYTES - half);
        assertThat(read).isEqualTo(bytes);
      } catch (IOException expected) {
        assertThat(Arrays.copyOf(read, half)).isEqualTo(Arrays.copyOf(bytes, half));
      }
    }
    apply.assertBytes("/reader/f", bytes);
  }

  /**
   * One writer that never waits, one mover that never stops. The dumb twin is a map of what the
   * writer was told is stored.
   */
  @Test
  void aWriterAndAMoverRace() throws Exception {
    long seed = Long.getLong("izs.apply.seed", 20261121L);
    int rounds = Integer.getInteger("izs.apply.it.rounds", 40);
    RacingWriter writer = new RacingWriter(fs, "/busy", seed);
    writer.begin();
    AtomicBoolean stop = new AtomicBoolean();
    List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    AtomicInteger moved = new AtomicInteger();
    Thread mover =
        new Thread(
            () -> {
              boolean code = true;
              while (!stop.get()) {
                try {
                  apply.want("/busy", code ? "code" : "copies");
                  moved.addAndGet((int) apply.apply("/busy").changed("REWRITE"));
                } catch (Throwable e) {
                  failures.add(e);
                  return;
                }
                code = !code;
              }
            });
    mover.start();
    try {
      for (int i = 0; i < rounds || moved.get() < 3 && i < 20 * rounds; i++) {
        writer.step();
      }
    } finally {
      stop.set(true);
      mover.join();
    }
    assertThat(failures).isEmpty();
    assertThat(moved.get()).as("moves that a writer did not prevent").isPositive();
    writer.assertAll("seed " + seed);
    assertThat(apply.leftovers()).isEmpty();
  }

  /** Between the read lock, under which two files are judged, and the write lock. */
  @Test
  void whatChangesAfterTheJudgementIsSeen() throws Exception {
    Path file = new Path("/late/f");
    byte[] bytes = MiniLevels.bytes(MiniLevels.GROUP_BYTES + 99, 2);
    MiniLevels.write(fs, "/late/f", bytes);
    apply.want("/late", "code");
    AFTER_JUDGEMENT.set(
        () -> {
          try (OutputStream out = fs.append(file)) {
            out.write(7);
          }
          return null;
        });
    MiniApply.Run run = apply.apply("/late");
    assertThat(AFTER_JUDGEMENT.get()).as("has run").isNull();
    assertThat(run.refusals("changed")).as("%s %s", run.doc(), run.err()).isEqualTo(1);
    byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
    longer[bytes.length] = 7;
    apply.assertBytes("/late/f", longer);
    AFTER_JUDGEMENT.set(
        () -> {
          fs.setPermission(file, new FsPermission((short) 0600));
          return null;
        });
    run = apply.apply("/late");
    assertThat(AFTER_JUDGEMENT.get()).as("has run").isNull();
    assertThat(run.changed("REWRITE")).as("%s %s", run.doc(), run.err()).isEqualTo(1);
    assertThat(fs.getFileStatus(file).getPermission().toShort()).isEqualTo((short) 0600);
    assertThat(apply.form("/late/f")).isEqualTo("ec RS-4-1-16k");
    apply.assertBytes("/late/f", longer);
    assertThat(apply.leftovers()).isEmpty();
  }

  /**
   * The NameNode fails at each point of a swap, with what it has logged so far on disk, and is
   * started again; the next run ends it. Last, because of the restarts.
   */
  @Test
  @Order(Integer.MAX_VALUE)
  void everyPointLeavesOneOfTheTwoForms() throws Exception {
    Configuration hasty = new Configuration(apply.conf());
    hasty.set(ApplyKey.SETTLE_TIMEOUT.key(), "2s");
    byte[] bytes = MiniLevels.bytes(MiniLevels.GROUP_BYTES + 4321, 1);
    MiniLevels.write(fs, "/f/f", bytes);
    fs.setPermission(new Path("/f/f"), new FsPermission((short) 0604));
    boolean code = true;
    for (SwapPoints.Point point : SwapPoints.Point.values()) {
      boolean unchanged = point.compareTo(SwapPoints.Point.CHECKED) <= 0;
      apply.want("/f", code ? "code" : "copies");
      FAIL_AT.set(point);
      MiniApply.Run failed = apply.apply(hasty, MovePoints.NONE, "/f");
      FAIL_AT.set(null);
      // After the rename the same question is answered by what is there.
      assertThat(failed.changed("REWRITE"))
          .as("%s: %s", point, failed.doc())
          .isEqualTo(unchanged ? 0 : 1);
      assertThat(failed.refusals("unknown")).isEqualTo(unchanged ? 1 : 0);
      restart();
      fs = apply.fs();
      apply.assertBytes("/f/f", bytes);
      MiniApply.Run next = apply.apply("/f");
      assertThat(next.code()).as("%s: %s %s", point, next.doc(), next.err()).isZero();
      assertThat(next.changed("REWRITE")).isEqualTo(unchanged ? 1 : 0);
      assertThat(apply.form("/f/f")).isEqualTo(code ? "ec RS-4-1-16k" : "replication 2");
      assertThat(fs.getFileStatus(new Path("/f/f")).getPermission().toShort())
          .isEqualTo((short) 0604);
      apply.assertBytes("/f/f", bytes);
      assertThat(apply.leftovers()).isEmpty();
      code = !code;
    }
  }

  private static void restart() throws IOException {
    apply.levels().cluster().restartNameNode(true);
    // Connections that were kept since before the restart end with an error, once.
    apply.levels().status(0);
    Callable<Boolean> answers =
        () ->
            apply.run(apply.conf(), MovePoints.NONE, new ByteArrayOutputStream(), "-advise", "/f")
                == 0;
    Awaitility.await().until(answers);
  }
}
