/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.datanode;

import static io.hdfsparity.bridge.metrics.MetricFields.counter;

import io.hdfsparity.bridge.metrics.MetricSources;
import java.io.Closeable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.Interns;

/**
 * What repair of IZS block groups in a DataNode does, besides HDFS's own counters of
 * reconstruction. Thread-safe.
 */
final class RepairMetrics implements MetricsSource, Closeable {
  private static final String RECORD = "IzsRepair";

  /** Which plans rebuilt the full stripes of a group. */
  enum Plans {
    HALF_READ,
    FULL_READ,
    BOTH
  }

  private final String name;
  private volatile boolean isInService;
  private final AtomicInteger running = new AtomicInteger();
  private final LongAdder halfReadRepairs = new LongAdder();
  private final LongAdder fullReadRepairs = new LongAdder();
  private final LongAdder mixedRepairs = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final LongAdder nanos = new LongAdder();
  private final Reads ofRebuilding = new Reads();
  private final Reads ofComparing = new Reads();
  private final Reads ofVerifying = new Reads();
  private final LongAdder contradictions = new LongAdder();
  private final LongAdder bytesSaved = new LongAdder();
  private final LongAdder bytesDiscarded = new LongAdder();
  private final LongAdder planChanges = new LongAdder();
  private final LongAdder failedHelpers = new LongAdder();
  private final LongAdder slowHelpers = new LongAdder();
  private final LongAdder corruptHelpers = new LongAdder();

  /** What is read of helpers to one end. */
  static final class Reads {
    private final LongAdder bytes = new LongAdder();
    private final LongAdder requests = new LongAdder();
    private final LongAdder connections = new LongAdder();

    void read(long lengthBytes) {
      bytes.add(lengthBytes);
    }

    void requested() {
      requests.increment();
    }

    void connected() {
      connections.increment();
    }
  }

  private RepairMetrics(String name) {
    this.name = name;
  }

  /**
   * Makes them visible, out of service. Several DataNodes of one JVM have a source each, named as
   * HDFS's own DataNodeActivity: a node has no id yet when plugins are started.
   *
   * @param nodeName {@code host:port}
   */
  static RepairMetrics register(String nodeName) {
    String name = RECORD + "-" + nodeName.replace(':', '-');
    return MetricSources.register(
        name, "Repair of IZS block groups in a DataNode", new RepairMetrics(name));
  }

  @Override
  public void close() {
    MetricSources.unregister(name);
  }

  void inService(boolean is) {
    isInService = is;
  }

  void began() {
    running.incrementAndGet();
  }

  void ended(long tookNanos) {
    running.decrementAndGet();
    nanos.add(tookNanos);
  }

  void repaired(Plans plans) {
    switch (plans) {
      case HALF_READ -> halfReadRepairs.increment();
      case FULL_READ -> fullReadRepairs.increment();
      case BOTH -> mixedRepairs.increment();
    }
  }

  void failed() {
    failures.increment();
  }

  /** Reads that units are rebuilt from. */
  Reads ofRebuilding() {
    return ofRebuilding;
  }

  /** Reads that sources are compared by. */
  Reads ofComparing() {
    return ofComparing;
  }

  /** Reads by which parity is verified that no repair needs. */
  Reads ofVerifying() {
    return ofVerifying;
  }

  /** Sources of a group do not say the same. */
  void contradicted() {
    contradictions.increment();
  }

  void saved(long lengthBytes) {
    bytesSaved.add(lengthBytes);
  }

  void discarded(long lengthBytes) {
    bytesDiscarded.add(lengthBytes);
  }

  void changedPlan(HelperFailedException.Fault because) {
    planChanges.increment();
    switch (because) {
      case FAILED -> failedHelpers.increment();
      case SLOW -> slowHelpers.increment();
      case CORRUPT -> corruptHelpers.increment();
    }
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    MetricsRecordBuilder record = collector.addRecord(RECORD);
    record.addGauge(
        Interns.info("FailedClosed", "1: IZS groups are left to HDFS, which refuses most"),
        isInService ? 0 : 1);
    record.addGauge(Interns.info("RunningRepairs", "Groups being rebuilt"), running.get());
    counter(record, "HalfReadRepairs", "Groups rebuilt by half reads", halfReadRepairs);
    counter(record, "FullReadRepairs", "Groups rebuilt from k units", fullReadRepairs);
    counter(record, "MixedRepairs", "Groups begun by half reads and ended from k", mixedRepairs);
    counter(record, "FailedRepairs", "Groups not rebuilt", failures);
    counter(
        record, "RepairMillis", "Time of all repairs, also failed ones", nanos.sum() / 1_000_000);
    counter(record, "BytesRead", "Bytes read of helpers", ofRebuilding.bytes);
    counter(record, "BytesSaved", "Bytes that reading k units would have read more", bytesSaved);
    counter(record, "BytesDiscarded", "Bytes read but not used", bytesDiscarded);
    counter(record, "ReadRequests", "Requests to helpers", ofRebuilding.requests);
    counter(record, "Connections", "Connections made to helpers", ofRebuilding.connections);
    counter(record, "ComparedBytes", "Bytes read to compare helpers", ofComparing.bytes);
    counter(record, "ComparingRequests", "Requests to compare helpers", ofComparing.requests);
    counter(record, "VerifiedBytes", "Bytes read to verify parity", ofVerifying.bytes);
    counter(record, "Contradictions", "Groups whose helpers do not fit", contradictions);
    counter(record, "PlanChanges", "Repairs that went on with other helpers", planChanges);
    counter(record, "FailedHelpers", "Helpers that refused or broke off", failedHelpers);
    counter(record, "SlowHelpers", "Helpers that delivered nothing in time", slowHelpers);
    counter(record, "CorruptHelpers", "Helpers reported as corrupt", corruptHelpers);
  }
}
