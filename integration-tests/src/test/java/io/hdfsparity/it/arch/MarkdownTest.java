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
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Lines of the pages are at most 120 characters long, but for tables and for what a command has
 * printed, and tables hold no paragraphs. Pages on concepts and decisions are short; what was found
 * out by trying is in the appendix of a decision. Pages that tests write have tests of their own.
 */
class MarkdownTest {
  private static final int MAX_CHARACTERS = 120;
  private static final int MAX_WORDS_OF_A_CELL = 25;
  private static final int MAX_WORDS_OF_A_CONCEPT = 900;
  private static final int MAX_WORDS_OF_A_DECISION = 600;
  private static final Set<String> GENERATED =
      Set.of("keys.md", "doctor.md", "clients.md", "clients-soak.md", "hadoop-tests.md");
  private static final Pattern NOT_READ =
      Pattern.compile(
          "<!--.*?-->|^\\s*```.*?^\\s*```|(?<=\\])\\([^)]*\\)", Pattern.DOTALL | Pattern.MULTILINE);
  private static final Pattern WORD = Pattern.compile("\\S*\\w\\S*");
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
    pages.removeIf(page -> !page.toString().endsWith(".md") || isGenerated(page));
    return pages;
  }

  private static Path directoryOf(Path page) {
    return Objects.requireNonNull(page.getParent());
  }

  private static boolean isGenerated(Path page) {
    return directoryOf(page).endsWith("docs/reference")
        && GENERATED.contains(page.getFileName().toString());
  }

  /** Pages below a directory of docs, by name. */
  private static Map<String, String> pagesOf(String directory) throws IOException {
    Map<String, String> texts = new TreeMap<>();
    for (Path page : pages()) {
      if (directoryOf(page).endsWith("docs/" + directory)) {
        texts.put(page.getFileName().toString(), Files.readString(page));
      }
    }
    return texts;
  }

  /** Words of a page without links' targets, comments and blocks of code. */
  private static long words(String text) {
    return WORD.matcher(NOT_READ.matcher(text).replaceAll("")).results().count();
  }

  private static String withoutAppendix(String text) {
    int appendix = text.indexOf("\n## Appendix");
    return appendix < 0 ? text : text.substring(0, appendix);
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
  void conceptPagesAreShortAndHaveAPicture() throws IOException {
    Map<String, String> concepts = pagesOf("concepts");
    assertThat(concepts).hasSizeGreaterThan(3);
    assertThat(concepts.values()).allMatch(text -> text.contains("](../images/"));
    concepts.forEach(
        (name, text) ->
            assertThat(words(text)).as(name).isLessThanOrEqualTo(MAX_WORDS_OF_A_CONCEPT));
  }

  @Test
  void decisionsAreShortAndSayTheirStatus() throws IOException {
    Map<String, String> decisions = pagesOf("adr");
    decisions.remove("README.md");
    assertThat(decisions).hasSizeGreaterThan(30);
    assertThat(decisions.values()).allMatch(text -> text.contains("\nStatus: "));
    decisions.forEach(
        (name, text) ->
            assertThat(words(withoutAppendix(text)))
                .as(name)
                .isLessThanOrEqualTo(MAX_WORDS_OF_A_DECISION));
  }

  @Test
  void wordsAreCountedWithoutCodeAndTargets() {
    assertThat(words("<!-- a b -->\n# One [two](three four.md) –\n```\nfive\n```\n")).isEqualTo(2);
    assertThat(withoutAppendix("one\n## Appendix: two\nthree")).isEqualTo("one");
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
