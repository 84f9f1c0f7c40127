/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

import io.hdfsparity.core.check.Checks;

/**
 * A k-of-n code's shape; blocks 0..k-1 are data, k..n-1 parity.
 *
 * <p>The paper's condition for correctness (section 4): {@code k >= 2} and {@code n - k <= k}.
 *
 * @param dataBlocks k
 * @param parityBlocks p = n - k
 */
public record Shape(int dataBlocks, int parityBlocks) {
  public Shape {
    Checks.argument(dataBlocks >= 2, "shape a stripe", "dataBlocks", dataBlocks, ">= 2");
    Checks.argument(
        parityBlocks >= 1 && parityBlocks <= dataBlocks,
        "shape a stripe",
        "parityBlocks",
        parityBlocks,
        "1 <= parityBlocks <= dataBlocks=" + dataBlocks);
  }

  /** n. */
  public int blocks() {
    return dataBlocks + parityBlocks;
  }

  public boolean isParity(int block) {
    return block >= dataBlocks;
  }
}
