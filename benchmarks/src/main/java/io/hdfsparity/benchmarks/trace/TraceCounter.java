/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.trace;

import java.util.BitSet;

/** Works a trace's statistics out from its writes alone. Not thread-safe. */
public final class TraceCounter implements WriteSink {
  private final BitSet accessed = new BitSet();
  private final BitSet updated = new BitSet();
  private final BitSet files = new BitSet();
  private final BitSet updatedFiles = new BitSet();
  private long writes;
  private long updates;
  private long updateKib;

  @Override
  public void write(int hour, int file, long addressKib, int sizeKib) {
    int from = Math.toIntExact(addressKib);
    int to = Math.addExact(from, sizeKib);
    writes++;
    files.set(file);
    // The address that a request names is where it begins.
    if (accessed.get(from)) {
      updates++;
      updateKib += sizeKib;
      updatedFiles.set(file);
    }
    for (int at = from; at < to; at++) {
      if (accessed.get(at)) {
        updated.set(at);
      }
    }
    accessed.set(from, to);
  }

  /** Of the writes so far. */
  public TraceStatistics statistics() {
    long workingSetKib = accessed.cardinality();
    long fileCount = files.cardinality();
    return new TraceStatistics(
        writes,
        workingSetKib,
        (double) updated.cardinality() / workingSetKib,
        (double) updates / writes,
        fileCount,
        (double) updatedFiles.cardinality() / fileCount,
        (double) updateKib / updates);
  }
}
