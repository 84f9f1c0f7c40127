/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.core.check.Timers;
import io.hdfsparity.raidp.adoption.AdoptableFile;
import io.hdfsparity.raidp.adoption.Adoption;
import io.hdfsparity.raidp.adoption.AdoptionCluster;
import io.hdfsparity.raidp.adoption.AdoptionGoal;
import io.hdfsparity.raidp.adoption.AdoptionLimits;
import io.hdfsparity.raidp.adoption.Release;
import io.hdfsparity.raidp.adoption.ReleaseCluster;
import io.hdfsparity.raidp.config.ManagerOptions;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.protocol.QuotaExceededException;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.ProtectedFiles;
import org.apache.hadoop.hdfs.server.namenode.ProtectionMarks;
import org.apache.hadoop.hdfs.server.namenode.ProtectionMarks.Mark;
import org.apache.hadoop.hdfs.server.namenode.ProtectionMarks.Marked;
import org.apache.hadoop.util.Time;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adoption in the NameNode: the runs that administrators ask for, and one that has no end and takes
 * files that were written and have plain blocks or more than two replicas. On a thread of its own,
 * since it waits for DataNodes. Only the active NameNode adopts; one that stops being active
 * forgets all.
 */
final class AdoptionService {
  private static final Logger LOG = LoggerFactory.getLogger(AdoptionService.class);
  private static final long PERIOD_MS = 1_000;

  private final NameNodeAccess access;
  private final ManagerOptions.Placement options;
  private final AdoptionCluster cluster;
  private final ReleaseCluster releases;
  private final ProtectedFiles files;
  private final FilesToLower written;
  private final Adoptions adoptions = new Adoptions();
  private final ProtectionCalls calls;
  private final Balances balances;
  private @Nullable Adoption writtenFiles;
  private @Nullable RecentFiles recentFiles;
  private @Nullable ScheduledExecutorService timer;

  /**
   * @param written files that were written and are to be adopted or lowered
   * @param unnotedRows calls that list and find rows of blocks that move
   */
  AdoptionService(
      NameNodeAccess access,
      FSNamesystem namesystem,
      ManagerOptions.Placement options,
      ManagerState state,
      AdoptionCalls.Peers peers,
      RowReleases rowReleases,
      FilesToLower written,
      Namespace namespace,
      BalanceCalls.Rows unnotedRows) {
    this.access = access;
    this.options = options;
    this.written = written;
    this.files = new ProtectedFiles(namesystem);
    AdoptionCopies copies =
        new AdoptionCopies(state.map(), access::nodes, state::repair, Time::monotonicNow);
    this.cluster =
        new AdoptionCalls(
            state.map(),
            state.grants(),
            peers,
            copies,
            this::lower,
            blockId -> state.protection().oneSided().add(blockId),
            options,
            Time::monotonicNow);
    this.balances =
        new Balances(
            new BalanceCalls(
                state,
                new BalanceCalls.Hdfs(namespace, access::isSilent),
                cluster,
                copies,
                unnotedRows,
                options.unitBytes(),
                Time::monotonicNow),
            new Balances.Conditions() {
              @Override
              public boolean isInSafeMode() {
                return access.isInSafeMode();
              }

              @Override
              public boolean isRecovering() {
                return state.recovery().status().state() == RecoveryStatus.State.RUNNING;
              }
            });
    this.releases =
        new ReleaseCalls(
            state.map(),
            peers.rows(),
            rowReleases,
            (inodeId, replication) -> raise(state, inodeId, replication),
            state::released,
            access::isActive,
            Time::monotonicNow);
    this.calls =
        new ProtectionCalls(
            marks(access.marks(), files),
            adoptions,
            new ProtectionCalls.Runs() {
              @Override
              public Adoptions.Maker of(String path, AdoptionGoal goal, long bytesPerSecond) {
                return () -> adoption(path, goal, bytesPerSecond);
              }

              @Override
              public Adoptions.Maker release(String path, int replication, long bytesPerSecond) {
                return () -> AdoptionService.this.release(path, replication, bytesPerSecond);
              }
            },
            new ProtectionCalls.Limits(
                options.unitBytes(), access.defaultReplication(), access.maxReplication()),
            () -> CoverageLeft.of(state, access.nodes()));
  }

  /** Answers administrators. */
  ProtectionCalls calls() {
    return calls;
  }

  /** The balance, which shares the thread with adoptions. */
  Balances balances() {
    return balances;
  }

  private AdoptionCluster.Lowering lower(long inodeId, Map<Long, Long> settled) throws IOException {
    return switch (access.lowerReplication(inodeId, settled)) {
      case LOWERED -> AdoptionCluster.Lowering.LOWERED;
      case NOT_HIGHER -> AdoptionCluster.Lowering.NOT_HIGHER;
      case NOT_PROTECTED -> AdoptionCluster.Lowering.NOT_PROTECTED;
      case OPEN, CHANGED -> AdoptionCluster.Lowering.CHANGED;
      case GONE -> AdoptionCluster.Lowering.GONE;
    };
  }

