/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.rebuild;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Files of bytes that follow from their numbers, so that they can be checked after a recovery. */
final class TestFiles {
  private static final int PIECE_BYTES = 1 << 20;

  private final FileSystem fs;
  private final long fileBytes;
  private final int count;

  /**
   * @param totalBytes of all files; rounded up to whole files
   */
  TestFiles(FileSystem fs, long fileBytes, long totalBytes) {
    this.fs = fs;
    this.fileBytes = fileBytes;
    this.count = Math.toIntExact((totalBytes + fileBytes - 1) / fileBytes);
  }

  static Path folder() {
    return new Path("/data");
  }

  void write() throws IOException {
    for (int file = 0; file < count; file++) {
      try (OutputStream out = fs.create(path(file))) {
        for (long at = 0; at < fileBytes; at += PIECE_BYTES) {
          out.write(piece(file, at));
        }
      }
    }
  }

  /**
   * Reads all files.
   *
   * @throws IOException when a byte is not what was written
   */
  void check() throws IOException {
    byte[] read = new byte[PIECE_BYTES];
    for (int file = 0; file < count; file++) {
      try (InputStream in = fs.open(path(file))) {
        for (long at = 0; at < fileBytes; at += PIECE_BYTES) {
          int length = in.readNBytes(read, 0, PIECE_BYTES);
          if (length != PIECE_BYTES || !Arrays.equals(read, piece(file, at))) {
            throw new IOException(
                "Cannot trust the recovery: bytes="
                    + length
                    + " are not those written, file="
                    + path(file)
                    + " offset="
                    + at);
          }
        }
      }
    }
  }

  private static Path path(int file) {
    return new Path(folder(), "f" + file);
  }

  private static byte[] piece(int file, long offset) {
    byte[] piece = new byte[PIECE_BYTES];
    new Random(file * 1_000_003L + offset).nextBytes(piece);
    return piece;
  }
}
