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
 * What storing files under RAIDP has cost. Pure.
 *
 * @param sourceBytes bytes of the files
 * @param diskBytes bytes of all replicas on all disks, checksums included
 * @param lstorBytes size of all Lstors
 * @param networkBytes bytes that DataNodes received for blocks, and bytes of all RPC at DataNodes
 */
record Traffic(long sourceBytes, long diskBytes, long lstorBytes, long networkBytes) {
  private static final int REPLICAS = 3;
  private static final String ROW = "%-22s %12s %14s";

  /** What three replicas of the same files take on disks: the same overhead by replica. */
  long threeReplicasDiskBytes() {
    return diskBytes / 2 * REPLICAS;
  }

  /** What DataNodes receive for three replicas of the same files, without any RPC. */
  long threeReplicasNetworkBytes() {
    return sourceBytes * REPLICAS;
  }

  /** A table of three lines. */
  List<String> table() {
    String lstors = format(ROW, "in Lstors", size(lstorBytes), "-");
    return List.of(
        format(ROW, "", "RAIDP", "three replicas"),
        row("on disks", diskBytes, threeReplicasDiskBytes()),
        row("over the network", networkBytes, threeReplicasNetworkBytes()),
        lstors + "   one frame a disk, however full the disks are");
  }

  private static String row(String name, long raidp, long three) {
    return format(ROW + "   %s", name, size(raidp), size(three), difference(raidp, three));
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
    add(report, "on disks", diskBytes, threeReplicasDiskBytes());
    add(report, "over the network", networkBytes, threeReplicasNetworkBytes());
  }

  private static void add(Report report, String name, long bytes, long three) {
    String difference = difference(bytes, three);
    report.row(name, "%s, %s than three replicas (%s)", size(bytes), difference, size(three));
  }
}
