/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs;

import io.hdfsparity.bridge.client.LostBlockReader;
import io.hdfsparity.core.check.ErrorMessage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.ReadOption;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.io.ByteBufferPool;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;

/**
 * Hadoop's stream of a replicated file, with three differences. It fails where the path leads to an
 * erasure coded one by now: Hadoop's own would take a block group for a block, whose id is that of
 * unit 0. It fails where a block that is located again is another one, or one that is located for
 * the first time is not of the same file: the path leads to another file. And where a block has no
 * replica left that can be read, a feature may compute its bytes; if none does, or if it fails,
 * what follows is Hadoop's own, which waits and looks again.
 *
 * <p>Reaches: getBlockAt(long) of DFSInputStream, by which stateful reads and all repeated ones get
 * their block, chooseDataNode(LocatedBlock, Collection, boolean), by which positional reads
 * continue, getBestNodeDNAddrPair, which is null where no replica is left, fetchBlockAt(long),
 * which locates again, readWithStrategy, which stateful reads are; the fields pos, blockEnd,
 * infoLock and locatedBlocks. Checked for Hadoop 3.5.0. Thread-safe as its parent.
 */
final class CheckedInputStream extends RangeInputStream {
  /** Set in threads whose read is Hadoop's own, whatever becomes of it. */
  private static final ThreadLocal<Boolean> IS_HADOOPS_OWN = ThreadLocal.withInitial(() -> false);

  /** Of a stretch that is read on and on; doubled each time, up to what one call may have. */
  private static final int FIRST_COMPUTED_BYTES = 128 << 10;

  /** A lost block is located again after that: it may have been rebuilt. */
  private static final long LOCATION_LIFE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final OpenedForm form;
  private final Optional<LostBlockReader> lostBlocks;
  private final ReplicatedFileIdentity identity;

  /** What was computed last for stateful reads, which go on where it ends. Guarded by this. */
  private Computed computed = new Computed(0, new byte[0]);

  private volatile Location located = Location.NONE;

  /** Whether the parent reads for a stateful read, and not as Hadoop's own. Guarded by this. */
  private boolean isParentReading;

  /** Set for good where the path leads to another file: why no further block may be located. */
  private volatile Optional<String> replaced = Optional.empty();

  /**
   * When a lost block was located last.
   *
   * @param startOffset of the block in the file
   */
  private record Location(long startOffset, long atNanos) {
    static final Location NONE = new Location(-1, 0);
  }

  /** Bytes of the file from a position. */
  private record Computed(long position, byte[] bytes) {
    int after(long at) {
      return at < position ? 0 : (int) Math.max(0, position + bytes.length - at);
    }

    /** How many bytes to compute from a position: more where it is read on and on. */
    int next(long at, int targetLength) {
      int grown =
          bytes.length > 0 && at == position + bytes.length
              ? Math.max(FIRST_COMPUTED_BYTES, 2 * bytes.length)
              : FIRST_COMPUTED_BYTES;
      return Math.max(grown, targetLength);
    }

    ByteBuffer from(long at) {
      int skipped = (int) (at - position);
      return ByteBuffer.wrap(bytes, skipped, bytes.length - skipped);
    }
  }

  /** No replica of a block can be read; caught in this class. */
  private static final class NoReplicaException extends IOException {
    private static final long serialVersionUID = 1L;

    NoReplicaException(LocatedBlock block) {
      super("Cannot read block: block=" + block.getBlock() + ", expected a replica");
    }
  }

  /** A read of a stretch of one block. */
  @FunctionalInterface
  private interface Read {
    int run() throws IOException;
  }

  CheckedInputStream(
      DFSClient client,
      String src,
      boolean verifyChecksum,
      LocatedBlocks blocks,
      OpenedForm form,
      Optional<LostBlockReader> lostBlocks)
      throws IOException {
    super(client, src, verifyChecksum, blocks);
    this.form = form;
    this.lostBlocks = lostBlocks;
    this.identity = new ReplicatedFileIdentity(client, src, blocks);
  }

  @Override
  protected LocatedBlock getBlockAt(long offset) throws IOException {
    LocatedBlock block = form.require(super.getBlockAt(offset));
    requireSameFile();
    if (identity.isInDoubt(block)) {
      List<LocatedBlock> located;
      synchronized (infoLock) {
        located = new ArrayList<>(locatedBlocks.getLocatedBlocks());
      }
      located.add(block);
      replaced = identity.look(located);
      requireSameFile();
    }
    return block;
  }

