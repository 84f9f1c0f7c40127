/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.repair;

import java.util.List;

/**
 * What to read to rebuild the wanted cells of one stripe. Immutable.
 *
 * @param isHalf whether by a repair plan, in the order of its helpers; otherwise the cells read and
 *     the empty ones are k columns of the codeword
 * @param reads one a unit that is read, each with at least one byte
 * @param emptyUnits units whose cell is known to be empty, so that nothing is read of it
 * @param wanted units whose cell is to be rebuilt; those with an empty cell are left out
 */
public record StripeReads(
    boolean isHalf, List<UnitRead> reads, List<Integer> emptyUnits, List<Integer> wanted) {
  public StripeReads {
    reads = List.copyOf(reads);
    emptyUnits = List.copyOf(emptyUnits);
    wanted = List.copyOf(wanted);
  }

  /** Bytes read of all units. */
  public long lengthBytes() {
    return reads.stream().mapToLong(UnitRead::lengthBytes).sum();
  }
}
