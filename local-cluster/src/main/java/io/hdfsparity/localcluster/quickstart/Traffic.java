/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static io.hdfsparity.localcluster.quickstart.Texts.format;
import static io.hdfsparity.localcluster.quickstart.Texts.size;

import java.util.List;

/**
 * What taking files into superchunks has saved, and what it has cost. Pure.
 *
 * @param sourceBytes bytes of the files
 * @param beforeBytes bytes of all replicas on all disks with three replicas, checksums included
 * @param afterBytes the same with two
 * @param lstorBytes size of all Lstors
 * @param networkBytes bytes that DataNodes received meanwhile for blocks, and bytes of all RPC at
 *     DataNodes
 */
record Traffic(
    long sourceBytes, long beforeBytes, long afterBytes, long lstorBytes, long networkBytes) {
  private static final String ROW = "%-22s %14s %14s";

  /** A table of four lines. */
  List<String> table() {
    return List.of(
        format(ROW, "", "three replicas", "and parity"),
        format(ROW, "on disks", size(beforeBytes), size(afterBytes)) + "   " + saved(),
        format(ROW, "in Lstors", "-", size(lstorBytes))
            + "   one frame a disk, however full the disks are",
        format(ROW, "over the network", "", size(networkBytes)) + "   " + moved());
  }

  private String saved() {
    return difference(afterBytes, beforeBytes);
  }

  private String moved() {
    return format("%.2f bytes for each byte of the files", ratio());
  }

  /** Bytes over the network for each byte of the files. */
  double ratio() {
    return sourceBytes == 0 ? 0 : (double) networkBytes / sourceBytes;
  }

  /** How much less, or more, in percent. */
  static String difference(long bytes, long other) {
    if (other <= 0) {
      return "";
    }
    long percent = Math.round(100.0 * (other - bytes) / other);
    return percent >= 0 ? percent + " % less" : -percent + " % MORE";
  }

  void addTo(Report report) {
    report.row("on disks", "%s, %s than before (%s)", size(afterBytes), saved(), size(beforeBytes));
    report.row("over the network", "%s for it, %s", size(networkBytes), moved());
  }
}
