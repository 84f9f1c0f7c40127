/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.organize;

import io.hdfsparity.core.check.Checks;
import java.util.Arrays;

/**
 * Another organization in which some cells have exchanged their places; 32 bytes for each of those.
 *
 * <p>Immutable, thread-safe.
 */
public final class ExchangedOrganization implements Organization {
  private final Organization base;
  private final long[] cells;
  private final long[] places;
  private final long[] takenPlaces;
  private final long[] takers;

  /**
   * Exchanges places.
   *
   * @param base the organization of all other cells
   * @param cells logical cells, ascending; copied
   * @param places the new stored cell of each; copied
   * @throws IllegalArgumentException unless the places are those that the cells have in {@code
   *     base}
   */
  public ExchangedOrganization(Organization base, long[] cells, long[] places) {
    this.base = base;
    this.cells = cells.clone();
    this.places = places.clone();
    this.takenPlaces = places.clone();
    this.takers = new long[cells.length];
    Arrays.sort(takenPlaces);
    long[] former = Arrays.stream(cells).map(base::storedCell).sorted().toArray();
    Checks.argument(
        Arrays.equals(former, takenPlaces),
        "exchange cells",
        "places",
        places.length,
        "the places of the cells themselves");
    for (int i = 0; i < cells.length; i++) {
      Checks.argument(
          i == 0 || cells[i - 1] < cells[i], "exchange cells", "cell", cells[i], "ascending");
      takers[Arrays.binarySearch(takenPlaces, places[i])] = cells[i];
    }
  }

  @Override
  public int dataCells() {
    return base.dataCells();
  }

  @Override
  public long storedCell(long logicalCell) {
    int found = Arrays.binarySearch(cells, logicalCell);
    return found >= 0 ? places[found] : base.storedCell(logicalCell);
  }

  @Override
  public long[] displacedCells() {
    long[] all = base.displacedCells();
    int baseCount = all.length;
    all = Arrays.copyOf(all, baseCount + cells.length);
    System.arraycopy(cells, 0, all, baseCount, cells.length);
    return CellSets.ascending(all);
  }

  @Override
  public long logicalCell(long storedCell) {
    int found = Arrays.binarySearch(takenPlaces, storedCell);
    return found >= 0 ? takers[found] : base.logicalCell(storedCell);
  }
}
