/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.rawcoder;

import io.hdfsparity.core.gf.Kernel;
import java.nio.ByteBuffer;

/** The XOR of units. Immutable, thread-safe. */
final class UnitSum {
  /** A block of the sum stays in the first-level cache while units are added to it. */
  private static final int BLOCK_BYTES = 16 * 1024;

  private final Kernel kernel;

  UnitSum(Kernel kernel) {
    this.kernel = kernel;
  }

  /**
   * {@code output = XOR of inputs}; positions stay.
   *
   * @param inputs at least one, as long as the output
   */
  void compute(ByteBuffer[] inputs, ByteBuffer output) {
    int lengthBytes = output.remaining();
    for (int from = 0; from < lengthBytes; from += BLOCK_BYTES) {
      int bytes = Math.min(BLOCK_BYTES, lengthBytes - from);
      ByteBuffer sum = output.slice(output.position() + from, bytes);
      sum.put(0, inputs[0], inputs[0].position() + from, bytes);
      for (int i = 1; i < inputs.length; i++) {
        kernel.xor(sum, inputs[i].slice(inputs[i].position() + from, bytes));
      }
    }
  }
}
