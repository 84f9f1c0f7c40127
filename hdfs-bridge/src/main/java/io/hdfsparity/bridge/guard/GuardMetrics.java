/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.guard;

import io.hdfsparity.bridge.metrics.MetricSources;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.Interns;

/** What a NameNode's guard has refused, source {@value #NAME}. Thread-safe. */
public final class GuardMetrics implements MetricsSource {
  public static final String NAME = "ParityClientGuard";

  private final RefusalLog refusals;

  private GuardMetrics(RefusalLog refusals) {
    this.refusals = refusals;
  }

  /** Makes them visible, in the place of those of an earlier NameNode of the process. */
  public static void register(RefusalLog refusals) {
    MetricSources.register(NAME, "Calls that the guard has refused", new GuardMetrics(refusals));
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    MetricsRecordBuilder record = collector.addRecord(NAME);
    for (GuardRule rule : GuardRule.values()) {
      record.addCounter(Interns.info(rule.counter(), rule.meaning()), refusals.total(rule));
    }
  }
}
