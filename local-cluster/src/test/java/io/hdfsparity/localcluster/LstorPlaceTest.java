/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class LstorPlaceTest {
  /** Two clusters that start at one moment see the same free memory, and filled it together. */
  @Test
  void largeLstorsLieOnDiskHoweverMuchMemoryIsFree() throws IOException {
    assertThat(LstorPlace.roomInMemory(LstorPlace.MAX_IN_MEMORY_BYTES + 1)).isFalse();
  }
}
