/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Debian's Chromium without a window, started once for one address. */
final class Chromium {
  private static final long TIMEOUT_S = 60;

  private Chromium() {}

  /**
   * What a browser made of a page.
   *
   * @param document after its scripts ran
   * @param console messages of the page's console
   */
  record Look(String document, List<String> console) {}

  /** Where it is; empty: it is not installed. */
  static Optional<Path> find() {
    return Stream.of(System.getenv("PATH").split(":"))
        .map(each -> Path.of(each, "chromium"))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * Opens an address.
   *
   * @param work its profile and output go there
   * @param screenshot PNG file to write
   */
  static Look open(Path program, String address, Path work, Path screenshot, int height)
      throws IOException, InterruptedException {
    Path document = work.resolve("document.html");
    Path log = work.resolve("chromium.log");
    Process process =
        new ProcessBuilder(
                program.toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--hide-scrollbars",
                "--user-data-dir=" + work.resolve("profile"),
                "--enable-logging=stderr",
                "--window-size=1240," + height,
                "--dump-dom",
                "--screenshot=" + screenshot,
                address)
            .redirectOutput(document.toFile())
            .redirectError(log.toFile())
            .start();
    try {
      assertThat(process.waitFor(TIMEOUT_S, TimeUnit.SECONDS)).as("Chromium ended").isTrue();
    } finally {
      process.destroyForcibly();
    }
    String said = Files.readString(log);
    assertThat(process.exitValue()).as(said).isZero();
    return new Look(
        Files.readString(document), said.lines().filter(line -> line.contains("CONSOLE")).toList());
  }
}
