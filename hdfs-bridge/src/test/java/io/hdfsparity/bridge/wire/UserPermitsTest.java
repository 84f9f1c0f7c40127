/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class UserPermitsTest {
  private static final Optional<String> ALICE = Optional.of("alice");
  private static final Optional<String> BOB = Optional.of("bob");

  @Test
  void oneUserHoldsHisShare() {
    UserPermits permits = new UserPermits(4, 2);
    assertThat(permits.tryAcquire(ALICE)).isTrue();
    assertThat(permits.tryAcquire(ALICE)).isTrue();
    assertThat(permits.tryAcquire(ALICE)).isFalse();
    assertThat(permits.tryAcquire(BOB)).isTrue();
    permits.release(ALICE);
    assertThat(permits.tryAcquire(ALICE)).isTrue();
    assertThat(permits.tryAcquire(ALICE)).isFalse();
    assertThat(permits.tryAcquire(BOB)).isTrue();
    assertThat(permits.tryAcquire(Optional.of("carol"))).as("all are taken").isFalse();
    permits.release(BOB);
    assertThat(permits.tryAcquire(Optional.of("carol"))).isTrue();
  }

  @Test
  void whereThereIsOnePermitAnybodyCanHoldIt() {
    UserPermits permits = new UserPermits(1, 1);
    assertThat(permits.tryAcquire(ALICE)).isTrue();
    assertThat(permits.tryAcquire(BOB)).isFalse();
    permits.release(ALICE);
    assertThat(permits.tryAcquire(BOB)).isTrue();
  }

  @Test
  void usersThatAreNotKnownShareAll() {
    UserPermits permits = new UserPermits(4, 2);
    for (int i = 0; i < 4; i++) {
      assertThat(permits.tryAcquire(Optional.empty())).isTrue();
    }
    assertThat(permits.tryAcquire(Optional.empty())).isFalse();
    permits.release(Optional.empty());
    assertThat(permits.tryAcquire(Optional.empty())).isTrue();
  }
}
