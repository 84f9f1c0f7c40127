/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Lstors on devices that fail with disks. */
class LstorDevicesTest {
  private static LstorDevices lstor(String name, int disk, int device) {
    return new LstorDevices(name, disk, device);
  }

  @Test
  void devicesOfTheirOwnAreFine() {
    List<LstorDevices> all = List.of(lstor("a", 1, 8), lstor("b", 2, 8), lstor("c", 3, 9));
    assertThat(LstorDevices.onOwnDisk(all)).isEmpty();
    assertThat(LstorDevices.onOtherDisk(all)).isEmpty();
    assertThat(LstorDevices.onEachOther(all)).isEmpty();
  }

  @Test
  void oneOnItsOwnDiskIsNoOther() {
    List<LstorDevices> all = List.of(lstor("a", 1, 1), lstor("b", 1, 1));
    assertThat(LstorDevices.onOwnDisk(all)).containsExactly("a", "b");
    assertThat(LstorDevices.onOtherDisk(all)).isEmpty();
    assertThat(LstorDevices.onEachOther(all)).isEmpty();
  }

  @Test
  void aCircleOfThreeHasNoPair() {
    List<LstorDevices> all = List.of(lstor("a", 1, 2), lstor("b", 2, 3), lstor("c", 3, 1));
    assertThat(LstorDevices.onOtherDisk(all)).containsExactly("a", "b", "c");
    assertThat(LstorDevices.onEachOther(all)).isEmpty();
  }

  @Test
  void twoThatHoldEachOtherAreNamedTogether() {
    List<LstorDevices> all = List.of(lstor("a", 1, 2), lstor("x", 3, 9), lstor("b", 2, 1));
    assertThat(LstorDevices.onOtherDisk(all)).containsExactly("a", "b");
    assertThat(LstorDevices.onEachOther(all)).containsExactly("a+b");
  }
}
