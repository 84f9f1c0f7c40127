/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class GarbageListsTest {
  @Test
  void whatARoundHasTakenCountsUntilTheNextOneHasEnded() {
    GarbageLists lists = new GarbageLists(new Shape(2, 1));
    Tid tid = new Tid(7, 1, 0);
    lists.written(tid, List.of(0, 2));
    assertThat(lists.size()).isEqualTo(2);
    for (int node = 0; node < 3; node++) {
      lists.takeRecent(node);
    }
    assertThat(lists.size()).as("in the middle of a round").isEqualTo(2);
    for (int node = 0; node < 3; node++) {
      lists.retired(node);
    }
    assertThat(lists.size()).isEqualTo(2);
    assertThat(lists.old(0)).containsExactly(tid);
    for (int node = 0; node < 3; node++) {
      lists.takeRecent(node);
      lists.retired(node);
    }
    assertThat(lists.size()).isZero();
  }
}
