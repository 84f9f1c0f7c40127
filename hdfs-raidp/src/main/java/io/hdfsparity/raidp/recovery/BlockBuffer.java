/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

import io.hdfsparity.core.store.PrivateFiles;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where the data of a block is put together: memory for a small one, a temporary file for a large
 * one. Nothing in it has to survive a crash, so it is never synced; the file is made to vanish with
 * the process.
 *
 * <p>Writes are confined to one thread; reads are thread-safe afterwards.
 */
final class BlockBuffer implements Closeable {
  private final @Nullable ByteBuffer memory;
  private final @Nullable FileChannel file;
  private final String name;

  private BlockBuffer(@Nullable ByteBuffer memory, @Nullable FileChannel file, String name) {
    this.memory = memory;
    this.file = file;
    this.name = name;
  }

  /**
   * Makes room for a block.
   *
   * @param lengthBytes length of the block
   * @param memoryBlockBytes longest block that is held in memory
   * @param spillDir where a longer one goes; empty: memory whatever its length
   */
  static BlockBuffer of(
      long blockId, long lengthBytes, long memoryBlockBytes, Optional<Path> spillDir)
      throws ReceiverFailedException {
    if (spillDir.isEmpty() || lengthBytes <= memoryBlockBytes) {
      return new BlockBuffer(ByteBuffer.allocate(Math.toIntExact(lengthBytes)), null, "in memory");
    }
    try {
      return inFile(blockId, spillDir.get());
    } catch (IOException e) {
      throw failed("dir=" + spillDir.get(), e);
    }
  }

  private static BlockBuffer inFile(long blockId, Path spillDir) throws IOException {
    PrivateFiles.makeDirectories(spillDir);
    Path path = Files.createTempFile(spillDir, "rebuild-" + blockId + "-", ".spill");
    FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    // Without a name it is gone when the channel is closed, and also when the process is killed.
    Files.delete(path);
    return new BlockBuffer(null, channel, "file=" + path);
  }

  private static ReceiverFailedException failed(String place, IOException cause) {
    return new ReceiverFailedException(
        "Cannot hold recovered block: " + place + ": " + cause.getMessage(), cause);
  }

  void write(long position, ByteBuffer src) throws ReceiverFailedException {
    if (memory != null) {
      memory.duplicate().position((int) position).put(src);
      return;
    }
    long at = position;
    try {
      while (src.hasRemaining()) {
        at += channel().write(src, at);
      }
    } catch (IOException e) {
      throw failed(name, e);
    }
  }

  void read(long position, ByteBuffer dst) throws IOException {
    if (memory != null) {
      dst.put(memory.duplicate().limit((int) position + dst.remaining()).position((int) position));
      return;
    }
    long at = position;
    while (dst.hasRemaining()) {
      int count = channel().read(dst, at);
      if (count < 0) {
        throw new EOFException(
            "Cannot read recovered bytes: "
                + dst.remaining()
                + " missing, "
                + name
                + " offset="
                + at);
      }
      at += count;
    }
  }

  @Override
  public void close() throws ReceiverFailedException {
    try {
      if (file != null) {
        file.close();
      }
    } catch (IOException e) {
      throw failed(name, e);
    }
  }

  @Override
  public String toString() {
    return name;
  }

  private FileChannel channel() {
    if (file == null) {
      throw new IllegalStateException("Cannot use block buffer: neither memory nor file");
    }
    return file;
  }
}
