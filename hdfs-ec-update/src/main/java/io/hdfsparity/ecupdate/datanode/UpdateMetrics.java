/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import static io.hdfsparity.bridge.metrics.MetricFields.counter;

import io.hdfsparity.bridge.metrics.MetricSources;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import java.io.Closeable;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.Interns;

/**
 * What a DataNode has done to its replicas for updates in place. A change that is made again after
 * its answer was lost counts again, one that is refused does not. Thread-safe.
 */
final class UpdateMetrics implements MetricsSource, Closeable {
  private static final String RECORD = "EcUpdateReplicas";

  private final String name;
  private final LongAdder cellWrites = new LongAdder();
  private final LongAdder cellBytes = new LongAdder();
  private final LongAdder parityUpdates = new LongAdder();
  private final LongAdder parityBytes = new LongAdder();

  private final LongAdder swapsRefused = new LongAdder();
  private final LongSupplier movesRefused;
  private final LongSupplier receiptBytes;

  UpdateMetrics(String name, LongSupplier movesRefused, LongSupplier receiptBytes) {
    this.name = name;
    this.movesRefused = movesRefused;
    this.receiptBytes = receiptBytes;
  }

  /**
   * Makes them visible. Several DataNodes of one JVM have a source each, named as HDFS's own
   * DataNodeActivity.
   *
   * @param nodeName {@code host:port}
   * @param movesRefused replicas that were not moved to another disk
   * @param receiptBytes of replaced bytes that are kept for clients now
   */
  static UpdateMetrics register(
      String nodeName, LongSupplier movesRefused, LongSupplier receiptBytes) {
    String name = RECORD + "-" + nodeName.replace(':', '-');
    return MetricSources.register(
        name,
        "Updates of a DataNode's replicas",
        new UpdateMetrics(name, movesRefused, receiptBytes));
  }

  @Override
  public void close() {
    MetricSources.unregister(name);
  }

  /** A request was answered. */
  void answered(Request request, Reply reply) {
    if (request instanceof Request.Swap swap) {
      if (reply instanceof Reply.SwapReply swapped && swapped.previous() != null) {
        cellWrites.increment();
        cellBytes.add(swap.patch().bytes().length());
      }
    } else if (reply instanceof Reply.AddReply added && added.status() == Reply.AddStatus.OK) {
      if (request instanceof Request.Add add) {
        updated(add.delta().bytes().length());
      } else if (request instanceof Request.AddAll add) {
        updated(add.delta().bytes().length());
      }
    }
  }

  /** A write to a cell was refused: its session has to collect first. */
  void refusedForRoom() {
    swapsRefused.increment();
  }

  private void updated(int lengthBytes) {
    parityUpdates.increment();
    parityBytes.add(lengthBytes);
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    MetricsRecordBuilder record = collector.addRecord(RECORD);
    counter(record, "CellWrites", "Writes to a cell of a data unit", cellWrites);
    counter(record, "CellBytes", "Bytes of these", cellBytes);
    counter(
        record,
        "ParityUpdates",
        "Changes of a cell of a parity unit, of however many cells of the stripe",
        parityUpdates);
    counter(record, "ParityBytes", "Bytes of these", parityBytes);
    record.addCounter(
        Interns.info(
            "MovesRefused", "Replicas that were not moved to another disk, as they are updated"),
        movesRefused.getAsLong());
    counter(
        record,
        "SwapsRefused",
        "Writes to a cell that were refused until their session has collected",
        swapsRefused);
    record.addGauge(
        Interns.info(
            "ReceiptBytes", "Bytes that writes have replaced and clients have not collected"),
        receiptBytes.getAsLong());
  }
}
