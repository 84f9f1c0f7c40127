/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.namenode;

import io.hdfsparity.bridge.page.PageFigure;
import io.hdfsparity.bridge.page.PageSection;
import io.hdfsparity.bridge.page.PageTable;
import io.hdfsparity.bridge.page.PageTable.Audience;
import java.util.List;

/** CASO's part of the page {@code /parity}. */
final class LayoutPage {
  private LayoutPage() {}

  /**
   * What the last round of the sweeper has seen. Immutable.
   *
   * @param isDone whether there was one while this NameNode was active
   * @param files in stored order
   * @param indexBytes of their indexes
   * @param paths of the first of these files
   */
  record Seen(boolean isDone, int files, long indexBytes, List<String> paths) {
    static final Seen NOTHING = new Seen(false, 0, 0, List.of());

    Seen {
      paths = List.copyOf(paths);
    }
  }

  static PageSection of(Seen seen) {
    if (!seen.isDone()) {
      return PageSection.note(
          "caso",
          "CASO: reordered files",
          "Reordered files are counted by the rounds that delete indexes of no file:"
              + " dfs.parity.caso.layout.sweep.period says how often. There was none yet.");
    }
    PageTable files =
        new PageTable(
            "Reordered files",
            Audience.ADMINISTRATORS,
            List.of("file"),
            seen.paths().stream().map(List::of).toList(),
            seen.files() - seen.paths().size());
    return new PageSection(
        "caso",
        "CASO: reordered files",
        List.of(
            PageFigure.of("reordered files", seen.files()),
            PageFigure.of("bytes of their indexes", seen.indexBytes())),
        List.of(),
        List.of(),
        seen.files() == 0 ? List.of() : List.of(files),
        seen.files() == 0
            ? List.of()
            : List.of("hdfs caso -show FILE tells the estimated saving of a file's order."));
  }
}
