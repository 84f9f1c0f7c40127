/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.layout;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.store.AtomicFiles;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/** Layout indexes in local files. Stateless, thread-safe. */
public final class LayoutFiles {
  private static final int BUFFER_BYTES = 1 << 16;

  private LayoutFiles() {}

  /**
   * Writes a new file: to one of another name beside it, which nobody else has, synced, renamed,
   * directory synced. A crash leaves no file of that name, or the whole one, and perhaps {@code
   * .caso-<UUID>.tmp}.
   *
   * @throws IOException if there is a file of that name, or it cannot be written
   */
  public static void create(Path file, LayoutIndex index) throws IOException {
    if (Files.exists(file)) {
      throw new IOException(
          ErrorMessage.to("save an organization")
              .value("file", file)
              .expected("none of that name")
              .message());
    }
    Path temporary = file.resolveSibling(".caso-" + UUID.randomUUID() + ".tmp");
    try {
      write(temporary, index);
      AtomicFiles.rename(temporary, file);
    } catch (NoSuchFileException e) {
      throw new IOException(
          ErrorMessage.to("save an organization")
              .value("file", file)
              .expected("a directory that exists")
              .message(),
          e);
    } catch (IOException | RuntimeException e) {
      try {
        Files.deleteIfExists(temporary);
      } catch (IOException notDeleted) {
        e.addSuppressed(notDeleted);
      }
      if (e instanceof AtomicMoveNotSupportedException) {
        throw new IOException("Cannot save an organization: no atomic rename, file=" + file, e);
      }
      throw e;
    }
  }

  private static void write(Path temporary, LayoutIndex index) throws IOException {
    try (FileChannel channel =
        FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      BufferedOutputStream out =
          new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER_BYTES) {
            @Override
            public void close() throws IOException {
              flush();
              channel.force(true);
              super.close();
            }
          };
      LayoutFormat.write(index, out);
    }
  }

  /**
   * Reads a file and checks all of it.
   *
   * @throws IOException if there is none, or it is damaged, cut, of another version or kind
   */
  public static LayoutIndex read(Path file) throws IOException {
    try {
      return LayoutFormat.read(
          new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES), file.toString());
    } catch (NoSuchFileException e) {
      throw new IOException(
          ErrorMessage.to("read an organization")
              .value("file", file)
              .expected("a file that exists")
              .message(),
          e);
    }
  }
}
