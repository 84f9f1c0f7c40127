/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.striped;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.fs.FileSystem;

/**
 * A client that reads files from end to end, one after the other, at no more than a rate, and
 * compares every byte. Used by one thread.
 */
final class Scanner implements Closeable {
  private static final int PIECE_BYTES = 1 << 20;

  private final FileSystem fs;
  private final StripedFiles files;
  private final double bytesPerSecond;
  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private volatile boolean isOver;
  private Future<Double> result;

  Scanner(FileSystem fs, StripedFiles files, double bytesPerSecond) {
    this.fs = fs;
    this.files = files;
    this.bytesPerSecond = bytesPerSecond;
  }

  void start() {
    result = thread.submit(this::scan);
  }

  private double scan() throws IOException {
    byte[] piece = new byte[PIECE_BYTES];
    long started = System.nanoTime();
    long bytes = 0;
    for (int turn = 0; !isOver; turn = (turn + 1) % files.count()) {
      int file = files.numbers().get(turn);
      try (InputStream in = fs.open(files.path(file))) {
        for (long at = 0; at < files.fileBytes() && !isOver; at += PIECE_BYTES) {
          int length = in.readNBytes(piece, 0, PIECE_BYTES);
          if (length != Math.min(PIECE_BYTES, files.fileBytes() - at)) {
            throw new IOException(
                "Cannot measure: bytes read="
                    + length
                    + " at "
                    + at
                    + ", expected all of "
                    + files.path(file));
          }
          files.check(file, at, piece, length);
          bytes += length;
          long dueNanos = (long) (bytes / bytesPerSecond * TimeUnit.SECONDS.toNanos(1));
          LockSupport.parkNanos(started + dueNanos - System.nanoTime());
        }
      }
    }
    return bytes / ((System.nanoTime() - started) / 1e9) / 1e6;
  }

  /**
   * Ends it.
   *
   * @return MB/s that it has read
   * @throws IOException when it failed, or read a wrong byte
   */
  double end() throws IOException, InterruptedException {
    isOver = true;
    try {
      return result.get();
    } catch (ExecutionException e) {
      throw new IOException("Cannot measure: the reader failed", e.getCause());
    }
  }

  @Override
  public void close() {
    isOver = true;
    thread.shutdown();
  }
}
