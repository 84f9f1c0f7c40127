/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.device;

import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/** A file that a device is made of, in one session; as {@link StripedFileUpdater}. Thread-safe. */
public interface DeviceFile extends Closeable {
  /** In bytes; it does not change. */
  long lengthBytes();

  /** Reads a range inside the file; ends with its bytes. */
  CompletableFuture<byte[]> readAsync(long position, int lengthBytes) throws IOException;

  /**
   * Writes what remains of {@code source}, which is copied before this returns.
   *
   * @return ends when it is durable, or when the cache has it
   */
  CompletableFuture<Void> writeAsync(long position, ByteBuffer source) throws IOException;

  /** Returns when all that was written is durable. */
  void flush() throws IOException;

  /** What an updater has open. */
  static DeviceFile of(StripedFileUpdater updater) {
    return new DeviceFile() {
      @Override
      public long lengthBytes() {
        return updater.lengthBytes();
      }

      @Override
      public CompletableFuture<byte[]> readAsync(long position, int lengthBytes)
          throws IOException {
        return updater.readAsync(position, lengthBytes);
      }

      @Override
      public CompletableFuture<Void> writeAsync(long position, ByteBuffer source)
          throws IOException {
        return updater.writeAsync(position, source);
      }

      @Override
      public void flush() throws IOException {
        updater.flush();
      }

      @Override
      public void close() throws IOException {
        updater.close();
      }
    };
  }
}
