/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class HistoryRecorderTest {
  private static final HistoryShape SHAPE = new HistoryShape(1000, 4, 100_000);

  private final AccessHistory history = new AccessHistory(SHAPE);
  private final HistoryRecorder recorder = new HistoryRecorder(history);

  @Test
  void whatIsGatheredMakesAnotherHistoryEqual() {
    recorder.access("/a/f", 5);
    recorder.access("/a/f", 1005);
    recorder.rename("/a", "/b");
    recorder.access("/a/f", 1006);
    recorder.delete("/a");
    recorder.watched(1007, 1007, 0);
    AccessHistory other = new AccessHistory(SHAPE);
    recorder.taken().orElseThrow().forEach(other::apply);
    assertThat(other.snapshot()).isEqualTo(history.snapshot()).hasSize(3);
    assertThat(recorder.taken()).contains(List.of());
  }

  /** Else it would grow until the next flush, however far that is. */
  @Test
  void tooManyBytesAreGivenUpAndAskForASnapshot() {
    String longPath = "/" + "p".repeat(30_000);
    for (int i = 0; i < 400; i++) {
      recorder.access(longPath + i, 5);
      recorder.rename(longPath + i, longPath);
    }
    assertThat(recorder.taken()).isEmpty();
    assertThat(history.view(List.of("/", longPath), 0).counts().get("/")).endsWith(400);
    recorder.access("/f", 6);
    assertThat(recorder.taken())
        .contains(
            List.of(
                new HistoryItem.Counts("/f", 0, List.of(1)),
                new HistoryItem.Counts("/", 0, List.of(1))));
  }

  @Test
  void whatDoesNotFitTheFileIsNotGathered() {
    String tooLong = "/" + "p".repeat(HistoryFormat.MAX_TEXT_BYTES);
    recorder.access("/d/f", 5);
    recorder.rename("/d", tooLong);
    recorder.access(tooLong, 6);
    assertThat(recorder.taken()).isEmpty();
    assertThat(history.view(List.of("/d/f", "/d/", tooLong, "/"), 0).counts())
        .containsOnlyKeys("/");
    assertThat(history.tooLong()).isEqualTo(3);
  }
}
