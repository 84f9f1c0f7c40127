/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.level.CrashPoints;
import io.hdfsparity.bridge.swap.SwapPoints;
import io.hdfsparity.bridge.swap.SwapPoints.Point;
import io.hdfsparity.izs.apply.MovePoints;
import io.hdfsparity.izs.config.ApplyKey;
import io.hdfsparity.izs.namenode.LevelManager;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The NameNode fails at each point of a swap, with what it has logged so far on disk, and is
 * started again; the path leads to all bytes, in one form or the other, and the next run ends it.
 */
@Tag("full")
class IzsApplyCrashTest {
  private static final AtomicReference<Point> FAIL_AT = new AtomicReference<>();
  private static final AtomicReference<Callable<?>> AFTER_JUDGEMENT = new AtomicReference<>();

  @TempDir static Path root;
  private static MiniApply apply;

  /** A level manager whose swaps fail where the test says, each of them. */
  public static final class FailingManager extends LevelManager {
    public FailingManager() {
      super(CrashPoints.NONE, (SwapPoints) FailingManager::reached);
    }

    private static void reached(Point point) {
      if (FAIL_AT.get() == point) {
        throw new IllegalStateException("fails at " + point);
      }
      Callable<?> meanwhile = point == Point.JUDGED ? AFTER_JUDGEMENT.getAndSet(null) : null;
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

  /** Between the read lock, under which two files are judged, and the write lock. */
  @Test
  void whatChangesAfterTheJudgementIsSeen() throws Exception {
    DistributedFileSystem fs = apply.fs();
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/late/f");
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
    byte[] longer = java.util.Arrays.copyOf(bytes, bytes.length + 1);
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

  @Test
  void everyPointLeavesOneOfTheTwoForms() throws Exception {
    Configuration hasty = new Configuration(apply.conf());
    hasty.set(ApplyKey.SETTLE_TIMEOUT.key(), "2s");
    DistributedFileSystem fs = apply.fs();
    byte[] bytes = MiniLevels.bytes(MiniLevels.GROUP_BYTES + 4321, 1);
    MiniLevels.write(fs, "/f/f", bytes);
    fs.setPermission(new org.apache.hadoop.fs.Path("/f/f"), new FsPermission((short) 0604));
    boolean code = true;
    for (Point point : Point.values()) {
      boolean unchanged = point.compareTo(Point.CHECKED) <= 0;
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
      assertThat(fs.getFileStatus(new org.apache.hadoop.fs.Path("/f/f")).getPermission().toShort())
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
    java.util.concurrent.Callable<Boolean> answers =
        () ->
            apply.run(
                    apply.conf(),
                    MovePoints.NONE,
                    new java.io.ByteArrayOutputStream(),
                    "-advise",
                    "/f")
                == 0;
    org.awaitility.Awaitility.await().atMost(java.time.Duration.ofSeconds(60)).until(answers);
  }
}
