/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class RoomTest {
  private static final long GIB = 1L << 30;

  private static Room room(boolean lstorsInMemory, long diskFree, OptionalLong memoryFree) {
    return new Room(13, 2 * GIB, GIB, lstorsInMemory, diskFree, memoryFree, "/somewhere");
  }

  @Test
  void lstorsNeedMemoryOrSpaceButNotBoth() {
    Room inMemory = room(true, 0, OptionalLong.empty());
    Room onDisk = room(false, 0, OptionalLong.empty());
    assertThat(onDisk.diskNeededBytes() - inMemory.diskNeededBytes()).isEqualTo(GIB);
    assertThat(inMemory.memoryNeededBytes() - onDisk.memoryNeededBytes()).isEqualTo(GIB);
  }

  @Test
  void exactlyEnoughIsEnoughAndOneByteLessIsNot() {
    Room room = room(true, 0, OptionalLong.empty());
    long disk = room.diskNeededBytes();
    long memory = room.memoryNeededBytes();
    assertThatCode(() -> room(true, disk, OptionalLong.of(memory)).require())
        .doesNotThrowAnyException();
    assertThatCode(() -> room(true, disk, OptionalLong.empty()).require())
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> room(true, disk - 1, OptionalLong.of(memory)).require())
        .hasMessageContaining("Not enough space")
        .hasMessageContaining("folder=/somewhere")
        .hasMessageContaining("--cluster-dir");
    assertThatThrownBy(() -> room(true, disk, OptionalLong.of(memory - 1)).require())
        .hasMessageContaining("Not enough memory")
        .hasMessageContaining("Lstors in memory 1.0 GB");
  }
}
