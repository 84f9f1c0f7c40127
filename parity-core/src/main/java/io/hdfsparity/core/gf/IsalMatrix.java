/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.gf;

import java.nio.ByteBuffer;

/**
 * Coefficients, and their expansion in native memory. Immutable, thread-safe; whoever uses the
 * address keeps this reachable.
 */
final class IsalMatrix {
  private final boolean isPlainSum;
  private final ByteBuffer expanded;
  private final long address;

  /**
   * Expands coefficients.
   *
   * @param coefficients one row an output, {@code inputs} each; not kept
   * @param isPlainSum as {@link #isPlainSum}
   */
  IsalMatrix(IsalKernel kernel, int inputs, byte[] coefficients, boolean isPlainSum) {
    this.isPlainSum = isPlainSum;
    int bytes = Math.multiplyExact(coefficients.length, IsalScratch.TABLE_BYTES);
    // A slice loses up to a line on either side.
    expanded =
        ByteBuffer.allocateDirect(bytes + 2 * IsalScratch.CACHE_LINE_BYTES)
            .alignedSlice(IsalScratch.CACHE_LINE_BYTES);
    address = kernel.expand(coefficients, inputs, expanded);
  }

  /** Whether this has one output, the XOR of two inputs or more. */
  boolean isPlainSum() {
    return isPlainSum;
  }

  /** Address of the expansion. */
  long address() {
    return address;
  }
}
