/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.erasure;

import io.hdfsparity.core.gf.GfMatrix;
import io.hdfsparity.core.gf.Kernel;
import java.nio.ByteBuffer;
import java.util.List;

/** Which units to read and how to combine them into the wanted ones. Immutable, thread-safe. */
public final class DecodePlan {
  private final Kernel kernel;
  private final List<Integer> sources;
  private final GfMatrix coefficients;
  private final byte[] matrix;

  DecodePlan(Kernel kernel, List<Integer> sources, List<Integer> wanted, GfMatrix coefficients) {
    this.kernel = kernel;
    this.sources = List.copyOf(sources);
    this.coefficients = coefficients;
    this.matrix = coefficients.toBytes();
  }

  /** Numbers of the units to read, in the order in which {@link #decode} wants them. */
  public List<Integer> sources() {
    return sources;
  }

  /** One row a wanted unit, one column a source. */
  public GfMatrix coefficients() {
    return coefficients;
  }

  /** Computes the wanted units; what {@code outputs} held is overwritten. */
  public void decode(ByteBuffer[] sourceUnits, ByteBuffer[] outputs) {
    kernel.encode(matrix, sourceUnits, outputs);
  }
}
