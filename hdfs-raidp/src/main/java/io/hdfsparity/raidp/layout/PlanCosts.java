/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

/**
 * What a described cluster costs in memory, wear and time; disks taken to be full.
 *
 * @param rowsPerDisk rows of the slot table when disks are full of blocks of {@link #BLOCK_BYTES}
 * @param dataNodeHeapBytes heap of a DataNode for them, and for the unit maps of its frames
 * @param pairTableBytes bytes of the compact map of all superchunks
 * @param recovery until the superchunks of a failed disk have two replicas again
 * @param blockSeconds to decode one block of {@link #BLOCK_BYTES} with no replica left
 * @param superchunkSeconds to rebuild a superchunk with no replica left, so until a stock client
 *     gets the last of its blocks
 * @param lstorWriteFactor bytes written to the Lstor a byte written to the disk
 */
public record PlanCosts(
    long rowsPerDisk,
    long dataNodeHeapBytes,
    long pairTableBytes,
    Recovery recovery,
    double blockSeconds,
    double superchunkSeconds,
    double lstorWriteFactor) {
  /** Default of dfs.heartbeat.interval: a DataNode gets its copies with the answers to these. */
  private static final int HEARTBEAT_SECONDS = 3;

  /**
   * How long a recovery takes.
   *
   * @param seconds by links and disks alone
   * @param limit which of them
   * @param secondsInHdfs with the copies that HDFS starts at a heartbeat, too
   */
  public record Recovery(double seconds, String limit, double secondsInHdfs) {}

  /** Block size that rows and times are given for. */
  public static final long BLOCK_BYTES = 128L << 20;

  /**
   * Heap of a row of the slot table with one extent and its entry by block; SlotRowHeapTest
   * measures it.
   */
  public static final int ROW_HEAP_BYTES = 260;

  /** Parity goes to the redo ring, then home. */
  private static final int PARITY_WRITES = 2;

  static PlanCosts of(PlanSpec spec, PlanRates rates, LstorSizing lstor, PairTable table) {
    long load = Math.max(1, table.maxLoad());
    long superchunk = spec.superchunkBytes();
    double diskBytes = (double) load * superchunk;
    long rows = Math.max(load, (long) (diskBytes / BLOCK_BYTES));
    long maps = superchunk / lstor.unitBytes() / 8 * spec.framesPerDisk();
    double link = rates.linkBytesPerSecond();
    double disk = rates.diskBytesPerSecond();
    long senders = Math.min(spec.fewestPeers() / spec.disksPerNode(), load);
    double byLinks = diskBytes / (senders * link);
    double byStreams =
        diskBytes / BLOCK_BYTES * HEARTBEAT_SECONDS / ((double) senders * rates.maxStreams());
    long disks = (long) spec.nodes() * spec.disksPerNode() - 1;
    double byDisks = 2 * diskBytes / (Math.min(disks, 2 * load) * disk);
    double byOne = superchunk / Math.min(link, disk);
    double recovery = Math.max(byOne, Math.max(byLinks, byDisks));
    double mirrors = load - 1;
    return new PlanCosts(
        rows,
        spec.disksPerNode() * (rows * ROW_HEAP_BYTES + maps),
        table.bytes(),
        new Recovery(
            recovery,
            recovery == byOne
                ? "one superchunk from disk to disk"
                : recovery == byLinks ? "links of the survivors" : "disks",
            Math.max(recovery, byStreams)),
        mirrors * BLOCK_BYTES / link,
        mirrors * superchunk / link,
        PARITY_WRITES * (1 + (double) lstor.checksumParityBytes() / lstor.dataParityBytes()));
  }
}
