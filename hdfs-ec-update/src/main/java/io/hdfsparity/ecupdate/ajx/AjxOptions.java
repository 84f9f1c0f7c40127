/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

import io.hdfsparity.core.check.Checks;

/**
 * How a client works on stripes of one shape.
 *
 * @param addMode how adds are sent
 * @param groups of parity blocks, for {@link AddMode#HYBRID}
 * @param cellsAtOnce data blocks of one stripe that the client writes at the same time; more than
 *     one costs as much of the bound as that many clients
 * @param demanded failures to survive; the paper's t_d is what recovery keeps in hand
 * @param tiredAfter rounds of adds answered ORDER, or of refused garbage collections, before a
 *     recovery is begun (Fig. 5 line 13, "tired of looping")
 * @param stuckAfter polls for a consistent set in which nothing happens, before a recovery takes
 *     one that has no room for a lost block, or stops and lets its locks expire if there is none
 * @param oldAfter probes in which the monitor must see a write before it takes it for unfinished
 */
public record AjxOptions(
    AddMode addMode,
    int groups,
    int cellsAtOnce,
    Bounds.Failures demanded,
    int tiredAfter,
    int stuckAfter,
    int oldAfter) {
  public AjxOptions {
    Checks.argument(groups >= 1, "set up AJX", "groups", groups, ">= 1");
    Checks.argument(cellsAtOnce >= 1, "set up AJX", "cellsAtOnce", cellsAtOnce, ">= 1");
    Checks.argument(tiredAfter >= 1, "set up AJX", "tiredAfter", tiredAfter, ">= 1");
    Checks.argument(stuckAfter >= 1, "set up AJX", "stuckAfter", stuckAfter, ">= 1");
    Checks.argument(oldAfter >= 1, "set up AJX", "oldAfter", oldAfter, ">= 1");
  }

  /**
   * Refuses a mode that does not survive what is demanded.
   *
   * @throws IllegalArgumentException with the mode's bound
   */
  public void requirePermitted(Shape shape) {
    Bounds.require(addMode, shape, groups, cellsAtOnce, demanded);
  }
}
