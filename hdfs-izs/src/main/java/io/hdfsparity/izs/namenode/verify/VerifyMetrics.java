/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.namenode.verify;

import static io.hdfsparity.bridge.metrics.MetricFields.counter;
import static io.hdfsparity.bridge.metrics.MetricFields.gauge;

import io.hdfsparity.bridge.metrics.MetricSources;
import io.hdfsparity.izs.level.VerifyStatus;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;

/**
 * What the verification of parity does, source {@value #NAME}. Takes no lock of the NameNode's.
 * Thread-safe.
 */
final class VerifyMetrics implements MetricsSource {
  static final String NAME = "IzsVerify";

  private volatile Optional<Sources> sources = Optional.empty();

  private record Sources(Supplier<VerifyStatus> status, VerifyCounters counters) {}

  static VerifyMetrics register() {
    return MetricSources.register(
        NAME, "Verification of parity in the NameNode", new VerifyMetrics());
  }

  void inService(Supplier<VerifyStatus> status, VerifyCounters counters) {
    sources = Optional.of(new Sources(status, counters));
  }

  void unregister() {
    sources = Optional.empty();
    MetricSources.unregister(NAME);
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    MetricsRecordBuilder record = collector.addRecord(NAME);
    sources.ifPresent(now -> getMetrics(record, now.status().get(), now.counters()));
  }

  private static void getMetrics(
      MetricsRecordBuilder record, VerifyStatus status, VerifyCounters counters) {
    gauge(record, "Running", "1: in the active NameNode", status.isRunning() ? 1 : 0);
    gauge(record, "Unverified", "Groups that wait to be verified", status.unverified());
    gauge(record, "IdsLeft", "Ids of groups not looked at yet", status.idsLeft());
    counter(record, "Sampled", "Groups whose sample fits", counters.sampled);
    counter(record, "Verified", "Groups of which all fits", counters.verified);
    counter(record, "WrongParity", "Groups with wrong parity", counters.wrongParity);
    counter(
        record, "UnitsReencoded", "Parity units dropped to be encoded", counters.unitsReencoded);
    counter(record, "SuspectedData", "Groups whose data is suspected", counters.suspectedData);
    counter(record, "NotCompared", "Attempts without all units", counters.notCompared);
    counter(record, "TakenByUpdates", "Attempts ended by a change", counters.takenByUpdates);
    counter(record, "GivenUp", "Groups abandoned", counters.givenUp);
    counter(record, "LateReports", "Reports that were dropped", counters.lateReports);
    counter(record, "ExpiredTasks", "Groups taken from silent nodes", counters.expiredTasks);
    counter(record, "BytesRead", "Bytes that DataNodes read to compare", counters.bytesRead);
    counter(record, "IdsLookedUp", "Ids of groups looked up", counters.idsLookedUp);
    counter(record, "FailedRounds", "Rounds of the sweeper that failed", counters.failedRounds);
  }
}
