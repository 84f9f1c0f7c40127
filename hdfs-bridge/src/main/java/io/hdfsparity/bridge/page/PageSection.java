/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.page;

import java.util.List;

/**
 * What a feature shows of itself. Immutable. Only tables may have paths, owners and messages.
 *
 * @param feature as {@code dfs.parity.features} has it
 * @param notes whole sentences
 */
public record PageSection(
    String feature,
    String title,
    List<PageFigure> figures,
    List<PageMeter> meters,
    List<PageMap> maps,
    List<PageTable> tables,
    List<String> notes) {
  public PageSection {
    figures = List.copyOf(figures);
    meters = List.copyOf(meters);
    maps = List.copyOf(maps);
    tables = List.copyOf(tables);
    notes = List.copyOf(notes);
  }

  /** Of figures and tables. */
  public static PageSection of(
      String feature, String title, List<PageFigure> figures, List<PageTable> tables) {
    return new PageSection(feature, title, figures, List.of(), List.of(), tables, List.of());
  }

  /** Of a note. */
  public static PageSection note(String feature, String title, String note) {
    return new PageSection(
        feature, title, List.of(), List.of(), List.of(), List.of(), List.of(note));
  }

  PageSection forEverybody() {
    return new PageSection(
        feature,
        title,
        figures,
        meters,
        maps,
        tables.stream().map(PageTable::forEverybody).toList(),
        notes);
  }
}
