/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.ecupdate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ExtentsTest {
  @Test
  void partsThatGoOnInFileAndDeviceAreOne() {
    Extents extents =
        new Extents(List.of(new Extent(8, 108, 8), new Extent(0, 100, 8), new Extent(16, 200, 8)));

    assertThat(extents.parts()).containsExactly(new Extent(0, 100, 16), new Extent(16, 200, 8));
    assertThat(extents.jumps()).isEqualTo(1);
  }

  @Test
  void tellsWhereAByteLies() {
    Extents extents = new Extents(List.of(new Extent(0, 100, 8), new Extent(16, 200, 8)));

    assertThat(extents.place(7)).hasValue(107);
    assertThat(extents.place(8)).isEmpty();
    assertThat(extents.place(17)).hasValue(201);
    assertThat(extents.place(24)).isEmpty();
  }

  @Test
  void aFileWithoutBytesHasNoJumps() {
    assertThat(new Extents(List.of()).jumps()).isZero();
  }

  @Test
  void fragmentsAreJumpsInTheBlockChangesInTheLogAndReservedSpace() {
    Extents two = new Extents(List.of(new Extent(0, 100, 8), new Extent(8, 200, 8)));
    Extents one = new Extents(List.of(new Extent(0, 300, 8)));

    assertThat(Fragments.of(one, 0, Optional.empty())).isZero();
    assertThat(Fragments.of(two, 5, Optional.empty())).isEqualTo(6);
    assertThat(Fragments.of(two, 0, Optional.of(one))).isEqualTo(2);
  }
}
