/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs;

import io.hdfsparity.bridge.client.BlockGroup;
import io.hdfsparity.bridge.client.GroupReader;
import io.hdfsparity.bridge.client.GroupReplacedException;
import io.hdfsparity.bridge.client.GroupVisitor;
import io.hdfsparity.core.check.Clock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import org.apache.hadoop.hdfs.DFSUtilClient.CorruptedBlocks;
import org.apache.hadoop.hdfs.ReaderAges.OldBytesException;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;

/**
 * A stream of a striped file whose bytes come from a {@link GroupReader}. What it adds to Hadoop's:
 * it never hands the reader's buffers out while a read is under way, it does not close itself when
 * a read fails, a read that fails is tried once more with fresh locations and (unless it only took
 * too long) no node held dead, and none puts bytes of two block groups together that were one after
 * the other in the same place.
 *
 * <p>Stateful reads go through a buffer of at most one stripe and keep their connections while they
 * stay in a block group; positional reads, and vectored ones that consist of them, bring their own
 * connections and hold no lock.
 *
 * <p>Reaches: blockSeekTo(long) of DFSStripedInputStream and updateReadStats, and the protected
 * members of DFSInputStream that are named in ReachedMembersTest. The parent's own stripe buffer
 * and readers stay unused, so that its seek only moves the position. Checked for Hadoop 3.5.0.
 * Thread-safe as its parent: one stateful read at a time, any number of positional ones.
 */
final class DecodingInputStream extends RangeStripedInputStream {
  private final ErasureCodingPolicy policy;
  private final OpenedForm form;
  private final GroupReader reader;
  private final String file;
  private final Clock clock;
  private final ConcurrentHashMap<BadReplica, String> badReplicas = new ConcurrentHashMap<>();

  // State of stateful reads, guarded by this.
  private ReplicaReads current;
  private ByteBuffer stripe;
  private long bufferedFrom;
  private long bufferedTo;

  /** A replica that this stream could not read. */
  record BadReplica(long blockId, String nodeUuid) {}

  /**
   * @param src by which the stream asks for locations
   * @param file path by which it was opened, for messages
   */
  DecodingInputStream(
      FeatureClient client,
      String src,
      String file,
      boolean verifyChecksum,
      ErasureCodingPolicy policy,
      LocatedBlocks blocks,
      OpenedForm form,
      GroupReader reader)
      throws IOException {
    super(client, src, verifyChecksum, policy, blocks);
    this.policy = policy;
    this.form = form;
    this.reader = reader;
    this.file = file;
    this.clock = client.clock();
  }

  Clock clock() {
    return clock;
  }

  ErasureCodingPolicy policy() {
    return policy;
  }

  /** Replicas not to be tried, with what they failed by. */
  ConcurrentHashMap<BadReplica, String> badReplicas() {
    return badReplicas;
  }

  /**
   * The block group at a position, as it is cached.
   *
   * @throws IOException if the file was rewritten in another form
   */
  LocatedStripedBlock groupAt(long position) throws IOException {
    return (LocatedStripedBlock) form.require(getBlockAt(position));
  }

  ExecutorService readers() {
    return getStripedReadsThreadPool();
  }

  @Override
  void fetchRange(BlockRange range, BlockRange.Fetch stock) throws IOException {
    int lengthBytes = Math.toIntExact(range.end() - range.start() + 1);
    long position = range.block().getStartOffset() + range.start();
    ByteBuffer buffer = range.buffer();
    GroupTries.run(
        src,
        () -> readOnce(position, lengthBytes, buffer, range.corruptedBlocks()),
        failure -> forgetFailures(position, failure));
    buffer.position(buffer.position() + lengthBytes);
  }

  private void readOnce(
      long position, int lengthBytes, ByteBuffer buffer, CorruptedBlocks corruptedBlocks)
      throws IOException {
    LocatedStripedBlock group = groupAt(position);
    try (ReplicaReads reads = new ReplicaReads(this, group, false, corruptedBlocks)) {
      reads.beginRead();
      reader.read(
          reads,
          describe(group),
          position - group.getStartOffset(),
          buffer.slice(buffer.position(), lengthBytes));
    }
  }

  /** Shows all block groups, as they are located now. */
  void visitGroups(GroupVisitor visitor) throws IOException {
    long position = 0;
    while (position < getFileLength()) {
      LocatedStripedBlock group = groupAt(position);
      CorruptedBlocks corrupted = new CorruptedBlocks();
      try (ReplicaReads reads = new ReplicaReads(this, group, true, corrupted)) {
        visitor.visit(reads, describe(group), policy);
      } finally {
        reportCheckSumFailure(corrupted, group.getLocations().length, true);
      }
      position = group.getStartOffset() + group.getBlockSize();
    }
  }

