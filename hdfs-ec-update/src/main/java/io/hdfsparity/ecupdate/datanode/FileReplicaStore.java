/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.store.ByteStore;
import io.hdfsparity.ecupdate.storage.ReplicaLayout;
import io.hdfsparity.ecupdate.storage.ReplicaStore;
import io.hdfsparity.ecupdate.storage.ReservedArea;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.apache.hadoop.fs.ChecksumException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A replica in HDFS's own files. Chunks and their checksums change together; what is read is
 * compared with its checksums first, so that damage of the disk gets neither into a delta nor under
 * a new checksum.
 *
 * <p>Between a write that a crash has torn and its repetition chunks may not fit their checksums:
 * they are refused then, not returned.
 */
final class FileReplicaStore implements ReplicaStore {
  private static final Logger LOG = LoggerFactory.getLogger(FileReplicaStore.class);

  private final ReplicaFiles files;
  private final ReplicaLayout layout;
  private final ChunkSums sums;
  private final String scheme;
  private final DamageWatch watch;

  /** Shared by readers; alone for the change of bytes with their checksums. */
  private final ReentrantReadWriteLock change = new ReentrantReadWriteLock();

  /** Open from before the first write to the next force, so that its errors are not missed. */
  private @Nullable ByteStore data;

  private @Nullable ByteStore meta;
  private @Nullable ReservedArea area;

  /**
   * The begin of a chunk whose rest has not been written yet: what is repeated after a crash comes
   * in pieces as long as the log's records, which end anywhere.
   */
  private byte[] edge = new byte[0];

  private int edgeOffset;

  private FileReplicaStore(
      ReplicaFiles files, ReplicaLayout layout, ChunkSums sums, String scheme, DamageWatch watch) {
    this.files = files;
    this.layout = layout;
    this.sums = sums;
    this.scheme = scheme;
    this.watch = watch;
  }

  /**
   * Opens a replica.
   *
   * @param watch asked and notified for as long as this is used
   * @throws IOException if its files are not as its descriptor says
   */
  static FileReplicaStore open(ReplicaFiles files, ReplicaDescriptor descriptor, DamageWatch watch)
      throws IOException {
    try (ByteStore data = files.data();
        ByteStore meta = files.meta()) {
      requireLength(data, descriptor.lengthBytes());
      ChunkSums sums = ChunkSums.read(meta, descriptor.lengthBytes());
      return new FileReplicaStore(
          files, descriptor.layout(sums.chunkBytes()), sums, descriptor.scheme(), watch);
    } catch (IOException e) {
      throw watch.found(e, 0, () -> open(files, descriptor, DamageWatch.NONE));
    }
  }

  private static void requireLength(ByteStore file, long lengthBytes) throws ChecksumException {
    if (file.sizeBytes() != lengthBytes) {
      throw new ChecksumException(
          ErrorMessage.to("change a replica in place")
              .value("lengthBytes", file.sizeBytes())
              .expected(lengthBytes)
              .where("file", file)
              .message(),
          Math.min(file.sizeBytes(), lengthBytes));
    }
  }

  @Override
  public ReplicaLayout layout() {
    return layout;
  }

  @Override
  public String scheme() {
    return scheme;
  }

  /** What is read of the open files. */
  @FunctionalInterface
  private interface Reading {
    void of(ByteStore block, ByteStore checksums) throws IOException;
  }

  /** Opens the files once. */
  private void reading(Reading reading) throws IOException {
    try (ByteStore block = files.data();
        ByteStore checksums = files.meta()) {
      requireLength(block, layout.lengthBytes());
      requireLength(checksums, sums.metaBytes());
      reading.of(block, checksums);
    }
  }

  @Override
  public void read(int offset, byte[] into) throws IOException {
    try {
      reading((block, checksums) -> read(block, checksums, offset, into));
    } catch (IOException e) {
      int lengthBytes = into.length;
      throw watch.found(e, offset, () -> readAgain(Map.of(offset, lengthBytes)));
    }
  }

  @Override
  public void readAll(SortedMap<Integer, byte[]> pieces) throws IOException {
    try {
      reading(
          (block, checksums) -> {
            for (Map.Entry<Integer, byte[]> piece : pieces.entrySet()) {
              read(block, checksums, piece.getKey(), piece.getValue());
            }
          });
    } catch (IOException e) {
      Map<Integer, Integer> lengths = new TreeMap<>();
      pieces.forEach((offset, piece) -> lengths.put(offset, piece.length));
      throw watch.found(e, 0, () -> readAgain(lengths));
    }
  }

  /** Whether ranges can be read is all that is asked. */
  private void readAgain(Map<Integer, Integer> lengths) throws IOException {
    reading(
        (block, checksums) -> {
          for (Map.Entry<Integer, Integer> range : lengths.entrySet()) {
            read(block, checksums, range.getKey(), new byte[range.getValue()]);
          }
        });
  }

