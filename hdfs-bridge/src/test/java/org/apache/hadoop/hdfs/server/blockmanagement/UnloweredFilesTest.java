/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class UnloweredFilesTest {
  private static final long FILE = 5;
  private long now = TimeUnit.DAYS.toNanos(1);
  private final UnloweredFiles files = new UnloweredFiles(() -> now);

  private void minutesLater(int minutes) {
    now += TimeUnit.MINUTES.toNanos(minutes);
    files.note(FILE);
  }

  @Test
  void aFileIsOverdueWhenItStillAsksForMoreAfterAnHour() {
    assertThat(files.isOverdue(FILE)).isFalse();
    files.note(FILE);
    minutesLater(30);
    assertThat(files.isOverdue(FILE)).isFalse();
    minutesLater(30);
    assertThat(files.isOverdue(FILE)).isTrue();
    assertThat(files.isOverdue(FILE + 1)).isFalse();
  }

  @Test
  void aFileThatWasLoweredStartsAgain() {
    files.note(FILE);
    minutesLater(59);
    minutesLater(60);
    assertThat(files.isOverdue(FILE)).isFalse();
    minutesLater(59);
    assertThat(files.isOverdue(FILE)).isFalse();
    minutesLater(1);
    assertThat(files.isOverdue(FILE)).isTrue();
  }

  @Test
  void theOldestFilesAreForgotten() {
    files.note(FILE);
    minutesLater(59);
    minutesLater(1);
    for (long file = 0; file < UnloweredFiles.MAX_FILES; file++) {
      files.note(1000 + file);
    }
    assertThat(files.isOverdue(FILE)).isFalse();
  }
}
