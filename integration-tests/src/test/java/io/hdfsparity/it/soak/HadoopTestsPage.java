/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * The page {@code docs/reference/hadoop-tests.md}: a row for each class, with the day and the
 * commit of its last run, and lines on tests that differ. It is its own store: a run replaces the
 * rows of its classes and keeps the others.
 */
final class HadoopTestsPage {
  private static final String HEAD =
      """
      # Hadoop's own tests

      `./check soak` runs test classes of Hadoop 3.5.0 twice: on plain Hadoop, and with the suite's dataset, hooks,
      plugins, guard and placement in `hdfs-site.xml`. This page is the record of the last run of each class; do not
      edit it. A test that failed in only one of the two was run again there, alone, up to two times.

      | class | date | commit | plain: passed | ours: passed | pass on plain only |
      |---|---|---|---|---|---|
      """;

  private static final String ROW = "| Test";
  private static final String LINE = "- `";

  private final SortedMap<String, String> rows = new TreeMap<>();
  private final SortedMap<String, List<String>> lines = new TreeMap<>();

  /** What a page says; nothing of an empty one. */
  static HadoopTestsPage parse(String text) {
    HadoopTestsPage page = new HadoopTestsPage();
    for (String line : text.lines().toList()) {
      if (line.startsWith(ROW)) {
        page.rows.put(line.substring(2, line.indexOf(" |", 2)), line);
      } else if (line.startsWith(LINE)) {
        String className = line.substring(LINE.length(), line.indexOf('.'));
        page.lines.computeIfAbsent(className, key -> new ArrayList<>()).add(line);
      }
    }
    return page;
  }

  /** Whether a class was run at a commit. */
  boolean hasRun(String simpleName, String commit) {
    return rows.getOrDefault(simpleName, "").contains(" | " + commit + " | ");
  }

  /**
   * Replaces what the page has of a class.
   *
   * @param explanation of a test that fails with ours, by class and name, or "not explained"
   */
  void put(
      HadoopClassResult result, String date, String commit, UnaryOperator<String> explanation) {
    String name = result.simpleName();
    rows.put(
        name,
        String.format(
            "| %s | %s | %s | %s | %s | %d |",
            name,
            date,
            commit,
            HadoopClassResult.counts(result.plain()),
            HadoopClassResult.counts(result.ours()),
            result.worse().size()));
    List<String> about = new ArrayList<>();
    result
        .worse()
        .forEach(
            (test, why) ->
                about.add(LINE + name + "." + test + "`: " + explanation.apply(name + "." + test)));
    result
        .better()
        .forEach(test -> about.add(LINE + name + "." + test + "`: passed with ours only."));
    result.notes().forEach((test, note) -> about.add(LINE + name + "." + test + "`: " + note));
    lines.put(name, about);
  }

  /**
   * The page.
   *
   * @param all simple names of the classes that are to be run
   * @param simulated of these, those that bring a dataset without files
   */
  String text(List<String> all, List<String> simulated) {
    StringBuilder page = new StringBuilder(HEAD);
    rows.values().forEach(row -> page.append(row).append('\n'));
    if (!simulated.isEmpty()) {
      page.append(
              "\nWith a dataset without files in the place of ours, and so without the DataNode's plugin")
          .append(" of updates,\nwhich ends such a DataNode: ")
          .append(String.join(", ", simulated))
          .append(".\n");
    }
    List<String> left = all.stream().filter(name -> !rows.containsKey(name)).toList();
    if (!left.isEmpty()) {
      page.append("\nNot run yet:\n");
      left.forEach(
          name -> page.append(name).append(name.equals(left.get(left.size() - 1)) ? ".\n" : ",\n"));
    }
    if (lines.values().stream().anyMatch(about -> !about.isEmpty())) {
      page.append("\n## Tests that differ\n\n");
      lines.values().forEach(about -> about.forEach(line -> page.append(line).append('\n')));
    }
    return page.toString();
  }
}
