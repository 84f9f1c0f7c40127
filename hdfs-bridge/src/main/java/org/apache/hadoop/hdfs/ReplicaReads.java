/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs;

import io.hdfsparity.bridge.client.GroupReplacedException;
import io.hdfsparity.bridge.client.InternalBlocks;
import io.hdfsparity.bridge.client.UnitRead;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.hdfs.DFSInputStream.DNAddrPair;
import org.apache.hadoop.hdfs.DFSUtilClient.CorruptedBlocks;
import org.apache.hadoop.hdfs.DecodingInputStream.BadReplica;
import org.apache.hadoop.hdfs.StripeReader.BlockReaderInfo;
import org.apache.hadoop.hdfs.StripeReader.ReaderRetryPolicy;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.InvalidEncryptionKeyException;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.apache.hadoop.hdfs.util.StripedBlockUtil.BlockReadStats;
import org.apache.hadoop.io.ByteBufferPool;
import org.apache.hadoop.util.Time;

/**
 * The replicas of a block group that one stateful stretch or one positional read of a {@link
 * DecodingInputStream} uses, each by one BlockReader at a time.
 *
 * <p>Connecting is Hadoop's: DFSStripedInputStream.createBlockReader fetches new tokens and
 * encryption keys, looks for moved replicas and holds nodes dead that it cannot reach. Replicas are
 * connected to in the threads that read them. The group is pinned: when the file has got another
 * one in its place, a read fails with a {@link GroupReplacedException}, and whoever reads forgets
 * this object and what it has given.
 *
 * <p>Reaches: StripeReader.BlockReaderInfo with its fields reader, datanode and blockReaderOffset.
 * Checked for Hadoop 3.5.0. Not thread-safe; each of its own threads touches the entries of one
 * unit only.
 */
final class ReplicaReads implements InternalBlocks, Closeable {
  private final DecodingInputStream stream;
  private final GroupPin pin;
  private final boolean isSequential;
  private final CorruptedBlocks corrupted;
  private final LocatedBlock[] replicas;
  private final BlockReaderInfo[] readers;
  private final long[] readersEnd;
  private final ReaderAges ages;
  private final SortedMap<Integer, String> lost = new TreeMap<>();

  /** How the read of a unit ended. */
  private record Outcome(int unit, BlockReadStats stats, IOException failure) {}

  /** No replica of a unit could be connected to; those tried are marked already. */
  private static final class UnreachableException extends IOException {
    private static final long serialVersionUID = 1L;

    UnreachableException(String reason, IOException cause) {
      super(reason, cause);
    }
  }

  /**
   * The replicas of a group.
   *
   * @param isSequential whether what follows a read is likely to be read next: a DataNode is asked
   *     for all up to the end of its replica
   * @param corrupted where replicas with wrong checksums are noted
   */
  ReplicaReads(
      DecodingInputStream stream,
      LocatedStripedBlock group,
      boolean isSequential,
      CorruptedBlocks corrupted) {
    this.stream = stream;
    this.pin = new GroupPin(stream.getSrc(), group);
    this.isSequential = isSequential;
    this.corrupted = corrupted;
    ErasureCodingPolicy policy = stream.policy();
    this.replicas = new LocatedBlock[policy.getNumDataUnits() + policy.getNumParityUnits()];
    this.readers = new BlockReaderInfo[replicas.length];
    this.readersEnd = new long[replicas.length];
    this.ages = new ReaderAges(stream.clock(), replicas.length);
    for (int unit = 0; unit < replicas.length; unit++) {
      String reason = choose(group, unit);
      if (reason != null) {
        lost.put(unit, reason);
      }
    }
  }

  /**
   * Takes the first replica of a unit that can be read; there can be several, while nodes are
   * drained. Else the first one.
   *
   * @return why there is none that can be read; null if there is one
   */
  private String choose(LocatedStripedBlock located, int unit) {
    ErasureCodingPolicy policy = stream.policy();
    replicas[unit] = null;
    for (int i = 0; i < located.getBlockIndices().length; i++) {
      if (located.getBlockIndices()[i] == unit) {
        LocatedBlock replica =
            StripedBlockUtil.constructInternalBlock(
                located, i, policy.getCellSize(), policy.getNumDataUnits(), unit);
        if (reasonNotToRead(replica) == null) {
          replicas[unit] = replica;
          return null;
        }
        if (replicas[unit] == null) {
          replicas[unit] = replica;
        }
      }
    }
    return reasonNotToRead(replicas[unit]);
  }

  private String reasonNotToRead(LocatedBlock replica) {
    if (replica == null || replica.getLocations().length == 0) {
      return "no DataNode is known to have it";
    }
    DatanodeInfo node = replica.getLocations()[0];
    if (stream.getDFSClient().getDeadNodes(stream).containsKey(node)) {
      return "DataNode " + node + " is held dead";
    }
    return stream.badReplicas().get(badReplica(replica, node));
  }

