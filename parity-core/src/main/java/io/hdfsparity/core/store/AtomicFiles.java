/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * Durable changes of names: after a crash either the old or the new file is there, whole.
 * Stateless, thread-safe.
 */
public final class AtomicFiles {
  private AtomicFiles() {}

  /**
   * Replaces or makes a file, which is private: writes a temporary one, syncs it, renames it, syncs
   * the directory. That is opened first: without a file descriptor for it nothing has changed.
   */
  public static void replace(Path file, byte[] content) throws IOException {
    Path directory = file.toAbsolutePath().getParent();
    if (directory == null) {
      throw new IOException(
          "Cannot replace a file: file=" + file + ", expected one in a directory");
    }
    try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
      write(temporary(file), content);
      Files.move(temporary(file), file, StandardCopyOption.ATOMIC_MOVE);
      names.force(true);
    }
  }

  private static Path temporary(Path file) {
    return file.resolveSibling(file.getFileName() + ".tmp");
  }

  private static void write(Path temporary, byte[] content) throws IOException {
    try (FileChannel out =
        PrivateFiles.open(
            temporary,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      ByteBuffer bytes = ByteBuffer.wrap(content);
      while (bytes.hasRemaining()) {
        out.write(bytes);
      }
      out.force(true);
    }
  }

  /** Renames within a file system and makes the new name durable. */
  public static void rename(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    syncName(to);
  }

  /** Makes the name of a file durable: that it is there, or that it is not. */
  public static void syncName(Path file) throws IOException {
    Path directory = file.toAbsolutePath().getParent();
    if (directory != null) {
      syncDirectory(directory);
    }
  }

  /** Makes names in a directory durable. */
  public static void syncDirectory(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
