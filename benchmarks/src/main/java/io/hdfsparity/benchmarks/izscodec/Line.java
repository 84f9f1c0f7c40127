/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.izscodec;

import io.hdfsparity.benchmarks.kernel.Quartiles;
import java.util.ArrayList;
import java.util.List;

/**
 * One coder at one thing.
 *
 * @param shareRead bytes read from other units over those of k whole units
 * @param gigabytesPerSecond 10^9 bytes a second of {@link Shape#bytesPerCall}
 * @param shareOfIsalFromC speed over that of RS by ISA-L from C in the same round
 */
record Line(
    Shape shape,
    String work,
    String coder,
    double shareRead,
    Quartiles gigabytesPerSecond,
    Quartiles shareOfIsalFromC) {
  static Line of(
      Shape shape, Work work, Coder coder, List<Double> callsPerSecond, List<Double> yardstick) {
    List<Double> shares = new ArrayList<>();
    for (int round = 0; round < yardstick.size(); round++) {
      shares.add(callsPerSecond.get(round) / yardstick.get(round));
    }
    double gigabytes = shape.bytesPerCall(work) / 1e9;
    return new Line(
        shape,
        work.label(),
        coder.name(),
        coder.shareRead(work),
        Quartiles.of(callsPerSecond.stream().map(calls -> calls * gigabytes).toList()),
        Quartiles.of(shares));
  }
}
