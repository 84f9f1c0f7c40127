/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.check;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Delta debugging (ddmin): A. Zeller and R. Hildebrandt, "Simplifying and Isolating
 * Failure-Inducing Input", IEEE Trans. Softw. Eng. 28(2), 2002. Pure.
 */
final class Reduction {
  private Reduction() {}

  /**
   * The elements of a list that still fail together, in their order: without any one of them they
   * do not.
   *
   * @param fails whether a sub-list fails; true for the whole list
   */
  static <T> List<T> minimal(List<T> all, Predicate<List<T>> fails) {
    List<T> left = all;
    int parts = 2;
    while (left.size() >= 2) {
      int size = (left.size() + parts - 1) / parts;
      List<T> smaller = null;
      for (int from = 0; from < left.size() && smaller == null; from += size) {
        List<T> rest = new ArrayList<>(left.subList(0, from));
        rest.addAll(left.subList(Math.min(from + size, left.size()), left.size()));
        if (fails.test(rest)) {
          smaller = rest;
        }
      }
      if (smaller != null) {
        left = smaller;
        parts = Math.max(parts - 1, 2);
      } else if (size == 1) {
        return left;
      } else {
        parts = Math.min(2 * parts, left.size());
      }
    }
    return left;
  }
}
