/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A scan of all blocks that takes 5 s, and fails some times. */
class FailedScansTest {
  private static final long SCAN_MS = 5_000;

  private final List<Long> begunAtMs = new ArrayList<>();
  private long nowMs;
  private int failuresLeft;
  private final FailedScans scans =
      new FailedScans(
          new FailedScans.Scan() {
            @Override
            public boolean hasFailed() {
              return isOver() && failuresLeft > 0;
            }

            @Override
            public boolean isDone() {
              return isOver() && failuresLeft == 0;
            }

            private boolean isOver() {
              return nowMs - begunAtMs.get(begunAtMs.size() - 1) >= SCAN_MS;
            }

            @Override
            public void repeat() {
              assertThat(hasFailed()).isTrue();
              failuresLeft--;
              begunAtMs.add(nowMs);
            }
          });

  /** A round each second. */
  private void run(long lengthMs) {
    for (long endMs = nowMs + lengthMs; nowMs < endMs; nowMs += 1_000) {
      scans.round(nowMs);
    }
  }

  private void begin(int failures) {
    failuresLeft = failures;
    begunAtMs.add(nowMs);
  }

  @Test
  void aScanThatDoesNotFailIsLeftAlone() {
    begin(0);
    run(3_600_000);
    assertThat(begunAtMs).hasSize(1);
    assertThat(scans.problem()).isEmpty();
  }

  @Test
  void oneThatFailsIsRepeatedAfterAMinuteAndNamedUntilOneHasEnded() {
    begin(1);
    run(SCAN_MS + 1_000);
    Problem problem = scans.problem().orElseThrow();
    assertThat(problem.kind()).isEqualTo(Problem.Kind.BLOCK_SCAN_FAILED);
    assertThat(problem.detail()).contains("failures=1");
    run(50_000);
    assertThat(begunAtMs).hasSize(1);
    run(12_000);
    assertThat(begunAtMs).containsExactly(0L, SCAN_MS + FailedScans.FIRST_PAUSE_MS);
    assertThat(scans.problem()).as("it is under way").isPresent();
    run(10_000);
    assertThat(scans.problem()).isEmpty();
    begin(1);
    run(SCAN_MS + FailedScans.FIRST_PAUSE_MS + 2_000);
    assertThat(begunAtMs).as("the first pause again").hasSize(4);
  }

  @Test
  void pausesGrowToAnHour() {
    begin(1_000);
    run(24 * 3_600_000L);
    List<Long> pausesMs = new ArrayList<>();
    for (int i = 1; i < begunAtMs.size(); i++) {
      pausesMs.add(begunAtMs.get(i) - begunAtMs.get(i - 1) - SCAN_MS);
    }
    assertThat(pausesMs).isSorted().startsWith(60_000L, 120_000L, 240_000L);
    assertThat(pausesMs.get(pausesMs.size() - 1)).isEqualTo(FailedScans.LAST_PAUSE_MS);
    assertThat(pausesMs).hasSizeBetween(20, 30);
  }

  @Test
  void aStandbyForgetsAll() {
    begin(1_000);
    run(3_600_000);
    scans.clear();
    assertThat(scans.problem()).isEmpty();
    begin(1);
    run(SCAN_MS + FailedScans.FIRST_PAUSE_MS + 10_000);
    assertThat(scans.problem()).isEmpty();
  }
}
