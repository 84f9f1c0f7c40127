/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.feature;

import io.hdfsparity.bridge.metrics.MetricSources;
import io.hdfsparity.core.check.LabelValue;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.Interns;

/** How the features of a daemon are, for {@code /jmx} and {@code /prom}. Thread-safe. */
final class FeatureMetrics implements MetricsSource {
  private static final String RECORD = "ParityFeatures";

  private final String name;
  private volatile List<FeatureSlot<?>> slots = List.of();

  private FeatureMetrics(String name) {
    this.name = name;
  }

  /**
   * Makes them visible.
   *
   * @param daemon empty, or what tells daemons of one JVM apart
   */
  static FeatureMetrics register(String daemon) {
    String name = daemon.isEmpty() ? RECORD : RECORD + "-" + daemon.replace(':', '-');
    return MetricSources.register(
        name, "Features of the HDFS Parity Suite", new FeatureMetrics(name));
  }

  void show(List<? extends FeatureSlot<?>> all) {
    slots = List.copyOf(all);
  }

  void unregister() {
    MetricSources.unregister(name);
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    MetricsRecordBuilder record = collector.addRecord(RECORD);
    for (FeatureSlot<?> slot : slots) {
      String part = words(slot.feature().part());
      record.tag(
          Interns.info(part + "State", "How it is, and why"), LabelValue.of(slot.description()));
      record.addGauge(
          Interns.info(part + "InService", "1: it is in service"), slot.isInService() ? 1 : 0);
      record.addGauge(
          Interns.info(part + "FailedClosed", "1: it was to be started, and refuses its work"),
          slot.isFailed() ? 1 : 0);
    }
  }

  private static String words(String part) {
    return Arrays.stream(part.split("-", -1))
        .map(word -> Character.toUpperCase(word.charAt(0)) + word.substring(1))
        .collect(Collectors.joining());
  }
}
