/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs;

import io.hdfsparity.core.check.Clock;
import io.hdfsparity.core.check.ErrorMessage;
import java.io.IOException;
import org.apache.hadoop.hdfs.StripeReader.BlockReaderInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;

/**
 * Hadoop's stream of a striped file, with four differences. It fails where the path leads to a file
 * of another form by now. A read takes units of the one block group only that it began with:
 * Hadoop's own asks for locations when a unit fails, and continues with that unit of whatever group
 * is in the place by then. A read that fails is an IOException. And stateful reads do not decode
 * what the sockets have kept for long, see {@link ReaderAges}.
 *
 * <p>Reaches: blockSeekTo(long) of DFSStripedInputStream, by which stateful reads get their group,
 * createBlockReader, by which both connect to a unit, readWithStrategy, which stateful reads are,
 * and fetchBlockAt(long), by which that looks for new locations; the fields blockEnd and
 * currentLocatedBlock of DFSInputStream. Checked for Hadoop 3.5.0. Thread-safe as its parent.
 */
final class CheckedStripedInputStream extends RangeStripedInputStream {
  private final OpenedForm form;
  private final Clock clock;

  /** Block readers of stateful reads were opened since. Guarded by this. */
  private long soughtNanos;

  CheckedStripedInputStream(
      FeatureClient client,
      String src,
      boolean verifyChecksum,
      ErasureCodingPolicy policy,
      LocatedBlocks blocks,
      OpenedForm form)
      throws IOException {
    super(client, src, verifyChecksum, policy, blocks);
    this.form = form;
    this.clock = client.clock();
  }

  @Override
  synchronized void blockSeekTo(long target) throws IOException {
    // Before the parent's, which takes any block for a striped one.
    form.require(getBlockAt(target));
    soughtNanos = clock.nanoTime();
    super.blockSeekTo(target);
    try {
      form.require(currentLocatedBlock);
    } catch (IOException e) {
      // Else the next read would go on in this group without asking.
      blockEnd = -1;
      throw e;
    }
  }

  @Override
  void fetchRange(BlockRange range, BlockRange.Fetch stock) throws IOException {
    form.require(getBlockAt(range.block().getStartOffset()));
    stock.run();
  }

  /**
   * The parent closes itself when too many units are missing, tries once more all the same, and
   * finds its decoder gone.
   *
   * @throws IOException in the place of its NullPointerException
   */
  @Override
  protected synchronized int readWithStrategy(ReaderStrategy strategy) throws IOException {
    if (blockEnd != -1 && !closed.get() && ReaderAges.isOld(clock, soughtNanos)) {
      // The parent seeks, and opens them as it needs them.
      closeCurrentBlockReaders();
    }
    try {
      return super.readWithStrategy(strategy);
    } catch (NullPointerException e) {
      if (!closed.get()) {
        throw e;
      }
      throw new IOException(
          ErrorMessage.to("read a file")
              .value("units", "too many are missing")
              .expected("as many units of each block group as the file has data units")
              .where("file", src)
              .where("position", pos)
              .message(),
          e);
    }
  }

  /** The parent takes any block for a striped one. */
  @Override
  protected LocatedBlock fetchBlockAt(long offset) throws IOException {
    LocatedBlock located = super.fetchBlockAt(offset);
    return located.isStriped() ? located : form.require(located);
  }

  /**
   * Connects to a unit. One of another group, and one of a group of another form, which another
   * thread's read has come to between the look at the group and the parent's own, counts as
   * missing: it is not thrown for, because other units are being read into the caller's buffers
   * meanwhile.
   */
  @Override
  boolean createBlockReader(
      LocatedBlock block,
      long offsetInBlock,
      LocatedBlock[] targetBlocks,
      BlockReaderInfo[] readers,
      int unit,
      long readTo)
      throws IOException {
    if (!form.isOf(block)) {
      DFSClient.LOG.warn("{} is of another form than {} when it was opened", block.getBlock(), src);
      return false;
    }
    boolean isOpen =
        super.createBlockReader(block, offsetInBlock, targetBlocks, readers, unit, readTo);
    if (isSame(block, targetBlocks[unit])) {
      return isOpen;
    }
    DFSClient.LOG.warn(
        "{} is in the place of {} by now, of which a read of {} began",
        targetBlocks[unit].getBlock(),
        block.getBlock(),
        src);
    if (isOpen) {
      closeReader(readers[unit]);
    }
    // Also where nothing was opened: the next stripe of this read would take it for what it began
    // with.
    targetBlocks[unit] = block;
    return false;
  }

  private static boolean isSame(LocatedBlock one, LocatedBlock other) {
    return BlockName.of(one).equals(BlockName.of(other));
  }
}
