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
 * @param recovery of what was lost
 * @param load what readers and writers saw
 * @param compared files that are equal to their source
 * @param blocksChecked blocks that fsck looked at
 */
record Report(
    Amount sources,
    Traffic traffic,
    Recovery recovery,
    LoadCounts load,
    Amount compared,
    long blocksChecked) {
  private static final int REPLICAS = 3;

  /** A number of files and their bytes. */
  record Amount(long files, long bytes) {}

  /**
   * A recovery.
   *
   * @param lost the superchunk that lost both replicas
   * @param result what was done
   * @param ms how long it took
   */
  record Recovery(String lost, RecoveryResult result, long ms) {}

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
    lines.add(row("disks lost", recovery.lost()));
    lines.add(
        row(
            "rebuilt from parity",
            Texts.count(recovery.result().rebuiltBlocks(), "block")
                + ", "
                + Sizes.text(recovery.result().rebuiltBytes())
                + ": the bytes that had no replica left"));
    lines.add(
        row(
            "copied",
            Texts.count(recovery.result().copied(), "superchunk")
                + ", "
                + Sizes.text(recovery.result().copiedBytes())
                + ": those that had one replica left"));
    lines.add(
        row(
            "recovery",
            Texts.seconds(recovery.ms())
                + ", "
                + Texts.rate(recovery.result().bytes(), recovery.ms())));
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
            Texts.count(compared.files(), "file")
                + " of "
                + compared.files()
                + ", "
                + Sizes.text(compared.bytes())));
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
    return Texts.row(20, name, text);
  }
}
