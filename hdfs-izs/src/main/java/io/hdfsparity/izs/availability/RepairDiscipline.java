/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.availability;

/** Where repair leads to, and how fast. */
public enum RepairDiscipline {
  /**
   * All failed nodes are rebuilt together: from any state back to no failure, at the rate of one
   * node's repair. The paper's (Fig. 4, "concurrent rebuild").
   */
  CONCURRENT,
  /** One failed node after the other: one failure less, at the rate of one node's repair. */
  SERIAL,
  /** Each failed node by itself: one failure less, at the rate of one repair for each of them. */
  PARALLEL;

  /** The state that a repair in state {@code failed} leads to. */
  int target(int failed) {
    return this == CONCURRENT ? 0 : failed - 1;
  }

  /** Rate of that, in repairs of one node. */
  int weight(int failed) {
    return this == PARALLEL ? failed : 1;
  }
}
