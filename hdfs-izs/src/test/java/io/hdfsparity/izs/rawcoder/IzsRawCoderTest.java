/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.rawcoder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.izs.codec.IzsFamily;
import io.hdfsparity.izs.codec.TooManyErasuresException;
import io.hdfsparity.izs.codec.ZigzagCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.DecodingValidator;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;
import org.junit.jupiter.api.Test;

/** The invariant: at an unknown place in a codeword, the right bytes or none. */
class IzsRawCoderTest {
  private static final IzsRawErasureCoderFactory FACTORY = new IzsRawErasureCoderFactory();

  private static ErasureCoderOptions options(ZigzagCode code) {
    return new ErasureCoderOptions(code.dataColumns(), code.parityColumns());
  }

  private static IzsRawDecoder decoder(ErasureCoderOptions options) {
    return (IzsRawDecoder) FACTORY.createDecoder(options);
  }

  private static byte[][] codeword(
      ErasureCoderOptions options, int length, CoderCalls calls, Random random) throws IOException {
    RawErasureEncoder encoder = FACTORY.createEncoder(options);
    byte[][] data = CoderCalls.random(random, options.getNumDataUnits(), length);
    return CoderCalls.concat(data, calls.encode(encoder, data));
  }

  /** Every pattern of every code, at every kind of cut through a codeword. */
  @Test
  void plainDecodeAnswersRightAtAnyOffsetOrNotAtAll() {
    SeededRuns.of(1)
        .check(
            random -> {
              for (ZigzagCode code : IzsFamily.all()) {
                for (CoderCalls.Kind kind : CoderCalls.Kind.values()) {
                  checkPlain(options(code), new CoderCalls(kind, random), random);
                }
              }
            });
  }

  private static void checkPlain(ErasureCoderOptions options, CoderCalls calls, Random random)
      throws IOException {
    int length = 500 + random.nextInt(100);
    byte[][] codeword = codeword(options, length, calls, random);
    IzsRawDecoder decoder = decoder(options);
    int parity0 = options.getNumDataUnits();
    for (int[] erased :
        CoderCalls.erasures(options.getNumAllUnits(), options.getNumParityUnits())) {
      int from = random.nextInt(length);
      int to = from + 1 + random.nextInt(length - from);
      byte[][] left = new byte[codeword.length][];
      for (int unit = 0; unit < left.length; unit++) {
        left[unit] = Arrays.copyOfRange(codeword[unit], from, to);
      }
      for (int unit : erased) {
        left[unit] = null;
      }
      if (erased.length == 1 && erased[0] <= parity0) {
        byte[][] decoded = calls.decode(decoder, left, erased, to - from);
        assertThat(decoded[0]).isEqualTo(Arrays.copyOfRange(codeword[erased[0]], from, to));
      } else {
        assertThatThrownBy(() -> calls.decode(decoder, left, erased, to - from))
            .isInstanceOf(UnalignedDecodeException.class);
      }
    }
  }

  /** A parity unit other than 0 in place of a missing unit does not do, either. */
  @Test
  void otherParityIsNoSubstitute() throws IOException {
    Random random = new Random(1);
    CoderCalls calls = new CoderCalls(CoderCalls.Kind.DIRECT, random);
    ErasureCoderOptions options = new ErasureCoderOptions(4, 2);
    byte[][] left = codeword(options, 64, calls, random);
    left[1] = null;
    left[4] = null;
    ByteBuffer[] inputs = calls.buffers(left);
    ByteBuffer[] outputs = calls.buffers(new byte[1][64]);
    assertThatThrownBy(() -> decoder(options).decode(inputs, new int[] {1}, outputs))
        .isInstanceOf(UnalignedDecodeException.class)
        .hasMessage(
            "Cannot decode units of codec izs at an unknown place in their codeword: erased=[1],"
                + " given=[0, 2, 3, 5], expected one of units 0..4 erased and the others of them"
                + " given; use the file system and the reconstruction plugin of codec izs for"
                + " more");
    assertThat(CoderCalls.bytes(outputs)[0]).isEqualTo(new byte[64]);
  }

