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
import java.util.Locale;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Each question of docs/operate/questions.md names a page and a heading that are there. */
class QuestionsPageTest {
  private static final Path PAGE = Path.of("..", "docs", "operate", "questions.md");
  private static final Pattern QUESTION = Pattern.compile("(?m)^\\d+\\. \\*\\*");
  private static final Pattern ANSWER = Pattern.compile("(?m)^ +→ \\[(.+)\\]\\((.+\\.md)#(.+)\\)$");

  /** As GitHub and the site name a heading. */
  private static String anchor(String heading) {
    return heading.toLowerCase(Locale.ROOT).replaceAll("[^\\w\\- ]", "").replace(' ', '-');
  }

  /** What is wrong with an answer; empty: nothing. */
  private static List<String> wrong(MatchResult answer) throws IOException {
    Path page = Objects.requireNonNull(PAGE.getParent()).resolve(answer.group(2));
    String heading = answer.group(1);
    List<String> wrong = new ArrayList<>();
    if (!Files.isRegularFile(page)) {
      wrong.add("no page " + page);
    } else if (Files.readAllLines(page).stream()
        .noneMatch(line -> line.matches("#+ .+") && line.endsWith("# " + heading))) {
      wrong.add("no heading " + heading + " in " + page);
    }
    if (!answer.group(3).equals(anchor(heading))) {
      wrong.add("anchor " + answer.group(3) + " is not of " + heading);
    }
    return wrong;
  }

  @Test
  void everyAnswerIsThere() throws IOException {
    String page = Files.readString(PAGE);
    List<MatchResult> answers = ANSWER.matcher(page).results().toList();
    assertThat(answers).hasSize(30);
    assertThat(QUESTION.matcher(page).results()).hasSize(30);
    List<String> wrong = new ArrayList<>();
    for (MatchResult answer : answers) {
      wrong.addAll(wrong(answer));
    }
    assertThat(wrong).isEmpty();
  }
}