  private static BadReplica badReplica(LocatedBlock replica, DatanodeInfo node) {
    return new BadReplica(replica.getBlock().getBlockId(), node.getDatanodeUuid());
  }

  LocatedStripedBlock group() {
    return pin.group();
  }

  /** The group as it is located by now. */
  private LocatedStripedBlock located() throws IOException {
    return pin.require(stream.groupAt(group().getStartOffset()));
  }

  /** Whether a position in the file lies in the group. */
  boolean contains(long position) {
    return position >= group().getStartOffset()
        && position < group().getStartOffset() + group().getBlockSize();
  }

  @Override
  public void beginRead() {
    ages.beginRead();
  }

  CorruptedBlocks corrupted() {
    return corrupted;
  }

  @Override
  public SortedMap<Integer, String> lost() {
    return new TreeMap<>(lost);
  }

  @Override
  public ByteBufferPool pool() {
    return stream.getBufferPool();
  }

  @Override
  public void decode(Decoding decoding) throws IOException {
    ages.requireDecodable(stream.getSrc());
    long startMs = Time.monotonicNow();
    decoding.run();
    stream.getReadStatistics().addErasureCodingDecodingTime(Time.monotonicNow() - startMs);
  }

  @Override
  public Set<Integer> read(List<UnitRead> reads) throws IOException {
    closeOldReaders();
    ages.beginRound();
    long startMs = Time.monotonicNow();
    List<Outcome> outcomes = attemptAll(reads);
    List<UnitRead> again = reads.stream().filter(read -> isOutdated(read.unit())).toList();
    again.forEach(read -> closeReader(read.unit()));
    outcomes.addAll(attemptAll(again));
    long readMs = Time.monotonicNow() - startMs;
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException("Interrupted while reading " + stream.getSrc());
    }
    Set<Integer> failed = new TreeSet<>();
    for (Outcome outcome : outcomes) {
      // Statistics are those of the thread that reads the stream, and its time counts once.
      stream.updateReadStats(outcome.stats(), readMs);
      readMs = outcome.stats() == null ? readMs : 0;
      if (outcome.failure() != null) {
        failed.add(outcome.unit());
        noteFailure(outcome.unit(), outcome.failure());
      }
    }
    return failed;
  }

  private List<Outcome> attemptAll(List<UnitRead> reads) throws IOException {
    List<Future<Outcome>> futures = new ArrayList<>();
    try {
      for (UnitRead read : reads) {
        futures.add(stream.readers().submit(() -> attempt(read)));
      }
    } catch (RuntimeException | Error e) {
      // As when the system gives no thread more. Those that read already write to the buffers.
      awaitAll(futures);
      throw e;
    }
    return awaitAll(futures);
  }

  /**
   * Whether a reader of parity was opened before some reader of data, by a round or by long enough:
   * an update that has begun since is in that data and not in the parity. The other way round,
   * parity is not served. Opened once more after all data, it is not outdated any more.
   */
  private boolean isOutdated(int unit) {
    return readers[unit] != null
        && unit >= stream.policy().getNumDataUnits()
        && ages.isBeforeAny(unit, stream.policy().getNumDataUnits());
  }

  /** Waits for all, whatever happens: they write to the caller's buffers. */
  private static List<Outcome> awaitAll(List<Future<Outcome>> futures) throws IOException {
    List<Outcome> outcomes = new ArrayList<>();
    Throwable unexpected = null;
    boolean isInterrupted = false;
    int ended = 0;
    while (ended < futures.size()) {
      try {
        outcomes.add(futures.get(ended).get());
        ended++;
      } catch (ExecutionException e) {
        unexpected = e.getCause();
        ended++;
      } catch (InterruptedException e) {
        isInterrupted = true;
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
    if (unexpected != null) {
      throw new IOException("Cannot read internal blocks: " + unexpected, unexpected);
    }
    return outcomes;
  }

  private Outcome attempt(UnitRead read) {
    int unit = read.unit();
    boolean isReused = skipTo(read);
    while (true) {
      try {
        if (!isReused) {
          open(read);
        }
        return new Outcome(unit, fill(read), null);
      } catch (IOException e) {
        closeReader(unit);
        if (!isReused || e instanceof ChecksumException) {
          return new Outcome(unit, null, e);
        }
        // The DataNode may have closed a connection that was idle for long.
        isReused = false;
      }
    }
  }

  /** All of them, so that units that are opened again are of about the same time. */
  private void closeOldReaders() {
    for (int unit = 0; unit < readers.length; unit++) {
      if (readers[unit] != null && ages.isOld(unit)) {
        close();
        return;
      }
    }
  }

  /** Whether the open reader, if there is one, could be brought to where a read begins. */
  private boolean skipTo(UnitRead read) {
    int unit = read.unit();
    BlockReaderInfo open = readers[unit];
    if (open == null) {
      return false;
    }
    long gapBytes = read.offset() - open.blockReaderOffset;
    if (gapBytes >= 0
        && gapBytes <= open.reader.available()
        && read.offset() + read.lengthBytes() <= readersEnd[unit]) {
      try {
        if (gapBytes == 0 || open.reader.skip(gapBytes) == gapBytes) {
          return true;
        }
      } catch (IOException e) {
        DFSClient.LOG.debug("Reopening {}", replicas[unit].getBlock(), e);
      }
    }
    closeReader(unit);
    return false;
  }

  /**
   * Connects as DFSStripedInputStream.createBlockReader does, with one difference: a node that can
   * be reached and lacks one replica is not held dead for all of the file.
   */
  private void open(UnitRead read) throws IOException {
    int unit = read.unit();
    ReaderRetryPolicy retry = new ReaderRetryPolicy();
    IOException failure = null;
    while (true) {
      String reason = choose(located(), unit);
      LocatedBlock replica = replicas[unit];
      DNAddrPair node = reason == null ? stream.getBestNodeDNAddrPair(replica, null) : null;
      if (node == null) {
        throw new UnreachableException(reason, failure);
      }
      long end = isSequential ? replica.getBlockSize() : read.readTo();
      ages.open(unit);
      try {
        BlockReader reader =
            stream.getBlockReader(
                replica,
                read.offset(),
                end - read.offset(),
                node.addr,
                node.storageType,
                node.info);
        readers[unit] = new BlockReaderInfo(reader, node.info, read.offset());
        readersEnd[unit] = end;
        ages.ready(unit);
        return;
      } catch (InvalidEncryptionKeyException e) {
        failure = e;
        if (retry.shouldRefetchEncryptionKey()) {
          retry.refetchEncryptionKey();
          stream.getDFSClient().clearDataEncryptionKey();
        } else {
          markBad(replica, e);
        }
      } catch (IOException e) {
        failure = e;
        if (retry.shouldRefetchToken() && DFSInputStream.tokenRefetchNeeded(e, node.addr)) {
          retry.refetchToken();
        } else {
          markBad(replica, e);
        }
        // With it come new tokens, and the replica's new node if it has moved.
        stream.fetchBlockAt(replica.getStartOffset());
      }
    }
  }

  private BlockReadStats fill(UnitRead read) throws IOException {
    BlockReaderInfo open = readers[read.unit()];
    int done = 0;
    for (ByteBuffer into : read.into()) {
      ByteBuffer buffer = into.duplicate();
      while (buffer.hasRemaining()) {
        int count = open.reader.read(buffer);
        if (count < 0) {
          throw new IOException(
              "replica ends at offset " + (read.offset() + done) + " on DataNode " + open.datanode);
        }
        done += count;
      }
    }
    open.setOffset(read.offset() + done);
    return new BlockReadStats(done, open.reader.isShortCircuit(), open.reader.getNetworkDistance());
  }

  private void noteFailure(int unit, IOException failure) throws IOException {
    if (failure instanceof GroupReplacedException) {
      // Every read has ended: a retry may write to the same buffers.
      throw failure;
    }
    if (!(failure instanceof UnreachableException)) {
      if (failure instanceof ChecksumException) {
        corrupted.addCorruptedBlock(replicas[unit].getBlock(), replicas[unit].getLocations()[0]);
      }
      markBad(replicas[unit], failure);
    }
    String reason = choose(located(), unit);
    if (reason != null) {
      lost.put(unit, reason);
    }
  }

  /** Makes the stream pass over a replica, and over its node if that cannot be reached. */
  private void markBad(LocatedBlock replica, IOException failure) {
    DatanodeInfo node = replica.getLocations()[0];
    String reason = failure instanceof ChecksumException ? "corrupt" : failure.toString();
    if (stream.badReplicas().put(badReplica(replica, node), reason + " on DataNode " + node)
        == null) {
      DFSClient.LOG.warn(
          "Cannot read {} of {} from {}", replica.getBlock(), stream.getSrc(), node, failure);
    }
    if (failure instanceof ConnectException
        || failure instanceof NoRouteToHostException
        || failure instanceof SocketTimeoutException) {
      stream.addToLocalDeadNodes(node);
      stream.getDFSClient().addNodeToDeadNodeDetector(stream, node);
    }
  }

  @Override
  public void close() {
    for (int unit = 0; unit < readers.length; unit++) {
      closeReader(unit);
    }
  }

  private void closeReader(int unit) {
    stream.closeReader(readers[unit]);
    readers[unit] = null;
  }
}
