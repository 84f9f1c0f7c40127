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
import io.hdfsparity.bridge.refusal.Refusal;
import io.hdfsparity.ecupdate.namenode.UpdateSessionManager;
import io.hdfsparity.ecupdate.protocol.SessionAnswer;
import io.hdfsparity.ecupdate.protocol.UpdateGroup;
import io.hdfsparity.ecupdate.protocol.UpdateSession;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.apache.hadoop.util.ExitUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A block group of a file is replaced by that of a copy: refusals, restarts, failovers, crashes.
 */
@Tag("full")
@Timeout(1200)
class GroupReplacementTest {
  private static final int LEVEL = 2;
  private static final int FILE_BYTES = 2 * MiniLevels.GROUP_BYTES + 12_345;
  private static final AtomicReference<Runnable> AT_CRASH = new AtomicReference<>();
  private static final AtomicReference<Point> CRASH_AT = new AtomicReference<>();

  /** A session manager whose NameNode ends where the test says. */
  public static final class CrashingManager extends UpdateSessionManager {
    public CrashingManager() {
      super(CrashingManager::reached);
    }

    private static void reached(Point point) {
      if (CRASH_AT.compareAndSet(point, null)) {
        AT_CRASH.get().run();
        throw new IllegalStateException("crash at " + point);
      }
    }
  }

  @AfterEach
  void forget() {
    CRASH_AT.set(null);
    AT_CRASH.set(null);
    ExitUtil.resetFirstExitException();
  }

  /** A file with the bytes of a group of another one. */
  private static void copy(DistributedFileSystem fs, byte[] bytes, UpdateGroup group, String path)
      throws IOException {
    int from = Math.toIntExact(group.offsetBytes());
    MiniLevels.write(
        fs, path, Arrays.copyOfRange(bytes, from, from + Math.toIntExact(group.lengthBytes())));
    MiniLevels.awaitUnits(fs, path, LEVEL);
  }

  private static List<Long> groups(DistributedFileSystem fs) throws IOException {
    return fs.getClient().getLocatedBlocks("/rs/f", 0, Long.MAX_VALUE).getLocatedBlocks().stream()
        .map(LocatedBlock::getBlock)
        .map(block -> block.getBlockId())
        .toList();
  }

  private static HdfsFileStatus status(DistributedFileSystem fs) throws IOException {
    return (HdfsFileStatus) fs.getFileStatus(new org.apache.hadoop.fs.Path("/rs/f"));
  }

  /** What HDFS counts of a directory, against what it counts when it looks at each file. */
  private static void assertCounted(MiniSessions sessions, DistributedFileSystem fs)
      throws IOException {
    org.apache.hadoop.fs.Path directory = new org.apache.hadoop.fs.Path("/rs");
    assertThat(fs.getQuotaUsage(directory).getSpaceConsumed())
        .isEqualTo(fs.getContentSummary(directory).getSpaceConsumed());
    assertThat(fs.listStatus(directory)).hasSize(1);
    assertThat(sessions.cluster().getNamesystem(0).getBlockManager().getMissingBlocksCount())
        .isZero();
  }

  /** Of the first group, which is a full one. */
  private static Refusal refused(MiniSessions sessions, UpdateSession session, String copy)
      throws IOException {
    return MiniSessions.refusal(
        sessions.call(
            0,
            manager ->
                manager.replace(
                    session.id(),
                    session.groups().get(0).groupId(),
                    Optional.of(copy),
                    Optional.empty())));
  }

