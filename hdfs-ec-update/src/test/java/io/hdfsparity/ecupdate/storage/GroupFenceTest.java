/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.ecupdate.storage.GroupFence.Hold;
import io.hdfsparity.ecupdate.storage.GroupFence.Kind;
import io.hdfsparity.ecupdate.storage.GroupFence.Options;
import io.hdfsparity.ecupdate.storage.GroupFence.State;
import org.junit.jupiter.api.Test;

class GroupFenceTest {
  private static final long G = 100;
  private static final long LONGEST = 1000;

  /** Nobody can have been there before. */
  private final GroupFence fence = new GroupFence(new Options(G, LONGEST), -LONGEST);

  @Test
  void opensWhenQuietForG() {
    assertThat(fence.state(99)).isEqualTo(State.SETTLING);
    assertThat(fence.state(100)).isEqualTo(State.OPEN);
    assertThat(fence.tryEnter(1, 100)).isTrue();
    assertThat(fence.state(500)).isEqualTo(State.WRITING);
    assertThat(fence.tryReconstruct(500)).isEmpty();
    fence.leave(1, 500);
    assertThat(fence.state(599)).isEqualTo(State.SETTLING);
    assertThat(fence.tryPinParity(599)).isEmpty();
    assertThat(fence.tryPinParity(600)).isPresent();
  }

  @Test
  void writersWaitForParityPinsAndForDataThatIsOpenedAfterThem() {
    Hold parity = fence.tryPinParity(100).orElseThrow();
    assertThat(fence.tryEnter(1, 101)).isFalse();
    fence.release(parity, 110);
    assertThat(fence.tryEnter(1, 209)).as("a decoder may be about to open data").isFalse();
    assertThat(fence.tryEnter(1, 210)).isTrue();
  }

  @Test
  void writersWaitForReconstructions() {
    Hold reconstruction = fence.tryReconstruct(100).orElseThrow();
    Hold other = fence.tryReconstruct(100).orElseThrow();
    assertThat(fence.tryPinParity(150)).as("its own readers").isPresent();
    fence.release(fence.holds().get(2), 150);
    assertThat(fence.tryEnter(1, 900)).isFalse();
    fence.release(reconstruction, 900);
    assertThat(fence.tryEnter(1, 1000)).isFalse();
    fence.release(other, 1000);
    assertThat(fence.tryEnter(1, 1099)).isFalse();
    assertThat(fence.tryEnter(1, 1100)).isTrue();
  }

  @Test
  void anOlderDataSnapshotKeepsParityShut() {
    Hold before = fence.pinData(0);
    assertThat(fence.tryEnter(1, 100)).isTrue();
    Hold during = fence.pinData(105);
    fence.leave(1, 110);
    Hold after = fence.pinData(120);
    assertThat(fence.state(900)).isEqualTo(State.SETTLING);
    fence.release(before, 900);
    assertThat(fence.tryReconstruct(900)).isEmpty();
    fence.release(during, 900);
    assertThat(fence.state(999)).isEqualTo(State.SETTLING); // the reader has old bytes still
    assertThat(fence.state(1000)).isEqualTo(State.OPEN);
    fence.release(after, 1100);
    assertThat(fence.state(1100)).isEqualTo(State.OPEN);
  }

  @Test
  void whoWasThereBeforeIsWaitedFor() {
    GroupFence restarted = new GroupFence(new Options(G, LONGEST), 5000);
    assertThat(restarted.pinData(5000).kind()).isEqualTo(Kind.DATA);
    long last = 5000 + LONGEST + G;
    assertThat(restarted.tryEnter(1, last - 1)).isFalse();
    assertThat(restarted.tryPinParity(last - 1)).isEmpty();
    assertThat(restarted.tryReconstruct(last - 1)).isEmpty();
    assertThat(restarted.tryPinParity(last)).isPresent();
    GroupFence unused = new GroupFence(new Options(G, LONGEST), 5000);
    assertThat(unused.tryEnter(1, last)).isTrue();
  }

  @Test
  void namesHoldsThatLastTooLong() {
    Hold data = fence.pinData(100);
    Hold parity = fence.tryPinParity(101).orElseThrow();
    assertThat(fence.overdue(1099)).isEmpty();
    assertThat(fence.overdue(1100)).containsExactly(data);
    assertThat(fence.overdue(1101)).containsExactly(data, parity);
    fence.release(data, 1101);
    assertThat(fence.overdue(1101)).containsExactly(parity);
  }

  @Test
  void refusesWhatNobodyHolds() {
    assertThatThrownBy(() -> fence.leave(7, 1)).hasMessageContaining("writer=7");
    assertThatThrownBy(() -> fence.release(new Hold(Kind.PARITY, 0, 0, 0), 0))
        .hasMessageContaining("hold=");
    Hold data = fence.pinData(0);
    fence.release(data, 1);
    assertThatThrownBy(() -> fence.release(data, 1)).hasMessageContaining("one that is held");
    assertThat(fence.tryEnter(7, 100)).isTrue();
    assertThatThrownBy(() -> fence.tryEnter(7, 100)).hasMessageContaining("writer=7");
    assertThatThrownBy(() -> new Options(-1, 0)).hasMessageContaining("quietMs=-1");
    assertThatThrownBy(() -> new Options(0, -1)).hasMessageContaining("maxHoldMs=-1");
  }

  /**
   * The twin is what it is for: decoders that open two data units and one parity unit in any order,
   * and never get two versions together.
   */
  @Test
  void noDecoderMixesVersions() {
    SeededRuns.of(1000).check(random -> new FenceModel(random, G, LONGEST).run(400));
  }
}
