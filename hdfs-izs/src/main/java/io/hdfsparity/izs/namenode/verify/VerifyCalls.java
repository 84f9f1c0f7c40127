/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.namenode.verify;

import io.hdfsparity.bridge.level.ParityDoubts;
import io.hdfsparity.bridge.level.ParityDoubts.Doubt;
import io.hdfsparity.bridge.verify.VerifiableGroup;
import io.hdfsparity.bridge.verify.VerifiableGroup.Identity;
import io.hdfsparity.bridge.wire.RegisteredNodes;
import io.hdfsparity.izs.config.VerifyOptions;
import io.hdfsparity.izs.repair.GroupShape;
import io.hdfsparity.izs.verify.ParityReplica;
import io.hdfsparity.izs.verify.VerifyQueue;
import io.hdfsparity.izs.verify.VerifyQueue.Stage;
import io.hdfsparity.izs.verify.VerifyQueue.Task;
import io.hdfsparity.izs.verify.VerifyReport;
import io.hdfsparity.izs.verify.VerifyReport.Finding;
import io.hdfsparity.izs.wire.VerifyProtocol;
import io.hdfsparity.izs.wire.VerifyTask;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.server.namenode.ParityGroups;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands groups to DataNodes and takes their reports. What is reported is believed only of a group
 * that the DataNode was given, and that is what it was when it was given. Thread-safe.
 */
final class VerifyCalls implements VerifyProtocol {
  private static final Logger LOG = LoggerFactory.getLogger(VerifyCalls.class);

  /** Groups that are looked at for one that a DataNode has a unit of. */
  private static final int CANDIDATES = 64;

  private static final int SAMPLES_A_CALL = 8;
  private static final long MIB = 1 << 20;
  private static final long MIB_MS = 1_000;

  private final ParityGroups groups;
  private final VerifyQueue queue;
  private final VerifySweeper sweeper;
  private final WrongParity wrongParity;
  private final VerifyOptions options;
  private final VerifyCounters counters;
  private final LongSupplier clockMs;

  /** Groups as they were handed out; of those that nobody has any more, too. */
  private final Map<Long, VerifiableGroup> handed = new ConcurrentHashMap<>();

  /**
   * @param clockMs that of the sweeper
   */
  VerifyCalls(
      ParityGroups groups,
      VerifyQueue queue,
      VerifySweeper sweeper,
      WrongParity wrongParity,
      VerifyOptions options,
      VerifyCounters counters,
      LongSupplier clockMs) {
    this.groups = groups;
    this.queue = queue;
    this.sweeper = sweeper;
    this.wrongParity = wrongParity;
    this.options = options;
    this.counters = counters;
    this.clockMs = clockMs;
  }

  private void requireNode(String nodeUuid) throws IOException {
    Optional<DatanodeID> node = groups.registered(nodeUuid);
    if (node.isEmpty()) {
      throw new AccessControlException(
          "Cannot verify parity as a DataNode: uuid="
              + nodeUuid
              + ", expected that of a registered DataNode");
    }
    RegisteredNodes.requireCallerAt(node.get());
    if (!groups.isWritable()) {
      throw new StandbyException("Cannot hand out groups to verify: state=not active");
    }
  }

  @Override
  public List<VerifyTask> takeGroups(String nodeUuid) throws IOException {
    requireNode(nodeUuid);
    queue.release(nodeUuid);
    if (!sweeper.isRunning()) {
      return List.of();
    }
    List<VerifyTask> tasks = take(nodeUuid, Stage.SAMPLE, SAMPLES_A_CALL);
    return tasks.isEmpty() ? take(nodeUuid, Stage.WHOLE, /* max= */ 1) : tasks;
  }