  @Test
  void onlyAClosedCopyOfTheSameFormTakesThePlace(@TempDir Path root) throws Exception {
    try (MiniSessions sessions = MiniSessions.start(MiniSessions.conf(), root, MiniLevels.K + 3)) {
      DistributedFileSystem fs = sessions.cluster().getFileSystem();
      byte[] bytes = MiniLevels.bytes(FILE_BYTES, 3);
      MiniLevels.makeFile(fs, bytes, LEVEL);
      MiniLevels.makeDirectory(fs, "/other", MiniLevels.policy("rs", 1));
      fs.setQuota(new org.apache.hadoop.fs.Path("/rs"), Long.MAX_VALUE - 1, Long.MAX_VALUE - 1);
      UpdateSession session = sessions.granted(0, "/rs/f");
      List<Long> before = groups(fs);

      assertThat(refused(sessions, session, "/rs/f").kind()).isEqualTo("copy");
      MiniLevels.write(fs, "/other/policy", new byte[MiniLevels.GROUP_BYTES]);
      assertThat(refused(sessions, session, "/other/policy").reason()).contains("policy=");
      MiniLevels.write(fs, "/rs/long", new byte[MiniLevels.GROUP_BYTES + 1]);
      assertThat(refused(sessions, session, "/rs/long").reason()).contains("groups=2");
      MiniLevels.write(fs, "/rs/short", new byte[MiniLevels.GROUP_BYTES - 1]);
      assertThat(refused(sessions, session, "/rs/short").reason()).contains("lengthBytes=");
      try (var open = fs.create(new org.apache.hadoop.fs.Path("/rs/open"))) {
        open.write(bytes, 0, 10);
        assertThat(refused(sessions, session, "/rs/open").kind()).isEqualTo("open");
      }
      assertThatThrownBy(() -> refused(sessions, session, "/rs/none"))
          .hasMessageContaining("/rs/none");
      UpdateSession others = sessions.granted(0, "/other/policy");
      long group = others.groups().get(0).groupId();
      SessionAnswer elsewhere =
          sessions.call(
              0,
              manager ->
                  manager.replace(session.id(), group, Optional.of("/rs/short"), Optional.empty()));
      assertThat(MiniSessions.refusal(elsewhere).kind()).isEqualTo("replaced");
      assertThat(groups(fs)).isEqualTo(before);
      assertThat(MiniLevels.read(fs, "/rs/f", bytes.length)).isEqualTo(bytes);
    }
  }

  @Test
  void whoMayNotDeleteTheCopyIsRefused(@TempDir Path root) throws Exception {
    try (MiniSessions sessions = MiniSessions.start(MiniSessions.conf(), root, MiniLevels.K + 3)) {
      DistributedFileSystem fs = sessions.cluster().getFileSystem();
      byte[] bytes = MiniLevels.bytes(FILE_BYTES, 4);
      MiniLevels.makeFile(fs, bytes, LEVEL);
      fs.setPermission(new org.apache.hadoop.fs.Path("/rs/f"), new FsPermission((short) 0666));
      SessionAnswer[] answer = new SessionAnswer[1];
      await("a session of another user")
          .untilAsserted(
              () -> {
                answer[0] =
                    sessions.callAs(
                        "other",
                        manager ->
                            manager.open(
                                new io.hdfsparity.ecupdate.protocol.OpenRequest(
                                    "/rs/f", "test", 0)));
                assertThat(answer[0]).isInstanceOf(SessionAnswer.Granted.class);
              });
      UpdateSession session = ((SessionAnswer.Granted) answer[0]).session();
      UpdateGroup group = session.groups().get(0);
      copy(fs, bytes, group, "/rs/copy");
      assertThatThrownBy(
              () ->
                  sessions.callAs(
                      "other",
                      manager ->
                          manager.replace(
                              session.id(),
                              group.groupId(),
                              Optional.of("/rs/copy"),
                              Optional.empty())))
          .isInstanceOf(org.apache.hadoop.security.AccessControlException.class);
      assertThatThrownBy(
              () ->
                  sessions.call(
                      0,
                      manager ->
                          manager.replace(
                              session.id(),
                              group.groupId(),
                              Optional.of("/rs/copy"),
                              Optional.empty())))
          .isInstanceOf(org.apache.hadoop.security.AccessControlException.class)
          .hasMessageContaining("expected who opened it");
      // Who may delete it, but not read it, must not be given its bytes.
      fs.setPermission(new org.apache.hadoop.fs.Path("/rs"), new FsPermission((short) 0777));
      fs.setPermission(new org.apache.hadoop.fs.Path("/rs/copy"), new FsPermission((short) 0600));
      assertThatThrownBy(
              () ->
                  sessions.callAs(
                      "other",
                      manager ->
                          manager.replace(
                              session.id(),
                              group.groupId(),
                              Optional.of("/rs/copy"),
                              Optional.empty())))
          .isInstanceOf(org.apache.hadoop.security.AccessControlException.class)
          .hasMessageContaining("access=READ");
      assertThat(fs.exists(new org.apache.hadoop.fs.Path("/rs/copy"))).isTrue();
    }
  }