  /**
   * Before the one retry of a failed read: what failed may be elsewhere now, or back. Where a read
   * has only taken too long it may have waited for what failed, and is not to wait for it again.
   */
  private void forgetFailures(long position, IOException failure) throws IOException {
    if (Thread.currentThread().isInterrupted() || closed.get()) {
      throw failure;
    }
    DFSClient.LOG.info("Reading {} once more with fresh locations", src, failure);
    if (!(failure instanceof OldBytesException)) {
      badReplicas.clear();
      getLocalDeadNodes().clear();
    }
    fetchBlockAt(position);
  }

  private BlockGroup describe(LocatedStripedBlock group) {
    boolean isComplete;
    synchronized (infoLock) {
      isComplete =
          locatedBlocks.isLastBlockComplete()
              || group.getStartOffset() + group.getBlockSize() <= locatedBlocks.getFileLength();
    }
    return new BlockGroup(
        file,
        group.getBlock().toString(),
        group.getStartOffset(),
        group.getBlockSize(),
        isComplete);
  }

  @Override
  protected synchronized int readWithStrategy(ReaderStrategy strategy) throws IOException {
    dfsClient.checkOpen();
    if (closed.get()) {
      throw new IOException("Stream closed");
    }
    if (pos >= getFileLength()) {
      return -1;
    }
    int wanted = strategy.getTargetLength();
    int done = 0;
    try {
      while (done < wanted && (done == 0 || isInCurrentGroup())) {
        if (pos < bufferedFrom || pos >= bufferedTo) {
          bufferStripe();
        }
        int copied = copy(strategy, wanted - done);
        done += copied;
        pos += copied;
      }
      return done;
    } catch (IOException e) {
      if (done == 0) {
        throw e;
      }
      // These bytes are right, and the position is behind them. The next read meets the error.
      DFSClient.LOG.debug("Read of {} cut short at {}", src, pos, e);
      return done;
    }
  }

  private int copy(ReaderStrategy strategy, int atMost) {
    ByteBuffer buffered = stripe.duplicate();
    buffered.limit((int) (bufferedTo - bufferedFrom)).position((int) (pos - bufferedFrom));
    return strategy.readFromBuffer(buffered, Math.min(atMost, buffered.remaining()));
  }

  private boolean isInCurrentGroup() {
    return current != null && current.contains(pos);
  }

  /** Reads from the position to the end of its stripe. */
  private void bufferStripe() throws IOException {
    bufferedTo = bufferedFrom = pos;
    GroupTries.run(
        src,
        this::bufferStripeOnce,
        failure -> {
          forgetFailures(pos, failure);
          closeCurrent();
        });
  }

  private void bufferStripeOnce() throws IOException {
    if (!isInCurrentGroup()) {
      LocatedStripedBlock group = groupAt(pos);
      blockSeekTo(pos);
      current = new ReplicaReads(this, group, true, new CorruptedBlocks());
    }
    ReplicaReads reads = current;
    LocatedStripedBlock group = reads.group();
    int stripeBytes = policy.getCellSize() * policy.getNumDataUnits();
    if (stripe == null) {
      stripe = getBufferPool().getBuffer(true, stripeBytes);
    }
    long offset = pos - group.getStartOffset();
    long end = Math.min(group.getBlockSize(), (offset / stripeBytes + 1) * stripeBytes);
    int lengthBytes = (int) (end - offset);
    try {
      reads.beginRead();
      reader.read(reads, describe(group), offset, stripe.slice(0, lengthBytes));
    } catch (GroupReplacedException e) {
      closeCurrent();
      throw e;
    } finally {
      reportCheckSumFailure(reads.corrupted(), getCurrentBlockLocationsLength(), true);
    }
    bufferedFrom = pos;
    bufferedTo = pos + lengthBytes;
  }

  private void closeCurrent() {
    if (current != null) {
      current.close();
      current = null;
    }
  }

  @Override
  protected void closeCurrentBlockReaders() {
    super.closeCurrentBlockReaders();
    closeCurrent();
    bufferedTo = bufferedFrom;
  }

  @Override
  public synchronized void unbuffer() {
    super.unbuffer();
    returnStripe();
  }

  @Override
  public synchronized void close() throws IOException {
    try {
      super.close();
    } finally {
      closeCurrent();
      returnStripe();
    }
  }

  private void returnStripe() {
    bufferedTo = bufferedFrom;
    if (stripe != null) {
      getBufferPool().putBuffer(stripe);
      stripe = null;
    }
  }
}
