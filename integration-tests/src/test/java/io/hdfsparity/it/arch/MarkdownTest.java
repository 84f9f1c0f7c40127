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
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Lines of the pages are at most 120 characters long, but for tables and for what a command has
 * printed, and tables hold no paragraphs. The generated pages of {@code docs/reference} have tests
 * of their own.
 */
class MarkdownTest {
  private static final int MAX_CHARACTERS = 120;
  private static final int MAX_WORDS_OF_A_CELL = 25;
  private static final Pattern BAR = Pattern.compile("(?<!\\\\)\\|");

  private static List<Path> pages() throws IOException {
    Path root = Objects.requireNonNull(SourceTree.moduleDirectories().get(0).getParent());
    List<Path> pages = new ArrayList<>();
    for (Path directory : List.of(root.resolve("docs"), root.resolve("benchmarks/results"))) {
      try (Stream<Path> files = Files.walk(directory)) {
        files.forEach(pages::add);
      }
    }
    try (Stream<Path> files = Files.list(root)) {
      files.forEach(pages::add);
    }
    pages.removeIf(
        page ->
            !page.toString().endsWith(".md") || page.startsWith(root.resolve("docs/reference")));
    return pages;
  }

  private static List<String> tooLong(String name, List<String> lines) {
    List<String> found = new ArrayList<>();
    boolean isPrinted = false;
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      String place = name + ":" + (i + 1) + ": ";
      if (line.strip().startsWith("```")) {
        isPrinted = !isPrinted;
      }
      if (isPrinted) {
        continue;
      }
      if (line.strip().startsWith("|")) {
        longCells(line).forEach(words -> found.add(place + "a cell of " + words + " words"));
      } else if (line.length() > MAX_CHARACTERS) {
        found.add(place + line.length() + " characters");
      }
    }
    return found;
  }

  /** Words of each cell that has too many. */
  private static Stream<Integer> longCells(String row) {
    return BAR.splitAsStream(row)
        .filter(cell -> !cell.isBlank())
        .map(cell -> cell.strip().split("\\s+").length)
        .filter(words -> words > MAX_WORDS_OF_A_CELL);
  }

  @Test
  void noLineOrCellIsTooLong() throws IOException {
    List<Path> pages = pages();
    assertThat(pages).hasSizeGreaterThan(50);
    List<String> found = new ArrayList<>();
    for (Path page : pages) {
      found.addAll(tooLong(page.toString(), Files.readAllLines(page)));
    }
    assertThat(found).isEmpty();
  }

  @Test
  void aLineThatIsTooLongIsFound() {
    String longLine = "x".repeat(MAX_CHARACTERS + 1);
    assertThat(tooLong("p", List.of("a", longLine))).containsExactly("p:2: 121 characters");
    assertThat(tooLong("p", List.of("```", longLine, "```", "|" + longLine))).isEmpty();
  }

  @Test
  void aCellThatIsTooLongIsFound() {
    String cell = "word ".repeat(MAX_WORDS_OF_A_CELL);
    assertThat(tooLong("p", List.of("| a | " + cell + "b |")))
        .containsExactly("p:1: a cell of 26 words");
    assertThat(tooLong("p", List.of("| " + cell + "|", "```", "| " + cell + "b |", "```")))
        .isEmpty();
    assertThat(tooLong("p", List.of("| " + cell + "a\\|b |"))).hasSize(1);
  }
}
