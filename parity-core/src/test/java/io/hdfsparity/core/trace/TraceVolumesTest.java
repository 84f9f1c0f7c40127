/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TraceVolumesTest {
  private static String line(String host, String disk) {
    return "5," + host + "," + disk + ",Write,0,1,0";
  }

  @Test
  void disksOfHostsAreVolumes() {
    TraceVolumes volumes = new TraceVolumes();
    for (String disk : new String[] {"0", "0", "1", " 0 ", "1"}) {
      assertThat(volumes.takes(line("hm", disk))).isTrue();
    }
    assertThat(volumes.takes(line("web", "1"))).isTrue();
    assertThat(volumes.takes(line("", ""))).isTrue();
    assertThat(volumes.taken())
        .extracting(TraceVolume::toString)
        .containsExactly("hm disk 0", "hm disk 1", "web disk 1", " disk ");
    assertThat(volumes.others()).isEmpty();
    assertThat(volumes.otherRequests()).isZero();
  }

  /** Clients of one file note the same inode, each under its own host. */
  @Test
  void aFileIsOneVolumeWhicheverHostsUpdatedIt() {
    TraceVolumes volumes = new TraceVolumes();
    volumes.takes(line("hone", "16400"));
    volumes.takes(line("htwo", "16400"));
    assertThat(volumes.taken()).containsExactly(new TraceVolume("", "16400"));
    assertThat(volumes.taken().iterator().next().inodeId()).hasValue(16400);
    assertThat(volumes.taken().iterator().next()).hasToString("inode 16400");
    assertThat(new TraceVolume("h", "16385").inodeId()).isEmpty();
    assertThat(new TraceVolume("h", "9".repeat(19)).inodeId()).isEmpty();
  }

  @Test
  void aDiskNumberChooses() {
    TraceVolumes volumes = new TraceVolumes(OptionalLong.of(1));
    assertThat(volumes.takes(line("hm", "0"))).isFalse();
    assertThat(volumes.takes(line("hm", "0"))).isFalse();
    assertThat(volumes.takes(line("hm", "1"))).isTrue();
    assertThat(volumes.takes(line("web", "x"))).isFalse();
    assertThat(volumes.taken()).containsExactly(new TraceVolume("hm", "1"));
    assertThat(TraceVolumes.shown(volumes.others())).isEqualTo("[hm disk 0, web disk x]");
    assertThat(volumes.otherRequests()).isEqualTo(3);
  }

  @Test
  void manyAreBounded() {
    TraceVolumes volumes = new TraceVolumes();
    for (int disk = 0; disk < TraceVolumes.MOST + 5; disk++) {
      assertThat(volumes.takes(line("h" + disk, "0"))).isTrue();
    }
    assertThat(volumes.taken()).hasSize(TraceVolumes.MOST);
    assertThat(TraceVolumes.shown(Set.of(1, 2, 3, 4, 5, 6))).endsWith(", ...]");
  }
}
