/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import java.lang.reflect.Field;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.metrics.DataNodeMetrics;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.MetricsRegistry;

/** Metrics of this process. Stateless. */
final class Metrics {
  private Metrics() {}

  /** As it is now. */
  static long value(String source, String name) {
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    DefaultMetricsSystem.instance().getSource(source).getMetrics(collector, true);
    return value(collector, source, name);
  }

  /**
   * Of a DataNode, as it is now. Not by the name of its source: in one process, that of a DataNode
   * which was started again stays with what it was before.
   */
  static long value(DataNode node, String name) {
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    try {
      Field registry = DataNodeMetrics.class.getDeclaredField("registry");
      registry.setAccessible(true);
      ((MetricsRegistry) registry.get(node.getMetrics()))
          .snapshot(collector.addRecord(node.getMetrics().name()), true);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
    return value(collector, node.getMetrics().name(), name);
  }

  /** How often DataNodes have forced a block to disk. */
  static long forcedBlocks(MiniDFSCluster cluster) {
    return cluster.getDataNodes().stream().mapToLong(node -> value(node, "FsyncCount")).sum();
  }

  private static long value(MetricsCollectorImpl collector, String source, String name) {
    for (MetricsRecord record : collector.getRecords()) {
      for (AbstractMetric each : record.metrics()) {
        if (each.name().equals(name)) {
          return each.value().longValue();
        }
      }
    }
    throw new AssertionError(source + " " + name);
  }
}
