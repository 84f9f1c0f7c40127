/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.namenode;

import static io.hdfsparity.bridge.metrics.MetricFields.counter;
import static io.hdfsparity.bridge.metrics.MetricFields.gauge;

import io.hdfsparity.bridge.metrics.MetricSources;
import io.hdfsparity.caso.placement.ParityLoad;
import java.util.LongSummaryStatistics;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;

/** How parity is placed by forecast, source {@value #NAME}. Thread-safe. */
final class PlacementMetrics implements MetricsSource {
  static final String NAME = "CasoPlacement";

  private final ParityLoad load;
  private final LongAdder ordered;
  private final LongAdder refused;

  private PlacementMetrics(ParityLoad load, LongAdder ordered, LongAdder refused) {
    this.load = load;
    this.ordered = ordered;
    this.refused = refused;
  }

  /** Makes them visible, in the place of those of an earlier policy of the process. */
  static void register(ParityLoad load, LongAdder ordered, LongAdder refused) {
    MetricSources.register(
        NAME, "Parity placed by forecast", new PlacementMetrics(load, ordered, refused));
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    LongSummaryStatistics loads = load.statistics();
    boolean isNone = loads.getCount() == 0;
    MetricsRecordBuilder record = collector.addRecord(NAME);
    counter(
        record, "GroupsPlaced", "Block groups whose parity was placed by forecast", ordered.sum());
    counter(record, "ForecastsRefused", "Forecasts that could not be used", refused.sum());
    gauge(record, "Groups", "Block groups whose parity load is remembered", load.groupCount());
    gauge(record, "Nodes", "Nodes with predicted parity load", loads.getCount());
    gauge(
        record,
        "MinLoad",
        "Predicted parity updates of the least loaded one, thousandths a day",
        isNone ? 0 : loads.getMin());
    gauge(
        record,
        "MaxLoad",
        "Predicted parity updates of the most loaded one, thousandths a day",
        isNone ? 0 : loads.getMax());
  }
}