  /** HDFS makes the replicas at once: noted before, as it looks at the blocks when it is raised. */
  private ReleaseCluster.Raising raise(ManagerState state, long inodeId, int replication)
      throws IOException {
    state.repair().ifPresent(copies -> copies.giveAllReplicas(inodeId));
    try {
      return switch (access.raiseReplication(inodeId, (short) replication)) {
        case RAISED, NOT_LOWER -> ReleaseCluster.Raising.ENOUGH;
        case PROTECTED -> ReleaseCluster.Raising.PROTECTED;
        case OPEN -> ReleaseCluster.Raising.OPEN;
        case FEWER_IN_SNAPSHOT -> ReleaseCluster.Raising.FEWER_IN_SNAPSHOT;
        case GONE -> ReleaseCluster.Raising.GONE;
      };
    } catch (QuotaExceededException e) {
      LOG.warn("A file cannot be given back its replicas: inode={}", inodeId, e);
      return ReleaseCluster.Raising.NO_QUOTA;
    }
  }

  private static ProtectionCalls.Marks marks(ProtectionMarks marks, ProtectedFiles files) {
    return new ProtectionCalls.Marks() {
      @Override
      public void set(String path, Mark mark) throws IOException {
        marks.set(path, mark);
      }

      @Override
      public void clear(String path) throws IOException {
        marks.clear(path);
      }

      @Override
      public int clearAll() throws IOException {
        return new AllMarks(files, marks).clear();
      }

      @Override
      public Optional<Marked> of(String path) throws IOException {
        return marks.of(path);
      }
    };
  }

  private Adoption adoption(String path, AdoptionGoal goal, long bytesPerSecond)
      throws IOException {
    return new Adoption(
        new ProtectedFileSource(files, path),
        cluster,
        goal,
        AdoptionLimits.of(bytesPerSecond),
        options.unitBytes());
  }

  private Release release(String path, int replication, long bytesPerSecond) throws IOException {
    return new Release(
        new ProtectedFileSource(files, path),
        releases,
        replication,
        AdoptionLimits.of(bytesPerSecond),
        options.unitBytes());
  }

  private Adoption writtenFiles() {
    return new Adoption(
        new WrittenFileSource(written, this::look, Time::monotonicNow),
        cluster,
        AdoptionGoal.ADOPT,
        AdoptionLimits.of(0),
        options.unitBytes());
  }

  private RecentFiles recentFiles() throws IOException {
    ProtectedFiles.Walk walk = files.walk("/");
    long sinceMs = Time.now() - RecentFiles.AGE_MS;
    return new RecentFiles(
        new RecentFiles.Pages() {
          @Override
          public boolean isOver() {
            return walk.isOver();
          }

          @Override
          public List<Long> next() {
            return walk.writtenSince(RecentFiles.INODES, sinceMs);
          }
        },
        written);
  }

  private Optional<AdoptableFile> look(long inodeId) {
    return files.look(inodeId).map(ProtectedFileSource::file);
  }

  /** Begins the rounds. */
  synchronized void start() {
    timer = Timers.daemon("raidp-adopter");
    timer.scheduleWithFixedDelay(
        Timers.guarded(this::round, e -> LOG.error("RAIDP manager: a round of adopting failed", e)),
        PERIOD_MS,
        PERIOD_MS,
        TimeUnit.MILLISECONDS);
  }

  private void round() {
    try {
      if (!access.isActive()) {
        adoptions.forgetAll();
        balances.forget();
        writtenFiles = null;
        recentFiles = null;
      } else if (!access.isInSafeMode()) {
        if (writtenFiles == null) {
          writtenFiles = writtenFiles();
        }
        if (recentFiles == null) {
          recentFiles = recentFiles();
        }
        recentFiles.round();
        writtenFiles.round(Time::monotonicNow);
        adoptions.round(Time::monotonicNow);
      }
    } catch (IOException | RuntimeException | Error e) {
      // The timer would stop for good at an exception; the next round tries again.
      LOG.error("RAIDP manager: a round of adopting files failed", e);
      writtenFiles = null;
      recentFiles = null;
    }
    balance();
  }

  /** Goes on also where a round of adoptions has failed. */
  private void balance() {
    try {
      if (access.isActive() && !access.isInSafeMode()) {
        balances.round(Time::monotonicNow);
      }
    } catch (RuntimeException e) {
      LOG.error("RAIDP manager: a round of the balance failed", e);
    }
  }

  synchronized void stop() {
    if (timer != null) {
      timer.shutdownNow();
      timer = null;
    }
  }
}
