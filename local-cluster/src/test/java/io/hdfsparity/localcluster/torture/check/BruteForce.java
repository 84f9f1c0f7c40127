/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.check;

import io.hdfsparity.localcluster.torture.history.Operation;
import io.hdfsparity.localcluster.torture.history.Outcome;
import java.util.ArrayList;
import java.util.List;

/** Tries all orders of the operations of one register: for histories of a few operations. */
final class BruteForce {
  private BruteForce() {}

  /** Whether some order explains all reads. */
  static boolean isLinearizable(List<Operation> left) {
    return isLinearizable(left, "nothing");
  }

  private static boolean isLinearizable(List<Operation> left, String value) {
    if (left.stream().allMatch(each -> each.outcome() == Outcome.UNKNOWN)) {
      return true;
    }
    for (Operation next : left) {
      boolean mayBeNext =
          left.stream().noneMatch(other -> other.effectiveEnd() < next.beginNanos());
      boolean fits = next.kind().isWrite() || next.value().equals(value);
      if (mayBeNext && fits) {
        List<Operation> rest = new ArrayList<>(left);
        rest.remove(next);
        if (isLinearizable(rest, next.kind().isWrite() ? next.value() : value)) {
          return true;
        }
      }
    }
    return false;
  }
}
