/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.ecupdate.ajx.Bounds.Failures;
import org.junit.jupiter.api.Test;

class BoundsTest {
  private static String resiliency(int k, int n) {
    Shape shape = new Shape(k, n - k);
    StringBuilder text = new StringBuilder();
    for (int clients = 1; clients >= 0; clients--) {
      int nodes = Bounds.parallelStorageFailures(shape, clients);
      text.append(text.isEmpty() ? "" : ", ").append(new Failures(clients, nodes));
    }
    return text.toString();
  }

  @Test
  void figure8aSaysTheSame() {
    assertThat(resiliency(2, 4)).isEqualTo("1c1s, 0c2s");
    assertThat(resiliency(3, 5)).isEqualTo("1c1s, 0c2s");
    assertThat(resiliency(3, 6)).isEqualTo("1c1s, 0c3s");
    assertThat(resiliency(4, 6)).isEqualTo("1c1s, 0c2s");
    assertThat(resiliency(4, 7)).isEqualTo("1c1s, 0c3s");
    assertThat(resiliency(5, 7)).isEqualTo("1c1s, 0c2s");
  }

  @Test
  void theoremsByHand() {
    Shape wide = new Shape(16, 16);
    assertThat(Bounds.serialStorageFailures(wide, 0)).isEqualTo(16);
    assertThat(Bounds.serialStorageFailures(wide, 1)).isEqualTo(8); // 8 - 1/2
    assertThat(Bounds.serialStorageFailures(wide, 2)).isEqualTo(5); // 16/3 - 1
    assertThat(Bounds.serialStorageFailures(wide, 3)).isEqualTo(3); // 4 - 3/2
    assertThat(Bounds.parallelStorageFailures(wide, 1)).isEqualTo(8); // 8 - 1/2
    assertThat(Bounds.parallelStorageFailures(wide, 2)).isEqualTo(3); // 4 - 1
    assertThat(Bounds.parallelStorageFailures(wide, 3)).isEqualTo(1); // 2 - 3/2
    assertThat(Bounds.parallelStorageFailures(wide, 60)).isZero();
    // Theorem 3: groups of 4 and of 6 against d_SERIAL = 5.
    assertThat(Bounds.hybridStorageFailures(wide, 2, 4)).isEqualTo(5);
    assertThat(Bounds.hybridStorageFailures(wide, 2, 3)).isZero();
  }

  /** Corollary 1 is Theorems 1 and 2 solved for n - k: the least number that is enough. */
  @Test
  void corollary1IsTheLeastParityThatIsEnough() {
    for (int clients = 0; clients <= 3; clients++) {
      for (int nodes = 1; nodes <= 3; nodes++) {
        Failures failures = new Failures(clients, nodes);
        int serial = (int) Bounds.serialParityNeeded(failures);
        int parallel = (int) Bounds.parallelParityNeeded(failures);
        assertThat(serial).isEqualTo(least(AddMode.SERIAL, failures));
        assertThat(parallel).isEqualTo(least(AddMode.PARALLEL, failures));
      }
    }
    assertThat(Bounds.serialParityNeeded(new Failures(1, 1))).isEqualTo(2);
    assertThat(Bounds.parallelParityNeeded(new Failures(2, 1))).isEqualTo(5);
    assertThat(Bounds.serialParityNeeded(new Failures(2, 1))).isEqualTo(4);
    assertThat(Bounds.serialParityNeeded(new Failures(9, 0))).isZero();
  }

  private static int least(AddMode mode, Failures failures) {
    for (int parity = 1; ; parity++) {
      if (Bounds.permits(mode, new Shape(64, parity), 1, 1, failures)) {
        return parity;
      }
    }
  }

  @Test
  void latencies() {
    Shape shape = new Shape(6, 3);
    assertThat(Bounds.writeRoundTrips(AddMode.PARALLEL, shape, 1)).isEqualTo(2);
    assertThat(Bounds.writeRoundTrips(AddMode.BROADCAST, shape, 1)).isEqualTo(2);
    assertThat(Bounds.writeRoundTrips(AddMode.SERIAL, shape, 1)).isEqualTo(4);
    assertThat(Bounds.writeRoundTrips(AddMode.HYBRID, shape, 2)).isEqualTo(3);
  }

  @Test
  void severalCellsAtOnceCountAsSeveralClients() {
    Shape rs32 = new Shape(3, 2);
    Failures demanded = new Failures(1, 1);
    assertThat(Bounds.permits(AddMode.PARALLEL, rs32, 1, 1, demanded)).isTrue();
    assertThat(Bounds.permits(AddMode.PARALLEL, rs32, 1, 2, demanded)).isFalse();
    assertThat(Bounds.permits(AddMode.PARALLEL, rs32, 1, 3, new Failures(0, 2))).isTrue();
    assertThatThrownBy(() -> Bounds.require(AddMode.PARALLEL, rs32, 1, 2, demanded))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("demanded=1c1s")
        .hasMessageContaining("cellsAtOnce=2")
        .hasMessageContaining("at most 0 lost storage nodes");
  }

  @Test
  void shapesAreThoseOfThePaper() {
    assertThatThrownBy(() -> new Shape(1, 1)).hasMessageContaining("dataBlocks=1");
    assertThatThrownBy(() -> new Shape(2, 3)).hasMessageContaining("parityBlocks=3");
    assertThatThrownBy(() -> Bounds.groupSize(new Shape(3, 2), 3)).hasMessageContaining("groups=3");
  }
}
