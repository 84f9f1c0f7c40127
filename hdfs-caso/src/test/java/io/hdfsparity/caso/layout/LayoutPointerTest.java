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
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LayoutPointerTest {
  private static final String VERSION_1 =
      "1 16390 16391 1234 " + "00ff".repeat(16) + " .caso-index-16390-0123456789abcdef";

  private static final String GOLDEN =
      "2" + VERSION_1.substring(1) + " 16392 .caso-spare-16390-fedcba9876543210";

  private static final LayoutPointer POINTER =
      new LayoutPointer(
          16390,
          new LayoutPointer.Place(16391, ".caso-index-16390-0123456789abcdef"),
          1234,
          "00ff".repeat(16),
          Optional.of(new LayoutPointer.Place(16392, ".caso-spare-16390-fedcba9876543210")));

  private static final LayoutPointer OLD =
      new LayoutPointer(
          POINTER.fileId(),
          POINTER.index(),
          POINTER.indexBytes(),
          POINTER.sha256(),
          Optional.empty());

  @Test
  void goldenText() throws CorruptFormatException {
    assertThat(new String(POINTER.encode(), StandardCharsets.UTF_8)).isEqualTo(GOLDEN);
    assertThat(LayoutPointer.decode(POINTER.encode(), "/f")).isEqualTo(POINTER);
    assertThat(new String(OLD.encode(), StandardCharsets.UTF_8)).isEqualTo(VERSION_1);
    assertThat(LayoutPointer.decode(OLD.encode(), "/f")).isEqualTo(OLD);
  }

  /** Every text that is a character short, or has one more, or another version, is refused. */
  @Test
  void damageIsRefused() {
    for (String text :
        new String[] {
          "",
          "1" + GOLDEN.substring(1),
          "2" + VERSION_1.substring(1),
          "3" + GOLDEN.substring(1),
          GOLDEN + "\n",
          GOLDEN + "/x",
          VERSION_1 + "\n",
          VERSION_1 + " 16392",
          GOLDEN.substring(1),
          GOLDEN.replace("1234 ", "0 "),
          GOLDEN.replace("1234 ", "-1 "),
          GOLDEN.replace("00ff", "00f"),
          GOLDEN.replace(" .caso", " ../caso"),
          GOLDEN.replace(" .caso-spare", " ../caso-spare"),
          GOLDEN.replace("16392", "x"),
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
