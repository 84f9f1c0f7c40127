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
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.apache.hadoop.fs.ChecksumException;
import org.jspecify.annotations.Nullable;

/**
 * A replica in HDFS's own files. Chunks and their checksums change together; what is read is
 * compared with its checksums first, so that damage of the disk gets neither into a delta nor under
 * a new checksum.
 *
 * <p>Between a write that a crash has torn and its repetition chunks may not fit their checksums:
 * they are refused then, not returned.
 */
final class FileReplicaStore implements ReplicaStore {
  private final ReplicaFiles files;
  private final ReplicaLayout layout;
  private final ChunkSums sums;
  private final String scheme;
  private final DamageWatch watch;

  /** Shared by readers; alone for the change of bytes with their checksums. */
  private final ReentrantReadWriteLock change = new ReentrantReadWriteLock();

  /** Open since the first write after the last force, so that its errors are not missed. */
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
      if (data.sizeBytes() != descriptor.lengthBytes()) {
        throw new IOException(
            ErrorMessage.to("change a replica in place")
                .value("lengthBytes", data.sizeBytes())
                .expected(descriptor.lengthBytes())
                .where("file", data)
                .message());
      }
      ChunkSums sums = ChunkSums.read(meta, descriptor.lengthBytes());
      return new FileReplicaStore(
          files, descriptor.layout(sums.chunkBytes()), sums, descriptor.scheme(), watch);
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

  @Override
  public void read(int offset, byte[] into) throws IOException {
    try (ByteStore block = files.data();
        ByteStore checksums = files.meta()) {
      read(block, checksums, offset, into);
    }
  }

  /** Opens the files once. */
  @Override
  public void readAll(SortedMap<Integer, byte[]> pieces) throws IOException {
    try (ByteStore block = files.data();
        ByteStore checksums = files.meta()) {
      for (Map.Entry<Integer, byte[]> piece : pieces.entrySet()) {
        read(block, checksums, piece.getKey(), piece.getValue());
      }
    }
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
    try {
      sums.verify(chunks, stored, from);
    } catch (ChecksumException e) {
      watch.damaged();
      throw e;
    }
    if (chunks != into) {
      System.arraycopy(chunks, offset - from, into, 0, into.length);
    }
  }

  @Override
  public boolean isDamage(IOException failure) {
    return failure instanceof ChecksumException;
  }

  @Override
  public void requireServed() throws IOException {
    watch.requireServed();
  }

  @Override
  public boolean isFull(IOException failure) {
    // The system's own words for ENOSPC and EDQUOT: neither NIO nor JNA has a type for them.
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      String message = String.valueOf(cause.getMessage());
      if (message.contains("No space left on device") || message.contains("Disk quota exceeded")) {
        return true;
      }
    }
    return false;
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
      if (data == null) {
        data = files.data();
      }
      if (meta == null) {
        meta = files.meta();
      }
      data.write(offset, ByteBuffer.wrap(bytes));
      meta.write(sums.position(offset), ByteBuffer.wrap(fresh));
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
    return files.readState();
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
    Optional<ReservedArea> found = files.reserved();
    area = found.orElse(null);
    return found;
  }

  @Override
  public ReservedArea reserve(long sizeBytes) throws IOException {
    ReservedArea reserved = files.reserve(sizeBytes);
    ReservedArea there = area;
    if (there == null) {
      area = reserved;
      return reserved;
    }
    return there;
  }
}
