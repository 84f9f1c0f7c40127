/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.framing.CorruptFormatException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class LayoutPointerTest {
  private static final String GOLDEN =
      "3 16390 1234 " + "00ff".repeat(16) + " " + "0a".repeat(16) + " /.caso";

  private static final LayoutPointer POINTER =
      new LayoutPointer(16390, 1234, "00ff".repeat(16), "0a".repeat(16), "/.caso");

  @Test
  void goldenText() throws CorruptFormatException {
    assertThat(new String(POINTER.encode(), StandardCharsets.UTF_8)).isEqualTo(GOLDEN);
    assertThat(LayoutPointer.decode(POINTER.encode(), "/f")).isEqualTo(POINTER);
    assertThat(POINTER.index()).isEqualTo("/.caso/index/16390");
    assertThat(POINTER.spare()).isEqualTo("/.caso/spare/16390");
    LayoutPointer deeper = new LayoutPointer(1, 1, POINTER.sha256(), POINTER.keyHex(), "/a/b.c");
    assertThat(LayoutPointer.decode(deeper.encode(), "/f")).isEqualTo(deeper);
  }

  @Test
  void theKeyIsNotInMessages() {
    assertThat(POINTER.toString()).contains("16390").doesNotContain(POINTER.keyHex());
  }

  /** Every text that is a character short, or has one more, or another version, is refused. */
  @Test
  void damageIsRefused() {
    for (String text :
        new String[] {
          "",
          "1" + GOLDEN.substring(1),
          "2" + GOLDEN.substring(1),
          "4" + GOLDEN.substring(1),
          "2 16390 16391 1234 " + "00ff".repeat(16) + " .caso-index-16390-0123456789abcdef",
          GOLDEN + "\n",
          GOLDEN + "/",
          GOLDEN + " x",
          GOLDEN.substring(1),
          GOLDEN.replace("1234 ", "0 "),
          GOLDEN.replace("1234 ", "-1 "),
          GOLDEN.replace("00ff", "00f"),
          GOLDEN.replace("0a", "0A"),
          GOLDEN.replace("0a0a ", "0a "),
          GOLDEN.replace("/.caso", ""),
          GOLDEN.replace("/.caso", "/"),
          GOLDEN.replace("/.caso", ".caso"),
          GOLDEN.replace("/.caso", "//.caso"),
          GOLDEN.replace(" ", "  ")
        }) {
      assertThatThrownBy(
              () -> LayoutPointer.decode(text.getBytes(StandardCharsets.UTF_8), "/dir/f"))
          .as(text)
          .isInstanceOf(CorruptFormatException.class)
          .hasMessageContaining("file=/dir/f");
    }
  }
}
