/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.page;

import java.util.List;

/**
 * Rows of text.
 *
 * @param audience who may see the rows; others see how many there are
 * @param omitted how many more rows there are
 */
public record PageTable(
    String title, Audience audience, List<String> columns, List<List<String>> rows, int omitted) {
  /** Rows of one table at most. */
  public static final int MAX_ROWS = 200;

  /** Who may see rows. */
  public enum Audience {
    /** No path, no owner and no message is in them. */
    EVERYBODY,
    ADMINISTRATORS
  }

  /**
   * @throws IllegalArgumentException when a row has another number of columns
   */
  public PageTable {
    columns = List.copyOf(columns);
    rows = rows.stream().map(List::copyOf).toList();
    int width = columns.size();
    if (rows.stream().anyMatch(row -> row.size() != width)) {
      throw new IllegalArgumentException(
          "Cannot show a table: title=" + title + ", expected " + width + " columns in each row");
    }
  }

  /** With the first {@link #MAX_ROWS} rows. */
  public static PageTable of(
      String title, Audience audience, List<String> columns, List<List<String>> rows) {
    int kept = Math.min(rows.size(), MAX_ROWS);
    return new PageTable(title, audience, columns, rows.subList(0, kept), rows.size() - kept);
  }

  /** All rows, shown or not. */
  public int count() {
    return rows.size() + omitted;
  }

  /** As those see it who are no administrators. */
  PageTable forEverybody() {
    return audience == Audience.EVERYBODY
        ? this
        : new PageTable(title, audience, columns, List.of(), count());
  }
}
