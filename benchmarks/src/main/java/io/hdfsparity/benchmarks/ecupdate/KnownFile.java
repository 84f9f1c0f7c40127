/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.ecupdate;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * A file whose bytes are kept in memory, too, so that all of it can be checked. Not thread-safe.
 */
final class KnownFile {
  private static final int PIECE_BYTES = 1 << 20;

  private final Path path;
  private final byte[] bytes;

  /** A file of random bytes. */
  KnownFile(Path path, int lengthBytes, long seed) {
    this.path = path;
    bytes = new byte[lengthBytes];
    new SplittableRandom(seed).nextBytes(bytes);
  }

  Path path() {
    return path;
  }

  int lengthBytes() {
    return bytes.length;
  }

  /** Takes note of a change. */
  void change(long offset, byte[] fresh) {
    System.arraycopy(fresh, 0, bytes, Math.toIntExact(offset), fresh.length);
  }

  /** Writes all of it to a path, which may be another one. */
  void write(FileSystem fs, Path to) throws IOException {
    try (OutputStream out = fs.create(to)) {
      for (int at = 0; at < bytes.length; at += PIECE_BYTES) {
        out.write(bytes, at, Math.min(PIECE_BYTES, bytes.length - at));
      }
    }
  }

  /**
   * Reads all of it.
   *
   * @throws IOException when a byte is not as it should be
   */
  void check(FileSystem fs) throws IOException {
    byte[] read = new byte[PIECE_BYTES];
    try (InputStream in = fs.open(path)) {
      for (int at = 0; at < bytes.length; at += PIECE_BYTES) {
        int length = in.readNBytes(read, 0, Math.min(PIECE_BYTES, bytes.length - at));
        int wrong = Arrays.mismatch(bytes, at, at + length, read, 0, length);
        if (wrong >= 0 || length < Math.min(PIECE_BYTES, bytes.length - at)) {
          throw new IOException(
              "Cannot trust the file: expected the bytes that were written, file="
                  + path
                  + " offset="
                  + (at + Math.max(wrong, 0)));
        }
      }
    }
  }
}
