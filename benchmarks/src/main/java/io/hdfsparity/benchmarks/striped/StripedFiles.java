/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.striped;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.AddErasureCodingPolicyResponse;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.io.erasurecode.ECSchema;

/**
 * Files whose bytes follow from seed, file and offset, so that any range can be checked at once.
 * Immutable.
 *
 * @param folder where they are
 * @param fileBytes length of each, a multiple of 8
 * @param numbers of the files there are; a file's name and bytes follow from its number
 * @param seed of their bytes
 */
public record StripedFiles(Path folder, long fileBytes, List<Integer> numbers, long seed) {
  /** Size of a cell: HDFS's default. */
  public static final int CELL_BYTES = 1 << 20;

  private static final int PIECE_BYTES = 1 << 20;

  public StripedFiles {
    numbers = List.copyOf(numbers);
  }

  /** So many files, numbered from 0. */
  public static StripedFiles first(int count, Path folder, long fileBytes, long seed) {
    return new StripedFiles(folder, fileBytes, IntStream.range(0, count).boxed().toList(), seed);
  }

  /** Some of them. */
  public StripedFiles only(List<Integer> left) {
    return new StripedFiles(folder, fileBytes, left, seed);
  }

  /** How many there are. */
  public int count() {
    return numbers.size();
  }

  /** Makes a folder with a policy, which is added and enabled. */
  public static void makeFolder(
      DistributedFileSystem fs, Path folder, String codec, int k, int r, int cellBytes)
      throws IOException {
    ErasureCodingPolicy policy = new ErasureCodingPolicy(new ECSchema(codec, k, r), cellBytes);
    AddErasureCodingPolicyResponse[] added =
        fs.addErasureCodingPolicies(new ErasureCodingPolicy[] {policy});
    if (!added[0].isSucceed()) {
      throw new IOException("Cannot add the policy " + policy + ": " + added[0].getErrorMsg());
    }
    String name = added[0].getPolicy().getName();
    fs.enableErasureCodingPolicy(name);
    fs.mkdirs(folder);
    fs.setErasureCodingPolicy(folder, name);
  }

  /** Of a file. */
  public Path path(int file) {
    return new Path(folder, "f" + file);
  }

  /** Writes all files. */
  public void write(FileSystem fs) throws IOException {
    byte[] piece = new byte[PIECE_BYTES];
    for (int file : numbers) {
      try (OutputStream out = fs.create(path(file))) {
        for (long at = 0; at < fileBytes; at += PIECE_BYTES) {
          int length = (int) Math.min(PIECE_BYTES, fileBytes - at);
          fill(file, at, piece, length);
          out.write(piece, 0, length);
        }
      }
    }
  }

  /**
   * Reads all files.
   *
   * @throws IOException when a byte is not what was written
   */
  public void check(FileSystem fs) throws IOException {
    byte[] read = new byte[PIECE_BYTES];
    for (int file : numbers) {
      try (InputStream in = fs.open(path(file))) {
        for (long at = 0; at < fileBytes; at += PIECE_BYTES) {
          int length = in.readNBytes(read, 0, PIECE_BYTES);
          if (length != Math.min(PIECE_BYTES, fileBytes - at)) {
            throw new IOException(
                "Cannot trust the files: length="
                    + (at + length)
                    + ", expected "
                    + fileBytes
                    + ", file="
                    + path(file));
          }
          check(file, at, read, length);
        }
      }
    }
  }

  /**
   * Compares some bytes.
   *
   * @param offset in the file, a multiple of 8
   * @param lengthBytes a multiple of 8
   * @throws IOException when a byte is not what was written
   */
  public void check(int file, long offset, byte[] read, int lengthBytes) throws IOException {
    byte[] expected = new byte[lengthBytes];
    fill(file, offset, expected, lengthBytes);
    int wrong = Arrays.mismatch(read, 0, lengthBytes, expected, 0, lengthBytes);
    if (wrong >= 0) {
      throw new IOException(
          "Cannot trust the files: byte="
              + read[wrong]
              + ", expected "
              + expected[wrong]
              + ", file="
              + path(file)
              + " offset="
              + (offset + wrong));
    }
  }

  private void fill(int file, long offset, byte[] bytes, int lengthBytes) {
    ByteBuffer words = ByteBuffer.wrap(bytes, 0, lengthBytes).order(ByteOrder.LITTLE_ENDIAN);
    long base = seed * 0x632BE59BD9B4E019L + file * 0x9E3779B97F4A7C15L;
    for (long word = offset / Long.BYTES; words.hasRemaining(); word++) {
      words.putLong(mixed(base + word * 0xD1342543DE82EF95L));
    }
  }

  /** The finalizer of SplitMix64. */
  private static long mixed(long word) {
    long z = (word ^ (word >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
