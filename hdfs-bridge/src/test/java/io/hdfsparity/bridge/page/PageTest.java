/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.bridge.page.PageTable.Audience;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class PageTest {
  private static final String HOSTILE = "/a<script>alert('1')</script>\"onload=\"x&\u202eb\u0007";

  /** Every text that a daemon or a user chooses. */
  private static Page hostile() {
    PageSection section =
        new PageSection(
            "raidp",
            HOSTILE,
            List.of(new PageFigure(HOSTILE, HOSTILE, Tone.WARN)),
            List.of(new PageMeter(HOSTILE, 1, 4, HOSTILE)),
            List.of(
                new PageMap(
                    HOSTILE,
                    HOSTILE,
                    List.of(new PageMap.Legend(Tone.GOOD, HOSTILE)),
                    List.of(new PageMap.Row(HOSTILE, List.of(new PageMap.Cell(Tone.BAD, HOSTILE)))),
                    HOSTILE)),
            List.of(
                PageTable.of(
                    "files", Audience.ADMINISTRATORS, List.of("file"), List.of(List.of(HOSTILE)))),
            List.of(HOSTILE));
    return new Page(
        new Page.Head(HOSTILE, HOSTILE, HOSTILE, 0, /* isComplete= */ true, List.of(HOSTILE)),
        List.of(new Page.Health(HOSTILE, HOSTILE, Tone.BAD, HOSTILE)),
        List.of(new Page.FoundKind("PARITY-123", Tone.WARN, HOSTILE, HOSTILE, 2, List.of(HOSTILE))),
        List.of(section));
  }

  private static Page plain() {
    return new Page(
        new Page.Head("nn1:8020", "active", "suite 1", 0, /* isComplete= */ true, List.of()),
        List.of(
            new Page.Health("raidp", "in service", Tone.WARN, "cannot read /secret/reason"),
            new Page.Health("izs", "off", Tone.PLAIN, "")),
        List.of(
            new Page.FoundKind(
                "PARITY-123", Tone.WARN, "It is so.", "Do this.", 3, List.of("/secret/detail"))),
        List.of(
            new PageSection(
                "raidp",
                "RAIDP",
                List.of(PageFigure.of("disks", 12)),
                List.of(new PageMeter("Recovery: running", 1, 4, "1 of 4")),
                List.of(
                    new PageMap(
                        "Disks",
                        "A cell is a disk.",
                        List.of(new PageMap.Legend(Tone.GOOD, "good")),
                        List.of(
                            new PageMap.Row("dn1", List.of(new PageMap.Cell(Tone.GOOD, "1"))),
                            new PageMap.Row("dn2", List.of(new PageMap.Cell(Tone.BAD, "")))),
                        "")),
                List.of(
                    PageTable.of(
                        "Sessions",
                        Audience.ADMINISTRATORS,
                        List.of("file", "user"),
                        List.of(List.of("/secret/file", "alice"))),
                    PageTable.of(
                        "Moves", Audience.EVERYBODY, List.of("superchunk"), List.of(List.of("7")))),
                List.of("A note."))));
  }

  @Test
  void htmlHasNoMarkupOfNames() {
    String html = HtmlPage.render(hostile());

    assertThat(html)
        .contains(
            "&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&quot;onload=&quot;x&amp;\ufffdb\ufffd")
        .doesNotContain("<script>", "\"onload", "\u202e", "\u0007");
    // The only script is the page's own, by its address.
    assertThat(html.split("<script", -1)).hasSize(2);
    assertThat(html).doesNotContain("style=", "onclick", "javascript:");
  }

  @Test
  void jsonIsThatOfTheGoldenFile() throws Exception {
    try (InputStream in = PageTest.class.getResourceAsStream("page.json")) {
      assertThat(JsonPage.render(plain()))
          .isEqualTo(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  @Test
  void whoIsNoAdministratorSeesCountsButNoNames() {
    Page shown = plain().forEverybody();

    for (String text : List.of(HtmlPage.render(shown), JsonPage.render(shown))) {
      assertThat(text)
          .doesNotContain("secret", "alice")
          .contains("PARITY-123", "It is so.", "dn1", "Sessions", "A note.");
    }
    assertThat(HtmlPage.render(shown))
        .contains("Sessions (1)", "Shown to administrators only", "<td>7</td>");
    assertThat(shown.verdict()).isEqualTo(plain().verdict()).isEqualTo(Tone.WARN);
    assertThat(HtmlPage.render(plain())).contains("/secret/file", "/secret/reason");
  }

  @Test
  void standbyLinksToTheOthers() {
    Page page =
        new Page(
            new Page.Head("nn2:8020", "standby", "suite 1", 0, true, List.of("http://nn1:9870")),
            List.of(),
            List.of(),
            List.of());

    assertThat(HtmlPage.render(page)).contains("is standby", "href=\"http://nn1:9870/parity\"");
  }

  @Test
  void largeMapsAndTablesAreCutWithANote() {
    PageMap.Row row =
        new PageMap.Row("dn", Collections.nCopies(1_000, new PageMap.Cell(Tone.GOOD, "")));
    PageMap map =
        new PageMap("t", "c", List.of(), Collections.nCopies(7, row), "Summed up.").capped("disks");

    assertThat(map.rows()).hasSize(4);
    assertThat(map.note()).isEqualTo("Summed up. 3 more disks are not shown.");

    PageTable table =
        PageTable.of("t", Audience.EVERYBODY, List.of("a"), Collections.nCopies(203, List.of("x")));
    assertThat(table.rows()).hasSize(PageTable.MAX_ROWS);
    assertThat(table.count()).isEqualTo(203);
  }

  @Test
  void refusesWhatCannotBeShown() {
    assertThatThrownBy(() -> new PageMeter("m", 5, 4, ""))
        .hasMessageContaining("done=5, total=4, expected 0 <= done <= total");
    assertThatThrownBy(
            () -> PageTable.of("t", Audience.EVERYBODY, List.of("a"), List.of(List.of())))
        .hasMessageContaining("expected 1 columns in each row");
  }
}