  /**
   * By path, as the parent does, which takes any answer: its own check, in openInfo(boolean),
   * compares with what this has put in the place of the blocks that were opened.
   */
  @Override
  protected LocatedBlock fetchBlockAt(long offset) throws IOException {
    synchronized (infoLock) {
      Optional<ExtendedBlock> before = blockKnownAt(offset);
      LocatedBlock now = super.fetchBlockAt(offset);
      if (before.isPresent() && !before.get().equals(now.getBlock())) {
        replaced =
            Optional.of(
                ErrorMessage.to("continue reading a file")
                    .value("block", now.getBlock())
                    .expected(
                        before.get()
                            + ", as when it was opened; another file has its path: open it again")
                    .where("file", src)
                    .message());
      }
      requireSameFile();
      return now;
    }
  }

  private Optional<ExtendedBlock> blockKnownAt(long offset) {
    if (offset >= locatedBlocks.getFileLength()) {
      return Optional.ofNullable(locatedBlocks.getLastLocatedBlock()).map(LocatedBlock::getBlock);
    }
    int index = locatedBlocks.findBlock(offset);
    return index < 0 ? Optional.empty() : Optional.of(locatedBlocks.get(index).getBlock());
  }

  private void requireSameFile() throws IOException {
    if (replaced.isPresent()) {
      throw new IOException(replaced.get());
    }
  }

  @Override
  void fetchRange(BlockRange range, BlockRange.Fetch stock) throws IOException {
    form.require(range.block());
    stock.run();
  }

  /**
   * Each try of a positional read begins here, and ends with the error that this throws. One that
   * is thrown where the parent looks for new locations in the middle of a try is swallowed by it,
   * as one that the next DataNode may not have, and the same DataNode tried again, for ever.
   *
   * <p>For a stateful read the parent has closed its reader of the block, and said already that it
   * reads there. Where it refreshes locations beside reads it swallows the error; the next read
   * would then use the reader that is not there.
   */
  @Override
  DNAddrPair chooseDataNode(
      LocatedBlock block, Collection<DatanodeInfo> ignoredNodes, boolean refetchIfRequired)
      throws IOException {
    boolean isChosen = false;
    try {
      DNAddrPair chosen = choose(block, ignoredNodes, refetchIfRequired);
      isChosen = true;
      return chosen;
    } finally {
      if (!isChosen && Thread.holdsLock(this)) {
        blockEnd = -1;
      }
    }
  }

  private DNAddrPair choose(
      LocatedBlock block, Collection<DatanodeInfo> ignoredNodes, boolean refetchIfRequired)
      throws IOException {
    getBlockAt(block.getStartOffset());
    if (lostBlocks.isEmpty() || !refetchIfRequired || IS_HADOOPS_OWN.get()) {
      return super.chooseDataNode(block, ignoredNodes, refetchIfRequired);
    }
    DNAddrPair chosen = super.chooseDataNode(block, ignoredNodes, false);
    if (chosen == null) {
      throw new NoReplicaException(block);
    }
    return chosen;
  }

  @Override
  public int read(long position, byte[] buffer, int offset, int length) throws IOException {
    try {
      return super.read(position, buffer, offset, length);
    } catch (NoReplicaException e) {
      return readByBlocks(position, ByteBuffer.wrap(buffer, offset, length));
    }
  }

  @Override
  public int read(long position, ByteBuffer buffer) throws IOException {
    int start = buffer.position();
    try {
      return super.read(position, buffer);
    } catch (NoReplicaException e) {
      return readByBlocks(position, buffer.position(start));
    }
  }

  /** All that is asked for, up to the end of the file, as the parent does. */
  private int readByBlocks(long position, ByteBuffer buffer) throws IOException {
    long end = Math.min(getFileLength(), position + buffer.remaining());
    int limit = buffer.limit();
    int start = buffer.position();
    for (long at = position; at < end; at = position + buffer.position() - start) {
      LocatedBlock block = getBlockAt(at);
      long blockEnds = block.getStartOffset() + block.getBlockSize();
      long from = at;
      buffer.limit(buffer.position() + (int) (Math.min(end, blockEnds) - at));
      try {
        readInBlock(from, buffer);
      } finally {
        buffer.limit(limit);
      }
    }
    return buffer.position() - start;
  }

  private void readInBlock(long from, ByteBuffer buffer) throws IOException {
    int first = buffer.position();
    try {
      super.read(from, buffer);
    } catch (NoReplicaException e) {
      buffer.position(first);
      readLost(
          from,
          bytes -> buffer.put(bytes, 0, Math.min(bytes.length, buffer.remaining())),
          buffer.remaining(),
          () -> super.read(from, buffer.position(first)));
    }
  }

