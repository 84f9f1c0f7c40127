/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Histories survive the end of the process that writes them. */
class HistoryLogTest {
  @TempDir Path dir;
  private final AtomicLong now = new AtomicLong();

  @Test
  void whatHasEndedAndWhatHasNotIsReadBack() throws IOException {
    Path file = dir.resolve("h.jsonl");
    HistoryLog log = new HistoryLog(file, now::incrementAndGet);
    Operation write = log.begin("a", OperationKind.UPDATE, "/f#1", "1.0");
    Operation read = log.begin("b", OperationKind.UPDATER_READ, "/f#1", "");
    log.acknowledge(write);
    log.answer(read, "1.0");
    Operation cutOff = log.begin("a", OperationKind.UPDATE, "/f#1", "1.1");
    Operation refused = log.begin("b", OperationKind.STOCK_READ, "/f#1", "");
    log.fail(refused);
    // Not closed, as by kill -9.
    List<Operation> back = HistoryLog.read(file);
    assertThat(back)
        .containsExactly(
            write.ended(Outcome.OK, "1.0", 3),
            read.ended(Outcome.OK, "1.0", 4),
            cutOff,
            refused.ended(Outcome.FAILED, "", 7));
    assertThat(cutOff.outcome()).isEqualTo(Outcome.UNKNOWN);
    assertThat(cutOff.effectiveEnd()).isEqualTo(Long.MAX_VALUE);

    log.fail(cutOff);
    assertThat(HistoryLog.read(file).get(2).outcome()).isEqualTo(Outcome.UNKNOWN);
    log.close();
  }

  @Test
  void onlyTheLastLineMayBeCutOff() throws IOException {
    Path file = dir.resolve("h.jsonl");
    try (HistoryLog log = new HistoryLog(file, now::incrementAndGet)) {
      log.begin("a", OperationKind.UPDATE, "/f#1", "1.0");
      log.begin("a", OperationKind.UPDATE, "/f#1", "1.1");
    }
    String text = Files.readString(file);
    Files.writeString(file, text.substring(0, text.length() - 20));
    assertThat(HistoryLog.read(file)).hasSize(1);
    Files.writeString(file, text.substring(20));
    assertThatThrownBy(() -> HistoryLog.read(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("line=1");
  }
}
