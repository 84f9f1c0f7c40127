/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.bridge.config.SuiteKey;
import io.hdfsparity.bridge.level.CrashPoints.Point;
import io.hdfsparity.izs.config.LevelKey;
import io.hdfsparity.izs.namenode.LevelManager;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.NameNodeAdapter;
import org.apache.hadoop.util.ExitUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The NameNode ends at each point of a change, with what it has logged so far on disk; after the
 * restart the file has one of the two levels, all of its units and all of its bytes.
 */
@Tag("full")
class LevelCrashTest {
  private static final AtomicReference<Runnable> AT_CLUSTER = new AtomicReference<>();
  private static final AtomicReference<Point> CRASH_AT = new AtomicReference<>();
  private static final AtomicBoolean IS_CHANGING = new AtomicBoolean();

  /** A level manager whose NameNode ends where the test says. */
  public static final class CrashingManager extends LevelManager {
    public CrashingManager() {
      super(CrashingManager::reached);
    }

    private static void reached(Point point) {
      if (point == Point.CHECKED) {
        IS_CHANGING.set(true);
      }
      // What is refused is made durable, too: that is no change.
      if (point == Point.DURABLE && !IS_CHANGING.get()) {
        return;
      }
      if (CRASH_AT.compareAndSet(point, null)) {
        AT_CLUSTER.get().run();
        throw new IllegalStateException("crash at " + point);
      }
    }
  }

  @AfterEach
  void forget() {
    CRASH_AT.set(null);
    AT_CLUSTER.set(null);
    ExitUtil.resetFirstExitException();
  }

  @Test
  void everyPointLeavesOneOfTheTwoLevels(@TempDir Path root) throws Exception {
    Configuration conf = MiniLevels.conf();
    conf.set(SuiteKey.FEATURES.key(), CrashingManager.class.getName());
    // A NameNode that orders rebuilds before all nodes have reported may have two units of a group
    // made on one node. HDFS knows one of them (DatanodeStorageInfo#addBlock), and the other only
    // from the node's next full report.
    conf.setLong(DFSConfigKeys.DFS_BLOCKREPORT_INTERVAL_MSEC_KEY, 15_000);
    try (MiniLevels levels = MiniLevels.start(conf, root, MiniLevels.K + 3)) {
      DistributedFileSystem fs = levels.cluster().getFileSystem();
      byte[] bytes = MiniLevels.bytes(2 * MiniLevels.GROUP_BYTES + 12_345, 7);
      MiniLevels.makeFile(fs, bytes, 1);
      int level = 1;
      for (Point point : MiniLevels.POINTS) {
        int wanted = level == 1 ? 3 : 1;
        long modifiedMs =
            fs.getFileStatus(new org.apache.hadoop.fs.Path("/rs/f")).getModificationTime();
        crash(levels, point, wanted);
        level = point == Point.CHECKED ? level : wanted;
        MiniLevels.awaitUnits(fs, "/rs/f", level);
        assertThat(fs.isFileClosed(new org.apache.hadoop.fs.Path("/rs/f"))).isTrue();
        assertThat(fs.getFileStatus(new org.apache.hadoop.fs.Path("/rs/f")).getModificationTime())
            .isEqualTo(modifiedMs);
        assertThat(MiniLevels.read(fs, "/rs/f", bytes.length)).as("%s", point).isEqualTo(bytes);
        assertThat(levels.status(0).changes().interruptedChangesCompleted())
            .as("%s", point)
            .isEqualTo(point == Point.OPENED ? 1 : 0);
      }
      levels.assertReadsWithout(fs, "/rs/f", bytes, level);
    }
  }

  /**
   * Recovery of its lease, as HDFS makes it for a writer that has gone, would cut the file to whole
   * stripes: to nothing.
   */
  @Test
  void aTornChangeIsNotRecoveredAsAnOpenFile(@TempDir Path root) throws Exception {
    Configuration conf = MiniLevels.conf();
    conf.set(SuiteKey.FEATURES.key(), CrashingManager.class.getName());
    conf.set(LevelKey.SWEEP_INTERVAL.key(), "1h");
    try (MiniLevels levels = MiniLevels.start(conf, root, MiniLevels.K + 3)) {
      DistributedFileSystem fs = levels.cluster().getFileSystem();
      byte[] bytes = MiniLevels.bytes(MiniLevels.CELL_BYTES * 3 / 2, 8);
      MiniLevels.makeFile(fs, bytes, 1);
      crash(levels, Point.OPENED, 3, /* awaitActive= */ false);
      org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path("/rs/f");
      // Safe mode and the interrupted change refuse it.
      await("closed").ignoreExceptions().until(() -> fs.recoverLease(path));
      assertThat(fs.getFileStatus(path).getLen()).isEqualTo(bytes.length);
      levels.cluster().waitActive();
      MiniLevels.awaitUnits(fs, "/rs/f", 3);
      assertThat(MiniLevels.read(fs, "/rs/f", bytes.length)).isEqualTo(bytes);
      assertThat(levels.status(0).changes().interruptedChangesCompleted()).isEqualTo(1);
    }
  }

