/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.admin;

import io.hdfsparity.raidp.layout.Layout;
import io.hdfsparity.raidp.layout.PairTable;
import io.hdfsparity.raidp.layout.PlanRates;
import io.hdfsparity.raidp.layout.PlanReport;
import io.hdfsparity.raidp.layout.PlanSpec;
import io.hdfsparity.raidp.layout.RecoveryRoom;
import java.io.PrintStream;
import java.util.Locale;

/**
 * Writes a plan as text: a summary, and the layout as the paper's Fig. 3 draws it when it fits on a
 * screen.
 */
final class PlanText {
  private static final int MAX_DISKS = 16;
  private static final String UNITS = "KMGTPE";

  private PlanText() {}

  static void write(PlanReport report, PlanRates rates, PrintStream out) {
    PlanSpec spec = report.spec();
    long disks = (long) spec.nodes() * spec.disksPerNode();
    line(
        out,
        "Cluster",
        "%,d nodes x %,d disks of %s = %,d disks in %,d %s",
        spec.nodes(),
        spec.disksPerNode(),
        bytes(spec.diskBytes()),
        disks,
        spec.racks(),
        spec.racks() == 1 ? "rack" : "racks");
    line(
        out,
        "Frames",
        "%,d on each disk%s, at least %,d of them spare, with room for %d failed disks",
        spec.framesPerDisk(),
        spec.frames().isPresent()
            ? ""
            : spec.superchunk().isPresent()
                ? ""
                : " (size of superchunks chosen here; -superchunkSize sets it)",
        spec.spareFramesPerDisk(),
        spec.roomDisks());
    line(
        out,
        "Superchunks",
        "%,d of %s each; %,d to %,d on a disk (layout: %s)",
        report.planned().table().superchunks(),
        bytes(spec.superchunkBytes()),
        report.planned().load().min(),
        report.planned().load().max(),
        report.planned().method().toLowerCase(Locale.ROOT));
    line(
        out,
        "Lstor",
        "%s for each disk: parity %s, checksum parity %s, tables %s, journal %s",
        bytes(report.lstor().totalBytes()),
        bytes(report.lstor().dataParityBytes()),
        bytes(report.lstor().checksumParityBytes()),
        bytes(report.lstor().tableBytes()),
        bytes(report.lstor().journalBytes()));
    line(
        out,
        "",
        "%.2f %% of the disk, %.2f %% more than a superchunk; keys: frame.size=%s, unit.size=%s,"
            + " lstor.ring.size=%s",
        100.0 * report.lstor().totalBytes() / spec.diskBytes(),
        100.0 * report.lstor().overhead(),
        key(spec.superchunkBytes()),
        key(report.lstor().unitBytes()),
        key(report.lstor().journalBytes()));
    line(
        out,
        "Capacity",
        "%s usable of %s raw (%.1f %%); three replicas: %s (%.1f %%); %.2f times",
        bytes(report.capacity().usableBytes()),
        bytes(report.capacity().rawBytes()),
        100.0 * report.capacity().usableBytes() / report.capacity().rawBytes(),
        bytes(report.capacity().threeReplicasBytes()),
        100.0 * report.capacity().threeReplicasBytes() / report.capacity().rawBytes(),
        (double) report.capacity().usableBytes() / report.capacity().threeReplicasBytes());
    if (spec.frames().isEmpty()) {
      line(
          out,
          "",
          "keep %.1f %% of each disk free, or a failed node's data finds no room",
          100.0 / spec.nodes());
    }
    if (report.capacity().usableBytes() < report.capacity().threeReplicasBytes()) {
      line(
          out,
          "",
          "%s",
          "less than three replicas would hold: a disk meets too few others;"
              + " more nodes or disks help");
    }
    PlanCostText.writeCosts(report, rates, out);
    out.println();
    writeSurvival(report, out);
    PlanCostText.writeFailures(report, out);
    for (String note : report.notes()) {
      line(out, "Note", "%s", note);
    }
    out.println();
    writeLayout(report, out);
  }