  @Override
  protected synchronized int readWithStrategy(ReaderStrategy strategy) throws IOException {
    if (lostBlocks.isEmpty() || closed.get()) {
      return super.readWithStrategy(strategy);
    }
    if (computed.after(pos) == 0) {
      if (pos <= blockEnd || pos >= getFileLength() || hasReplica(getBlockAt(pos))) {
        isParentReading = true;
        try {
          return super.readWithStrategy(strategy);
        } catch (NoReplicaException e) {
          // All replicas have failed, one after the other.
          blockEnd = -1;
        } finally {
          isParentReading = false;
        }
      }
      int next = computed.next(pos, strategy.getTargetLength());
      closeCurrentBlockReaders();
      int most = (int) Math.min(next, getFileLength() - pos);
      long at = pos;
      int read =
          readLost(
              at,
              bytes -> computed = new Computed(at, bytes),
              most,
              () -> super.readWithStrategy(strategy));
      if (computed.after(pos) == 0) {
        return read;
      }
    }
    int count = Math.min(strategy.getTargetLength(), computed.after(pos));
    int copied = strategy.readFromBuffer(computed.from(pos), count);
    // The next read, or the next seek, starts by the position alone.
    blockEnd = -1;
    pos += copied;
    return copied;
  }

  /** Whoever waits with a stream for long drops by this what it holds. */
  @Override
  protected void closeCurrentBlockReaders() {
    super.closeCurrentBlockReaders();
    computed = new Computed(0, new byte[0]);
  }

  /** Connects first, to a replica, as Hadoop does; then it reads as others do. */
  @Override
  public synchronized ByteBuffer read(
      ByteBufferPool bufferPool, int maxLength, EnumSet<ReadOption> options) throws IOException {
    try {
      return super.read(bufferPool, maxLength, options);
    } catch (NoReplicaException e) {
      return asHadoop(() -> super.read(bufferPool, maxLength, options));
    }
  }

  /** The parent does this where a replica is damaged: a read then goes on without any. */
  @Override
  public synchronized boolean seekToNewSource(long targetPos) throws IOException {
    try {
      return super.seekToNewSource(targetPos);
    } catch (NoReplicaException e) {
      if (isParentReading) {
        throw e;
      }
      return asHadoop(() -> super.seekToNewSource(targetPos));
    }
  }

  /** What Hadoop's own stream does. */
  @FunctionalInterface
  private interface Stock<T> {
    T run() throws IOException;
  }

  /** With Hadoop's own retries, and the errors that its callers know. */
  private static <T> T asHadoop(Stock<T> stock) throws IOException {
    IS_HADOOPS_OWN.set(true);
    try {
      return stock.run();
    } finally {
      IS_HADOOPS_OWN.remove();
    }
  }

  /** With another token, and replicas that were rebuilt, once in a while. */
  private LocatedBlock locateLost(long position) throws IOException {
    LocatedBlock block = getBlockAt(position);
    Location last = located;
    long now = System.nanoTime();
    if (block.getStartOffset() == last.startOffset()
        && now - last.atNanos() < LOCATION_LIFE_NANOS) {
      return block;
    }
    fetchBlockAt(position);
    block = getBlockAt(position);
    located = new Location(block.getStartOffset(), now);
    return block;
  }

  private boolean hasReplica(LocatedBlock block) {
    return getBestNodeDNAddrPair(block, null) != null;
  }

  /** Takes bytes that were computed. */
  @FunctionalInterface
  private interface Sink {
    void take(byte[] bytes);
  }

  /**
   * Reads a stretch of a block without replicas.
   *
   * @param most bytes that are wanted; at least 1
   * @param stock what Hadoop's own stream does, where nothing can be computed
   * @return what {@code stock} has returned; else undefined
   */
  private int readLost(long position, Sink sink, int most, Read stock) throws IOException {
    IOException failure = null;
    for (int attempt = 0; attempt < 2; attempt++) {
      LocatedBlock block = locateLost(position);
      if (hasReplica(block)) {
        break;
      }
      long offset = position - block.getStartOffset();
      int length = (int) Math.min(most, block.getBlockSize() - offset);
      length = Math.min(length, lostBlocks.orElseThrow().maxBytes());
      try {
        Optional<byte[]> bytes = lostBlocks.orElseThrow().read(block, offset, length);
        if (bytes.isEmpty()) {
          break;
        }
        // Before anybody has them: a copy must not be made of them.
        DecodeCount.addComputed(this);
        sink.take(bytes.get());
        return 0;
      } catch (InvalidToken e) {
        failure = e;
        located = Location.NONE;
      } catch (IOException e) {
        failure = e;
        located = Location.NONE;
        break;
      }
    }
    try {
      return asHadoop(stock::run);
    } catch (BlockMissingException e) {
      if (failure != null) {
        e.addSuppressed(failure);
        throw (BlockMissingException)
            new BlockMissingException(src, e.getMessage() + "; " + failure.getMessage(), position)
                .initCause(e);
      }
      throw e;
    }
  }
}
