/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.store.AtomicFiles;
import io.hdfsparity.core.store.Fallocate;
import io.hdfsparity.core.store.PrivateFiles;
import io.hdfsparity.ecupdate.storage.ReservedArea;
import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Reserved space as a file of its own. Bytes behind the end of the block file would change its
 * length, and the directory scanner would take that for damage.
 *
 * <p>It is shrunk from its end, so cutting the file gives the same blocks back as a hole would.
 */
final class SideFile implements ReservedArea {
  private final Path file;

  /** For writes, while some are to come. */
  private @Nullable FileChannel prepared;

  private SideFile(Path file) {
    this.file = file;
  }

  /** The space that is there. */
  static SideFile of(Path file) {
    return new SideFile(file);
  }

  /**
   * Makes the file, or makes it larger; durable at return.
   *
   * @throws IOException if the disk has no room, as one cause; the file is as it was
   */
  static SideFile reserve(Path file, long sizeBytes) throws IOException {
    if (!Files.exists(file)) {
      PrivateFiles.makeFile(file);
      enlarge(file, sizeBytes, Files::delete);
    } else {
      long beforeBytes = Files.size(file);
      if (beforeBytes < sizeBytes) {
        enlarge(file, sizeBytes, made -> cut(made, beforeBytes));
      }
    }
    SideFile side = new SideFile(file);
    try (FileChannel channel = side.open()) {
      channel.force(true);
    }
    // Also where it was there: whoever made it may have been killed before this.
    AtomicFiles.syncName(file);
    return side;
  }

  /** Brings a file to where it was. */
  @FunctionalInterface
  private interface Undo {
    void of(Path file) throws IOException;
  }

  /** On a full disk what was there of the space may be taken, and a full disk needs it. */
  private static void enlarge(Path file, long sizeBytes, Undo undo) throws IOException {
    try {
      Fallocate.reserve(file, sizeBytes);
    } catch (IOException e) {
      try {
        undo.of(file);
      } catch (IOException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  /** Not FileChannel.truncate: it leaves what lies behind the end of a file of that size. */
  private static void cut(Path file, long toBytes) throws IOException {
    try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), "rw")) {
      opened.setLength(toBytes);
    }
  }

  // Opened for each call: an interrupt of a reader's thread closes its channel, and no other.
  private FileChannel open() throws IOException {
    return FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  @Override
  public void prepareWrite() throws IOException {
    if (prepared == null) {
      prepared = open();
    }
  }

  @Override
  public void endWrite() throws IOException {
    FileChannel opened = prepared;
    prepared = null;
    if (opened != null) {
      opened.close();
    }
  }

  /** Something that is done to the open file. */
  @FunctionalInterface
  private interface Change {
    void make(FileChannel channel) throws IOException;
  }

  private void change(Change change) throws IOException {
    FileChannel opened = prepared;
    if (opened != null) {
      change.make(opened);
      return;
    }
    try (FileChannel channel = open()) {
      change.make(channel);
    }
  }

  @Override
  public long sizeBytes() throws IOException {
    // Not File.length: it says 0 of a file that is gone or cannot be looked at.
    return Files.size(file);
  }

  @Override
  public void read(long offset, ByteBuffer into) throws IOException {
    long at = offset;
    try (FileChannel channel = open()) {
      while (into.hasRemaining()) {
        int count = channel.read(into, at);
        if (count < 0) {
          throw new EOFException(
              ErrorMessage.to("read reserved space")
                  .value("missingBytes", into.remaining())
                  .expected("a file as long as it was")
                  .file(file)
                  .offset(at)
                  .message());
        }
        at += count;
      }
    }
  }

  @Override
  public void write(long offset, ByteBuffer from) throws IOException {
    if (offset + from.remaining() > sizeBytes()) {
      throw new IOException(
          ErrorMessage.to("write reserved space")
              .value("lengthBytes", from.remaining())
              .expected("a range inside sizeBytes=" + sizeBytes())
              .file(file)
              .offset(offset)
              .message());
    }
    change(
        channel -> {
          long at = offset;
          while (from.hasRemaining()) {
            at += channel.write(from, at);
          }
        });
  }

  @Override
  public void force() throws IOException {
    change(channel -> channel.force(false));
  }

  @Override
  public void shrink(long toBytes) throws IOException {
    change(
        channel -> {
          if (channel.size() > toBytes) {
            channel.truncate(toBytes);
            channel.force(true);
          }
        });
  }
}
