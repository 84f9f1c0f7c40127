/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

import io.hdfsparity.raidp.lstor.SlotEntry;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A recovered block: every byte has matched its CRC. Held in memory or in a spill file; {@link
 * #close} gives either back. What is read from a spill file is checked again, so that its device
 * cannot spoil it.
 *
 * <p>Thread-safe until closed.
 */
public final class VerifiedBlock implements Closeable {
  private static final int COPY_BYTES = 1 << 20;

  private final SlotEntry row;
  private final ChecksumFile meta;
  private final BlockBuffer data;

  VerifiedBlock(SlotEntry row, ChecksumFile meta, BlockBuffer data) {
    this.row = row;
    this.meta = meta;
    this.data = data;
  }

  /** Takes bytes in order. */
  @FunctionalInterface
  public interface Sink {
    void write(ByteBuffer bytes) throws IOException;
  }

  /**
   * The row that it was decoded from: block id, generation stamp, length as {@code coveredBytes}.
   */
  public SlotEntry row() {
    return row;
  }

  /** Length of the data in bytes. */
  public long lengthBytes() {
    return row.coveredBytes();
  }

  /** The checksum file, header included; not to be changed. */
  public byte[] checksumFile() {
    return meta.bytes();
  }

  /** Hands on all data bytes in order, each proved once more. */
  public void copyData(Sink sink) throws IOException {
    int step = alignedStep(COPY_BYTES, meta.bytesPerChecksum());
    ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(step, Math.max(1, lengthBytes())));
    for (long at = 0; at < lengthBytes(); at += step) {
      buffer.clear().limit((int) Math.min(step, lengthBytes() - at));
      data.read(at, buffer);
      buffer.flip();
      requireMatch(at, buffer);
      sink.write(buffer);
    }
  }

  @Override
  public void close() throws IOException {
    data.close();
  }

  /**
   * The largest multiple of {@code chunkBytes} that is at most {@code stepBytes}; at least one
   * chunk.
   */
  static int alignedStep(int stepBytes, int chunkBytes) {
    return Math.max(chunkBytes, stepBytes / chunkBytes * chunkBytes);
  }

  private void requireMatch(long position, ByteBuffer bytes) throws IOException {
    String mismatch = meta.mismatch(position, bytes);
    if (mismatch != null) {
      throw new VerificationException(
          "Cannot hand on recovered block: block="
              + row.blockId()
              + " "
              + mismatch
              + ", expected the CRC that was recovered with it, "
              + data);
    }
  }
}
