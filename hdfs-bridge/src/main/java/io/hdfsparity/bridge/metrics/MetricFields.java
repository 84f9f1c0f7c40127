/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.metrics;

import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.lib.Interns;

/** Fields of a record of metrics, each with its meaning. Stateless. */
public final class MetricFields {
  private MetricFields() {}

  /** A value that goes up and down. */
  public static void gauge(MetricsRecordBuilder record, String name, String meaning, long value) {
    record.addGauge(Interns.info(name, meaning), value);
  }

  /** A value that only grows. */
  public static void counter(
      MetricsRecordBuilder record, String name, String meaning, LongAdder value) {
    counter(record, name, meaning, value.sum());
  }

  /** A value that only grows. */
  public static void counter(MetricsRecordBuilder record, String name, String meaning, long value) {
    record.addCounter(Interns.info(name, meaning), value);
  }
}
