/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.rawcoder;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureDecoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;

/**
 * Calls coders in each way that Hadoop does, and checks what its contract says of buffers: inputs
 * are used up, outputs are ready to be read, nothing else moves or changes.
 */
final class CoderCalls {
  private static final int GUARD_BYTES = 7;

  /** The three ways in. */
  enum Kind {
    DIRECT,
    HEAP,
    ARRAY
  }

  private final Kind kind;
  private final Random random;

  CoderCalls(Kind kind, Random random) {
    this.kind = kind;
    this.random = random;
  }

  byte[][] encode(RawErasureEncoder encoder, byte[][] data) throws IOException {
    int length = data[0].length;
    byte[][] parity = new byte[encoder.getNumParityUnits()][length];
    if (kind == Kind.ARRAY) {
      Arrays.stream(parity).forEach(random::nextBytes);
      encoder.encode(data, parity);
      return parity;
    }
    ByteBuffer[] inputs = buffers(data);
    ByteBuffer[] outputs = buffers(parity);
    Limits before = new Limits(inputs, outputs);
    encoder.encode(inputs, outputs);
    before.check(inputs, outputs);
    checkUnchanged(inputs, data);
    return bytes(outputs);
  }

  /** Units not given are null. */
  byte[][] decode(RawErasureDecoder decoder, byte[][] units, int[] erased, int length)
      throws IOException {
    byte[][] decoded = new byte[erased.length][length];
    if (kind == Kind.ARRAY) {
      Arrays.stream(decoded).forEach(random::nextBytes);
      decoder.decode(units, erased, decoded);
      return decoded;
    }
    ByteBuffer[] inputs = buffers(units);
    ByteBuffer[] outputs = buffers(decoded);
    Limits before = new Limits(inputs, outputs);
    decoder.decode(inputs, erased, outputs);
    before.check(inputs, outputs);
    checkUnchanged(inputs, units);
    return bytes(outputs);
  }

  ByteBuffer[] buffers(byte[][] units) {
    ByteBuffer[] buffers = new ByteBuffer[units.length];
    for (int i = 0; i < units.length; i++) {
      buffers[i] = units[i] == null ? null : buffer(units[i]);
    }
    return buffers;
  }

  private ByteBuffer buffer(byte[] bytes) {
    int capacity = bytes.length + 2 * GUARD_BYTES;
    ByteBuffer whole =
        kind == Kind.DIRECT ? ByteBuffer.allocateDirect(capacity) : ByteBuffer.allocate(capacity);
    // A slice has an array offset of its own.
    ByteBuffer slice = whole.slice(random.nextInt(GUARD_BYTES), bytes.length + GUARD_BYTES);
    int position = random.nextInt(GUARD_BYTES);
    slice.put(position, bytes).position(position).limit(position + bytes.length);
    return slice;
  }

  private static void checkUnchanged(ByteBuffer[] inputs, byte[][] units) {
    for (int i = 0; i < inputs.length; i++) {
      if (inputs[i] != null) {
        ByteBuffer read = inputs[i].duplicate();
        read.position(read.limit() - units[i].length);
        assertThat(read).isEqualTo(ByteBuffer.wrap(units[i]));
      }
    }
  }

  static byte[][] bytes(ByteBuffer[] buffers) {
    byte[][] bytes = new byte[buffers.length][];
    for (int i = 0; i < buffers.length; i++) {
      bytes[i] = new byte[buffers[i].remaining()];
      buffers[i].duplicate().get(bytes[i]);
    }
    return bytes;
  }

  /** Where buffers stood before a call. */
  private static final class Limits {
    private final int[] inputLimits;
    private final int[] outputPositions;
    private final int[] outputLimits;

    Limits(ByteBuffer[] inputs, ByteBuffer[] outputs) {
      inputLimits = Arrays.stream(inputs).mapToInt(b -> b == null ? 0 : b.limit()).toArray();
      outputPositions = Arrays.stream(outputs).mapToInt(ByteBuffer::position).toArray();
      outputLimits = Arrays.stream(outputs).mapToInt(ByteBuffer::limit).toArray();
    }

    void check(ByteBuffer[] inputs, ByteBuffer[] outputs) {
      for (int i = 0; i < inputs.length; i++) {
        if (inputs[i] != null) {
          assertThat(inputs[i].position()).isEqualTo(inputLimits[i]);
          assertThat(inputs[i].limit()).isEqualTo(inputLimits[i]);
        }
      }
      for (int i = 0; i < outputs.length; i++) {
        assertThat(outputs[i].position()).isEqualTo(outputPositions[i]);
        assertThat(outputs[i].limit()).isEqualTo(outputLimits[i]);
      }
    }
  }

  /** Every set of 1..most of so many units. */
  static List<int[]> erasures(int units, int most) {
    List<int[]> sets = new ArrayList<>();
    for (int bits = 1; bits < 1 << units; bits++) {
      if (Integer.bitCount(bits) <= most) {
        int set = bits;
        sets.add(
            java.util.stream.IntStream.range(0, units).filter(u -> (set >> u & 1) != 0).toArray());
      }
    }
    return sets;
  }

  static byte[][] random(Random random, int units, int length) {
    byte[][] bytes = new byte[units][length];
    Arrays.stream(bytes).forEach(random::nextBytes);
    return bytes;
  }

  static byte[][] concat(byte[][] data, byte[][] parity) {
    byte[][] all = Arrays.copyOf(data, data.length + parity.length);
    System.arraycopy(parity, 0, all, data.length, parity.length);
    return all;
  }
}