  private static void writeSurvival(PlanReport report, PrintStream out) {
    out.println("No data is lost when these fail:");
    line(out, "  any 1 disk", "%s", yes(report.losses().survival().anyDisk()));
    line(out, "  any 1 node", "%s", yes(report.losses().survival().anyNode()));
    line(
        out,
        "  any 2 disks",
        "%s",
        yes(report.losses().survival().anyTwoDisks())
            + ": at most one superchunk loses both replicas; either Lstor rebuilds it");
    line(
        out,
        "  any 3 disks",
        "%s",
        "yes, if no Lstor fails with them; with dfs.parity.raidp.coefficients=two only disks that do"
            + " not all share pairwise");
    line(
        out,
        "  1 rack out",
        "%s",
        report.losses().survival().availableWithoutAnyRack()
            ? "yes: every superchunk stays readable"
            : report.spec().racks() == 1 ? "no: there is only one rack" : "no");
    line(
        out,
        "  any 2 nodes",
        "no promise: two nodes share up to %,d superchunks, at least %,d, %.1f on average",
        report.losses().survival().sharedByTwoNodes(),
        report.planned().sharing().min(),
        report.planned().sharing().mean());
    out.println("Fully redundant again, on the disks that are left, after the failure of:");
    for (RecoveryRoom room : report.losses().room()) {
      out.printf(
          Locale.ROOT,
          "  %s: %s (%,d of %,d cases tried, %,d fully; at most %,d rounds)%n",
          room.cases(),
          room.always() ? "yes" : room.complete() == 0 ? "no" : "not always",
          room.tried(),
          room.possible(),
          room.complete(),
          room.rounds());
    }
  }

  private static void writeLayout(PlanReport report, PrintStream out) {
    int disks = report.planned().table().disks().disks();
    if (disks > MAX_DISKS) {
      out.printf(
          Locale.ROOT,
          "The layout of %,d disks is not drawn; -json lists every superchunk.%n",
          disks);
      return;
    }
    out.println(
        "Layout (columns are disks, rows are frames, numbers are superchunks, . is spare):");
    int nodeDisks = report.spec().disksPerNode();
    for (int d = 0; d < disks; d++) {
      out.printf(
          Locale.ROOT,
          "  D%-3d %s %s%n",
          d + 1,
          report.spec().diskName(d),
          report.spec().rackName(d / nodeDisks));
    }
    out.print("      ");
    for (int d = 0; d < disks; d++) {
      out.printf(Locale.ROOT, "%6s", "D" + (d + 1));
    }
    out.println();
    for (int row = 0; row < report.spec().framesPerDisk(); row++) {
      out.printf(Locale.ROOT, "%6s", "S" + (row + 1));
      for (int d = 0; d < disks; d++) {
        out.printf(Locale.ROOT, "%6s", cell(report, d, row));
      }
      out.println();
    }
  }

  private static String cell(PlanReport report, int disk, int row) {
    if (report.planned().layout().isPresent()) {
      Layout layout = report.planned().layout().get();
      return layout
          .pairOf(layout.shape().disks().get(disk).frames().get(row).id())
          .map(pair -> Long.toString(pair.id()))
          .orElse(".");
    }
    PairTable table = report.planned().table();
    return row < table.load(disk) ? "" + table.id(disk, table.peer(disk, row)) : ".";
  }

  static void line(PrintStream out, String name, String format, Object... values) {
    out.printf(Locale.ROOT, "%-14s%s%n", name, String.format(Locale.ROOT, format, values));
  }

  private static String yes(boolean value) {
    return value ? "yes" : "no";
  }

  /** Bytes as a key takes them: "4g", "1536m". */
  private static String key(long bytes) {
    int unit = 0;
    long value = bytes;
    while (value % 1024 == 0 && unit < UNITS.length()) {
      value /= 1024;
      unit++;
    }
    return value + (unit == 0 ? "" : UNITS.substring(unit - 1, unit).toLowerCase(Locale.ROOT));
  }

  /** Bytes with a unit of 1024, as HDFS prints them: "62.5 G". */
  static String bytes(long bytes) {
    int unit = -1;
    double value = bytes;
    while (value >= 1024 && unit + 1 < UNITS.length()) {
      value /= 1024;
      unit++;
    }
    return unit < 0
        ? bytes + " B"
        : String.format(Locale.ROOT, "%.1f %c", value, UNITS.charAt(unit));
  }
}
