/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ScreenTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  private Screen screen(int columns) {
    return new Screen(new PrintStream(bytes, true, StandardCharsets.UTF_8), columns, 2);
  }

  private String shown() {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void aTerminalGetsOneLineThatIsDrawnAnewAndNeverWraps() {
    Screen screen = screen(20);
    screen.step("Go");
    screen.progress("x".repeat(50));
    screen.line("done");
    assertThat(shown())
        .isEqualTo("\n1/2   Go\n\r      " + "x".repeat(13) + "\u001b[K\r\u001b[K      done\n");
  }

  /** As where a command has told a line a second, and then why it refused. */
  @Test
  void theLastOfSeveralLinesIsTheProgress() {
    Screen screen = screen(80);
    screen.progress("1 s, reading\n2 s, reading\nrefused\n");
    screen.progress("");
    screen.line("done");
    assertThat(shown()).isEqualTo("\r      refused\u001b[K\r      \u001b[K\r\u001b[K      done\n");
  }

  @Test
  void aLogGetsNoControlCharactersAndNotEveryProgress() {
    Screen screen = screen(0);
    screen.step("Go");
    for (int i = 0; i < 100; i++) {
      screen.progress("at " + i);
    }
    screen.line("one\ntwo");
    assertThat(shown()).isEqualTo("\n1/2   Go\n      one\n      two\n");
  }

  @Test
  void theLastProgressCanBeKept() {
    Screen screen = screen(80);
    screen.progress("99 %");
    screen.progress("100 %");
    screen.keepProgress();
    screen.line("done");
    assertThat(shown()).isEqualTo("\r      99 %\u001b[K\r      100 %\u001b[K\n      done\n");
  }

  @Test
  void theLastProgressIsKeptOnceInALog() {
    Screen screen = screen(0);
    screen.progress("first, long after the start");
    screen.keepProgress();
    screen.progress("second, at once");
    screen.keepProgress();
    assertThat(shown()).isEqualTo("      first, long after the start\n      second, at once\n");
  }

  @Test
  void nothingIsShownAfterTheLastLine() {
    Screen screen = screen(80);
    screen.close("Interrupted");
    screen.step("Go");
    screen.progress("50 %");
    screen.line("x");
    assertThat(shown()).isEqualTo("\nInterrupted\n");
  }

  @Test
  void barsAreOfOneLength() {
    assertThat(Screen.bar(0)).isEqualTo("[" + "-".repeat(24) + "]");
    assertThat(Screen.bar(0.5)).isEqualTo("[" + "#".repeat(12) + "-".repeat(12) + "]");
    assertThat(Screen.bar(7)).isEqualTo("[" + "#".repeat(24) + "]");
    assertThat(Screen.bar(Double.NaN)).hasSize(26);
  }
}
