/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.namenode;

import static io.hdfsparity.bridge.metrics.MetricFields.counter;
import static io.hdfsparity.bridge.metrics.MetricFields.gauge;

import io.hdfsparity.bridge.metrics.MetricSources;
import io.hdfsparity.izs.level.LevelStatus;
import java.util.Optional;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;

/**
 * What the level manager of a NameNode does, source {@value #NAME}. Also says that it is not in
 * service: HDFS itself only logs that a plugin failed to start. Takes no lock of the NameNode's.
 * Thread-safe.
 */
final class LevelMetrics implements MetricsSource {
  static final String NAME = "IzsLevels";

  private volatile Optional<Sources> sources = Optional.empty();

  private record Sources(LevelCalls calls, LevelCounters counters) {}

  /** Makes them visible, out of service. */
  static LevelMetrics register() {
    return MetricSources.register(NAME, "Level changes in the NameNode", new LevelMetrics());
  }

  void inService(LevelCalls calls, LevelCounters counters) {
    sources = Optional.of(new Sources(calls, counters));
  }

  void outOfService() {
    sources = Optional.empty();
  }

  void unregister() {
    outOfService();
    MetricSources.unregister(NAME);
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    MetricsRecordBuilder record = collector.addRecord(NAME);
    Optional<Sources> now = sources;
    gauge(record, "InService", "1: the level manager serves", now.isPresent() ? 1 : 0);
    now.ifPresent(each -> getMetrics(record, each.calls(), each.counters()));
  }

  private static void getMetrics(
      MetricsRecordBuilder record, LevelCalls calls, LevelCounters counters) {
    LevelStatus status = calls.status();
    gauge(record, "Active", "1: of the active NameNode", status.active() ? 1 : 0);
    gauge(
        record, "Guarded", "1: the map of blocks is guarded", status.readiness().guarded() ? 1 : 0);
    counter(record, "FilesChanged", "Files whose level was changed", counters.filesChanged);
    counter(record, "FilesRefused", "Files that kept their level", counters.filesRefused);
    counter(record, "CallsRefused", "Calls that changed no file at all", counters.callsRefused);
    counter(record, "GroupsChanged", "Block groups of changed files", counters.groupsChanged);
    counter(record, "UnitsDropped", "Units that changes dropped", counters.unitsDropped);
    counter(record, "SurplusSwept", "Surplus units found later", counters.surplusSwept);
    counter(
        record,
        "InterruptedChangesCompleted",
        "Interrupted changes completed",
        counters.interruptedChangesCompleted);
    counter(record, "FailedSweeps", "Rounds of the sweeper that failed", counters.failedSweeps);
    counter(
        record,
        "RestoredLocations",
        "Locations of units that a replay would have lost",
        status.changes().restoredLocations());
    gauge(record, "WaitingCalls", "Calls that wait for another", calls.waiting());
    gauge(
        record,
        "GroupsLackingUnits",
        "Groups that lack units",
        status.backlog().groupsLackingUnits());
    gauge(
        record,
        "QueuedDeletes",
        "Deletions of units not yet sent to DataNodes",
        status.backlog().queuedDeletes());
  }
}
