/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class KnownEpochsTest {
  private final KnownEpochs epochs = new KnownEpochs();

  @Test
  void theHighestEpochOfEachSuperchunkIsKept() {
    epochs.passed(Map.of(7L, 3L));
    epochs.passed(Map.of(7L, 2L, 8L, 5L));
    assertThat(epochs.pastOf(7)).isEqualTo(3);
    assertThat(epochs.pastOf(8)).isEqualTo(5);
    assertThat(epochs.pastOf(9)).isZero();
  }

  /** A node that lies names other superchunks in each report. */
  @Test
  void oneEpochStandsForTooMany() {
    epochs.passed(Map.of(1L, 900L));
    for (long id = 2; id <= KnownEpochs.MAX_PAST + 1; id++) {
      epochs.passed(Map.of(id, 3L));
    }
    assertThat(epochs.pastOf(1)).isEqualTo(900);
    assertThat(epochs.pastOf(5)).as("high enough for each").isEqualTo(900);
    epochs.passed(Map.of(5L, 1_000L));
    assertThat(epochs.pastOf(5)).isEqualTo(1_000);
    assertThat(epochs.pastOf(6)).isEqualTo(900);
  }
}
