/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.rawcoder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.core.erasure.LinearCode;
import io.hdfsparity.core.gf.GfMatrix;
import io.hdfsparity.core.gf.Kernel;
import io.hdfsparity.core.gf.Kernels;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RSRawErasureCoderFactory;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureCoderFactory;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureDecoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;
import org.apache.hadoop.io.erasurecode.rawcoder.XORRawErasureCoderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Our coders of Hadoop's own codecs give Hadoop's bytes: on every kernel, for every pattern. */
class HadoopCodecsTest {
  private static final List<ErasureCoderOptions> RS =
      List.of(
          new ErasureCoderOptions(6, 3),
          new ErasureCoderOptions(3, 2),
          new ErasureCoderOptions(10, 4));

  static List<Kernel> kernels() {
    return Kernels.table().supported();
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void reedSolomonEqualsHadoops(Kernel kernel) {
    SeededRuns.of(2)
        .check(
            random -> {
              for (ErasureCoderOptions options : RS) {
                LinearCode code =
                    new LinearCode(
                        kernel,
                        GfMatrix.cauchyParity(
                            options.getNumDataUnits(), options.getNumParityUnits()));
                compare(
                    new RSRawErasureCoderFactory(),
                    new LinearRawEncoder(options, code),
                    new LinearRawDecoder(options, code),
                    options,
                    random);
              }
            });
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void xorEqualsHadoops(Kernel kernel) {
    SeededRuns.of(5)
        .check(
            random -> {
              ErasureCoderOptions options = new ErasureCoderOptions(1 + random.nextInt(6), 1);
              compare(
                  new XORRawErasureCoderFactory(),
                  new XorUnitsEncoder(options, new UnitSum(kernel)),
                  new XorUnitsDecoder(options, new UnitSum(kernel)),
                  options,
                  random);
            });
  }

  private static void compare(
      RawErasureCoderFactory hadoop,
      RawErasureEncoder encoder,
      RawErasureDecoder decoder,
      ErasureCoderOptions options,
      Random random)
      throws Exception {
    RawErasureEncoder reference = hadoop.createEncoder(options);
    RawErasureDecoder referenceDecoder = hadoop.createDecoder(options);
    boolean isXor = hadoop instanceof XORRawErasureCoderFactory;
    for (CoderCalls.Kind kind : CoderCalls.Kind.values()) {
      CoderCalls calls = new CoderCalls(kind, random);
      int length = random.nextBoolean() ? 1 + random.nextInt(100) : 1 + random.nextInt(70_000);
      byte[][] data = CoderCalls.random(random, options.getNumDataUnits(), length);
      byte[][] parity = calls.encode(encoder, data);
      assertThat(parity).isDeepEqualTo(calls.encode(reference, data));

      // Short ones for the many patterns: Hadoop's coder is slow.
      int shorter = Math.min(length, 200);
      byte[][] shortData = CoderCalls.random(random, options.getNumDataUnits(), shorter);
      byte[][] units = CoderCalls.concat(shortData, calls.encode(reference, shortData));
      for (int[] erased :
          CoderCalls.erasures(options.getNumAllUnits(), options.getNumParityUnits())) {
        byte[][] left = units.clone();
        for (int unit : erased) {
          left[unit] = null;
        }
        if (!isXor) {
          dropSpares(left, erased.length, options, random);
        }
        byte[][] decoded = calls.decode(decoder, left, erased, shorter);
        assertThat(decoded)
            .as("%s without %s", options.getNumAllUnits(), erased)
            .isDeepEqualTo(calls.decode(referenceDecoder, left, erased, shorter));
        for (int i = 0; i < erased.length; i++) {
          assertThat(decoded[i]).isEqualTo(units[erased[i]]);
        }
      }
    }
  }

  /** Callers may leave out units that are not needed. */
  private static void dropSpares(
      byte[][] left, int erased, ErasureCoderOptions options, Random random) {
    for (int spare = options.getNumParityUnits() - erased; spare > 0; spare--) {
      if (random.nextBoolean()) {
        int unit = random.nextInt(left.length);
        left[unit] = null;
      }
    }
  }

  /** Where ISA-L is there the factories use it; where not, they fail, and Hadoop goes on. */
  @Test
  void factoriesStandForIsalAlone() {
    Kernels.Candidate isal = Kernels.table().candidates().get(0);
    if (Boolean.getBoolean(Kernels.REQUIRE_NATIVE_PROPERTY)) {
      assertThat(isal.isSupported()).as(isal.reason()).isTrue();
    }
    RawErasureCoderFactory rs = new IsalRsRawErasureCoderFactory();
    RawErasureCoderFactory xor = new IsalXorRawErasureCoderFactory();
    ErasureCoderOptions one = new ErasureCoderOptions(2, 1);
    for (RawErasureCoderFactory factory : List.of(rs, xor)) {
      if (isal.isSupported()) {
        assertThat(factory.createEncoder(one).preferDirectBuffer()).isTrue();
        assertThat(factory.createDecoder(one).preferDirectBuffer()).isTrue();
      } else {
        assertThatThrownBy(() -> factory.createEncoder(one))
            .isInstanceOf(UnsupportedOperationException.class)
            .hasMessageContaining("expected libisal.so.2");
      }
    }
    assertThatThrownBy(() -> xor.createEncoder(new ErasureCoderOptions(2, 2)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Cannot make coder xor_isal: parityUnits=2, expected 1");
  }
}
