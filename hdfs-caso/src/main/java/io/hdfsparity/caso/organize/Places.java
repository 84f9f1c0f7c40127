/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.organize;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Where cells are while they are exchanged. Stripes, their places and the cells that a search looks
 * at go by numbers, which keep their order; other cells of those stripes are known by what is
 * stored in a place. Not thread-safe.
 */
final class Places {
  final int dataCells;

  /** Stripes by number, and cells by number. */
  final long[] stripes;

  final long[] cells;

  /** Logical cell of each place of those stripes, and its number or -1. */
  final long[] logicalAt;

  final int[] cellAt;

  /** Place and stripe of each cell. */
  final int[] placeOf;

  final int[] stripeOf;

  private final Organization base;

  Places(Organization base, SearchInput input) {
    this.base = base;
    this.dataCells = base.dataCells();
    this.cells = input.cells();
    this.stripes = input.stripes();
    this.placeOf = new int[cells.length];
    this.stripeOf = new int[cells.length];
    for (int cell = 0; cell < cells.length; cell++) {
      long stored = base.storedCell(cells[cell]);
      stripeOf[cell] = Arrays.binarySearch(stripes, stored / dataCells);
      placeOf[cell] = stripeOf[cell] * dataCells + (int) (stored % dataCells);
    }
    this.logicalAt = new long[Math.multiplyExact(stripes.length, dataCells)];
    this.cellAt = new int[logicalAt.length];
    for (int place = 0; place < logicalAt.length; place++) {
      logicalAt[place] = base.logicalCell(storedCell(place));
      cellAt[place] = Math.max(-1, Arrays.binarySearch(cells, logicalAt[place]));
    }
  }

  private long storedCell(int place) {
    return stripes[place / dataCells] * dataCells + place % dataCells;
  }

  void exchange(int cell, int otherPlace) {
    int other = cellAt[otherPlace];
    int place = placeOf[cell];
    long logical = logicalAt[place];
    logicalAt[place] = logicalAt[otherPlace];
    logicalAt[otherPlace] = logical;
    cellAt[place] = other;
    cellAt[otherPlace] = cell;
    placeOf[cell] = otherPlace;
    stripeOf[cell] = otherPlace / dataCells;
    if (other >= 0) {
      placeOf[other] = place;
      stripeOf[other] = place / dataCells;
    }
  }

  /** Logical cells that are elsewhere than in the base, ascending. */
  long[] movedCells() {
    return IntStream.range(0, logicalAt.length)
        .filter(place -> logicalAt[place] != base.logicalCell(storedCell(place)))
        .mapToLong(place -> logicalAt[place])
        .sorted()
        .toArray();
  }

  /** The stored cell of each of those. */
  long[] placesOf(long[] movedCells) {
    long[] places = new long[movedCells.length];
    for (int place = 0; place < logicalAt.length && movedCells.length > 0; place++) {
      int at = Arrays.binarySearch(movedCells, logicalAt[place]);
      if (at >= 0) {
        places[at] = storedCell(place);
      }
    }
    return places;
  }
}
