/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import java.util.List;
import java.util.function.LongUnaryOperator;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;

/**
 * What files of an erasure code take on the disks of DataNodes, unit by unit. Pure.
 *
 * @param dataUnits of a block group
 * @param parityUnits of a block group
 * @param cellBytes bytes of a cell
 * @param blockBytes most bytes of a unit, whole cells
 */
record StripedSpace(int dataUnits, int parityUnits, long cellBytes, long blockBytes) {
  /** What a file system gives a file at least, and more of it in multiples of. */
  static final long FILE_SYSTEM_BLOCK_BYTES = 4096;

  private static final int BYTES_PER_CHECKSUM = 512;
  private static final int CHECKSUM_BYTES = 4;
  private static final int CHECKSUM_HEADER_BYTES = 7;

  /** Length of all units of files and their checksum files. */
  long fileBytes(List<SourceFile> files) {
    return files.stream()
        .mapToLong(file -> sum(file.lengthBytes(), unit -> unit + checksumFileBytes(unit)))
        .sum();
  }

  /** What these take from the file system, which is much more where files are tiny. */
  long takenBytes(List<SourceFile> files) {
    return files.stream().mapToLong(file -> takenBytes(file.lengthBytes())).sum();
  }

  /** The same for one file. */
  long takenBytes(long lengthBytes) {
    return sum(lengthBytes, unit -> wholeBlocks(unit) + wholeBlocks(checksumFileBytes(unit)));
  }

  /** How many block groups a file has. */
  long groups(long lengthBytes) {
    long groupBytes = dataUnits * blockBytes;
    return (lengthBytes + groupBytes - 1) / groupBytes;
  }

  private long sum(long lengthBytes, LongUnaryOperator ofUnit) {
    long groupBytes = dataUnits * blockBytes;
    long bytes =
        lengthBytes / groupBytes * (dataUnits + parityUnits) * ofUnit.applyAsLong(blockBytes);
    for (int unit = 0; unit < dataUnits + parityUnits; unit++) {
      long unitBytes = unitBytes(lengthBytes % groupBytes, unit);
      bytes += unitBytes == 0 ? 0 : ofUnit.applyAsLong(unitBytes);
    }
    return bytes;
  }

  /** Length of a unit of a group; a parity unit is as long as the first data unit. */
  long unitBytes(long bytesInGroup, int unit) {
    return StripedBlockUtil.getInternalBlockLength(
        bytesInGroup, Math.toIntExact(cellBytes), dataUnits, unit);
  }

  private static long checksumFileBytes(long unitBytes) {
    return CHECKSUM_HEADER_BYTES
        + (unitBytes + BYTES_PER_CHECKSUM - 1) / BYTES_PER_CHECKSUM * CHECKSUM_BYTES;
  }

  private static long wholeBlocks(long bytes) {
    return (bytes + FILE_SYSTEM_BLOCK_BYTES - 1)
        / FILE_SYSTEM_BLOCK_BYTES
        * FILE_SYSTEM_BLOCK_BYTES;
  }
}
