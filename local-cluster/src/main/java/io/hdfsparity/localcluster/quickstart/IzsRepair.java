/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static io.hdfsparity.localcluster.quickstart.Texts.format;
import static io.hdfsparity.localcluster.quickstart.Texts.percent;
import static io.hdfsparity.localcluster.quickstart.Texts.size;

import io.hdfsparity.localcluster.RepairCounters;
import java.util.List;

/**
 * The repair of one node under codec izs. Pure.
 *
 * @param lost what the node had
 * @param counters of all DataNodes
 * @param ms from the moment the NameNode held the node for dead
 */
record IzsRepair(UnitMap.Holding lost, RepairCounters counters, long ms) {
  private static final long STRIPE_BYTES = IzsShape.DATA_UNITS * IzsShape.CELL_BYTES;
  private static final String ROW = "%-40s %12s %12s";

  /** What Reed-Solomon reads for the same: k cells for each stripe. */
  long rsBytes() {
    return counters.bytesRead() + counters.bytesSaved();
  }

  /** What Reed-Solomon reads for full stripes that lost a data cell. */
  long rsFullBytes() {
    return lost.fullDataStripes() * STRIPE_BYTES;
  }

  /** What was read for them: only there anything is saved. */
  long fullBytes() {
    return rsFullBytes() - counters.bytesSaved();
  }

  /** Whether it is five eighths, to the byte. */
  boolean isFiveEighths() {
    return fullBytes() * 8 == rsFullBytes() * 5;
  }

  /** A table of four lines. */
  List<String> table() {
    String exactly = rsFullBytes() > 0 && isFiveEighths() ? " = 5/8, to the byte" : "";
    long others = counters.bytesRead() - fullBytes();
    return List.of(
        format(ROW, "read for the repair", "izs", "RS-4-2"),
        row("full stripes that lost a data unit", fullBytes(), rsFullBytes()) + exactly,
        row("short stripes, and parity units", others, rsBytes() - rsFullBytes()),
        row("all", counters.bytesRead(), rsBytes()));
  }

  private static String row(String name, long izs, long rs) {
    return format(ROW + "   %s", name, size(izs), size(rs), percent(izs, rs));
  }

  void addTo(Report report) {
    report.row("rebuilt", "{unit} of {bytes} in {ms}", lost.units(), lost.bytes(), ms);
    String share = percent(fullBytes(), rsFullBytes());
    String template = "{bytes}, RS: {bytes}; of full stripes %s";
    report.row("read for that", template, counters.bytesRead(), rsBytes(), share);
  }
}
