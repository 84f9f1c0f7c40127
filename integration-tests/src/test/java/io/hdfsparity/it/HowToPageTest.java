/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Marks of the pages of docs/how-to. {@link HowToTest} and {@link HowToSoak} execute them. */
class HowToPageTest {
  @Test
  void onlyMarkedBlocksAreExecuted() {
    HowToPage page =
        HowToPage.parse(
            "p",
            List.of(
                "1. Do",
                "   ```console test=p",
                "   hdfs raidp  -status",
                "   ```",
                "hdfs x",
                "```console",
                "hdfs y",
                "```"));
    assertThat(page.commands()).containsExactly(List.of("hdfs", "raidp", "-status"));
  }

  @Test
  void marksOfOtherPagesAndOtherProgramsAreRefused() {
    assertThatThrownBy(() -> HowToPage.parse("p", List.of("```console test=q")))
        .hasMessage("test=q, expected p");
    assertThatThrownBy(() -> HowToPage.parse("p", List.of("```console test=p", "rm -r /")))
        .hasMessageStartingWith("command=rm -r /, expected one of [")
        .hasMessageContaining("hdfs");
  }

  @Test
  void everyMarkedPageIsExecuted() throws Exception {
    List<String> executed =
        Stream.concat(HowToTest.PAGES.stream(), HowToSoak.PAGES.stream()).toList();
    assertThat(HowToPage.marked())
        .extracting(HowToPage::name)
        .containsExactlyInAnyOrderElementsOf(executed);
  }
}
