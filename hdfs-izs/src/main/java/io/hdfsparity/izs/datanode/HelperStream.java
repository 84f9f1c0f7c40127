/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.datanode;

import io.hdfsparity.bridge.datanode.RebuildTask;
import io.hdfsparity.core.geometry.ByteRange;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hdfs.BlockReader;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.datanode.DataNodeFaultInjector;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.util.DataChecksum;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of one helper that a repair needs, in order, as if they were one stream: goes on to the
 * next request where one ends. Checksums are verified as they come in.
 *
 * <p>One thread reads at a time; {@link #close} and the getters may be called by others.
 */
final class HelperStream implements Closeable {
  private final RebuildTask task;
  private final HelperConnection connection;
  private final Iterator<ByteRange> requests;
  private final RepairMetrics.Reads metrics;
  private @Nullable BlockReader reader;
  private long leftBytes;
  private volatile @Nullable DataChecksum checksum;
  private volatile long progressNanos;
  private final LongAdder readBytes = new LongAdder();

  private HelperStream(
      RebuildTask task,
      HelperConnection connection,
      Iterator<ByteRange> requests,
      RepairMetrics.Reads metrics) {
    this.task = task;
    this.connection = connection;
    this.requests = requests;
    this.metrics = metrics;
    this.progressNanos = System.nanoTime();
  }

  /**
   * The stream of a unit that is a source of a task.
   *
   * @param requests ranges of its block, ascending
   */
  static HelperStream of(
      RepairContext context,
      RebuildTask task,
      int unit,
      Iterator<ByteRange> requests,
      RepairMetrics.Reads metrics) {
    DatanodeInfo node = task.sources().get(unit);
    if (node == null) {
      throw new IllegalStateException("unit " + unit + " is no source of " + task.blockGroup());
    }
    return new HelperStream(
        task,
        new HelperConnection(
            context.datanode(),
            new HelperConnection.Target(
                unit, task.block(unit), node, task.address(node), /* client= */ ""),
            metrics),
        requests,
        metrics);
  }

  int unit() {
    return connection.unit();
  }

  HelperConnection connection() {
    return connection;
  }

  /** When it was last seen to do something, as {@link System#nanoTime}. */
  long progressNanos() {
    return progressNanos;
  }

  /** The clock starts: what was idle before is not to blame. */
  void expectProgress() {
    progressNanos = System.nanoTime();
  }

  /** Bytes delivered so far. */
  long readBytes() {
    return readBytes.sum();
  }

  /**
   * How the helper's block is checksummed. A copy, since the reader's own is used by the thread
   * that reads.
   *
   * @throws IllegalStateException before the first read
   */
  DataChecksum checksum() {
    DataChecksum known = checksum;
    if (known == null) {
      throw new IllegalStateException("nothing was read of unit " + unit());
    }
    return known;
  }

  /** Fills the buffer up to its limit. */
  void read(ByteBuffer into) throws IOException {
    int end = into.limit();
    boolean isDone = false;
    try {
      while (into.position() < end) {
        readSome(into, end);
      }
      isDone = true;
    } finally {
      into.limit(end);
      BlockReader open = reader;
      if (!isDone && open != null) {
        reader = null;
        // What went wrong must not be hidden by what closing has to say.
        IOUtils.closeStream(open);
      }
    }
  }

  private void readSome(ByteBuffer into, int end) throws IOException {
    BlockReader open = reader;
    if (open == null) {
      open = openNext();
      reader = open;
    }
    DataNodeFaultInjector.get().delayBlockReader();
    into.limit((int) Math.min(end, into.position() + leftBytes));
    int bytes = open.read(into);
    if (bytes <= 0) {
      throw new EOFException(
          "Cannot read: block=" + task.block(unit()) + ", expected " + leftBytes + " more bytes");
    }
    progressNanos = System.nanoTime();
    readBytes.add(bytes);
    leftBytes -= bytes;
    task.countRead(connection.isLocal(), bytes);
    metrics.read(bytes);
    if (leftBytes == 0) {
      reader = null;
      open.close();
    }
  }

  private BlockReader openNext() throws IOException {
    ByteRange request = requests.next();
    BlockReader opened = connection.open(request);
    metrics.requested();
    leftBytes = request.lengthBytes();
    DataChecksum its = opened.getDataChecksum();
    checksum = DataChecksum.newDataChecksum(its.getChecksumType(), its.getBytesPerChecksum());
    return opened;
  }

  /** Ends the read that is going on, if any. */
  @Override
  public void close() {
    connection.close();
  }
}
