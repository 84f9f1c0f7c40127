/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.bridge.metrics.MetricSources;
import io.hdfsparity.core.check.LabelValue;
import io.hdfsparity.raidp.wire.message.FrameReport;
import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.Node;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.Interns;
import org.jspecify.annotations.Nullable;

/**
 * Gauges of the manager. Also says that it failed to start: HDFS itself only logs that.
 * Thread-safe.
 */
final class ManagerMetrics implements MetricsSource {
  private static final String NAME = "RaidpManager";
  private volatile @Nullable ManagerState state;
  private volatile Supplier<List<Node>> nodes = List::of;
  private volatile String failure = "";

  /** Makes the gauges visible. */
  static ManagerMetrics register() {
    return MetricSources.register(NAME, "RAIDP manager", new ManagerMetrics());
  }

  void started(ManagerState newState, Supplier<List<Node>> newNodes) {
    nodes = newNodes;
    state = newState;
  }

  /** The policy refuses new blocks, and this is why. */
  void failedClosed(String why) {
    failure = LabelValue.of(why);
  }

  void unregister() {
    state = null;
    MetricSources.unregister(NAME);
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    MetricsRecordBuilder record = collector.addRecord(NAME);
    ManagerState now = state;
    record.tag(Interns.info("Failure", "Why it refuses new blocks"), failure);
    record.addGauge(
        Interns.info("FailedClosed", "1: new blocks of protected files are refused"),
        now == null || !now.isAttached() ? 1 : 0);
    if (now == null) {
      return;
    }
    ClusterView view = now.map().view();
    for (SuperchunkState each : SuperchunkState.values()) {
      String word =
          each.name().charAt(0) + each.name().substring(1).toLowerCase(java.util.Locale.ROOT);
      record.addGauge(
          Interns.info("Superchunks" + word, "Superchunks in this state"), view.count(each));
    }
    List<FrameReport> frames =
        view.frames().all().filter(f -> f.health().alive()).map(view::latest).toList();
    record.addGauge(
        Interns.info("FramesSpare", "Frames without a superchunk"), view.frames().spareCount());
    record.addGauge(
        Interns.info("FreeUnits", "Free units of all frames"),
        frames.stream().mapToLong(f -> f.load().freeUnits()).sum());
    ProtectedRoom room = ProtectedRoom.of(view);
    record.addGauge(
        Interns.info("ProtectedUnits", "Units of frames of superchunks on nodes that report"),
        room.units());
    record.addGauge(Interns.info("ProtectedUnitsFree", "Those that no block holds"), room.free());
    record.addGauge(
        Interns.info("LimboBytes", "Bytes of deleted replicas still kept"),
        frames.stream().mapToLong(f -> f.load().limboBytes()).sum());
    record.addGauge(
        Interns.info("Unacknowledged", "Rows that a partner has not acknowledged"),
        frames.stream().mapToLong(f -> f.load().unacknowledged()).sum());
    record.addGauge(
        Interns.info("OpenGrants", "Blocks placed but not yet reserved"),
        now.grants().openGrants() / 2);
    record.addGauge(Interns.info("Problems", "Problems in the reports"), view.problems().size());
    record.addGauge(
        Interns.info("NodesWithoutPlugin", "Live DataNodes whose plugin does not report"),
        NodesWithoutPlugin.of(now, nodes.get()).size());
    record.addGauge(
        Interns.info("NodesWithoutLstorDaemon", "DataNodes with Lstors that no daemon reports"),
        now.nodesWithoutLstorDaemon());
    record.addGauge(
        Interns.info("BlockScanFailed", "1: HDFS' scan of all blocks has failed, and is repeated"),
        now.scans().problem().isPresent() ? 1 : 0);
    now.repair().ifPresent(repair -> addRepair(record, repair.progress()));
    RecoveryStatus recovery = now.recovery().status();
    record.addGauge(
        Interns.info("RecoveryRunning", "1: recovery is under way"),
        recovery.state() == RecoveryStatus.State.RUNNING ? 1 : 0);
    record.addGauge(
        Interns.info("RecoveryWaiting", "1: superchunks wait, and nothing can be recovered"),
        recovery.state() == RecoveryStatus.State.WAITING ? 1 : 0);
    record.addGauge(
        Interns.info("RecoveryBytesTotal", "Bytes to recover"), recovery.progress().bytesTotal());
    record.addGauge(
        Interns.info("RecoveryBytesDone", "Bytes recovered"), recovery.progress().bytesDone());
    record.addGauge(
        Interns.info("RecoveryBytesPerSecond", "Rate of recovery"),
        recovery.progress().bytesPerSecond());
  }

  private static void addRepair(MetricsRecordBuilder record, BlockRepair.Progress repair) {
    record.addGauge(
        Interns.info("RepairLacking", "Blocks that lack a replica and wait for a copy"),
        repair.lacking());
    record.addGauge(Interns.info("RepairPending", "Copies under way"), repair.pending());
    record.addCounter(Interns.info("RepairScheduled", "Copies ordered"), repair.scheduled());
    record.addCounter(Interns.info("RepairCopied", "Copies reported"), repair.copied());
    record.addCounter(
        Interns.info("RepairTimedOut", "Copies not reported in time"), repair.timedOut());
    record.addGauge(
        Interns.info("RepairMaxRoundMs", "Longest round of ordering copies"), repair.maxRoundMs());
  }
}
