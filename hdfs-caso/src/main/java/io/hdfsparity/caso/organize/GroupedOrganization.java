/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.organize;

import io.hdfsparity.core.check.Checks;
import java.util.Arrays;

/**
 * Groups of cells first, a stripe each, and then all other cells in order of address, round robin:
 * the paper's Algorithm 2, by which uncorrelated cell number i is in stripe λ + ceil((i - n_c) /
 * k), stripes counted from 1.
 *
 * <p>Every cell that is not in a group is uncorrelated, whether a trace has it or not. A group that
 * is not full is padded. 24 bytes a grouped cell, whatever the size of the address space.
 *
 * <p>Immutable, thread-safe.
 */
public final class GroupedOrganization implements Organization {
  private final int dataCells;

  /** Logical cells of the groups in stored order, with padding. */
  private final long[] stored;

  /** Cells of the groups, ascending, and where each of them is stored. */
  private final long[] grouped;

  private final long[] places;

  /**
   * Takes groups.
   *
   * @param dataCells the paper's k, at least 1
   * @param groups logical cells, {@code dataCells} for each stripe, with {@link
   *     Organization#PADDING} in places that stay empty; copied
   * @throws IllegalArgumentException if a cell is there twice, or the last stripe is incomplete
   */
  public GroupedOrganization(int dataCells, long[] groups) {
    Checks.argument(dataCells >= 1, "organize stripes", "dataCells", dataCells, ">= 1");
    Checks.argument(
        groups.length % dataCells == 0,
        "organize stripes",
        "groups.length",
        groups.length,
        "a multiple of dataCells=" + dataCells);
    this.dataCells = dataCells;
    this.stored = groups.clone();
    long[] sorted = groups.clone();
    Arrays.sort(sorted);
    int padding = 0;
    while (padding < sorted.length && sorted[padding] == PADDING) {
      padding++;
    }
    this.grouped = Arrays.copyOfRange(sorted, padding, sorted.length);
    Checks.argument(
        grouped.length == 0 || grouped[0] >= 0, "organize stripes", "groups", "below 0", ">= 0");
    for (int i = 1; i < grouped.length; i++) {
      Checks.argument(
          grouped[i] != grouped[i - 1], "organize stripes", "cell", grouped[i], "in one group");
    }
    this.places = new long[grouped.length];
    for (int place = 0; place < stored.length; place++) {
      if (stored[place] != PADDING) {
        places[Arrays.binarySearch(grouped, stored[place])] = place;
      }
    }
  }

  @Override
  public int dataCells() {
    return dataCells;
  }

  /** How many stripes are groups: the paper's λ. */
  public int groupCount() {
    return stored.length / dataCells;
  }

  /** How many cells are in groups. */
  public int groupedCellCount() {
    return grouped.length;
  }

  /** The cells of a group in stored order, without padding. */
  public long[] group(int group) {
    Checks.index("show a group", "group", group, groupCount());
    long[] cells = Arrays.copyOfRange(stored, group * dataCells, (group + 1) * dataCells);
    return Arrays.stream(cells).filter(cell -> cell != PADDING).toArray();
  }

  @Override
  public long storedCell(long logicalCell) {
    int found = Arrays.binarySearch(grouped, logicalCell);
    // Of the cells below an ungrouped one, as many are gone as there are lower grouped ones.
    return found >= 0 ? places[found] : stored.length + logicalCell - (-found - 1);
  }

  @Override
  public long[] displacedCells() {
    return grouped.clone();
  }

  @Override
  public long logicalCell(long storedCell) {
    if (storedCell < stored.length) {
      return stored[(int) storedCell];
    }
    long rank = storedCell - stored.length;
    int low = 0;
    int high = grouped.length;
    // grouped[i] - i ungrouped cells lie below grouped[i]; that does not fall with i.
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (grouped[middle] - middle <= rank) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return rank + low;
  }
}
