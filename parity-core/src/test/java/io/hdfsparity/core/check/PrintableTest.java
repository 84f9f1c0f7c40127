/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PrintableTest {
  @Test
  void usualTextStaysAsItIs() {
    String path = "/user/Jürgen/日本/a b\\c 😀.txt";
    assertThat(Printable.of(path)).isSameAs(path);
    assertThat(Printable.of(null)).isEqualTo("null");
    assertThat(Printable.of(7)).isEqualTo("7");
  }

  @Test
  void nothingBeginsALineOrControlsATerminal() {
    assertThat(Printable.of("/a\n2026-01-01 INFO forged")).isEqualTo("/a\\n2026-01-01 INFO forged");
    assertThat(Printable.of("a\r\tb")).isEqualTo("a\\u000d\\tb");
    assertThat(Printable.of("\u001b[2Jx")).isEqualTo("\\u001b[2Jx");
    assertThat(Printable.of("\u0085\u009b\u2028\u2029\u202e\u0000"))
        .isEqualTo("\\u0085\\u009b\\u2028\\u2029\\u202e\\u0000");
  }

  @Test
  void aRefusalIsOneLine() {
    String message =
        ErrorMessage.to("open")
            .value("path", "/a\nINFO forged")
            .expected("none of\n" + "b")
            .where("holder", "c\u001b[0m")
            .message();
    assertThat(message)
        .isEqualTo("Cannot open: path=/a\\nINFO forged, expected none of\\nb, holder=c\\u001b[0m");
  }
}
