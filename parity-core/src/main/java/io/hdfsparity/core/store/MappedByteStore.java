/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.store;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.core.check.Refusal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * A store in a memory-mapped file, in segments because one mapping holds less than 2 GiB. {@link #view} inside a segment
 * is a window on the mapping without a copy; {@link #sync} writes back just the pages of its range.
 *
 * <p>Thread-safe as {@link ByteStore} says. After {@link #close} calls fail; views taken earlier stay readable, and the
 * memory is unmapped when the garbage collector finds that nobody holds them (unmapping earlier would turn a late reader
 * into a crash of the JVM). A device error or a hole that cannot be filled is an IOException; a file that is cut by
 * somebody else meanwhile too.
 */
public final class MappedByteStore implements ByteStore {
  /** Large enough to be few, small enough for an int; a multiple of every page size. */
  static final int SEGMENT_BYTES = 1 << 30;

  private final Path file;
  private final long sizeBytes;
  private final int segmentBytes;
  private final MappedByteBuffer[] segments;
  private volatile boolean isClosed;

  private MappedByteStore(Path file, FileChannel channel, int segmentBytes) throws IOException {
    this.file = file;
    this.sizeBytes = channel.size();
    this.segmentBytes = segmentBytes;
    int count = Math.toIntExact((sizeBytes + segmentBytes - 1) / segmentBytes);
    segments = new MappedByteBuffer[count];
    for (int i = 0; i < count; i++) {
      long start = (long) i * segmentBytes;
      segments[i] =
          channel.map(
              FileChannel.MapMode.READ_WRITE, start, Math.min(segmentBytes, sizeBytes - start));
    }
  }

  /**
   * Makes a store of zeros.
   *
   * @throws java.nio.file.FileAlreadyExistsException if the file is there
   */
  public static MappedByteStore create(Path file, long sizeBytes, Allocation allocation)
      throws IOException {
    return map(file, StoreFiles.create(file, sizeBytes, allocation), SEGMENT_BYTES);
  }

  /**
   * Opens a store that is as large as its file.
   *
   * @throws java.nio.file.NoSuchFileException if there is none
   */
  public static MappedByteStore open(Path file) throws IOException {
    return open(file, SEGMENT_BYTES);
  }

  /** For tests, which have no gigabytes: {@code segmentBytes} is a multiple of the page size. */
  static MappedByteStore open(Path file, int segmentBytes) throws IOException {
    Checks.argument(
        segmentBytes > 0 && segmentBytes % 4096 == 0,
        "open a store",
        "segmentBytes",
        segmentBytes,
        "a multiple of 4096");
    return map(file, StoreFiles.open(file), segmentBytes);
  }

  private static MappedByteStore map(Path file, FileChannel channel, int segmentBytes)
      throws IOException {
    // A mapping outlives its channel.
    try (channel) {
      return new MappedByteStore(file, channel, segmentBytes);
    }
  }

  @Override
  public long sizeBytes() {
    return sizeBytes;
  }

  @Override
  public void read(long offset, ByteBuffer dst) throws IOException {
    check("read", offset, dst.remaining());
    long at = offset;
    while (dst.hasRemaining()) {
      int index = indexInSegment(at);
      int count = Math.min(dst.remaining(), segmentBytes - index);
      MappedByteBuffer segment = segmentOf(at);
      guard("read", at, () -> dst.put(dst.position(), segment, index, count));
      dst.position(dst.position() + count);
      at += count;
    }
  }

  @Override
  public void write(long offset, ByteBuffer src) throws IOException {
    check("write", offset, src.remaining());
    long at = offset;
    while (src.hasRemaining()) {
      int index = indexInSegment(at);
      int count = Math.min(src.remaining(), segmentBytes - index);
      MappedByteBuffer segment = segmentOf(at);
      guard("write", at, () -> segment.put(index, src, src.position(), count));
      src.position(src.position() + count);
      at += count;
    }
  }

  @Override
  public void sync(long offset, long lengthBytes) throws IOException {
    check("sync", offset, lengthBytes);
    long at = offset;
    long end = offset + lengthBytes;
    while (at < end) {
      int index = indexInSegment(at);
      int count = (int) Math.min(end - at, segmentBytes - index);
      MappedByteBuffer segment = segmentOf(at);
      guard("sync", at, () -> segment.force(index, count));
      at += count;
    }
  }

  /** Without a copy unless the range crosses a segment's end. */
  @Override
  public ByteBuffer view(long offset, int lengthBytes) throws IOException {
    check("view", offset, lengthBytes);
    int index = indexInSegment(offset);
    if (lengthBytes <= segmentBytes - index && offset < sizeBytes) {
      return segmentOf(offset).asReadOnlyBuffer().slice(index, lengthBytes);
    }
    return ByteStore.super.view(offset, lengthBytes);
  }

  @Override
  public void close() {
    isClosed = true;
  }

  @Override
  public String toString() {
    return file.toString();
  }

  private MappedByteBuffer segmentOf(long offset) {
    return segments[(int) (offset / segmentBytes)];
  }

  private int indexInSegment(long offset) {
    return (int) (offset % segmentBytes);
  }

  private void check(String doing, long offset, long lengthBytes) throws IOException {
    if (isClosed) {
      throw new IOException(
          Refusal.to(doing).value("closed", true).expected("an open store").file(file).message());
    }
    StoreFiles.checkRange(file, doing, offset, lengthBytes, sizeBytes);
  }

  /** The JVM reports a fault in mapped memory as InternalError, a failed msync as UncheckedIOException. */
  private void guard(String doing, long offset, Runnable access) throws IOException {
    try {
      access.run();
    } catch (InternalError | UncheckedIOException e) {
      throw new IOException(
          Refusal.to(doing)
              .value("cause", e.getMessage())
              .expected("a working device with space left")
              .file(file)
              .offset(offset)
              .message(),
          e);
    }
  }
}