  private void read(ByteStore block, ByteStore checksums, int offset, byte[] into)
      throws IOException {
    if (into.length == 0) {
      return;
    }
    int from = sums.floor(offset);
    int lengthBytes = sums.ceiling(offset + into.length) - from;
    // What begins and ends with a chunk, as most does, is read where it is wanted.
    byte[] chunks = lengthBytes == into.length ? into : new byte[lengthBytes];
    byte[] stored = new byte[sums.sumsBytes(lengthBytes)];
    change.readLock().lock();
    try {
      block.read(from, ByteBuffer.wrap(chunks));
      checksums.read(sums.position(from), ByteBuffer.wrap(stored));
    } finally {
      change.readLock().unlock();
    }
    sums.verify(chunks, stored, from);
    if (chunks != into) {
      System.arraycopy(chunks, offset - from, into, 0, into.length);
    }
  }

  @Override
  public boolean isDamage(IOException failure) {
    return failure instanceof ChecksumException;
  }

  @Override
  public void postponed(IOException why) {
    LOG.warn(
        "Changes of a replica stay in the log, and no others are taken once there is no room for"
            + " them; it is tried again: files={}",
        files,
        why);
  }

  @Override
  public void requireServed() throws IOException {
    watch.requireServed();
  }

  @Override
  public boolean isShortage(IOException failure) {
    return ReadFailures.isShortage(failure);
  }

  @Override
  public void prepareWrite() throws IOException {
    try {
      openedData();
      openedMeta();
    } catch (IOException e) {
      close(e);
      throw watch.found(e, 0, () -> readAgain(Map.of()));
    }
  }

  /** What was opened for nothing may be what others lack. */
  private void close(IOException failure) {
    try (ByteStore block = data;
        ByteStore checksums = meta) {
      data = null;
      meta = null;
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  private ByteStore openedData() throws IOException {
    ByteStore opened = data;
    if (opened == null) {
      opened = files.data();
      data = opened;
    }
    return opened;
  }

  private ByteStore openedMeta() throws IOException {
    ByteStore opened = meta;
    if (opened == null) {
      opened = files.meta();
      meta = opened;
    }
    return opened;
  }

  @Override
  public void write(int offset, byte[] bytes) throws IOException {
    int from = offset - edge.length;
    if (sums.floor(from) != from || (edge.length > 0 && from != edgeOffset)) {
      throw partOfChunk(offset, bytes.length);
    }
    byte[] all = bytes;
    if (edge.length > 0) {
      all = Arrays.copyOf(edge, edge.length + bytes.length);
      System.arraycopy(bytes, 0, all, edge.length, bytes.length);
    }
    int end = from + all.length;
    int wholeEnd = sums.ceiling(end) == end ? end : sums.floor(end);
    if (wholeEnd > from) {
      writeChunks(from, wholeEnd == end ? all : Arrays.copyOf(all, wholeEnd - from));
    }
    edgeOffset = wholeEnd;
    edge = Arrays.copyOfRange(all, wholeEnd - from, all.length);
  }

  private IllegalArgumentException partOfChunk(int offset, int lengthBytes) {
    return new IllegalArgumentException(
        ErrorMessage.to("write a replica")
            .value("lengthBytes", lengthBytes)
            .expected(
                "whole chunks of " + sums.chunkBytes() + ", in pieces if they follow directly")
            .offset(offset)
            .message());
  }

  private void writeChunks(int offset, byte[] bytes) throws IOException {
    byte[] fresh = sums.of(bytes);
    change.writeLock().lock();
    try {
      openedData().write(offset, ByteBuffer.wrap(bytes));
      openedMeta().write(sums.position(offset), ByteBuffer.wrap(fresh));
    } finally {
      change.writeLock().unlock();
    }
  }

  @Override
  public void force() throws IOException {
    if (edge.length > 0) {
      throw partOfChunk(edgeOffset, edge.length);
    }
    ByteStore block = data;
    ByteStore checksums = meta;
    data = null;
    meta = null;
    try (block;
        checksums) {
      if (block != null) {
        block.sync(0, block.sizeBytes());
      }
      if (checksums != null) {
        checksums.sync(0, checksums.sizeBytes());
      }
    }
  }

  @Override
  public byte[] readState() throws IOException {
    try {
      return files.readState();
    } catch (IOException e) {
      throw watch.found(e, 0, files::readState);
    }
  }

  @Override
  public void writeState(byte[] state) throws IOException {
    files.writeState(state);
  }

  @Override
  public Optional<ReservedArea> reserved() throws IOException {
    ReservedArea there = area;
    if (there != null) {
      return Optional.of(there);
    }
    Optional<ReservedArea> found = files.reserved().map(this::watched);
    area = found.orElse(null);
    return found;
  }

  private ReservedArea watched(ReservedArea found) {
    return new WatchedArea(found, watch);
  }

  @Override
  public ReservedArea reserve(long sizeBytes) throws IOException {
    ReservedArea reserved = files.reserve(sizeBytes);
    ReservedArea there = area;
    if (there == null) {
      there = watched(reserved);
      area = there;
    }
    return there;
  }
}
