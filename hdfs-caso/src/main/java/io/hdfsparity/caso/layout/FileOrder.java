/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.layout;

import io.hdfsparity.caso.organize.ExchangedOrganization;
import io.hdfsparity.caso.organize.Organization;
import io.hdfsparity.caso.organize.SequentialOrganization;
import io.hdfsparity.core.check.Checks;
import io.hdfsparity.core.geometry.ByteOrder;
import java.util.Arrays;

/**
 * Bytes of a whole file in its own order and as they are stored. The stored file has the same
 * length: all cells are there and no padding, and a last cell that is a part of one stays last, so
 * that whoever does not know of the order sees no other length.
 *
 * <p>What was appended to the stored file is in its own place: HDFS appends to striped files in new
 * block groups only, so it begins where the stored file ended, which is where the file ended.
 *
 * <p>Immutable, thread-safe.
 */
public final class FileOrder implements ByteOrder {
  private static final long MAX_DISPLACED = 1L << 28;

  private final StoredOrder order;
  private final int cellSizeBytes;
  private final long orderedBytes;
  private final long lengthBytes;

  /**
   * @throws IllegalArgumentException unless it is the order of a whole file, see above
   */
  public FileOrder(LayoutIndex index) {
    this(index, index.lengthBytes());
  }

  /**
   * As above, of a file that was appended to since.
   *
   * @param lengthBytes of the file by now, >= that of the index
   */
  public FileOrder(LayoutIndex index, long lengthBytes) {
    this.order = index.order();
    this.cellSizeBytes = index.cellSizeBytes();
    this.orderedBytes = index.lengthBytes();
    this.lengthBytes = lengthBytes;
    Checks.argument(
        lengthBytes >= orderedBytes,
        "order a file",
        "lengthBytes",
        lengthBytes,
        ">= " + orderedBytes);
    long cells = order.cellCount();
    Checks.argument(
        order.storedCellCount() == cells,
        "order a file",
        "storedCells",
        order.storedCellCount(),
        cells + " cells without padding");
    boolean isLastPart = orderedBytes % cellSizeBytes != 0;
    Checks.argument(
        !isLastPart || order.storedCell(cells - 1) == cells - 1,
        "order a file",
        "lastCell",
        isLastPart ? order.storedCell(cells - 1) : cells - 1,
        "the last one, since it is a part of a cell");
  }

  /**
   * The order of a file's cells by an organization that exchanges cells of the order of addresses.
   * Whole cells of the file that it has beyond the file's end, or in place of the last part of a
   * cell, get the places that are free in the file instead, in order of address.
   *
   * @throws IllegalArgumentException if cells change places with others than each other
   */
  public static StoredOrder of(Organization organization, long lengthBytes, int cellSizeBytes) {
    long wholeCells = lengthBytes / cellSizeBytes;
    long[] displaced = organization.displacedCells();
    long[] places = Arrays.stream(displaced).map(organization::storedCell).toArray();
    long[] sorted = places.clone();
    Arrays.sort(sorted);
    Checks.argument(
        Arrays.equals(sorted, displaced),
        "order a file",
        "places",
        places.length,
        "those of the cells that are displaced");
    int inside = 0;
    while (inside < displaced.length && displaced[inside] < wholeCells) {
      inside++;
    }
    long[] cells = Arrays.copyOf(displaced, inside);
    boolean[] isTaken = new boolean[inside];
    for (int i = 0; i < inside; i++) {
      if (places[i] < wholeCells) {
        isTaken[Arrays.binarySearch(cells, places[i])] = true;
      }
    }
    int next = 0;
    for (int i = 0; i < inside; i++) {
      if (places[i] >= wholeCells) {
        while (isTaken[next]) {
          next++;
        }
        places[i] = cells[next];
        isTaken[next] = true;
      }
    }
    return StoredOrder.of(
        new ExchangedOrganization(
            new SequentialOrganization(organization.dataCells()),
            cells,
            Arrays.copyOf(places, inside)),
        LayoutIndex.cells(lengthBytes, cellSizeBytes));
  }

  /**
   * The order of a file's cells as an organization, which {@link #of} takes back. Cells beyond the
   * end of the file are in order of address.
   *
   * @param order without padding
   * @param dataCells data cells of a stripe
   */
  public static Organization organization(StoredOrder order, int dataCells) {
    long cellCount = 0;
    for (int run = 0; run < order.runCount(); run++) {
      cellCount += order.storedStart(run) == order.logicalStart(run) ? 0 : order.count(run);
    }
    Checks.argument(
        cellCount <= MAX_DISPLACED, "order a file", "displacedCells", cellCount, "<= 2^28");
    long[] cells = new long[(int) cellCount];
    long[] places = new long[cells.length];
    int size = 0;
    for (int run = 0; run < order.runCount(); run++) {
      if (order.storedStart(run) != order.logicalStart(run)) {
        for (long i = 0; i < order.count(run); i++) {
          cells[size] = order.logicalStart(run) + i;
          places[size++] = order.storedStart(run) + i;
        }
      }
    }
    return cells.length == 0
        ? new SequentialOrganization(dataCells)
        : new ExchangedOrganization(new SequentialOrganization(dataCells), cells, places);
  }

  /**
   * The order of an index for a file that was appended to since: what was appended stays where it
   * is.
   *
   * @param lengthBytes of the file by now, >= that of the index
   */
  public static StoredOrder grown(LayoutIndex index, long lengthBytes) {
    return of(organization(index.order(), index.dataCells()), lengthBytes, index.cellSizeBytes());
  }

  /** Length of the file, in both orders. */
  public long lengthBytes() {
    return lengthBytes;
  }

  /**
   * Where a byte is stored.
   *
   * @param offset in the file's own order, {@code 0 <= offset < lengthBytes()}
   */
  @Override
  public long stored(long offset) {
    if (offset >= orderedBytes) {
      return offset;
    }
    return order.storedCell(offset / cellSizeBytes) * cellSizeBytes + offset % cellSizeBytes;
  }

  /** How many bytes from an offset on, itself included, follow each other in both orders. */
  @Override
  public long run(long offset) {
    if (offset >= orderedBytes) {
      return lengthBytes - offset;
    }
    int run = order.run(offset / cellSizeBytes);
    long end = (order.logicalStart(run) + order.count(run)) * cellSizeBytes;
    return Math.min(end, orderedBytes) - offset;
  }

  /** The offset of the file's own order that is stored at another one. */
  public long logical(long storedOffset) {
    if (storedOffset >= orderedBytes) {
      return storedOffset;
    }
    return order.logicalCell(storedOffset / cellSizeBytes) * cellSizeBytes
        + storedOffset % cellSizeBytes;
  }
}
