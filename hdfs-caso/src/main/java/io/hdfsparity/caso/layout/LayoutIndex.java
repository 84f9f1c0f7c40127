/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.layout;

import io.hdfsparity.core.check.Checks;

/**
 * What is needed to read a file whose cells are stored in another order.
 *
 * @param owner whose order it is; empty while it belongs to no file
 * @param cellSizeBytes size of a cell, > 0
 * @param dataCells data cells of a stripe, the paper's k, 1 to {@value #MAX_UNITS}
 * @param parityCells parity cells of a stripe, the paper's m, 1 to {@value #MAX_UNITS}
 * @param lengthBytes length of the file in its own order; its last cell may be a part of one
 * @param origin how the order came about, for people
 * @param order of the file's cells
 */
public record LayoutIndex(
    String owner,
    int cellSizeBytes,
    int dataCells,
    int parityCells,
    long lengthBytes,
    String origin,
    StoredOrder order) {
  /** Maximum number of cells of one kind in a stripe. */
  public static final int MAX_UNITS = 255;

  /** Longest owner, and longest origin, in chars. */
  public static final int MAX_TEXT_CHARS = 4096;

  public LayoutIndex {
    Checks.argument(cellSizeBytes > 0, "index a layout", "cellSizeBytes", cellSizeBytes, "> 0");
    unit("dataCells", dataCells);
    unit("parityCells", parityCells);
    text("owner", owner);
    text("origin", origin);
    Checks.argument(lengthBytes >= 0, "index a layout", "lengthBytes", lengthBytes, ">= 0");
    Checks.argument(
        order.cellCount() == cells(lengthBytes, cellSizeBytes),
        "index a layout",
        "cells",
        order.cellCount(),
        cells(lengthBytes, cellSizeBytes)
            + " for lengthBytes="
            + lengthBytes
            + ", cellSizeBytes="
            + cellSizeBytes);
    Checks.argument(
        order.storedCellCount() <= Long.MAX_VALUE / cellSizeBytes,
        "index a layout",
        "storedCellCount",
        order.storedCellCount(),
        "a stored file below 2^63 bytes");
  }

  private static void unit(String name, int value) {
    Checks.argument(
        value >= 1 && value <= MAX_UNITS, "index a layout", name, value, "1 to " + MAX_UNITS);
  }

  private static void text(String name, String value) {
    Checks.argument(
        value.length() <= MAX_TEXT_CHARS,
        "index a layout",
        name + " chars",
        value.length(),
        "at most " + MAX_TEXT_CHARS);
  }

  /** How many cells a file of some length has. */
  public static long cells(long lengthBytes, int cellSizeBytes) {
    return lengthBytes / cellSizeBytes + (lengthBytes % cellSizeBytes == 0 ? 0 : 1);
  }
}
