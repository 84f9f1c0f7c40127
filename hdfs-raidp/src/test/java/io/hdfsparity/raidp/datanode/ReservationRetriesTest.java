/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.raidp.datanode.ReservationRetries.Obstacle;
import java.io.EOFException;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReservationRetriesTest {
  @ParameterizedTest
  @CsvSource({"NO_SPACE, 1", "UNITS_HELD, 2", "NEW_PARTNER, 2"})
  void theFailureIsThrownWhenItsObstacleWasMetTooOften(Obstacle obstacle, int maxRetries)
      throws IOException {
    ReservationRetries retries = new ReservationRetries();
    for (int i = 0; i < maxRetries; i++) {
      retries.count(obstacle, new IOException("retry"));
    }
    IOException last = new EOFException("last");
    assertThatThrownBy(() -> retries.count(obstacle, last)).isSameAs(last);
  }

  @Test
  void obstaclesAreCountedApart() throws IOException {
    ReservationRetries retries = new ReservationRetries();
    for (Obstacle each : Obstacle.values()) {
      retries.count(each, new IOException("retry"));
    }
  }
}
