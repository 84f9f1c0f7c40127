/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.arch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The pages of docs/operate name tests, keys and findings that are there. */
class OperatorPagesTest {
  private static final Path DOCS = Path.of("..", "docs");
  private static final Pattern TEST = Pattern.compile("`([A-Z]\\w+(?:Test|Soak))`");
  private static final Pattern KEY = Pattern.compile("`(dfs\\.parity\\.[a-z.-]+[a-z])[`=]");
  private static final Pattern FINDING = Pattern.compile("PARITY-\\d+");
  private static final Pattern BAR = Pattern.compile("(?<!\\\\)\\|");

  /** Words of a cell without a test. */
  private static final Pattern WITHOUT_TEST = Pattern.compile("not tried|not supported, not tried");

  private static List<Path> pages() throws IOException {
    try (Stream<Path> files = Files.list(DOCS.resolve("operate"))) {
      return files.filter(file -> file.toString().endsWith(".md")).sorted().toList();
    }
  }

  private static Set<String> named(Pattern pattern) throws IOException {
    Set<String> names = new TreeSet<>();
    for (Path page : pages()) {
      pattern
          .matcher(Files.readString(page))
          .results()
          .map(each -> each.group(each.groupCount()))
          .forEach(names::add);
    }
    return names;
  }

  private static Set<String> in(Path page, Pattern pattern) throws IOException {
    return pattern
        .matcher(Files.readString(page))
        .results()
        .map((MatchResult each) -> each.group(each.groupCount()))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Cells of the tables that have the four features as columns, without the first column. */
  private static List<String> cellsOfFeatures() throws IOException {
    List<String> cells = new ArrayList<>();
    boolean isTable = false;
    for (String line : Files.readAllLines(DOCS.resolve("operate/works-with.md"))) {
      if (!line.startsWith("|") || line.startsWith("| | RAIDP |")) {
        isTable = line.startsWith("|");
      } else if (isTable && !line.startsWith("|---")) {
        String[] row = BAR.split(line.substring(1), -1);
        Arrays.stream(row).skip(1).limit(4).map(String::strip).forEach(cells::add);
      }
    }
    return cells;
  }

  @Test
  void everyTestIsThere() throws IOException {
    Set<String> there = new TreeSet<>();
    for (Path module : SourceTree.moduleDirectories()) {
      SourceTree.javaFiles(module.resolve("src/test/java"))
          .forEach(source -> there.add(source.getFileName().toString().replace(".java", "")));
    }
    assertThat(named(TEST)).hasSizeGreaterThan(40).isSubsetOf(there);
  }

  @Test
  void everyCellNamesATestOrSaysThatThereIsNone() throws IOException {
    List<String> cells = cellsOfFeatures();
    assertThat(cells).hasSizeGreaterThan(100);
    assertThat(cells)
        .allMatch(cell -> TEST.matcher(cell).find() || WITHOUT_TEST.matcher(cell).matches());
  }

  @Test
  void everyKeyIsThere() throws IOException {
    Set<String> there =
        in(DOCS.resolve("reference/keys.md"), Pattern.compile("(?m)^### `(dfs\\.parity\\..+)`$"));
    assertThat(named(KEY)).hasSizeGreaterThan(10).isSubsetOf(there);
  }

  @Test
  void everyFindingIsThere() throws IOException {
    assertThat(named(FINDING))
        .hasSizeGreaterThan(2)
        .isSubsetOf(in(DOCS.resolve("reference/doctor.md"), FINDING));
  }
}