  @Test
  void alignedDecodeAnswersEveryPattern() {
    SeededRuns.of(1)
        .check(
            random -> {
              for (ZigzagCode code : IzsFamily.all()) {
                CoderCalls.Kind kind = CoderCalls.Kind.values()[random.nextInt(2)];
                CoderCalls calls = new CoderCalls(kind, random);
                ErasureCoderOptions options = options(code);
                int length = 1 + random.nextInt(500);
                byte[][] codeword = codeword(options, length, calls, random);
                for (int[] erased :
                    CoderCalls.erasures(options.getNumAllUnits(), options.getNumParityUnits())) {
                  checkAligned(decoder(options), calls, codeword, erased);
                }
              }
            });
  }

  private static void checkAligned(
      IzsRawDecoder decoder, CoderCalls calls, byte[][] codeword, int[] erased) throws IOException {
    int length = codeword[0].length;
    byte[][] left = codeword.clone();
    for (int unit : erased) {
      left[unit] = null;
    }
    ByteBuffer[] inputs = calls.buffers(left);
    ByteBuffer[] outputs = calls.buffers(new byte[erased.length][length]);
    decoder.decodeCodeword(length, inputs, erased, outputs);
    byte[][] decoded = CoderCalls.bytes(outputs);
    for (int i = 0; i < erased.length; i++) {
      assertThat(decoded[i]).isEqualTo(codeword[erased[i]]);
    }
    for (ByteBuffer input : inputs) {
      assertThat(input == null || !input.hasRemaining()).isTrue();
    }
  }

  @Test
  void codewordsOfAnotherLengthAreRefused() throws IOException {
    CoderCalls calls = new CoderCalls(CoderCalls.Kind.HEAP, new Random(2));
    ErasureCoderOptions options = new ErasureCoderOptions(4, 2);
    byte[][] codeword = codeword(options, 64, calls, new Random(3));
    codeword[0] = null;
    ByteBuffer[] inputs = calls.buffers(codeword);
    ByteBuffer[] outputs = calls.buffers(new byte[1][64]);
    assertThatThrownBy(() -> decoder(options).decodeCodeword(128, inputs, new int[] {0}, outputs))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Cannot decode a codeword: input.remaining=64, expected = codewordBytes = 128");
    codeword[1] = null;
    codeword[2] = null;
    assertThatThrownBy(
            () ->
                decoder(options)
                    .decodeCodeword(64, calls.buffers(codeword), new int[] {0}, outputs))
        .isInstanceOf(TooManyErasuresException.class);
  }

  /** The reconstruction's own validation decodes an input back from the output. */
  @Test
  void hadoopsValidatorAcceptsAPlainDecode() throws IOException {
    Random random = new Random(4);
    CoderCalls calls = new CoderCalls(CoderCalls.Kind.DIRECT, random);
    ErasureCoderOptions options = new ErasureCoderOptions(6, 3);
    byte[][] left = codeword(options, 100, calls, random);
    left[2] = null;
    left[7] = null;
    left[8] = null;
    ByteBuffer[] inputs = calls.buffers(left);
    ByteBuffer[] outputs = calls.buffers(new byte[1][100]);
    IzsRawDecoder decoder = decoder(options);
    int[] positions =
        Arrays.stream(inputs).mapToInt(input -> input == null ? 0 : input.position()).toArray();
    decoder.decode(inputs, new int[] {2}, outputs);
    for (int unit = 0; unit < inputs.length; unit++) {
      if (inputs[unit] != null) {
        inputs[unit].position(positions[unit]);
      }
    }
    new DecodingValidator(decoder).validate(inputs, new int[] {2}, outputs);
  }

  @Test
  void codesThatAreNotOfferedAreRefused() {
    assertThatThrownBy(() -> FACTORY.createEncoder(new ErasureCoderOptions(5, 2)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Cannot make an IZS code: dataColumns=5, expected one of [4, 6, 8, 10]");
  }
}