  /** HDFS recovers leases that have grown too old in a safe mode as soon as it has ended. */
  @Test
  void theLeaseOfATornChangeDoesNotGrowOldInSafeMode(@TempDir Path root) throws Exception {
    Configuration conf = MiniLevels.conf();
    conf.set(SuiteKey.FEATURES.key(), CrashingManager.class.getName());
    try (MiniLevels levels = MiniLevels.start(conf, root, MiniLevels.K + 3)) {
      DistributedFileSystem fs = levels.cluster().getFileSystem();
      byte[] bytes = MiniLevels.bytes(MiniLevels.CELL_BYTES * 3 / 2, 9);
      MiniLevels.makeFile(fs, bytes, 1);
      // The next one stays in safe mode until it is told to leave it.
      levels
          .cluster()
          .getConfiguration(0)
          .setInt(DFSConfigKeys.DFS_NAMENODE_SAFEMODE_MIN_DATANODES_KEY, 1000);
      crash(levels, Point.OPENED, 3, /* awaitActive= */ false);
      NameNode nameNode = levels.cluster().getNameNode();
      long first = NameNodeAdapter.getLeaseRenewalTime(nameNode, "/rs/f");
      assertThat(first).isPositive();
      await("renewed, and renewed again")
          .until(() -> NameNodeAdapter.getLeaseRenewalTime(nameNode, "/rs/f") > first + 1000);
      assertThat(nameNode.isInSafeMode()).isTrue();
      levels.cluster().triggerBlockReports();
      // Not a part of its bytes, as if that were all: DataNodes know the length of a unit only.
      await("refused")
          .untilAsserted(
              () ->
                  assertThatThrownBy(() -> readAll(fs, "/rs/f"))
                      .hasMessageContaining("levelChange=interrupted"));
      NameNodeAdapter.leaveSafeMode(nameNode);
      await("completed").until(() -> levels.status(0).changes().interruptedChangesCompleted() == 1);
      org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path("/rs/f");
      // The connection of before the restart ends in an error once.
      await("closed").ignoreExceptions().until(() -> fs.isFileClosed(path));
      MiniLevels.awaitUnits(fs, "/rs/f", 3);
      assertThat(MiniLevels.read(fs, "/rs/f", bytes.length)).isEqualTo(bytes);
    }
  }

  /** HDFS would recover its lease some time, and cut the file to whole stripes. */
  @Test
  void aTornChangeIsCompletedWhereLevelsAreSwitchedOff(@TempDir Path root) throws Exception {
    Configuration conf = MiniLevels.conf();
    conf.set(SuiteKey.FEATURES.key(), CrashingManager.class.getName());
    try (MiniLevels levels = MiniLevels.start(conf, root, MiniLevels.K + 3)) {
      DistributedFileSystem fs = levels.cluster().getFileSystem();
      byte[] bytes = MiniLevels.bytes(MiniLevels.CELL_BYTES * 3 / 2, 10);
      MiniLevels.makeFile(fs, bytes, 1);
      levels.cluster().getConfiguration(0).set(SuiteKey.FEATURES.key(), "caso");
      crash(levels, Point.OPENED, 3);
      org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path("/rs/f");
      // The connection of before the restart ends in an error once.
      await("closed").ignoreExceptions().until(() -> fs.isFileClosed(path));
      MiniLevels.awaitUnits(fs, "/rs/f", 3);
      assertThat(MiniLevels.read(fs, "/rs/f", bytes.length)).isEqualTo(bytes);
    }
  }

  private static byte[] readAll(DistributedFileSystem fs, String path) throws IOException {
    try (InputStream in = fs.open(new org.apache.hadoop.fs.Path(path))) {
      return in.readAllBytes();
    }
  }

  private static void crash(MiniLevels levels, Point point, int level) throws Exception {
    crash(levels, point, level, /* awaitActive= */ true);
  }

  private static void crash(MiniLevels levels, Point point, int level, boolean awaitActive)
      throws Exception {
    AT_CLUSTER.set(() -> levels.cluster().getNamesystem().getEditLog().logSync());
    IS_CHANGING.set(false);
    CRASH_AT.set(point);
    await("crash at " + point).until(() -> crashes(levels, level));
    ExitUtil.resetFirstExitException();
    levels.cluster().restartNameNode(/* nnIndex= */ 0, awaitActive);
  }

  /** False while the file is refused for what the restart before left to be done. */
  private static boolean crashes(MiniLevels levels, int level) {
    try {
      assertThat(levels.setLevel(0, level, "/rs/f").refusal()).as("no crash").isPresent();
      return false;
    } catch (IOException e) {
      return true;
    }
  }
}
