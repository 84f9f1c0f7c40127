/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.namenode;

import static io.hdfsparity.bridge.metrics.MetricFields.counter;
import static io.hdfsparity.bridge.metrics.MetricFields.gauge;

import io.hdfsparity.bridge.metrics.MetricSources;
import io.hdfsparity.ecupdate.protocol.NodeRegistry;
import io.hdfsparity.ecupdate.protocol.SessionTable;
import java.util.Optional;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;

/**
 * What the session manager shows of itself. It is there from the start of the plugin, so that one
 * that could not start is seen as out of service. Thread-safe.
 */
final class SessionMetrics implements MetricsSource {
  static final String NAME = "EcUpdateSessions";

  private volatile Optional<Sources> sources = Optional.empty();

  private record Sources(
      SessionTable table, NodeRegistry nodes, SessionCounters counters, long lateMs) {}

  /** Makes them visible, out of service. */
  static SessionMetrics register() {
    return MetricSources.register(NAME, "Update sessions in the NameNode", new SessionMetrics());
  }

  void inService(SessionTable table, NodeRegistry nodes, SessionCounters counters, long lateMs) {
    sources = Optional.of(new Sources(table, nodes, counters, lateMs));
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
    gauge(record, "InService", "1: the session manager serves", now.isPresent() ? 1 : 0);
    now.ifPresent(each -> getMetrics(record, each));
  }

  private static void getMetrics(MetricsRecordBuilder record, Sources now) {
    gauge(record, "OpenSessions", "Sessions that are open", now.table().open().size());
    gauge(
        record, "EndingSessions", "Over, and not confirmed by all DataNodes", now.table().ending());
    gauge(record, "CapableNodes", "DataNodes that can update replicas", now.nodes().size());
    gauge(
        record,
        "LateNodes",
        "DataNodes that have not confirmed the end of sessions for a minute or longer",
        now.table().late(now.nodes(), now.lateMs()).size());
    SessionCounters counters = now.counters();
    counter(record, "SessionsOpened", "Sessions granted", counters.opened);
    counter(record, "SessionsAttached", "Sessions of earlier terms taken over", counters.attached);
    counter(record, "CallsRefused", "Calls of clients that were refused", counters.refused);
    counter(record, "SessionsClosed", "Sessions that clients closed", counters.closed);
    counter(record, "SessionsExpired", "Sessions that were not renewed", counters.expired);
    counter(record, "SessionsUnfit", "Sessions whose file became unfit", counters.unfit);
    counter(record, "GroupsReplaced", "Block groups that were rewritten", counters.replaced);
    counter(record, "GroupsHealed", "Of these, while units were lost", counters.healed);
    counter(record, "FailedSweeps", "Rounds of the sweeper that failed", counters.failedSweeps);
  }
}