  @Test
  void nobodyIsToldOfAGroupThatACrashWouldTakeBack(@TempDir Path root) throws Exception {
    Configuration conf = MiniSessions.conf();
    // Who wants the lock for writing would keep readers from it, too.
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_INTERVAL_SECONDS_KEY, 3600);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_DECOMMISSION_INTERVAL_KEY, 3600);
    conf.setLong(DFSConfigKeys.DFS_NAMENODE_LEASE_RECHECK_INTERVAL_MS_KEY, 3_600_000);
    conf.set(SuiteKey.FEATURES.key(), "ecupdate");
    ExecutorService pool = Executors.newCachedThreadPool();
    try (MiniSessions sessions = MiniSessions.start(conf, root, MiniLevels.K + 3)) {
      DistributedFileSystem fs = sessions.cluster().getFileSystem();
      byte[] bytes = MiniLevels.bytes(FILE_BYTES, 8);
      MiniLevels.makeFile(fs, bytes, LEVEL);
      UpdateSession session = sessions.granted(0, "/rs/f");
      long group = session.groups().get(0).groupId();
      copy(fs, bytes, session.groups().get(0), "/rs/copy");
      FSNamesystem namesystem = sessions.cluster().getNamesystem(0);
      long inode = status(fs).getFileId();
      StalledJournal journal = StalledJournal.stall(namesystem);
      Future<SessionAnswer> replaced;
      Future<SessionAnswer> located;
      try {
        replaced =
            pool.submit(
                () ->
                    sessions.call(
                        0,
                        each ->
                            each.replace(
                                session.id(), group, Optional.of("/rs/copy"), Optional.empty())));
        await("memory has the new group")
            .until(
                () ->
                    namesystem.getFSDirectory().getInode(inode).asFile().getBlocks()[0].getBlockId()
                        != group);
        located =
            pool.submit(
                () -> sessions.call(0, each -> each.locate(session.id(), 0, OptionalLong.empty())));
        for (Future<SessionAnswer> each : List.of(replaced, located)) {
          assertThatThrownBy(() -> each.get(500, TimeUnit.MILLISECONDS))
              .isInstanceOf(TimeoutException.class);
        }
      } finally {
        journal.letGo();
      }
      assertThat(replaced.get(120, TimeUnit.SECONDS)).isInstanceOf(SessionAnswer.Renewed.class);
      SessionAnswer.Granted granted = (SessionAnswer.Granted) located.get(120, TimeUnit.SECONDS);
      assertThat(granted.session().groups().get(0).groupId()).isNotEqualTo(group);
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void afterAFailoverAndARestartTheFileHasTheNewGroup(@TempDir Path root) throws Exception {
    Configuration conf = MiniSessions.conf();
    try (MiniSessions sessions = MiniSessions.startHa(conf, root, MiniLevels.K + 3)) {
      DistributedFileSystem fs =
          (DistributedFileSystem) HATestUtil.configureFailoverFs(sessions.cluster(), conf);
      byte[] bytes = MiniLevels.bytes(FILE_BYTES, 5);
      MiniLevels.makeFile(fs, bytes, LEVEL);
      UpdateSession session = sessions.granted(0, "/rs/f");
      final long modifiedMs = status(fs).getModificationTime();
      final long inode = status(fs).getFileId();
      for (int index : new int[] {1, 2}) {
        UpdateGroup group = session.groups().get(index);
        copy(fs, bytes, group, "/rs/copy");
        SessionAnswer answer =
            sessions.call(
                0,
                manager ->
                    manager.replace(
                        session.id(), group.groupId(), Optional.of("/rs/copy"), Optional.empty()));
        assertThat(answer).isInstanceOf(SessionAnswer.Renewed.class);
        // Asked again, as after a lost answer: the copy is gone.
        assertThat(
                MiniSessions.refusal(
                        sessions.call(
                            0,
                            manager ->
                                manager.replace(
                                    session.id(),
                                    group.groupId(),
                                    Optional.of("/rs/copy"),
                                    Optional.empty())))
                    .kind())
            .isEqualTo("replaced");
      }
      List<Long> after = groups(fs);
      assertThat(after.get(0)).isEqualTo(session.groups().get(0).groupId());
      assertThat(after)
          .doesNotContain(session.groups().get(1).groupId(), session.groups().get(2).groupId());
      assertThat(MiniLevels.read(fs, "/rs/f", bytes.length)).isEqualTo(bytes);

      sessions.cluster().transitionToStandby(0);
      sessions.cluster().transitionToActive(1);
      // Without any full block report: they come every six hours.
      MiniLevels.awaitUnits(fs, "/rs/f", LEVEL);
      assertThat(groups(fs)).isEqualTo(after);
      assertThat(status(fs).getModificationTime()).isEqualTo(modifiedMs);
      assertThat(status(fs).getFileId()).isEqualTo(inode);
      assertThat(MiniLevels.read(fs, "/rs/f", bytes.length)).isEqualTo(bytes);
      sessions.cluster().restartNameNode(0, true);
      sessions.cluster().transitionToStandby(1);
      sessions.cluster().transitionToActive(0);
      MiniLevels.awaitUnits(fs, "/rs/f", LEVEL);
      assertThat(MiniLevels.read(fs, "/rs/f", bytes.length)).isEqualTo(bytes);
      sessions.levels().assertReadsWithout(fs, "/rs/f", bytes, LEVEL);
      assertCounted(sessions, fs);
    }
  }

  @Test
  void aNameNodeThatWouldForgetPlacesReplacesNothing(@TempDir Path root) throws Exception {
    Configuration conf = MiniSessions.conf();
    conf.unset(DFSConfigKeys.DFS_BLOCK_PLACEMENT_EC_CLASSNAME_KEY);
    try (MiniSessions sessions = MiniSessions.startHa(conf, root, MiniLevels.K + 3)) {
      DistributedFileSystem fs =
          (DistributedFileSystem) HATestUtil.configureFailoverFs(sessions.cluster(), conf);
      byte[] bytes = MiniLevels.bytes(FILE_BYTES, 6);
      MiniLevels.makeFile(fs, bytes, LEVEL);
      UpdateSession session = sessions.granted(0, "/rs/f");
      copy(fs, bytes, session.groups().get(0), "/rs/copy");
      assertThatThrownBy(() -> refused(sessions, session, "/rs/copy"))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("GuardedEcPlacementPolicy");
      assertThat(fs.exists(new org.apache.hadoop.fs.Path("/rs/copy"))).isTrue();
    }
  }

  @Test
  void everyPointOfACrashLeavesOneOfTheTwoGroups(@TempDir Path root) throws Exception {
    Configuration conf = MiniSessions.conf();
    conf.set(SuiteKey.FEATURES.key(), CrashingManager.class.getName());
    MiniLevels.rebuildNothingBeforeAllHaveReported(conf, MiniLevels.K + 3);
    try (MiniSessions sessions = MiniSessions.start(conf, root, MiniLevels.K + 3)) {
      DistributedFileSystem fs = sessions.cluster().getFileSystem();
      byte[] bytes = MiniLevels.bytes(FILE_BYTES, 7);
      MiniLevels.makeFile(fs, bytes, LEVEL);
      for (Point point : Point.values()) {
        UpdateSession session = sessions.granted(0, "/rs/f");
        UpdateGroup group = session.groups().get(1);
        copy(fs, bytes, group, "/rs/copy");
        final List<Long> before = groups(fs);
        final long modifiedMs = status(fs).getModificationTime();
        AT_CRASH.set(() -> sessions.cluster().getNamesystem().getEditLog().logSync());
        CRASH_AT.set(point);
        assertThatThrownBy(
                () ->
                    sessions.call(
                        0,
                        manager ->
                            manager.replace(
                                session.id(),
                                group.groupId(),
                                Optional.of("/rs/copy"),
                                Optional.empty())))
            .as("%s", point)
            .isInstanceOf(IOException.class);
        ExitUtil.resetFirstExitException();
        sessions.cluster().restartNameNode(true);
        MiniLevels.awaitUnits(fs, "/rs/f", LEVEL);
        List<Long> after = groups(fs);
        if (point == Point.CHECKED || point == Point.COPY_DELETED) {
          assertThat(after).as("%s", point).isEqualTo(before);
          fs.delete(new org.apache.hadoop.fs.Path("/rs/copy"), false);
        } else {
          assertThat(after.get(1)).as("%s", point).isNotEqualTo(before.get(1));
          assertThat(List.of(after.get(0), after.get(2)))
              .isEqualTo(List.of(before.get(0), before.get(2)));
        }
        await("closed after " + point)
            .until(() -> fs.isFileClosed(new org.apache.hadoop.fs.Path("/rs/f")));
        assertThat(status(fs).getModificationTime()).as("%s", point).isEqualTo(modifiedMs);
        assertThat(MiniLevels.read(fs, "/rs/f", bytes.length)).as("%s", point).isEqualTo(bytes);
        assertCounted(sessions, fs);
      }
      sessions.levels().assertReadsWithout(fs, "/rs/f", bytes, LEVEL);
    }
  }
}
