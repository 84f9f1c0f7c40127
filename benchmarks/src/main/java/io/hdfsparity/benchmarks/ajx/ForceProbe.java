/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.ajx;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/** How long the disk takes to make a block durable, without anything of the suite. */
final class ForceProbe {
  private static final int FORCES = 100;
  private static final int FILE_BYTES = 1 << 20;

  private ForceProbe() {}

  /** Median, in ms, of writing so many bytes into a file that has its blocks, and forcing it. */
  static double medianMs(Path folder, int bytes) throws IOException {
    Path file = Files.createTempFile(folder, "force", ".probe");
    long[] nanos = new long[FORCES];
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.allocate(FILE_BYTES), 0);
      channel.force(true);
      for (int i = 0; i < FORCES; i++) {
        long from = System.nanoTime();
        channel.write(ByteBuffer.allocate(bytes), (long) i * bytes % (FILE_BYTES - bytes));
        channel.force(false);
        nanos[i] = System.nanoTime() - from;
      }
    } finally {
      Files.delete(file);
    }
    Arrays.sort(nanos);
    return nanos[FORCES / 2] / 1e6;
  }
}
