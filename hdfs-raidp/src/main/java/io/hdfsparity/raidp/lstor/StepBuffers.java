/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Buffers for the images of one coverage step, reused. Not thread-safe. */
final class StepBuffers {
  private final ByteBuffer data = ByteBuffer.allocateDirect(CoverageStep.MAX_DATA_BYTES);
  private final ByteBuffer meta = ByteBuffer.allocateDirect(CoverageStep.MAX_META_BYTES);
  private final ByteBuffer lowTail = ByteBuffer.allocateDirect(ChecksumSpec.CRC_BYTES);

  /** Reads the data between the two prefixes. */
  ByteBuffer readData(CoverageStep step, BlockImage image) throws IOException {
    fill(
        data.clear().limit((int) (step.high() - step.low())),
        dst -> image.readData(step.low(), dst));
    return data;
  }

  /** Reads the checksum images of both prefixes where they differ, and returns their XOR. */
  ByteBuffer readMetaDelta(CoverageStep step, ChecksumSpec checksum, BlockImage image)
      throws IOException {
    long from = step.metaFrom(checksum);
    fill(
        meta.clear().limit((int) (step.metaTo(checksum) - from)),
        dst -> image.readMeta(step.high(), from, dst));
    if (step.lowHasMeta()) {
      int tail = (int) (checksum.metaLength(step.low()) - from);
      if (tail > 0) {
        fill(lowTail.clear().limit(tail), dst -> image.readMeta(step.low(), from, dst));
        for (int i = 0; i < tail; i++) {
          meta.put(i, (byte) (meta.get(i) ^ lowTail.get(i)));
        }
      }
    }
    return meta;
  }

  /** A read of an image. */
  @FunctionalInterface
  interface Filling {
    void into(ByteBuffer dst) throws IOException;
  }

  /**
   * Fills a buffer from position 0 to its limit, and refuses an image that leaves a part of it as
   * it was.
   */
  static void fill(ByteBuffer dst, Filling filling) throws IOException {
    if (!dst.hasRemaining()) {
      return;
    }
    filling.into(dst);
    if (dst.hasRemaining()) {
      throw new IOException(
          "Cannot read a block image: missingBytes="
              + dst.remaining()
              + ", expected a full buffer");
    }
    dst.rewind();
  }
}
