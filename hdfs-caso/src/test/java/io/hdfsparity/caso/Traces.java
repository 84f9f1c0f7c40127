/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso;

import io.hdfsparity.caso.correlation.TimeWindows;
import io.hdfsparity.caso.trace.CellRequest;
import io.hdfsparity.caso.trace.RequestTable;
import io.hdfsparity.core.trace.Access;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Small traces for tests. */
public final class Traces {
  private Traces() {}

  /**
   * The access stream of Fig. 4, rebuilt: the picture's periods are not in the text, but the text
   * gives so many degrees and sums that only C(D1,D5), the ends of D4's and D8's second edges and
   * the stream itself are free (docs/adr/0011). Cells are numbered from 1 as in the paper; 10 to 12
   * are uncorrelated. Each row is a period.
   */
  public static final long[][] FIGURE_4 = {
    {1, 2, 3, 7, 8},
    {1, 2, 3},
    {1, 2, 3},
    {1, 3, 6},
    {1, 4, 5},
    {1, 4, 5, 12},
    {3, 6, 9},
    {5, 7, 6, 9},
    {5, 7, 10},
    {5, 7, 8, 11}
  };

  /** A table with a request for each cell, a period of one tick for each row. */
  public static RequestTable periods(long[][] rows) {
    RequestTable.Builder builder = new RequestTable.Builder();
    for (int row = 0; row < rows.length; row++) {
      for (long cell : rows[row]) {
        builder.add(new CellRequest(row, Access.WRITE, cell, 1));
      }
    }
    return builder.build();
  }

  /** Windows of {@link #periods}. */
  public static TimeWindows windows(long[][] rows) {
    return TimeWindows.of(periods(rows), 1);
  }

  /** Random requests: duplicate, overlapping and out of order, with a few that recur together. */
  public static List<CellRequest> random(Random random, Access access, int maxCount) {
    List<CellRequest> requests = new ArrayList<>();
    int count = random.nextInt(maxCount + 1);
    int cells = 1 + random.nextInt(60);
    int ticks = 1 + random.nextInt(2 * maxCount);
    for (int i = 0; i < count; i++) {
      long time = random.nextInt(ticks);
      long first = random.nextInt(4) == 0 ? 1_000_000_000_000L : random.nextInt(cells);
      requests.add(new CellRequest(time, access, first, 1 + random.nextInt(4)));
      if (random.nextInt(8) == 0) {
        requests.add(requests.get(random.nextInt(requests.size())));
      }
    }
    return requests;
  }

  /** All requests in a table. */
  public static RequestTable table(List<CellRequest> requests) {
    RequestTable.Builder builder = new RequestTable.Builder();
    requests.forEach(builder::add);
    return builder.build();
  }
}
