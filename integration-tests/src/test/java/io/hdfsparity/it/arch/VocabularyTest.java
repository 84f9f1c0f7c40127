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
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Names that say nothing to who has not seen the code do not come back (CONTRIBUTING.md). */
class VocabularyTest {
  /** A type is a noun of the field, and no participle or preposition. */
  private static final Pattern TYPE =
      Pattern.compile(
          "\\b(?:class|record|enum|@?interface) (Told|Took|Made|Having|Looked|Wanted|Noted|Judged|Beyond"
              + "|Again|About|Of|Seats|Sitter|Lane|Gate|Fate|Holdouts|Drain|Turns?|Arm|Moments|Patience"
              + "|Reasons|Quantities)\\b");

  /** Bounds are minima and maxima. */
  private static final Pattern CONSTANT =
      Pattern.compile("\\b((?:MOST|LEAST|LONGEST|SHORTEST)_[A-Z0-9_]+)\\b");

  @Test
  void typesAndConstantsHaveStandardNames() throws IOException {
    List<String> found = new ArrayList<>();
    int sources = 0;
    for (Path module : SourceTree.moduleDirectories()) {
      for (Path source : SourceTree.javaFiles(module.resolve("src")).toList()) {
        sources++;
        if (!source.endsWith("VocabularyTest.java")) {
          found.addAll(bannedNames(source));
        }
      }
    }
    assertThat(sources).isGreaterThan(1000);
    assertThat(found).isEmpty();
  }

  private static List<String> bannedNames(Path source) throws IOException {
    String text = Files.readString(source);
    return Stream.of(TYPE, CONSTANT)
        .flatMap(banned -> banned.matcher(text).results())
        .map(name -> source + ": " + name.group(1))
        .toList();
  }

  @Test
  void aBannedNameIsFound() {
    assertThat(TYPE.matcher("private record Told(int a) {}").find()).isTrue();
    assertThat(TYPE.matcher("record ToldTwice(int a) {}").find()).isFalse();
    assertThat(CONSTANT.matcher("int MOST_BYTES = 1;").find()).isTrue();
  }
}
