/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.StripeCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Rounds of a write of one stripe, made one after the other: a round has at most one patch of each
 * cell. Pure.
 */
final class PatchRounds {
  private PatchRounds() {}

  /**
   * The first patch of every cell, then the second, and so on.
   *
   * @param cells patches by data block
   */
  static List<SortedMap<Integer, Patch>> of(SortedMap<Integer, List<Patch>> cells) {
    List<SortedMap<Integer, Patch>> rounds = new ArrayList<>();
    cells.forEach(
        (block, patches) -> {
          for (int i = 0; i < patches.size(); i++) {
            if (i == rounds.size()) {
              rounds.add(new TreeMap<>());
            }
            rounds.get(i).put(block, patches.get(i));
          }
        });
    return rounds;
  }

  /**
   * A write in the parts that its code wants, see {@link StripeCode#parts}. Normally that is the
   * write itself, which is not copied then: every write comes through here.
   *
   * @param write by data block, not empty
   */
  static List<SortedMap<Integer, Patch>> split(SortedMap<Integer, Patch> write, StripeCode code) {
    for (Map.Entry<Integer, Patch> cell : write.entrySet()) {
      if (code.parts(cell.getKey(), cell.getValue()).size() > 1) {
        SortedMap<Integer, List<Patch>> cells = new TreeMap<>();
        write.forEach((block, patch) -> cells.put(block, code.parts(block, patch)));
        return of(cells);
      }
    }
    return List.of(write);
  }
}
