/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.store;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.core.check.ErrorMessage;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Creating and opening the file behind a store, durably. Stateless, thread-safe. */
final class StoreFiles {
  private static final int ZEROS_BYTES = 1 << 20;

  private StoreFiles() {}

  /**
   * Creates a new private file of zeros; file, length and directory entry are durable at return.
   *
   * @throws IOException also when the device is full; then there is no file
   */
  static FileChannel create(Path file, long sizeBytes, Allocation allocation) throws IOException {
    Checks.argument(sizeBytes > 0, "create a store", "sizeBytes", sizeBytes, "> 0");
    FileChannel channel =
        PrivateFiles.open(
            file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      if (allocation == Allocation.FULL) {
        // Writing zeros takes minutes where files are large.
        if (!Fallocate.reserveIfPossible(file, sizeBytes)) {
          writeZeros(channel, sizeBytes);
        }
      } else {
        writeFully(channel, ByteBuffer.allocate(1), sizeBytes - 1);
      }
      channel.force(true);
      syncDirectoryOf(file);
      return channel;
    } catch (IOException | RuntimeException e) {
      closeAfter(channel, e);
      deleteAfter(file, e);
      throw e;
    }
  }

  /** What is left would hold the rest of a full device. */
  private static void deleteAfter(Path file, Throwable failure) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  /** Opens an existing file. */
  static FileChannel open(Path file) throws IOException {
    FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      if (channel.size() == 0) {
        throw new EOFException(
            ErrorMessage.to("open a store")
                .value("sizeBytes", 0)
                .expected("> 0")
                .file(file)
                .message());
      }
      return channel;
    } catch (IOException | RuntimeException e) {
      closeAfter(channel, e);
      throw e;
    }
  }

  private static void writeZeros(FileChannel channel, long sizeBytes) throws IOException {
    ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(ZEROS_BYTES, sizeBytes));
    for (long offset = 0; offset < sizeBytes; offset += zeros.capacity()) {
      zeros.clear().limit((int) Math.min(zeros.capacity(), sizeBytes - offset));
      writeFully(channel, zeros, offset);
    }
  }

  static void writeFully(FileChannel channel, ByteBuffer src, long offset) throws IOException {
    long at = offset;
    while (src.hasRemaining()) {
      at += channel.write(src, at);
    }
  }

  /** Makes a new or renamed directory entry durable. */
  private static void syncDirectoryOf(Path file) throws IOException {
    Path directory = file.toAbsolutePath().getParent();
    if (directory != null) {
      try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
        channel.force(true);
      }
    }
  }

  static void closeAfter(FileChannel channel, Throwable failure) {
    try {
      channel.close();
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  /** Refuses a range outside the store, with the file's name. */
  static void checkRange(Path file, String doing, long offset, long lengthBytes, long sizeBytes)
      throws IOException {
    if (offset < 0 || lengthBytes < 0 || offset > sizeBytes - lengthBytes) {
      throw new IOException(
          ErrorMessage.to(doing)
              .value("lengthBytes", lengthBytes)
              .expected("a range inside sizeBytes=" + sizeBytes)
              .file(file)
              .offset(offset)
              .message());
    }
  }
}
