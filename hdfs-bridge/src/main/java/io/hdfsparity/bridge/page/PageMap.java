/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.page;

import java.util.ArrayList;
import java.util.List;

/**
 * Many things at a glance: a row of cells for each group of them. Everybody may see it.
 *
 * @param caption what a row is, and what a cell is
 * @param legend what the colours mean, in the order in which they are shown
 * @param note what was left out or summed up; empty: nothing
 */
public record PageMap(
    String title, String caption, List<Legend> legend, List<Row> rows, String note) {
  /** Cells of one map at most: a page stays below a few hundred kilobytes. */
  public static final int MAX_CELLS = 4_096;

  /** What a colour means. */
  public record Legend(Tone tone, String meaning) {}

  /**
   * Something in a row.
   *
   * @param hint shown when pointed at; empty: none
   */
  public record Cell(Tone tone, String hint) {}

  /** A row. */
  public record Row(String label, List<Cell> cells) {
    public Row {
      cells = List.copyOf(cells);
    }
  }

  public PageMap {
    legend = List.copyOf(legend);
    rows = List.copyOf(rows);
  }

  /**
   * With the first rows only, as far as {@link #MAX_CELLS} goes, and a note that says so.
   *
   * @param what a row is, in the plural
   */
  public PageMap capped(String what) {
    List<Row> kept = new ArrayList<>();
    int cells = 0;
    for (Row row : rows) {
      cells += row.cells().size();
      if (cells > MAX_CELLS) {
        break;
      }
      kept.add(row);
    }
    int omitted = rows.size() - kept.size();
    if (omitted == 0) {
      return this;
    }
    String more = omitted + " more " + what + " are not shown.";
    return new PageMap(title, caption, legend, kept, note.isEmpty() ? more : note + " " + more);
  }
}
