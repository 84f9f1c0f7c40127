/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.placement;

import io.hdfsparity.core.check.Checks;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Which of the nodes of a new block group get its parity units: those with the least load so far.
 * The nodes themselves are not its choice, so whatever holds for them as a set, as on how many
 * racks they are, holds whatever it says. Pure.
 *
 * <p>If every group has all nodes to choose from, the loads of any two nodes never differ by more
 * than the largest load of one unit.
 */
public final class ParityChoice {
  private ParityChoice() {}

  /**
   * An order of the nodes: node {@code order[i]} gets unit i.
   *
   * @param loads of the nodes, in the order in which they would get the units otherwise
   * @param dataUnits the first units; all after them are parity; >= 0
   * @return a permutation; nodes keep their order among those with data, and among those with
   *     parity, and of nodes with the same load the later ones get parity. So equal loads change
   *     nothing
   */
  public static int[] order(long[] loads, int dataUnits) {
    Checks.argument(dataUnits >= 0, "order nodes", "dataUnits", dataUnits, ">= 0");
    int[] order = new int[loads.length];
    int data = Math.min(dataUnits, loads.length);
    boolean[] hasParity = new boolean[loads.length];
    IntStream.range(0, loads.length)
        .boxed()
        .sorted(
            Comparator.<Integer>comparingLong(node -> loads[node])
                .thenComparing(Comparator.reverseOrder()))
        .limit(loads.length - data)
        .forEach(node -> hasParity[node] = true);
    int nextData = 0;
    int nextParity = data;
    for (int node = 0; node < loads.length; node++) {
      order[hasParity[node] ? nextParity++ : nextData++] = node;
    }
    return order;
  }
}
