/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.macro;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Room for the units of files on the file system that the clusters of a benchmark lie on. */
public final class DiskRoom {
  /** A checksum of 4 bytes for 512, and headers. */
  private static final int CHECKSUM_PART = 100;

  /** Logs, NameNode, and what a file system wants to have left. */
  private static final long OTHER_BYTES = 1L << 30;

  private DiskRoom() {}

  /** What units of a code take for files of so many bytes, with their checksums. */
  public static long stripedBytes(long fileBytes, int dataUnits, int parityUnits) {
    // Files may be as large as a volume of petabytes in a damaged trace: no overflow.
    double units = (double) fileBytes * (dataUnits + parityUnits) / dataUnits;
    return (long) (units + units / CHECKSUM_PART);
  }

  /**
   * Refuses to fill the file system.
   *
   * @param dir in which clusters are made
   * @param neededBytes most bytes that units take at a time
   * @param hint what makes them fewer
   * @throws BadOption when there is no room for them
   */
  public static void require(Path dir, long neededBytes, String hint) throws IOException {
    Files.createDirectories(dir);
    require(dir, neededBytes, Files.getFileStore(dir).getUsableSpace(), hint);
  }

  static void require(Path dir, long neededBytes, long usableBytes, String hint) {
    if (neededBytes > usableBytes - OTHER_BYTES) {
      throw new BadOption(
          "Cannot run: neededBytes="
              + neededBytes
              + ", expected at most usableBytes="
              + usableBytes
              + " less "
              + OTHER_BYTES
              + " for logs, dir="
              + dir
              + "; take another --dir, or "
              + hint);
    }
  }
}
