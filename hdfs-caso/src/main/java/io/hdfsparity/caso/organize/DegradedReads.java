/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.organize;

import io.hdfsparity.caso.trace.RequestSlice;
import java.util.Arrays;

/**
 * What some reads cost under an organization when a node is lost (Experiment 4), each request by
 * itself: if the node of a requested cell is lost, k cells of its stripe are read instead of the s
 * that were requested, k - s in addition. Each of the s has a node of its own, so over the loss of
 * each node a stripe adds s (k - s); how stripes are rotated over nodes does not matter. Padding
 * counts like data, so for a padded stripe the count is an upper bound.
 *
 * @param cells cells read
 * @param additional cells read in addition, summed over the loss of each of the k + m nodes
 */
public record DegradedReads(long cells, long additional) {
  /** Counts. */
  public static DegradedReads of(RequestSlice reads, Organization organization) {
    long[] stripes = new long[64];
    long cells = 0;
    long additional = 0;
    for (int read = reads.from(); read < reads.to(); read++) {
      int count = reads.requests().cellCount(read);
      if (count > stripes.length) {
        stripes = new long[count];
      }
      for (int i = 0; i < count; i++) {
        stripes[i] = organization.stripe(reads.requests().firstCell(read) + i);
      }
      cells += count;
      additional += additional(stripes, count, organization.dataCells());
    }
    return new DegradedReads(cells, additional);
  }

  private static long additional(long[] stripes, int count, int dataCells) {
    Arrays.sort(stripes, 0, count);
    long additional = 0;
    int begin = 0;
    for (int i = 1; i <= count; i++) {
      if (i == count || stripes[i] != stripes[begin]) {
        long requested = (long) i - begin;
        additional += requested * (dataCells - requested);
        begin = i;
      }
    }
    return additional;
  }
}
