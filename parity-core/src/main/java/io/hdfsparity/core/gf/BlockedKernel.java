/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.gf;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Base of the Java kernels: cuts buffers into blocks that stay in the L1/L2 cache and copies them
 * into {@code long[]} scratch, because the JIT compiler vectorizes loops over arrays and not over
 * byte buffers. A copy in and out costs far less than the arithmetic it makes fast. Thread-safe:
 * scratch is per thread.
 */
abstract class BlockedKernel implements Kernel {
  /** Block of one unit: 512 longs. With a dozen units all of them stay in the L2 cache. */
  static final int BLOCK_BYTES = 4096;

  /**
   * Blocks that {@link #expand} may fill: the delta times each power of 2 that a coefficient is
   * made of.
   */
  static final int POWERS = 8;

  static final int BLOCK_LONGS = BLOCK_BYTES / Long.BYTES;

  private final ThreadLocal<Scratch> scratch = ThreadLocal.withInitial(Scratch::new);

  /**
   * Sets {@code sums[row][0..longs)} to {@code sum over j of matrix[row * inputs + j] * inputs[j]},
   * for every row.
   */
  abstract void combine(
      byte[] matrix, int rows, long[][] inputs, int inputCount, long[][] sums, int longs);

  /** Computes from {@code powers[0]}, a delta, what {@link #addProduct} wants to find beside it. */
  abstract void expand(long[][] powers, int longs);

  /** Adds {@code coefficient * powers[0]} to {@code sum[0..longs)}. */
  abstract void addProduct(int coefficient, long[][] powers, long[] sum, int longs);

  @Override
  public final void xor(ByteBuffer dst, ByteBuffer src) {
    KernelChecks.pair(dst, src);
    JavaXor.xor(dst, src);
  }

  @Override
  public final void multiplyAdd(int coefficient, ByteBuffer src, ByteBuffer dst) {
    KernelChecks.coefficient(coefficient);
    if (coefficient == 1) {
      xor(dst, src);
      return;
    }
    update(new byte[] {(byte) coefficient}, src, new ByteBuffer[] {dst});
  }

  @Override
  public final void encode(byte[] matrix, ByteBuffer[] inputs, ByteBuffer[] outputs) {
    int length = KernelChecks.encode(matrix, inputs, outputs);
    Scratch own = scratch.get();
    long[][] blocks = own.blocks(inputs.length);
    long[][] sums = own.sums(outputs.length);
    for (int done = 0; done < length; done += BLOCK_BYTES) {
      int bytes = Math.min(BLOCK_BYTES, length - done);
      int longs = (bytes + Long.BYTES - 1) / Long.BYTES;
      for (int in = 0; in < inputs.length; in++) {
        load(inputs[in], done, bytes, blocks[in]);
      }
      combine(matrix, outputs.length, blocks, inputs.length, sums, longs);
      for (int out = 0; out < outputs.length; out++) {
        store(sums[out], outputs[out], done, bytes);
      }
    }
  }

  @Override
  public final void update(byte[] column, ByteBuffer delta, ByteBuffer[] outputs) {
    int length = KernelChecks.update(column, delta, outputs);
    Scratch own = scratch.get();
    long[][] powers = own.blocks(POWERS);
    long[] sum = own.sums(1)[0];
    for (int done = 0; done < length; done += BLOCK_BYTES) {
      int bytes = Math.min(BLOCK_BYTES, length - done);
      int longs = (bytes + Long.BYTES - 1) / Long.BYTES;
      load(delta, done, bytes, powers[0]);
      expand(powers, longs);
      for (int out = 0; out < outputs.length; out++) {
        load(outputs[out], done, bytes, sum);
        addProduct(column[out] & 0xff, powers, sum, longs);
        store(sum, outputs[out], done, bytes);
      }
    }
  }

  /** Copies bytes into longs; what a last, partial long holds beyond them has no meaning. */
  private static void load(ByteBuffer from, int offset, int bytes, long[] into) {
    ByteBuffer part = part(from, offset, bytes);
    int whole = bytes / Long.BYTES;
    part.asLongBuffer().get(into, 0, whole);
    long last = 0;
    for (int i = whole * Long.BYTES; i < bytes; i++) {
      last |= (part.get(i) & 0xffL) << (8 * (i % Long.BYTES));
    }
    if (whole * Long.BYTES < bytes) {
      into[whole] = last;
    }
  }

  private static void store(long[] from, ByteBuffer to, int offset, int bytes) {
    ByteBuffer part = part(to, offset, bytes);
    int whole = bytes / Long.BYTES;
    part.asLongBuffer().put(from, 0, whole);
    for (int i = whole * Long.BYTES; i < bytes; i++) {
      part.put(i, (byte) (from[whole] >>> (8 * (i % Long.BYTES))));
    }
  }

  /**
   * The arithmetic treats all bytes of a long alike, so the native order, which copies without
   * swapping, will do.
   */
  private static ByteBuffer part(ByteBuffer buffer, int offset, int bytes) {
    return buffer.slice(buffer.position() + offset, bytes).order(ByteOrder.nativeOrder());
  }

  private static final class Scratch {
    private long[][] inputs = new long[0][];
    private long[][] sums = new long[0][];

    long[][] sums(int count) {
      if (sums.length < count) {
        sums = new long[count][BLOCK_LONGS];
      }
      return sums;
    }

    long[][] blocks(int count) {
      if (inputs.length < count) {
        inputs = new long[count][BLOCK_LONGS];
      }
      return inputs;
    }
  }
}
