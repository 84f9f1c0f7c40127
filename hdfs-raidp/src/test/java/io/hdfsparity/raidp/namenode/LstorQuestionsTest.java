/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.raidp.config.Coefficients;
import io.hdfsparity.raidp.config.ManagerOptions;
import io.hdfsparity.raidp.wire.message.LstorReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Lstors "a" and "b" of one daemon, and "c" of another one. */
class LstorQuestionsTest {
  private static final long MAX_SILENCE_MS = 600_000;

  private final List<String> asked = new ArrayList<>();
  private final Set<String> hung = new HashSet<>();
  private final SuperchunkMap map =
      new SuperchunkMap(
          new ManagerOptions.Silence(Long.MAX_VALUE / 4, Long.MAX_VALUE / 2),
          Coefficients.THREE,
          0);
  private final LstorReport a = lstor("a", 1);
  private final LstorReport b = lstor("b", 1);
  private final LstorReport c = lstor("c", 2);
  private long nowMs;
  private final LstorQuestions questions =
      new LstorQuestions(
          (lstor, frame) -> {
            asked.add(lstor.diskId());
            if (hung.contains(lstor.diskId())) {
              nowMs += 10_000;
              throw new IOException("timeout");
            }
            return List.of();
          },
          () -> nowMs,
          MAX_SILENCE_MS);

  private static LstorReport lstor(String diskId, int port) {
    return new LstorReport(diskId, "CID", "n", "host", port, false, List.of(), Optional.empty());
  }

  @BeforeEach
  void daemonsReport() {
    List.of(a, b, c).forEach(each -> map.report(each, 0));
  }

  private void retry() {
    questions.retry(map.view());
  }

  private void assertRefused(LstorReport lstor) {
    assertThatThrownBy(() -> questions.entries(lstor, 0))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Lstor of disk " + lstor.diskId())
        .hasMessageContaining("host:" + lstor.port())
        .hasMessageContaining("timeout");
  }

  /** As long as it takes, with a retry each second. */
  private void retryUntil(long endMs) {
    while (nowMs < endMs) {
      nowMs += 1_000;
      retry();
    }
  }

  @Test
  void whoDoesNotAnswerIsWaitedForOnceInAWhile() throws IOException {
    hung.add("a");
    assertRefused(a);
    assertRefused(a);
    retry();
    assertThat(asked).as("refused at once").containsExactly("a");
    assertThat(questions.entries(c, 0)).isEmpty();
    asked.clear();
    retryUntil(3 * 600_000);
    assertThat(asked).as("at most once a minute in the end").hasSizeBetween(25, 60);
    hung.clear();
    retryUntil(nowMs + 70_000);
    assertThat(questions.entries(a, 0)).isEmpty();
  }

  /** A question decides, no clock: all that look between two questions see the same. */
  @Test
  void onlyAQuestionMakesAnLstorUnreadable() {
    hung.add("a");
    assertRefused(a);
    nowMs += 10 * MAX_SILENCE_MS;
    assertThat(questions.isUnreadable("a")).isFalse();
    assertThat(questions.whyUnreadable("a")).isEmpty();
    retry();
    assertThat(questions.isUnreadable("a")).isTrue();
    assertThat(questions.whyUnreadable("a").orElseThrow())
        .contains("host:1 reports, but has not answered for 60", "timeout");
    assertThat(questions.isUnreadable("b")).isFalse();
    hung.clear();
    nowMs += 60_000;
    retry();
    assertThat(questions.isUnreadable("a")).isFalse();
  }

  @Test
  void eachLstorOfAHungDaemonIsAskedAgain() {
    hung.addAll(Set.of("a", "b"));
    assertRefused(a);
    assertRefused(b);
    retryUntil(2 * MAX_SILENCE_MS);
    assertThat(questions.isUnreadable("a")).isTrue();
    assertThat(questions.isUnreadable("b")).isTrue();
    hung.remove("b");
    questions.endPauses();
    retry();
    assertThat(questions.isUnreadable("a")).isTrue();
    assertThat(questions.isUnreadable("b")).as("an administrator has mended it").isFalse();
  }

  @Test
  void oneThatIsReportedNoMoreIsForgotten() {
    hung.add("a");
    assertRefused(a);
    nowMs += MAX_SILENCE_MS;
    map.report(
        new LstorReport("a", "CID", "n", "host", 1, true, List.of(), Optional.empty()), nowMs);
    retry();
    assertThat(asked).containsExactly("a");
    questions.clear();
    assertThat(questions.isUnreadable("a")).isFalse();
  }
}
