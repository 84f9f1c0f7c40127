/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.rawcoder;

import io.hdfsparity.core.erasure.DecodePlan;
import io.hdfsparity.core.erasure.LinearCode;
import io.hdfsparity.core.erasure.UndecodableException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.BufferRawDecoder;
import org.jspecify.annotations.Nullable;

/**
 * Decoder by a linear code that treats each byte alike, at any offset. Keeps the last plan, since a
 * reader decodes one pattern many times over. Thread-safe.
 */
final class LinearRawDecoder extends BufferRawDecoder {
  private final LinearCode code;
  private volatile @Nullable Known last;

  /** A plan and what it was made for. */
  private record Known(List<Integer> available, List<Integer> wanted, DecodePlan plan) {}

  LinearRawDecoder(ErasureCoderOptions options, LinearCode code) {
    super(options);
    this.code = code;
  }

  @Override
  protected void decodeBuffers(
      @Nullable ByteBuffer[] inputs, int[] erasedIndexes, ByteBuffer[] outputs)
      throws UndecodableException {
    if (erasedIndexes.length == 0) {
      return;
    }
    List<Integer> available = new ArrayList<>();
    for (int unit = 0; unit < inputs.length; unit++) {
      if (inputs[unit] != null) {
        available.add(unit);
      }
    }
    DecodePlan plan = plan(available, Arrays.stream(erasedIndexes).boxed().toList());
    List<Integer> units = plan.sources();
    ByteBuffer[] sources = new ByteBuffer[units.size()];
    for (int i = 0; i < sources.length; i++) {
      sources[i] = Objects.requireNonNull(inputs[units.get(i)]);
    }
    plan.decode(sources, outputs);
  }

  private DecodePlan plan(List<Integer> available, List<Integer> wanted)
      throws UndecodableException {
    Known known = last;
    if (known == null || !known.available().equals(available) || !known.wanted().equals(wanted)) {
      known = new Known(available, wanted, code.planDecode(available, wanted));
      last = known;
    }
    return known.plan();
  }
}
