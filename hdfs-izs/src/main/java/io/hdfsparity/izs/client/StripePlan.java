/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.client;

import io.hdfsparity.core.geometry.ByteRange;
import java.util.List;
import java.util.stream.Stream;

/**
 * What to do about one stripe. Ranges are of a cell, from its first byte. Immutable.
 *
 * @param stripe index in the block group
 * @param wanted what is asked for of each unit; empty for most
 * @param fetched what is read of each unit: what is wanted of it, or more where decoding needs more
 * @param decoded the bytes that are decoded in each cell; empty where all is there
 * @param inputs units that decoding computes from; those whose cell is too short are zeros there
 * @param outputs data units that are wanted and lost
 * @param spares parity units that decoding does not need, read to be compared with what it gives
 */
record StripePlan(
    long stripe,
    List<ByteRange> wanted,
    List<ByteRange> fetched,
    ByteRange decoded,
    List<Integer> inputs,
    List<Integer> outputs,
    List<Integer> spares) {
  static final ByteRange NOTHING = new ByteRange(0, 0);

  StripePlan {
    wanted = List.copyOf(wanted);
    fetched = List.copyOf(fetched);
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
    spares = List.copyOf(spares);
  }

  boolean decodes() {
    return !outputs.isEmpty();
  }

  /** Parity units that take part: those decoded with, and those compared. */
  List<Integer> parities(int dataUnits) {
    return Stream.concat(inputs.stream(), spares.stream())
        .filter(unit -> unit >= dataUnits)
        .toList();
  }

  /** Whether what is read of a unit is what the caller gets of it. */
  boolean isFetchedAsWanted(int unit) {
    return fetched.get(unit).equals(wanted.get(unit));
  }
}
