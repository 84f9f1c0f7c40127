/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static io.hdfsparity.localcluster.quickstart.Texts.format;

import java.util.ArrayList;
import java.util.List;

/** The last page of a chapter, to which steps add what they have found. Used by one thread. */
final class Report {
  private final int nameWidth;
  private final List<String> lines = new ArrayList<>();

  Report(int nameWidth) {
    this.nameWidth = nameWidth;
  }

  /** Adds a line. */
  void row(String name, String template, Object... values) {
    lines.add(format("%-" + nameWidth + "s %s", name, format(template, values)));
  }

  /** Adds lines of a table. */
  void table(List<String> table) {
    lines.addAll(table);
  }

  /** The page. */
  List<String> lines() {
    return List.copyOf(lines);
  }
}
