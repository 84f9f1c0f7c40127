/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import io.hdfsparity.localcluster.RepairCounters;
import io.hdfsparity.localcluster.Sizes;
import java.util.ArrayList;
import java.util.List;

/**
 * What the chapter on codec izs found, for its last page. Pure.
 *
 * @param sources files of the user and their bytes
 * @param repair of the node that died
 * @param levels times of changes of level
 * @param space bytes on disks at each level
 * @param reads what readers saw
 * @param survived how many nodes were dead at once while all was read
 * @param compared files equal to their source at the end
 */
record IzsReport(
    Report.Amount sources,
    Repair repair,
    Levels levels,
    Space space,
    Reads reads,
    int survived,
    long compared) {
  private static final long STRIPE_BYTES = IzsShape.DATA_UNITS * IzsShape.CELL_BYTES;

  /**
   * The repair of one node.
   *
   * @param units that were lost
   * @param bytes of these
   * @param fullStripes full stripes that lost a data cell
   * @param counters of all DataNodes
   * @param ms from the moment the NameNode held the node for dead
   */
  record Repair(long units, long bytes, long fullStripes, RepairCounters counters, long ms) {
    /** What Reed-Solomon reads for the same: k cells for each stripe. */
    long rsBytes() {
      return counters.bytesRead() + counters.bytesSaved();
    }

    /** What Reed-Solomon reads for full stripes that lost a data cell. */
    long rsFullBytes() {
      return fullStripes * STRIPE_BYTES;
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
      return List.of(
          String.format("%-40s %12s %12s", "read for the repair", "izs", "RS-4-2"),
          row("full stripes that lost a data unit", fullBytes(), rsFullBytes())
              + (rsFullBytes() > 0 && isFiveEighths() ? " = 5/8, to the byte" : ""),
          row(
              "short stripes, and parity units",
              counters.bytesRead() - fullBytes(),
              rsBytes() - rsFullBytes()),
          row("all", counters.bytesRead(), rsBytes()));
    }

    private static String row(String name, long izs, long rs) {
      return String.format(
          "%-40s %12s %12s   %s", name, Sizes.text(izs), Sizes.text(rs), share(izs, rs));
    }
  }

  /** Milliseconds of the calls, and until the new parity units were there. */
  record Levels(long raiseCallMs, long raisedMs, long groups, long lowerCallMs) {}

  /**
   * Bytes of replicas with their checksums on the disks of the nodes that are alive.
   *
   * @param higher after the level was raised
   */
  record Space(long before, long higher, long lower) {
    /** A table of three lines. */
    List<String> table(long sourceBytes) {
      return List.of(
          row(IzsShape.policy(IzsShape.LEVEL), before, sourceBytes),
          row(IzsShape.policy(IzsShape.HIGHER_LEVEL), higher, sourceBytes),
          row(IzsShape.policy(IzsShape.LOWER_LEVEL), lower, sourceBytes));
    }

    private static String row(String name, long bytes, long sourceBytes) {
      return String.format(
          "on disks with %-16s %12s   %s", name, Sizes.text(bytes), times(bytes, sourceBytes));
    }
  }

  /** Ranges read and found right while a node was rebuilt, and while the level was raised. */
  record Reads(long whileRebuilt, long whileRaised) {}

  /** The page. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(
        row("stored", Texts.count(sources.files(), "file") + ", " + Sizes.text(sources.bytes())));
    lines.add(
        row(
            "rebuilt",
            Texts.count(repair.units(), "unit")
                + " of "
                + Sizes.text(repair.bytes())
                + " in "
                + Texts.seconds(repair.ms())));
    lines.add(
        row(
            "read for that",
            Sizes.text(repair.counters().bytesRead())
                + ", RS: "
                + Sizes.text(repair.rsBytes())
                + "; of full stripes "
                + share(repair.fullBytes(), repair.rsFullBytes())));
    lines.add(
        row(
            "level 2 to 3",
            Texts.count(levels.groups(), "block group")
                + " in "
                + Texts.seconds(levels.raiseCallMs())
                + ", new parity units there after "
                + Texts.seconds(levels.raisedMs())));
    lines.add(row("level 3 to 1", "in " + Texts.seconds(levels.lowerCallMs())));
    lines.add(
        row(
            "on disks",
            "level 2 "
                + Sizes.text(space.before())
                + ", level 3 "
                + Sizes.text(space.higher())
                + ", level 1 "
                + Sizes.text(space.lower())));
    lines.add(
        row(
            "read meanwhile",
            reads.whileRebuilt()
                + " ranges during the repair, "
                + reads.whileRaised()
                + " during the change of level: all right, none refused"));
    lines.add(
        row("nodes dead at once", survived + " of " + IzsShape.NODES + ", and all files read"));
    lines.add(row("SHA-256 equal", Texts.count(compared, "file") + " of " + sources.files()));
    return lines;
  }

  /** A share in percent. */
  static String share(long part, long whole) {
    return whole == 0 ? "" : String.format(java.util.Locale.ROOT, "%.1f %%", 100.0 * part / whole);
  }

  private static String times(long bytes, long sourceBytes) {
    return sourceBytes == 0
        ? ""
        : String.format(
            java.util.Locale.ROOT, "%.2f times the files", (double) bytes / sourceBytes);
  }

  private static String row(String name, String text) {
    return Texts.row(20, name, text);
  }
}