  @Override
  public boolean mayBelieveParity(String nodeUuid, String blockPool, long groupId)
      throws IOException {
    requireNode(nodeUuid);
    if (!blockPool.equals(groups.blockPool())) {
      throw new StandbyException(
          "Cannot say whether parity is verified: blockPool="
              + blockPool
              + ", expected "
              + groups.blockPool());
    }
    if (queue.isDoubted(groupId)) {
      return false;
    }
    if (isRebuildWaitOver()) {
      return true;
    }
    return sweeper.isRunning() && !queue.isOpen(groupId) && !queue.wasContradictionDropped();
  }

  private boolean isRebuildWaitOver() {
    return sweeper.activeMs(clockMs.getAsLong()) >= options.rebuildWaitMs();
  }

  /** See {@link ParityDoubts}. */
  Doubt doubt(String codec, long groupId) {
    if (!sweeper.isWanted(codec)) {
      return Doubt.NONE;
    }
    if (!sweeper.isLoaded()) {
      return Doubt.UNKNOWN;
    }
    if (queue.isDoubted(groupId)) {
      return Doubt.FOUND;
    }
    return queue.wasContradictionDropped() ? Doubt.UNLISTED : Doubt.NONE;
  }

  /** See {@link ParityDoubts}. */
  Doubt doubtOfRebuild(String codec, long groupId) {
    Doubt doubt = doubt(codec, groupId);
    return doubt == Doubt.UNLISTED && isRebuildWaitOver() ? Doubt.NONE : doubt;
  }

  private List<VerifyTask> take(String nodeUuid, Stage stage, int max) {
    List<VerifyTask> tasks = new ArrayList<>();
    long nowMs = clockMs.getAsLong();
    List<Long> due = queue.due(stage, CANDIDATES, nowMs);
    if (due.isEmpty()) {
      return tasks;
    }
    for (VerifiableGroup group : groups.heldBy(nodeUuid, due, max)) {
      long id = group.identity().groupId();
      if (group.obstacle().isPresent()) {
        (group.obstacle().get().isUpdate() ? counters.takenByUpdates : counters.notCompared)
            .increment();
        voidWitnesses(group);
        retry(group, group.obstacle().get().reason());
        continue;
      }
      long extraMs = (stage == Stage.WHOLE ? group.identity().lengthBytes() * 2 : 0) / MIB * MIB_MS;
      queue
          .take(id, stage, nodeUuid, extraMs, nowMs)
          .ifPresent(
              task -> {
                handed.put(id, group);
                tasks.add(describe(task, group));
              });
    }
    return tasks;
  }

  private VerifyTask describe(Task task, VerifiableGroup group) {
    Identity identity = group.identity();
    return new VerifyTask(
        task.taskId(),
        groups.blockPool(),
        identity.groupId(),
        identity.generation(),
        identity.policy().codec(),
        new GroupShape(
            identity.policy().dataUnits(),
            identity.policy().parityUnits(),
            identity.policy().cellBytes(),
            identity.lengthBytes()),
        task.stage() == Stage.WHOLE,
        group.holders());
  }

  @Override
  public void reportGroups(String nodeUuid, List<VerifyReport> reports) throws IOException {
    requireNode(nodeUuid);
    for (VerifyReport report : reports) {
      Optional<Task> task = queue.find(report.groupId(), report.taskId(), nodeUuid);
      VerifiableGroup group = task.isEmpty() ? null : handed.remove(report.groupId());
      if (task.isEmpty() || group == null) {
        counters.lateReports.increment();
        continue;
      }
      counters.bytesRead.add(Math.max(0, report.readBytes()));
      take(task.get(), group, report);
    }
  }

