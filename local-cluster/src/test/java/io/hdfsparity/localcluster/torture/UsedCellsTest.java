/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class UsedCellsTest {
  @Test
  void eachOffsetOfAFullGroupIsUsedInAllUnits() {
    assertThat(UsedCells.of(12, 3, 4)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    assertThat(UsedCells.of(30, 3, 10)).containsExactly(0, 3, 6, 9, 10, 13, 16, 19, 20, 23, 26, 29);
  }

  @Test
  void theLastCellOfAShortGroupIsUsed() {
    List<Integer> used = UsedCells.of(1_600, 3, 256);
    assertThat(used).startsWith(0, 85, 170, 255, 256, 341).endsWith(1_535, 1_536, 1_599);
    assertThat(used).doesNotHaveDuplicates().isSorted();
  }
}
