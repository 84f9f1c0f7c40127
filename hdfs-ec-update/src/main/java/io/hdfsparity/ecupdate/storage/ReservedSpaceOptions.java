/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import io.hdfsparity.core.check.Checks;

/**
 * Constants of Algorithm 1.
 *
 * @param alpha weight of the latest period, 0 &lt; alpha &lt;= 1; the paper uses 0.3
 * @param chunkBytes reserved space is given, and given back, in multiples of this
 * @param defaultBytes what a parity block begins with, a multiple of {@code chunkBytes}
 * @param initialUtility u_0, 0..1. The paper does not say. With 0, a block that takes no update in
 *     its first period loses all its space at once. With more, the utility of an idle block falls
 *     without reaching 0, and the last chunk stays until the double rounds 1 - u to 1, which with
 *     alpha = 0.3 is after some 80 periods; the paper's trace has 82
 */
public record ReservedSpaceOptions(
    double alpha, long chunkBytes, long defaultBytes, double initialUtility) {
  /** Reserved space that any block may begin with, however short. */
  public static final long SMALLEST_BYTES = 64 << 10;

  public ReservedSpaceOptions {
    Checks.argument(
        alpha > 0 && alpha <= 1, "manage reserved space", "alpha", alpha, "0 < alpha <= 1");
    Checks.argument(chunkBytes > 0, "manage reserved space", "chunkBytes", chunkBytes, "> 0");
    Checks.argument(
        defaultBytes >= 0 && defaultBytes % chunkBytes == 0,
        "manage reserved space",
        "defaultBytes",
        defaultBytes,
        "a multiple of chunkBytes=" + chunkBytes);
    Checks.argument(
        initialUtility >= 0 && initialUtility <= 1,
        "manage reserved space",
        "initialUtility",
        initialUtility,
        "0 <= initialUtility <= 1");
  }

  /**
   * The same for a parity block of some length: it begins with no more space than it is long, and
   * at least with {@link #SMALLEST_BYTES}, and so much is a chunk at most. In HDFS a block may be
   * as short as its file, other than the paper's, which are all as long as a chunk.
   *
   * @param blockBytes length of the parity block, {@code >= 0}
   */
  public ReservedSpaceOptions forBlock(long blockBytes) {
    long wanted = Math.max(SMALLEST_BYTES, blockBytes);
    if (wanted >= defaultBytes) {
      return this;
    }
    long chunk = Math.min(chunkBytes, roundUp(wanted, SMALLEST_BYTES));
    return new ReservedSpaceOptions(alpha, chunk, roundUp(wanted, chunk), initialUtility);
  }

  private static long roundUp(long bytes, long unit) {
    return (bytes + unit - 1) / unit * unit;
  }
}
