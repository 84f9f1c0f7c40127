/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.availability;

import io.hdfsparity.core.check.Checks;

/**
 * Nodes that hold one redundancy group, and how many of them may be lost.
 *
 * @param nodes n, at least 1
 * @param tolerated failures at one time that lose no data: 0 to n - 1
 */
public record RedundancySet(int nodes, int tolerated) {
  /** Maximum number of nodes of a set; more is a mistyped number. */
  public static final int MAX_NODES = 10_000;

  public RedundancySet {
    Checks.argument(
        nodes >= 1 && nodes <= MAX_NODES,
        "define a redundancy set",
        "nodes",
        nodes,
        "1 to " + MAX_NODES);
    Checks.argument(
        tolerated >= 0 && tolerated < nodes,
        "define a redundancy set",
        "tolerated",
        tolerated,
        "0 to nodes - 1 = " + (nodes - 1));
  }

  /** The set of a code with k data and r parity nodes that survives any r losses. */
  public static RedundancySet coded(int data, int parity) {
    return new RedundancySet(Math.addExact(data, parity), parity);
  }

  /** Data a node's worth of storage: {@code (n - tolerated) / n}. */
  public double utilization() {
    return (double) (nodes - tolerated) / nodes;
  }
}
