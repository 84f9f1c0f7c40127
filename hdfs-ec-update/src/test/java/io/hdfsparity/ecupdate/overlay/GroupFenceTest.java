/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.overlay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.ecupdate.overlay.GroupFence.DataPin;
import io.hdfsparity.ecupdate.overlay.GroupFence.State;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class GroupFenceTest {
  private static final long G = 100;

  private final GroupFence fence = new GroupFence(G, 0);

  @Test
  void opensWhenQuietForG() {
    assertThat(fence.state(99)).isEqualTo(State.SETTLING); // nobody knows who wrote before 0
    assertThat(fence.state(100)).isEqualTo(State.OPEN);
    assertThat(fence.tryEnter(1, 100)).isTrue();
    assertThat(fence.state(500)).isEqualTo(State.WRITING);
    assertThat(fence.mayReconstruct(500)).isFalse();
    fence.leave(1, 500);
    assertThat(fence.state(599)).isEqualTo(State.SETTLING);
    assertThat(fence.tryPinParity(599)).isFalse();
    assertThat(fence.tryPinParity(600)).isTrue();
  }

  @Test
  void writersWaitForParityPins() {
    assertThat(fence.tryPinParity(100)).isTrue();
    assertThat(fence.tryEnter(1, 101)).isFalse();
    fence.unpinParity();
    assertThat(fence.tryEnter(1, 102)).isTrue();
  }

  @Test
  void anOlderDataSnapshotKeepsParityShut() {
    DataPin before = fence.pinData();
    assertThat(fence.tryEnter(1, 100)).isTrue();
    DataPin during = fence.pinData();
    fence.leave(1, 110);
    DataPin after = fence.pinData();
    assertThat(fence.state(1000)).isEqualTo(State.SETTLING);
    fence.unpinData(before, 1000);
    assertThat(fence.mayReconstruct(1000)).isFalse();
    fence.unpinData(during, 1000);
    assertThat(fence.state(1099)).isEqualTo(State.SETTLING); // the reader has old bytes still
    assertThat(fence.state(1100)).isEqualTo(State.OPEN);
    fence.unpinData(after, 1100);
    assertThat(fence.state(1100)).isEqualTo(State.OPEN);
  }

  @Test
  void refusesWhatNobodyHolds() {
    assertThatThrownBy(fence::unpinParity).hasMessageContaining("parityPins=0");
    assertThatThrownBy(() -> fence.leave(7, 1)).hasMessageContaining("writer=7");
    assertThatThrownBy(() -> fence.unpinData(new DataPin(3), 0)).hasMessageContaining("pin=");
    assertThat(fence.tryEnter(7, 1)).isTrue();
    assertThatThrownBy(() -> fence.tryEnter(7, 1)).hasMessageContaining("writer=7");
  }

  /**
   * The twin is what it is for: a reader that pins data units at some version and then parity may
   * never hold two versions. Readers take no longer than G between closing a data unit and parity.
   */
  @Test
  void noDecoderMixesVersions() {
    SeededRuns.of(500)
        .check(
            random -> {
              GroupFence group = new GroupFence(G, 0);
              long now = 0;
              long version = 0;
              long writers = 0;
              long parityOpen = 0;
              Deque<DataPin> pins = new ArrayDeque<>();
              Deque<Long> pinVersions = new ArrayDeque<>();
              List<long[]> closed = new ArrayList<>();
              for (int step = 0; step < 200; step++) {
                now += random.nextInt(40);
                switch (random.nextInt(6)) {
                  case 0 -> {
                    if (writers == 0 && group.tryEnter(1, now)) {
                      assertThat(parityOpen).isZero();
                      writers = 1;
                      version++; // the first half of the write
                    }
                  }
                  case 1 -> {
                    if (writers == 1) {
                      version++; // the second half
                      group.leave(1, now);
                      writers = 0;
                    }
                  }
                  case 2 -> {
                    pins.add(group.pinData());
                    pinVersions.add(version);
                  }
                  case 3 -> {
                    if (!pins.isEmpty()) {
                      group.unpinData(pins.remove(), now);
                      closed.add(new long[] {now, pinVersions.remove()});
                    }
                  }
                  case 4 -> {
                    if (group.tryPinParity(now)) {
                      parityOpen++;
                      assertThat(writers).isZero();
                      assertThat(pinVersions).containsOnly(onlyIfAny(pinVersions, version));
                      for (long[] unit : closed) {
                        if (now - unit[0] < G) {
                          assertThat(unit[1]).isEqualTo(version);
                        }
                      }
                    }
                  }
                  default -> {
                    if (parityOpen > 0) {
                      group.unpinParity();
                      parityOpen--;
                    }
                  }
                }
              }
            });
  }

  private static Long[] onlyIfAny(Deque<Long> pins, long version) {
    return pins.isEmpty() ? new Long[0] : new Long[] {version};
  }
}
