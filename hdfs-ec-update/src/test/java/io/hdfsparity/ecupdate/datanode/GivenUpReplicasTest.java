/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class GivenUpReplicasTest {
  private final GivenUpReplicas givenUp = new GivenUpReplicas(Runnable::run);

  @Test
  void whatIsStillBeingExecutedIsNotListed() throws Exception {
    AtomicBoolean isQuiet = new AtomicBoolean();
    AtomicInteger asked = new AtomicInteger();
    AtomicInteger notified = new AtomicInteger();
    givenUp.giveUp(
        -1,
        () -> {
          asked.incrementAndGet();
          return isQuiet.get();
        },
        notified::incrementAndGet);
    givenUp.giveUp(-2, () -> true, () -> {});
    givenUp.requireServed(-3);
    for (long each : new long[] {-1, -2}) {
      assertThatThrownBy(() -> givenUp.requireServed(each))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("block=" + each);
    }
    assertThat(givenUp.quiet()).containsExactly(-2L);
    assertThat(notified).hasValue(0);
    isQuiet.set(true);
    assertThat(givenUp.quiet()).containsExactlyInAnyOrder(-1L, -2L);
    isQuiet.set(false);
    assertThat(givenUp.quiet()).as("nothing begins again").containsExactlyInAnyOrder(-1L, -2L);
    assertThat(asked).hasValue(2);
    assertThat(notified).hasValue(1);
  }

  @Test
  void aReportHasABound() throws Exception {
    for (int i = 1; i <= GivenUpReplicas.MAX_REPLICAS + 1; i++) {
      givenUp.giveUp(-i, () -> true, () -> {});
    }
    assertThat(givenUp.quiet()).hasSize(GivenUpReplicas.MAX_REPLICAS);
    givenUp.requireServed(-GivenUpReplicas.MAX_REPLICAS - 1); // as before there was a list
    givenUp.giveUp(-1, () -> false, () -> {});
    assertThat(givenUp.quiet()).contains(-1L);
  }
}
