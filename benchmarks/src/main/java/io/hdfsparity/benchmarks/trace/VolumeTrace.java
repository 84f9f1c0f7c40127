/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.trace;

import io.hdfsparity.core.trace.Access;
import io.hdfsparity.core.trace.ByteRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Makes the requests of a volume with the statistics of Table 2; the same seed gives the same ones.
 * Used once.
 *
 * <p>What Table 2 does not say is ours. What is not written first is read first, at the beginning,
 * front to back. First writes continue behind that, front to back, spread over the first half of
 * the writes. Of the updates some go once over all that is ever updated, front to back; the others
 * to places that are the likelier the further to the front. Sizes average 10 KB, or a quarter more
 * than what it takes to update as much as the table says, if that is more.
 */
public final class VolumeTrace {
  private static final int KIB = 1 << 10;
  private static final double USUAL_KIB = 10;
  private static final double ROOM = 1.25;
  private static final int READ_KIB = 64;
  private static final double FIRST_WRITES_WITHIN = 0.5;
  private static final long TICKS_A_REQUEST = 10_000;
  private static final int SKEW = 3;

  private final VolumeStatistics wanted;
  private final SplittableRandom random;
  private final RequestSizes sizes;
  private final List<ByteRequest> requests = new ArrayList<>();
  private final long updatedKib;
  private final double averageKib;
  private long accessedKib;
  private long sweptKib;

  private VolumeTrace(VolumeStatistics wanted, long seed) {
    this.wanted = wanted;
    random = new SplittableRandom(seed);
    updatedKib = Math.round(wanted.workingSetKib() * wanted.updatedWorkingSetShare());
    averageKib = Math.max(USUAL_KIB, ROOM * updatedKib / (wanted.writes() * wanted.updateShare()));
    sizes = new RequestSizes(averageKib, random);
  }

  /** All requests, reads first. */
  public static List<ByteRequest> of(VolumeStatistics wanted, long seed) {
    return new VolumeTrace(wanted, seed).make();
  }

  private List<ByteRequest> make() {
    long firstWrites = Math.round(wanted.writes() * (1 - wanted.updateShare()));
    // A first write finds at least a KB that was not accessed.
    double firstKib = Math.min(averageKib, wanted.workingSetKib() / (2.0 * firstWrites + 1));
    long readKib = wanted.workingSetKib() - Math.round(firstWrites * Math.max(1, firstKib));
    while (accessedKib < readKib) {
      add(Access.READ, accessedKib, (int) Math.min(READ_KIB, readKib - accessedKib));
    }
    long firstMade = 0;
    for (long write = 0; write < wanted.writes(); write++) {
      double due = firstWrites * Math.min(1, (write + 1) / (FIRST_WRITES_WITHIN * wanted.writes()));
      if (firstMade < Math.floor(due)) {
        firstMade++;
        long left = wanted.workingSetKib() - accessedKib;
        add(Access.WRITE, accessedKib, (int) Math.max(1, left / (firstWrites - firstMade + 1)));
      } else {
        update(wanted.writes() - write - (firstWrites - firstMade));
      }
    }
    return requests;
  }

  /**
   * Updates something.
   *
   * @param updatesLeft this one included
   */
  private void update(long updatesLeft) {
    long there = Math.min(accessedKib, updatedKib);
    long toSweep = updatedKib - sweptKib;
    boolean mustSweep = toSweep > 0 && random.nextDouble() * updatesLeft * averageKib < toSweep;
    if (mustSweep && sweptKib < there) {
      int size = sizes.next((int) Math.min(Integer.MAX_VALUE, there - sweptKib));
      add(Access.WRITE, sweptKib, size);
      sweptKib += size;
    } else {
      int size = sizes.next((int) Math.min(Integer.MAX_VALUE, there));
      double place = Math.pow(random.nextDouble(), SKEW);
      add(Access.WRITE, (long) (place * (there - size)), size);
    }
  }

  private void add(Access access, long addressKib, int sizeKib) {
    requests.add(
        new ByteRequest(
            requests.size() * TICKS_A_REQUEST, access, addressKib * KIB, (long) sizeKib * KIB));
    accessedKib = Math.max(accessedKib, addressKib + sizeKib);
  }
}