  private void take(Task task, VerifiableGroup group, VerifyReport report) {
    long id = group.identity().groupId();
    VerifiableGroup now = groups.describe(id).orElse(null);
    if (now == null) {
      // Gone, or written again: the sweeper will see.
      queue.advance(id, Stage.WRITTEN, clockMs.getAsLong());
      return;
    }
    String change = changeOf(group, now);
    if (change != null) {
      counters.takenByUpdates.increment();
      retry(group, change);
      return;
    }
    if (report.finding() == Finding.WRONG_PARITY) {
      queue.doubt(id, parityOf(group));
    }
    voidWitnesses(now);
    switch (report.finding()) {
      case FITS -> fits(task, group, report);
      case WRONG_PARITY -> wrong(task, group, report);
      case SUSPECT_DATA -> {
        if (report.isWhole()) {
          wrongParity.suspectData(group, report);
          queue.suspectData(id);
          queue.contradicts(id, clockMs.getAsLong());
        } else {
          retry(group, "a finding of a part of the group");
        }
      }
      case NOT_COMPARED -> {
        counters.notCompared.increment();
        retry(group, report.reason());
      }
      case UPDATED -> {
        counters.takenByUpdates.increment();
        retry(group, report.reason());
      }
    }
  }

  /** A missing unit may be rebuilt where it was before anybody looks again. */
  private void voidWitnesses(VerifiableGroup now) {
    if (now.obstacle().filter(obstacle -> !obstacle.isUpdate()).isPresent()) {
      queue.voidWitnesses(now.identity().groupId());
    }
  }

  /** What has happened to a group; null: nothing that matters. */
  private static @Nullable String changeOf(VerifiableGroup before, VerifiableGroup now) {
    if (!now.identity().equals(before.identity())) {
      return "the group or its file was changed";
    }
    return now.obstacle()
        .filter(VerifiableGroup.Obstacle::isUpdate)
        .map(VerifiableGroup.Obstacle::reason)
        .orElse(null);
  }

  private void fits(Task task, VerifiableGroup group, VerifyReport report) {
    long id = group.identity().groupId();
    if (task.stage() == Stage.SAMPLE) {
      counters.sampled.increment();
    }
    // What was found in some bytes is not refuted by others.
    if (report.isWhole() || !options.scope().isWhole() && !queue.isDoubted(id)) {
      if (queue.isDataSuspected(id)) {
        wrongParity.suspicionEnds(group);
      }
      counters.verified.increment();
      queue.done(id);
    } else {
      queue.advance(id, Stage.WHOLE, clockMs.getAsLong());
    }
  }

  private void wrong(Task task, VerifiableGroup group, VerifyReport report) {
    long id = group.identity().groupId();
    if (task.stage() == Stage.SAMPLE && !report.isWhole()) {
      queue.advance(id, Stage.WHOLE, clockMs.getAsLong());
      return;
    }
    if (!report.isWhole() || !namesParity(group, report)) {
      retry(group, "a finding of a part of the group");
      return;
    }
    boolean isPart = report.units().size() < group.identity().policy().parityUnits();
    if (isPart && queue.hasOtherWitnesses(id, parityOf(group))) {
      queue.suspectData(id);
    }
    if (queue.isDataSuspected(id)) {
      wrongParity.keep(group, report);
      queue.contradicts(id, clockMs.getAsLong());
      return;
    }
    // In this order: what the sweeper finds scheduled is not doubted in what it saves then.
    queue.dropping(id, clockMs.getAsLong());
    wrongParity.schedule(group, report);
  }

  private static boolean namesParity(VerifiableGroup group, VerifyReport report) {
    int dataUnits = group.identity().policy().dataUnits();
    int units = group.identity().policy().units();
    return !report.units().isEmpty()
        && report.units().stream().allMatch(each -> each >= dataUnits && each < units);
  }

  private static Set<ParityReplica> parityOf(VerifiableGroup group) {
    return group.holders().stream()
        .filter(each -> each.unit() >= group.identity().policy().dataUnits())
        .map(each -> new ParityReplica(each.unit(), each.storageId()))
        .collect(Collectors.toUnmodifiableSet());
  }

  private void retry(VerifiableGroup group, String reason) {
    long id = group.identity().groupId();
    if (queue.retry(id, clockMs.getAsLong())) {
      LOG.debug("Block group {} is verified later: {}, file={}", id, reason, group.path());
    } else {
      counters.givenUp.increment();
      LOG.warn("Block group {} is not verified: {}, file={}", id, reason, group.path());
    }
  }
}
