/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.store;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.core.check.ErrorMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * A store in a memory-mapped file, in segments because one mapping holds less than 2 GiB. {@link
 * #view} inside a segment is a window on the mapping without a copy; {@link #sync} writes back just
 * the pages of its range.
 *
 * <p>Thread-safe as {@link ByteStore} says. After {@link #close} calls fail; views taken earlier
 * stay readable, and the memory is unmapped when the garbage collector finds that nobody holds them
 * (unmapping earlier would turn a late reader into a crash of the JVM).
 *
 * <p>A device error, a hole that cannot be filled and a file that somebody else cuts meanwhile are
 * an IOException of {@link #read}, {@link #write} or {@link #sync}. Who reads through a view gets
 * an InternalError instead, and perhaps only after garbage, so what comes from views must carry a
 * checksum. Unlike a channel, a mapping is not closed by the interrupt of a thread that uses it.
 */
public final class MappedByteStore implements ByteStore {
  /** Large enough to be few, small enough for an int; a multiple of every page size. */
  static final int SEGMENT_BYTES = 1 << 30;

  /** More than C2's MultiArrayExpandLimit (6). */
  private static final int RUNTIME_ENTRY_ARRAYS = 8;

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
    try {
      copyOut(offset, dst);
    } catch (InternalError e) {
      throw failure("read", offset, e);
    }
  }

  @Override
  public void write(long offset, ByteBuffer src) throws IOException {
    check("write", offset, src.remaining());
    try {
      copyIn(offset, src);
    } catch (InternalError e) {
      throw failure("write", offset, e);
    }
  }

  // The loops are methods of their own: an error that the JVM throws at the jump back of a compiled
  // loop, because another thread has asked for a safepoint, has been seen to pass by a handler of
  // the same method. It does not pass by that of a caller.

  private void copyOut(long offset, ByteBuffer dst) {
    long at = offset;
    while (dst.hasRemaining()) {
      int index = indexInSegment(at);
      int count = Math.min(dst.remaining(), segmentBytes - index);
      dst.put(dst.position(), segmentOf(at), index, count);
      dst.position(dst.position() + count);
      at += count;
    }
    deliverFault();
  }

  private void copyIn(long offset, ByteBuffer src) {
    long at = offset;
    while (src.hasRemaining()) {
      int index = indexInSegment(at);
      int count = Math.min(src.remaining(), segmentBytes - index);
      segmentOf(at).put(index, src, src.position(), count);
      src.position(src.position() + count);
      at += count;
    }
    deliverFault();
  }

  @Override
  public void sync(long offset, long lengthBytes) throws IOException {
    check("sync", offset, lengthBytes);
    long at = offset;
    long end = offset + lengthBytes;
    try {
      while (at < end) {
        int index = indexInSegment(at);
        int count = (int) Math.min(end - at, segmentBytes - index);
        segmentOf(at).force(index, count);
        at += count;
      }
    } catch (UncheckedIOException e) {
      // This is how MappedByteBuffer.force reports a failed msync.
      throw failure("sync", offset, e);
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
          ErrorMessage.to(doing)
              .value("closed", true)
              .expected("an open store")
              .file(file)
              .message());
    }
    StoreFiles.checkRange(file, doing, offset, lengthBytes, sizeBytes);
  }

  /**
   * Makes the JVM throw now what it would throw later. HotSpot notes a fault in mapped memory as
   * pending and throws its InternalError at some later entry into the runtime, long after this
   * store has said that all is well. Allocating an array of arrays with more members than the
   * compiler unrolls is such an entry, in the interpreter and in code of both compilers; a native
   * call is none. {@code ByteStoreTest} fails should a JVM do otherwise.
   */
  private static void deliverFault() {
    byte[][] entry = new byte[RUNTIME_ENTRY_ARRAYS][0];
    Checks.state(entry.length > 0, "enter the runtime", "arrays", entry.length, "> 0");
  }

  private IOException failure(String doing, long offset, Throwable cause) {
    return new IOException(
        ErrorMessage.to(doing)
            .value("cause", cause.getMessage())
            .expected("a working device with space left")
            .file(file)
            .offset(offset)
            .message(),
        cause);
  }
}
