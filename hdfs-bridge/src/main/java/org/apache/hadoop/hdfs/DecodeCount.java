/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs;

import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.BlockType;
import org.apache.hadoop.hdfs.server.blockmanagement.PrivateFields;

/**
 * Statistics of a stream that count how often it decoded, or had a feature compute a block that has
 * no replica. Hadoop's own add up milliseconds, and many a decoding takes less than one.
 *
 * <p>Reaches: the protected field readStatistics of DFSInputStream, which is final, and which all
 * its readers read again for each addition; setBlockType of ReadStatistics. Checked for Hadoop
 * 3.5.0. Thread-safe.
 */
public final class DecodeCount extends ReadStatistics {
  private final AtomicLong decodings = new AtomicLong();

  private DecodeCount() {}

  /**
   * Begins to count; nothing was read of the stream yet.
   *
   * @param in of a file that is not encrypted
   */
  public static void begin(HdfsDataInputStream in) {
    DFSInputStream stream = (DFSInputStream) in.getWrappedStream();
    DecodeCount count = new DecodeCount();
    if (stream instanceof DFSStripedInputStream) {
      count.setBlockType(BlockType.STRIPED);
    }
    PrivateFields.set(PrivateFields.of(DFSInputStream.class, "readStatistics"), stream, count);
  }

  /**
   * How often a stream decoded.
   *
   * @throws IllegalArgumentException when nobody has begun to count
   */
  public static long of(HdfsDataInputStream in) {
    if (in.getReadStatistics() instanceof DecodeCount count) {
      return count.decodings.get();
    }
    throw new IllegalArgumentException(
        "Cannot count: statistics=" + in.getReadStatistics() + ", expected begin() before");
  }

  /** A stream got bytes that were computed. */
  static void addComputed(DFSInputStream stream) {
    if (stream.getReadStatistics() instanceof DecodeCount count) {
      count.decodings.incrementAndGet();
    }
  }

  @Override
  public synchronized void addErasureCodingDecodingTime(long millis) {
    decodings.incrementAndGet();
    super.addErasureCodingDecodingTime(millis);
  }
}
