/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.namenode;

import io.hdfsparity.bridge.level.CodePolicy;
import io.hdfsparity.bridge.level.LevelOutcome;
import io.hdfsparity.bridge.level.ParityDoubts;
import io.hdfsparity.izs.config.LevelOptions;
import io.hdfsparity.izs.level.FileOutcome;
import io.hdfsparity.izs.level.GroupPacer;
import io.hdfsparity.izs.level.LevelRules;
import io.hdfsparity.izs.level.LevelStatus;
import io.hdfsparity.izs.level.VerifyStatus;
import io.hdfsparity.izs.wire.LevelProtocol;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockMapGuard;
import org.apache.hadoop.hdfs.server.blockmanagement.GuardedEcPlacementPolicy;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.StripedLevels;
import org.apache.hadoop.ipc.StandbyException;

/**
 * Serves administrators. One call changes files at a time, so that the limits on rate and lock hold
 * are those of the NameNode, however many administrators there are. Thread-safe.
 *
 * <p><b>Crash</b> at any point: files that were answered for are durable; asking again for the
 * others is safe, since a file that has the level is left alone.
 */
final class LevelCalls implements LevelProtocol {
  /** Any user may call; others' calls need threads of the server, too. */
  private static final int MAX_CALLS = 5;

  /** More than half, so that a user's few commands at a time take turns. */
  private static final int MAX_CALLS_OF_USER = 3;

  private final NameNode nameNode;
  private final StripedLevels levels;
  private final LevelOptions options;
  private final LevelCounters counters;
  private final PeerGuards peers;
  private final Supplier<VerifyStatus> verification;
  private final ParityDoubts doubts;
  private final LongSupplier clockMs;
  private final GroupPacer pacer;
  private final SerialCalls turns = new SerialCalls(MAX_CALLS, MAX_CALLS_OF_USER);

  /**
   * @param verification its status
   * @param doubts what it has found
   * @param clockMs monotonic
   */
  LevelCalls(
      NameNode nameNode,
      StripedLevels levels,
      LevelOptions options,
      LevelCounters counters,
      PeerGuards peers,
      Supplier<VerifyStatus> verification,
      ParityDoubts doubts,
      LongSupplier clockMs) {
    this.nameNode = nameNode;
    this.levels = levels;
    this.options = options;
    this.counters = counters;
    this.peers = peers;
    this.verification = verification;
    this.doubts = doubts;
    this.clockMs = clockMs;
    this.pacer = new GroupPacer(options.groupsPerSecond());
  }

  @Override
  public List<FileOutcome> setLevel(int level, List<String> paths) throws IOException {
    LevelRules rules = begin(level, paths);
    long endMs = clockMs.getAsLong() + options.callTimeMs();
    List<FileOutcome> outcomes = new ArrayList<>();
    String user = NameNode.getRemoteUser().getShortUserName();
    try {
      if (!turns.enter(user, options.callTimeMs())) {
        return outcomes;
      }
      try {
        // Few callers wait at a time, whatever that takes.
        doubts.load();
        while (outcomes.size() < paths.size() && pause(endMs)) {
          change(rules, paths.subList(outcomes.size(), paths.size()))
              .forEach(each -> outcomes.add(translate(each)));
        }
      } finally {
        turns.leave(user);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Cannot change levels: the NameNode is stopping");
    }
    return outcomes;
  }

  /** Refuses the whole call, or gives its rules. */
  private LevelRules begin(int level, List<String> paths) throws IOException {
    try {
      LevelRules rules = rules(level, paths);
      requireReady();
      return rules;
    } catch (StandbyException e) {
      // Whoever looks for the active NameNode asks all.
      throw e;
    } catch (IOException e) {
      counters.callsRefused.increment();
      throw e;
    }
  }

  private LevelRules rules(int level, List<String> paths) throws IOException {
    if (paths.size() > options.batchFiles()) {
      throw new IOException(
          "Cannot change levels: paths="
              + paths.size()
              + ", expected at most "
              + options.batchFiles()
              + " a call");
    }
    try {
      return new LevelRules(level, options.maxGroups(), doubts);
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** What keeps every file of this NameNode from being changed. */
  private void requireReady() throws IOException {
    if (!nameNode.isActiveState()) {
      throw new StandbyException("Cannot change levels: state=" + nameNode.getState());
    }
    if (BlockMapGuard.of(nameNode.getNamesystem().getBlockManager()).isEmpty()) {
      throw new IOException(
          "Cannot change levels: guarded=false, expected true; set "
              + PeerGuards.POLICY_KEY
              + "="
              + GuardedEcPlacementPolicy.class.getName()
              + " on every NameNode and restart it");
    }
    if (StripedLevels.replayAsserts()) {
      throw new IOException(
          "Cannot change levels: assertions=enabled, expected disabled; run every NameNode without"
              + " -ea, or with -da:org.apache.hadoop.hdfs.server.namenode.FSEditLogLoader");
    }
    if (levels.isUpgradeOpen()) {
      throw new IOException(
          "Cannot change levels: upgrade=in progress, expected none; finalize it or roll it back"
              + " (hdfs dfsadmin -rollingUpgrade finalize, -finalizeUpgrade)");
    }
    peers.requireGuarded();
  }

  /** Waits for the rate; false when the call has used its time. */
  private boolean pause(long endMs) throws InterruptedException {
    long nowMs = clockMs.getAsLong();
    long leftMs = endMs - nowMs;
    if (leftMs <= 0) {
      return false;
    }
    long waitMs = pacer.waitMs(nowMs);
    // A client asks again at once, so a wait that is longer than the call takes place in calls.
    TimeUnit.MILLISECONDS.sleep(Math.min(waitMs, leftMs));
    return waitMs <= leftMs;
  }

  private List<LevelOutcome> change(LevelRules rules, List<String> paths) throws IOException {
    long startMs = clockMs.getAsLong();
    List<LevelOutcome> outcomes =
        levels.change(paths, rules, () -> clockMs.getAsLong() - startMs < options.lockHoldMs());
    levels.sync(outcomes);
    List<Long> changed = new ArrayList<>();
    long judged = 0;
    for (LevelOutcome each : outcomes) {
      judged += each.judgedGroups();
      if (each.changed()) {
        changed.add(each.inodeId());
      }
    }
    if (!changed.isEmpty()) {
      counters.unitsDropped.add(levels.settle(changed));
    }
    counters.count(outcomes);
    pacer.took(judged, outcomes.size(), clockMs.getAsLong());
    return outcomes;
  }

  private static FileOutcome translate(LevelOutcome outcome) {
    return new FileOutcome(
        outcome.path(),
        outcome.groups(),
        outcome.from().map(CodePolicy::name),
        outcome.to().map(CodePolicy::name),
        outcome.refusal());
  }

  /** Calls that wait until another has ended. */
  int waiting() {
    return turns.waiting();
  }

  @Override
  public LevelStatus status() {
    Optional<BlockMapGuard> guard = BlockMapGuard.of(nameNode.getNamesystem().getBlockManager());
    return new LevelStatus(
        nameNode.isActiveState(),
        new LevelStatus.Readiness(
            guard.isPresent(),
            /* clientsGuarded= */ true, // else nobody would answer here
            StripedLevels.replayAsserts(),
            levels.isUpgradeOpen()),
        counters.changes(guard.map(BlockMapGuard::restoredLocations).orElse(0L)),
        new LevelStatus.Backlog(levels.groupsLackingUnits(), levels.queuedDeletes()),
        verification.get());
  }
}
