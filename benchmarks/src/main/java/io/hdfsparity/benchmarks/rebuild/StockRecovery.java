/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.rebuild;

import io.hdfsparity.benchmarks.macro.Wire;
import io.hdfsparity.localcluster.LocalCluster;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.BitSet;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;

/** Two disks of different nodes fail, and stock HDFS rebuilds the erasure-coded blocks on them. */
final class StockRecovery {
  /** Of files of stock HDFS. */
  static final int CELL_BYTES = 1 << 20;

  private static final long NOTICE_NANOS = 60_000_000_000L;
  private static final long MAX_NANOS = 600_000_000_000L;
  private static final int FIRST_NODE = 0;
  private static final int SECOND_NODE = 1;

  private final LocalCluster cluster;
  private final DistributedFileSystem fs;

  StockRecovery(LocalCluster cluster, DistributedFileSystem fs) {
    this.cluster = cluster;
    this.fs = fs;
  }

  Measured measure(Row row, int round) throws Exception {
    long lost = usedOf(FIRST_NODE) + usedOf(SECOND_NODE);
    Wire before = Wire.read();
    cluster.failDisk(FIRST_NODE, 0);
    cluster.failDisk(SECOND_NODE, 0);
    long started = awaitNoticed();
    // A failed storage is forgotten once its blocks have been taken off it; until then units on it
    // still count as there.
    int storagesLeft = 2 * cluster.spec().nodes() - 2;
    while (knownStorages() > storagesLeft || unitsMissing() > 0) {
      if (System.nanoTime() - started > MAX_NANOS) {
        throw new IOException(
            "Cannot recover in time: missing units="
                + unitsMissing()
                + " storages="
                + knownStorages());
      }
    }
    double seconds = (System.nanoTime() - started) / 1e9;
    long network = Wire.read().since(before).nodeBytes();
    return new Measured(row.name(), round, seconds, seconds, lost, network, network);
  }

  /** Bytes on the first disk of a node. */
  private long usedOf(int node) throws IOException {
    java.nio.file.Path root =
        new io.hdfsparity.localcluster.ClusterPaths(cluster.dir()).diskRoot(node, 0);
    try (var files = java.nio.file.Files.walk(root)) {
      return files
          .filter(f -> f.getFileName().toString().matches("blk_[-0-9]+"))
          .mapToLong(f -> f.toFile().length())
          .sum();
    }
  }

  /**
   * Units of all block groups that the NameNode knows no place of. Its own count of groups with low
   * redundancy says less: it leaves out those that are being rebuilt.
   */
  private int unitsMissing() throws IOException {
    int missing = 0;
    for (FileStatus file : fs.listStatus(TestFiles.folder())) {
      LocatedBlocks blocks =
          fs.getClient().getLocatedBlocks(file.getPath().toUri().getPath(), 0, file.getLen());
      for (LocatedBlock group : blocks.getLocatedBlocks()) {
        byte[] indices = ((LocatedStripedBlock) group).getBlockIndices();
        BitSet found = new BitSet();
        for (byte index : indices) {
          found.set(index);
        }
        missing += cluster.spec().nodes() - found.cardinality();
      }
    }
    return missing;
  }

  private long knownStorages() throws IOException {
    return Arrays.stream(
            fs.getClient().getNamenode().getDatanodeStorageReport(DatanodeReportType.LIVE))
        .mapToLong(report -> report.getStorageReports().length)
        .sum();
  }

  private long goodStorages() throws IOException {
    return Arrays.stream(
            fs.getClient().getNamenode().getDatanodeStorageReport(DatanodeReportType.LIVE))
        .flatMap(report -> Arrays.stream(report.getStorageReports()))
        .filter(storage -> storage.getStorage().getState() != DatanodeStorage.State.FAILED)
        .count();
  }

  /**
   * Reads files until both DataNodes have met their failed disks and the NameNode knows.
   *
   * @return when it knew of the first one, by {@link System#nanoTime}
   */
  private long awaitNoticed() throws IOException {
    long begin = System.nanoTime();
    long first = 0;
    FileStatus[] files = fs.listStatus(TestFiles.folder());
    int expected = 2 * cluster.spec().nodes() - 2;
    for (int probe = 0; goodStorages() > expected || first == 0; probe++) {
      if (goodStorages() > expected) {
        touch(files[probe % files.length].getPath());
      }
      if (first == 0 && unitsMissing() > 0) {
        first = System.nanoTime();
      }
      if (System.nanoTime() - begin > NOTICE_NANOS) {
        throw new IOException(
            "Cannot measure: storages="
                + goodStorages()
                + ", expected "
                + expected
                + " once both failures are known");
      }
    }
    return first;
  }

  /** Reads a cell of every data block of the first group; lost ones are decoded by the client. */
  private void touch(Path path) throws IOException {
    try (InputStream in = fs.open(path)) {
      in.readNBytes((cluster.spec().nodes() - 2) * CELL_BYTES);
    }
  }
}
