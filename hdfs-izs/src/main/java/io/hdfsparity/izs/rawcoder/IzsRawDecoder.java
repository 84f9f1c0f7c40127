/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.rawcoder;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.core.gf.Kernel;
import io.hdfsparity.izs.codec.IzsCodec;
import io.hdfsparity.izs.codec.TooManyErasuresException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.BufferRawDecoder;
import org.jspecify.annotations.Nullable;

/**
 * Decoder of codec {@code izs}.
 *
 * <p>Hadoop's callers decode at any offset and length (positional reads, reads after a seek,
 * reconstruction in steps of 64 KiB) and say neither. Hence two ways in:
 *
 * <ul>
 *   <li>{@link #decode}, Hadoop's, which cannot know where a codeword begins. <b>Invariant</b>: it
 *       answers only what does not depend on that, one erased unit among the data units and parity
 *       unit 0, as the XOR of the others; anything else is an {@link UnalignedDecodeException}, and
 *       no output is written.
 *   <li>{@link #decodeCodeword}, ours, for whole codewords.
 * </ul>
 *
 * <p>Thread-safe.
 */
public final class IzsRawDecoder extends BufferRawDecoder {
  private final IzsCodec codec;
  private final UnitSum sum;

  IzsRawDecoder(ErasureCoderOptions options, IzsCodec codec, Kernel kernel) {
    super(options);
    this.codec = codec;
    this.sum = new UnitSum(kernel);
  }

  @Override
  protected void decodeBuffers(
      @Nullable ByteBuffer[] inputs, int[] erasedIndexes, ByteBuffer[] outputs)
      throws UnalignedDecodeException {
    if (erasedIndexes.length == 0) {
      return;
    }
    List<ByteBuffer> others = new ArrayList<>();
    for (int unit = 0; unit <= getNumDataUnits(); unit++) {
      ByteBuffer input = inputs[unit];
      if (input != null && unit != erasedIndexes[0]) {
        others.add(input);
      }
    }
    boolean isPlainSum = erasedIndexes[0] >= 0 && erasedIndexes[0] <= getNumDataUnits();
    if (erasedIndexes.length > 1 || !isPlainSum || others.size() != getNumDataUnits()) {
      throw new UnalignedDecodeException(
          getNumDataUnits(), Arrays.stream(erasedIndexes).boxed().toList(), given(inputs));
    }
    sum.compute(others.toArray(ByteBuffer[]::new), outputs[0]);
  }

  private static List<Integer> given(@Nullable ByteBuffer[] inputs) {
    List<Integer> given = new ArrayList<>();
    for (int unit = 0; unit < inputs.length; unit++) {
      if (inputs[unit] != null) {
        given.add(unit);
      }
    }
    return given;
  }

  /**
   * Decodes one whole codeword. As {@link #decode}, it moves the positions of inputs to their
   * limits and leaves outputs ready to be read.
   *
   * @param codewordBytes length of the codeword, that of the parity cell: the cell size, or what
   *     the parity cell of the last stripe holds. Never the length of the wanted cell, which may be
   *     shorter; it is cut after decoding
   * @param inputs all units by number, null where one is lost or not to be used; data cells that
   *     are shorter come filled up with zeros
   * @param erasedIndexes units to compute; null in {@code inputs}
   * @param outputs where to, one an erased unit
   * @throws TooManyErasuresException if the given units do not determine the erased ones
   * @throws IllegalArgumentException if a buffer holds anything but {@code codewordBytes} bytes
   */
  public void decodeCodeword(
      int codewordBytes, @Nullable ByteBuffer[] inputs, int[] erasedIndexes, ByteBuffer[] outputs)
      throws TooManyErasuresException {
    checkLengths("input.remaining", codewordBytes, inputs);
    checkLengths("output.remaining", codewordBytes, outputs);
    codec.decode(inputs, erasedIndexes, outputs);
    for (ByteBuffer input : inputs) {
      if (input != null) {
        input.position(input.limit());
      }
    }
  }

  private static void checkLengths(String name, int codewordBytes, @Nullable ByteBuffer[] buffers) {
    for (ByteBuffer buffer : buffers) {
      if (buffer != null && buffer.remaining() != codewordBytes) {
        Checks.argument(
            false,
            "decode a codeword",
            name,
            buffer.remaining(),
            "= codewordBytes = " + codewordBytes);
      }
    }
  }
}
