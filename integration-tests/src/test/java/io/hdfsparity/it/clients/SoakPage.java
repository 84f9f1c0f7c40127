/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;

/**
 * {@code docs/reference/clients-soak.md}: a part for each test that has run, with its own date and
 * commit. A test replaces its part only. For one thread.
 */
final class SoakPage {
  private static final Path PAGE = Path.of("..", "docs", "reference", "clients-soak.md");

  private static final String HEAD =
      """
      # Clients that CI has no time for

      This page is the record of `./check soak`. Do not edit it: each part is written by the test that it names, when that
      test has passed. The words are those of [clients.md](clients.md).
      """;

  private SoakPage() {}

  /**
   * Records what clients got, if nobody got or left wrong bytes and each refusal is explained. All
   * that was said is in {@code target/TEST-told.txt}, also if not.
   *
   * @param test name of its class
   */
  static void writeIfRight(String test, ClientsTable table) throws IOException {
    table.explain();
    Files.write(
        Path.of("target", test + "-told.txt"),
        table.told(Outcome.Word.values()).entrySet().stream().map(Object::toString).toList());
    assertThat(table.told(Outcome.Word.WRONG)).isEmpty();
    assertThat(table.unexplained()).isEmpty();
    List<String> titles = table.titles();
    write(test, ClientsPage.tables(titles.subList(1, titles.size()), table.cells()));
  }

  /** Records what a test has seen, under the name of its class. */
  static void write(String test, String text) throws IOException {
    String page = Files.exists(PAGE) ? Files.readString(PAGE) : HEAD;
    String begin = "<!-- begin of " + test + " -->\n";
    String end = "<!-- end of " + test + " -->\n";
    String part =
        begin
            + "\nDate: "
            + LocalDate.now(ZoneOffset.UTC)
            + ". Commit: "
            + System.getProperty("soak.commit", "unknown")
            + ". Test: `"
            + test
            + "`.\n"
            + text
            + end;
    int from = page.indexOf(begin);
    page =
        from < 0
            ? page + "\n" + part
            : page.substring(0, from) + part + page.substring(page.indexOf(end) + end.length());
    Files.write(PAGE, page.getBytes(StandardCharsets.UTF_8));
  }
}
