/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.bridge.metrics.MetricSources;
import io.hdfsparity.raidp.lstor.LstorStats;
import java.io.Closeable;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.Interns;

/**
 * Gauges and counters of RAIDP in a DataNode: one record a disk, and one for the node. Thread-safe.
 */
final class NodeMetrics implements MetricsSource, Closeable {
  private static final String RECORD = "RaidpDisk";
  private static final String NODE_RECORD = "RaidpDataNode";

  private final String name;
  private final NodeFrames frames;
  private final List<RefusedDisk> refused;
  private final Scrubber scrubber;
  private final BooleanSupplier writable;
  private final RangeCounters ranges;

  private NodeMetrics(
      String name,
      NodeFrames frames,
      List<RefusedDisk> refused,
      Scrubber scrubber,
      BooleanSupplier writable,
      RangeCounters ranges) {
    this.name = name;
    this.frames = frames;
    this.refused = refused;
    this.scrubber = scrubber;
    this.writable = writable;
    this.ranges = ranges;
  }

  /** Makes the gauges visible. Several DataNodes of one JVM have a source each. */
  static NodeMetrics register(
      String nodeUuid,
      NodeFrames frames,
      List<RefusedDisk> refused,
      Scrubber scrubber,
      BooleanSupplier writable,
      RangeCounters ranges) {
    String name = NODE_RECORD + "-" + nodeUuid;
    return MetricSources.register(
        name,
        "RAIDP in a DataNode",
        new NodeMetrics(name, frames, refused, scrubber, writable, ranges));
  }

  @Override
  public void close() {
    MetricSources.unregister(name);
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    MetricsRecordBuilder node = collector.addRecord(NODE_RECORD);
    long failed =
        frames.disks().stream().filter(disk -> disk.failure().isPresent()).count() + refused.size();
    node.addGauge(
        Interns.info("FailedClosed", "1: new blocks are refused on all disks"),
        writable.getAsBoolean() ? 0 : 1);
    node.addGauge(Interns.info("DisksFailed", "Disks or Lstors out of service"), failed);
    node.addGauge(
        Interns.info("Disks", "Disks in service"), frames.disks().size() + refused.size() - failed);
    node.addGauge(
        Interns.info("PartnersSilent", "Partner DataNodes that take calls and do not answer"),
        frames.disks().stream()
            .mapToInt(disk -> disk.context().work().silent().count())
            .max()
            .orElse(0));
    node.addCounter(
        Interns.info("ScrubFindings", "Findings of all scrubs since the start"),
        scrubber.findingsEver());
    node.addCounter(
        Interns.info("RangesDecoded", "Ranges of lost blocks decoded for clients"),
        ranges.decoded().sum());
    node.addCounter(Interns.info("RangeBytesDecoded", "Bytes of them"), ranges.bytes().sum());
    node.addCounter(
        Interns.info("RangesRefused", "Ranges refused: no permission, or no such range"),
        ranges.refused().sum());
    node.addCounter(
        Interns.info("RangesBusy", "Ranges turned away for a moment: too many at a time"),
        ranges.busy().sum());
    node.addCounter(
        Interns.info("RangesFailed", "Ranges that could not be decoded"), ranges.failed().sum());
    for (DiskEngine disk : frames.disks()) {
      if (disk.holdsLstor()) {
        record(collector.addRecord(RECORD), disk);
      }
    }
  }

  private void record(MetricsRecordBuilder record, DiskEngine disk) {
    LstorStats stats = disk.lstor().stats();
    record.tag(Interns.info("Disk", "Disk id"), disk.diskId());
    record.tag(Interns.info("State", "OK, DISK_FAILED or LSTOR_FAILED"), disk.state().name());
    record.addCounter(
        Interns.info("ParityBytes", "Image bytes XORed into the parity"), stats.bytesXored());
    record.addGauge(
        Interns.info("JournalDepthBytes", "Covered bytes about which partners have not answered"),
        disk.gate().depthBytes());
    record.addCounter(
        Interns.info("JournalWaits", "Writes that waited for the journal"), disk.gate().waits());
    record.addCounter(
        Interns.info("JournalWaitNanos", "Time that they waited"), disk.gate().waitNanos());
    record.addGauge(
        Interns.info("RingBytes", "Redo records not yet checkpointed"),
        stats.journal().bytesInUse());
    record.addCounter(
        Interns.info("Commits", "Transactions of the Lstor"), stats.journal().records());
    record.addCounter(
        Interns.info("CommitNanos", "Time in them"), stats.journal().commitNanosSum());
    record.addGauge(
        Interns.info("CommitNanosMax", "Slowest of them"), stats.journal().commitNanosMax());
    record.addGauge(
        Interns.info("Unacknowledged", "Rows that the partner has not acknowledged"),
        stats.rows().unacknowledged());
    record.addGauge(
        Interns.info("LimboRows", "Deleted blocks still in the slot table"), stats.rows().limbo());
    long limboBytes = 0;
    long orphans = 0;
    long free = 0;
    long waiting = 0;
    for (Volume volume : disk.volumes()) {
      limboBytes += volume.limbo().bytes();
      orphans += volume.limboOrphans().removed();
    }
    for (FrameEngine engine : frames.enginesOf(disk)) {
      free += disk.lstor().freeUnits(engine.frame().index());
      waiting += engine.frame().due().size();
    }
    long units = (long) disk.lstor().geometry().unitsPerFrame() * disk.frames().size();
    record.addGauge(Interns.info("LimboBytes", "Bytes kept for partners' parity"), limboBytes);
    record.addCounter(
        Interns.info("LimboOrphansRemoved", "Blocks without a row, removed from limbo"), orphans);
    record.addGauge(Interns.info("UnitsFree", "Allocation units that no block holds"), free);
    record.addGauge(Interns.info("UnitsUsed", "Allocation units that a block holds"), units - free);
    record.addGauge(Interns.info("Unsettled", "Blocks with background work to do"), waiting);
  }
}
