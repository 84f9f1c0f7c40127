/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.macro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class DiskRoomTest {
  private static final long GIB = 1L << 30;
  private static final Path DIR = Path.of("run/benchmarks");

  @Test
  void unitsAreDataParityAndChecksums() {
    assertThat(DiskRoom.stripedBytes(300, 3, 2)).isEqualTo(505);
    assertThat(DiskRoom.stripedBytes(Long.MAX_VALUE, 3, 2)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void aFileSystemIsNotFilled() {
    assertThatCode(() -> DiskRoom.require(DIR, 2 * GIB, 3 * GIB, "take less"))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> DiskRoom.require(DIR, 2 * GIB + 1, 3 * GIB, "take less"))
        .isInstanceOf(BadOption.class)
        .hasMessageContaining("neededBytes=2147483649, expected at most usableBytes=3221225472")
        .hasMessageContaining("dir=run/benchmarks; take another --dir, or take less");
  }
}
