/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.fs;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hdfs.DFSInputStream;
import org.apache.hadoop.hdfs.ReadStatistics;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * A stream in the order of its file, in the type that Hadoop's clients hand out. All reads are of
 * the ordered stream, which is also the wrapped one; what is said of blocks and of the reads so far
 * is that of the stored one. Thread-safe as its parent.
 */
final class OrderedDataInputStream extends HdfsDataInputStream {
  private final HdfsDataInputStream stored;

  /**
   * @param stored of a striped file that is not encrypted
   * @param ordered reads {@code stored}, and closes it
   */
  OrderedDataInputStream(HdfsDataInputStream stored, CasoInputStream ordered) {
    super((DFSInputStream) stored.getWrappedStream());
    this.stored = stored;
    this.in = ordered;
  }

  @Override
  public DatanodeInfo getCurrentDatanode() {
    return stored.getCurrentDatanode();
  }

  @Override
  public ExtendedBlock getCurrentBlock() {
    return stored.getCurrentBlock();
  }

  @Override
  public List<LocatedBlock> getAllBlocks() throws IOException {
    return stored.getAllBlocks();
  }

  @Override
  public long getVisibleLength() {
    return stored.getVisibleLength();
  }

  @Override
  public ReadStatistics getReadStatistics() {
    return stored.getReadStatistics();
  }

  @Override
  public void clearReadStatistics() {
    stored.clearReadStatistics();
  }
}
