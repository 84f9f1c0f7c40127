/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.striped;

import java.util.Random;

/**
 * Read requests made after the Web-search traces that the paper replays: small, random, only reads.
 * Sizes are 8, 16, 24 or 32 KiB (55, 15, 10 and 20 of 100; 15.6 KiB on average), offsets uniform
 * and aligned to 8 KiB. Not thread-safe.
 */
final class Trace {
  private static final int UNIT_BYTES = 8 << 10;
  private static final int[] UNITS_BY_PERCENT = {55, 70, 80, 100};

  private final Random random;
  private final StripedFiles files;

  Trace(StripedFiles files, long seed) {
    this.files = files;
    this.random = new Random(seed);
  }

  /**
   * A read.
   *
   * @param file number of a file
   * @param offset in it
   * @param lengthBytes to read
   */
  record Request(int file, long offset, int lengthBytes) {}

  Request next() {
    int bytes = size();
    long places = (files.fileBytes() - bytes) / UNIT_BYTES + 1;
    return new Request(
        files.numbers().get(random.nextInt(files.count())),
        (long) (random.nextDouble() * places) * UNIT_BYTES,
        bytes);
  }

  private int size() {
    int percent = random.nextInt(100);
    int units = 0;
    while (percent >= UNITS_BY_PERCENT[units]) {
      units++;
    }
    return (units + 1) * UNIT_BYTES;
  }
}
