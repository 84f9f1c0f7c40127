/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.hdfsparity.core.framing.FormatException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;

/**
 * Puts sizes that nobody would write into every place of a payload where one may be, checksums
 * right: a decoder refuses them, or finds nothing wrong, and takes little memory before.
 */
public final class HostileSizes {
  /** Far more than a sound payload of a test takes, far less than what its sizes could ask for. */
  private static final long MAX_BYTES = 16L << 20;

  private static final long[] SIZES = {
    -1,
    0x7f,
    0xff,
    0x7fff,
    0x8000,
    0xffff,
    0x7fff7fff,
    0x3fffffff,
    Integer.MAX_VALUE,
    Integer.MIN_VALUE
  };

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private HostileSizes() {}

  /** What is tested; seals the payload first. */
  @FunctionalInterface
  public interface Decoder {
    void decode(byte[] payload) throws Exception;
  }

  /** Tries them all. */
  public static void check(byte[] sound, Decoder decoder) throws Exception {
    decoder.decode(sound.clone());
    for (int width : new int[] {Byte.BYTES, Short.BYTES, Integer.BYTES}) {
      for (int at = 0; at + width <= sound.length; at++) {
        for (long size : SIZES) {
          byte[] hostile = sound.clone();
          for (int i = 0; i < width; i++) {
            hostile[at + i] = (byte) (size >>> 8 * (width - 1 - i));
          }
          long taken = decode(decoder, hostile);
          assertThat(taken)
              .as("bytes allocated for size %x of %d bytes at %d", size, width, at)
              .isLessThan(MAX_BYTES);
        }
      }
    }
  }

  private static long decode(Decoder decoder, byte[] payload) throws Exception {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    try {
      decoder.decode(payload);
    } catch (FormatException e) {
      assertThat(e.getMessage()).isNotBlank();
    }
    return THREADS.getCurrentThreadAllocatedBytes() - before;
  }

  /** All bytes that are left in a buffer. */
  public static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }
}
