/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.namenode.access;

import static io.hdfsparity.bridge.metrics.MetricFields.counter;

import io.hdfsparity.bridge.metrics.MetricSources;
import io.hdfsparity.core.check.LabelValue;
import java.util.Optional;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.Interns;

/**
 * Gauges of the access history. Also says that it failed to start: HDFS itself only logs that.
 * Thread-safe.
 */
final class AccessMetrics implements MetricsSource {
  private static final String NAME = "IzsAccessHistory";
  private volatile Optional<Sources> sources = Optional.empty();
  private volatile String failure = "";

  private record Sources(AccessQueue queue, AccessCollector collector) {}

  /** Makes the gauges visible. */
  static AccessMetrics register() {
    return MetricSources.register(NAME, "Access history of hdfs-izs", new AccessMetrics());
  }

  void started(AccessQueue queue, AccessCollector collector) {
    sources = Optional.of(new Sources(queue, collector));
  }

  void failed(String why) {
    failure = LabelValue.of(why);
  }

  void unregister() {
    sources = Optional.empty();
    MetricSources.unregister(NAME);
  }

  @Override
  public void getMetrics(MetricsCollector to, boolean all) {
    MetricsRecordBuilder record = to.addRecord(NAME);
    record.tag(Interns.info("Failure", "Why accesses are not counted"), failure);
    Optional<Sources> now = sources;
    record.addGauge(Interns.info("Running", "1: accesses are counted"), now.isPresent() ? 1 : 0);
    now.ifPresent(
        s -> {
          counter(record, "EventsOffered", "Events of the audit stream", s.queue().offered());
          counter(record, "EventsCounted", "Events in the history", s.collector().counted());
          counter(
              record,
              "AccessesDropped",
              "Accesses that found the queue full, in events or in bytes",
              s.queue().droppedAccesses());
          counter(
              record,
              "MovesDropped",
              "Renames and deletes that found the queue full, in events or in bytes",
              s.queue().droppedMoves());
          counter(
              record,
              "FailedFlushes",
              "Times that the history could not be written",
              s.collector().failedFlushes());
          AccessCollector.Room room = s.collector().room();
          record.addGauge(Interns.info("Entries", "Paths kept"), room.entries());
          record.addGauge(Interns.info("Bytes", "Heap that they take at most"), room.bytes());
          counter(record, "EntriesEvicted", "Paths dropped for want of room", room.evictions());
          counter(
              record, "PathsTooLong", "Times that a path was too long to be kept", room.tooLong());
        });
  }
}
