/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.admin;

import io.hdfsparity.raidp.layout.PlanCosts;
import io.hdfsparity.raidp.layout.PlanFailures;
import io.hdfsparity.raidp.layout.PlanRates;
import io.hdfsparity.raidp.layout.PlanReport;
import io.hdfsparity.raidp.layout.PlanSpec;
import java.io.PrintStream;
import java.util.Locale;

/** The parts of a plan's text on what it costs, and on what failures take. */
final class PlanCostText {
  private static final int SECONDS_A_MINUTE = 60;
  private static final int MINUTES = 120;

  private PlanCostText() {}

  static void writeCosts(PlanReport report, PlanRates rates, PrintStream out) {
    PlanSpec spec = report.spec();
    PlanCosts costs = report.costs();
    String block = PlanText.bytes(PlanCosts.BLOCK_BYTES);
    PlanText.line(
        out,
        "Lstor writes",
        "%.2f bytes for each byte written to the disk, and again when it is deleted (redo ring, then"
            + " home); for all disks of a node writing %s/s: %s/s",
        costs.lstorWriteFactor(),
        PlanText.bytes(rates.diskBytesPerSecond()),
        PlanText.bytes(
            (long) (costs.lstorWriteFactor() * rates.diskBytesPerSecond() * spec.disksPerNode())));
    PlanText.line(
        out,
        "Memory",
        "DataNode %s: %,d rows a disk x %d bytes (disks full of blocks of %s), unit maps; map of"
            + " superchunks %s: %.1f bytes each",
        PlanText.bytes(costs.dataNodeHeapBytes()),
        costs.rowsPerDisk(),
        PlanCosts.ROW_HEAP_BYTES,
        block,
        PlanText.bytes(costs.pairTableBytes()),
        (double) costs.pairTableBytes() / Math.max(1, report.planned().table().superchunks()));
    PlanText.line(
        out,
        "Recovery",
        "a full disk has its second replicas again after %s (limit: %s); the largest of"
            + " superchunk / min(link, disk), load x superchunk / (nodes x link),"
            + " 2 x load x superchunk / (disks x disk rate)",
        time(costs.recovery().seconds()),
        costs.recovery().limit());
    PlanText.line(
        out,
        "  in HDFS",
        "%s with dfs.namenode.replication.max-streams=%d: so many copies a heartbeat and DataNode,"
            + " of blocks of %s; -maxStreams plans with another number",
        time(costs.recovery().secondsInHdfs()),
        rates.maxStreams(),
        block);
    PlanText.line(
        out,
        "Lost blocks",
        "a block of %s with no replica left: %s over one link; its superchunk, for stock clients: %s;"
            + " (load - 1) x size / link",
        block,
        time(costs.blockSeconds()),
        time(costs.superchunkSeconds()));
  }

  static void writeFailures(PlanReport report, PrintStream out) {
    out.printf(
        Locale.ROOT,
        "%s of disks share pairwise%s.%n",
        String.format(
            Locale.ROOT,
            report.losses().triangles().exact() ? "%,d triples" : "About %,d triples",
            report.losses().triangles().count()),
        report.losses().triangles().exact()
            ? ""
            : String.format(
                Locale.ROOT,
                " (counted at %,d of %,d superchunks)",
                report.losses().triangles().tried(),
                report.losses().triangles().superchunks()));
    out.println(
        "Lost at most, worst case of this layout (in brackets: with coefficients=two), beside three"
            + " replicas:");
    out.printf(Locale.ROOT, "  %-50s %-28s %s%n", "failure", "RAIDP", "three replicas");
    for (PlanFailures.Case each : report.losses().failures()) {
      out.printf(
          Locale.ROOT,
          "  %-50s %-28s %s%n",
          each.what(),
          amount(report, each.lost())
              + (each.lost() == each.lostWithXor()
                  ? ""
                  : " (" + amount(report, each.lostWithXor()) + ")"),
          each.threeReplicas());
    }
  }

  private static String amount(PlanReport report, int superchunks) {
    return superchunks == 0
        ? "nothing"
        : String.format(
            Locale.ROOT, "%,d x %s", superchunks, PlanText.bytes(report.spec().superchunkBytes()));
  }

  /** "45 s", "12 min", "3.5 h". */
  static String time(double seconds) {
    double minutes = seconds / SECONDS_A_MINUTE;
    return minutes < 2
        ? String.format(Locale.ROOT, "%.1f s", seconds)
        : minutes < MINUTES
            ? String.format(Locale.ROOT, "%.0f min", minutes)
            : String.format(Locale.ROOT, "%.1f h", minutes / SECONDS_A_MINUTE);
  }
}
