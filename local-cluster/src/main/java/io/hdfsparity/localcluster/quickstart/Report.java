/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import io.hdfsparity.localcluster.Sizes;
import java.util.ArrayList;
import java.util.List;

/**
 * What the quickstart found, for the last page. Pure.
 *
 * @param sources files of the user and their bytes
 * @param traffic space and network
 * @param lost the superchunk that lost both replicas
 * @param recovery what recovery did
 * @param recoveryMs how long it took
 * @param load what readers and writers saw
 * @param compared files that are equal to their source, and bytes
 * @param comparedBytes bytes of these
 * @param blocksChecked blocks that fsck looked at
 */
record Report(
    Amount sources,
    Traffic traffic,
    String lost,
    RecoveryResult recovery,
    long recoveryMs,
    LoadCounts load,
    long compared,
    long comparedBytes,
    long blocksChecked) {
  private static final int REPLICAS = 3;

  /** A number of files and their bytes. */
  record Amount(long files, long bytes) {}

  /**
   * What storing the files has cost.
   *
   * @param sourceBytes bytes of the files
   * @param diskBytes bytes of all replicas on all disks, checksums included
   * @param lstorBytes size of all Lstors
   * @param networkBytes bytes that DataNodes received for blocks, and bytes of all RPC at DataNodes
   */
  record Traffic(long sourceBytes, long diskBytes, long lstorBytes, long networkBytes) {
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
      return List.of(
          String.format("%-22s %12s %14s", "", "RAIDP", "three replicas"),
          row("on disks", diskBytes, threeReplicasDiskBytes()),
          row("over the network", networkBytes, threeReplicasNetworkBytes()),
          String.format(
              "%-22s %12s %14s   %s",
              "in Lstors",
              Sizes.text(lstorBytes),
              "-",
              "one frame a disk, however full the disks are"));
    }

    private static String row(String name, long raidp, long three) {
      return String.format(
          "%-22s %12s %14s   %s",
          name, Sizes.text(raidp), Sizes.text(three), difference(raidp, three));
    }

    /** How much less, or more, in percent. */
    static String difference(long bytes, long other) {
      if (other <= 0) {
        return "";
      }
      long percent = Math.round(100.0 * (other - bytes) / other);
      return percent >= 0 ? percent + " % less" : -percent + " % MORE";
    }
  }

  /** The page. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(
        row("stored", Texts.count(sources.files(), "file") + ", " + Sizes.text(sources.bytes())));
    lines.add(row("on disks", against(traffic.diskBytes(), traffic.threeReplicasDiskBytes())));
    lines.add(
        row(
            "over the network",
            against(traffic.networkBytes(), traffic.threeReplicasNetworkBytes())));
    lines.add(row("disks lost", lost));
    lines.add(
        row(
            "rebuilt from parity",
            Texts.count(recovery.rebuiltBlocks(), "block")
                + ", "
                + Sizes.text(recovery.rebuiltBytes())
                + ": the bytes that had no replica left"));
    lines.add(
        row(
            "copied",
            Texts.count(recovery.copied(), "superchunk")
                + ", "
                + Sizes.text(recovery.copiedBytes())
                + ": those that had one replica left"));
    lines.add(
        row(
            "recovery",
            Texts.seconds(recoveryMs) + ", " + Texts.rate(recovery.bytes(), recoveryMs)));
    lines.add(
        row(
            "meanwhile",
            Texts.count(load.reads(), "read")
                + " of "
                + Sizes.text(load.readBytes())
                + " right, "
                + load.refusedReads()
                + " refused, "
                + load.wrong().size()
                + " wrong; "
                + Texts.count(load.writes(), "file")
                + " of "
                + Sizes.text(load.writtenBytes())
                + " written, "
                + Texts.count(load.retriedWrites(), "write")
                + " repeated"));
    lines.add(
        row(
            "SHA-256 equal",
            Texts.count(compared, "file") + " of " + compared + ", " + Sizes.text(comparedBytes)));
    lines.add(row("raidp -fsck", "healthy, " + Texts.count(blocksChecked, "block") + " checked"));
    return lines;
  }

  private static String against(long bytes, long three) {
    return Sizes.text(bytes)
        + ", "
        + Traffic.difference(bytes, three)
        + " than three replicas ("
        + Sizes.text(three)
        + ")";
  }

  private static String row(String name, String text) {
    return String.format("%-20s %s", name, text);
  }
}
