/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.store;

import io.hdfsparity.core.check.ErrorMessage;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * A store in a file, by positional reads and writes. {@link #sync} makes the whole file durable:
 * there is no finer call.
 *
 * <p>Thread-safe as {@link ByteStore} says. An interrupt of a thread inside a call closes the
 * channel: every later call then fails.
 */
public final class FileByteStore implements ByteStore {
  private final Path file;
  private final FileChannel channel;
  private final long sizeBytes;

  private FileByteStore(Path file, FileChannel channel, long sizeBytes) {
    this.file = file;
    this.channel = channel;
    this.sizeBytes = sizeBytes;
  }

  /**
   * Makes a store of zeros.
   *
   * @throws java.nio.file.FileAlreadyExistsException if the file is there
   */
  public static FileByteStore create(Path file, long sizeBytes, Allocation allocation)
      throws IOException {
    return new FileByteStore(file, StoreFiles.create(file, sizeBytes, allocation), sizeBytes);
  }

  /**
   * Opens a store that is as large as its file.
   *
   * @throws java.nio.file.NoSuchFileException if there is none
   */
  public static FileByteStore open(Path file) throws IOException {
    FileChannel channel = StoreFiles.open(file);
    return new FileByteStore(file, channel, channel.size());
  }

  @Override
  public long sizeBytes() {
    return sizeBytes;
  }

  @Override
  public void read(long offset, ByteBuffer dst) throws IOException {
    StoreFiles.checkRange(file, "read", offset, dst.remaining(), sizeBytes);
    long at = offset;
    while (dst.hasRemaining()) {
      int count = channel.read(dst, at);
      if (count < 0) {
        throw new EOFException(
            ErrorMessage.to("read")
                .value("missingBytes", dst.remaining())
                .expected("a file of sizeBytes=" + sizeBytes + ", as when it was opened")
                .file(file)
                .offset(at)
                .message());
      }
      at += count;
    }
  }

  @Override
  public void write(long offset, ByteBuffer src) throws IOException {
    StoreFiles.checkRange(file, "write", offset, src.remaining(), sizeBytes);
    StoreFiles.writeFully(channel, src, offset);
  }

  @Override
  public void sync(long offset, long lengthBytes) throws IOException {
    StoreFiles.checkRange(file, "sync", offset, lengthBytes, sizeBytes);
    channel.force(false);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  @Override
  public String toString() {
    return file.toString();
  }
}
