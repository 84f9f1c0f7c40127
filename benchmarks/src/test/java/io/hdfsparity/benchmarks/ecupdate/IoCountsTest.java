/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.ecupdate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class IoCountsTest {
  @Test
  void countsCallsBytesAndJumps() {
    List<Io> accesses =
        List.of(
            new Io('W', 0, 10, "log"),
            new Io('F', 0, 0, "log"),
            new Io('W', 10, 10, "log"),
            new Io('R', 5, 4, "block"),
            new Io('W', 20, 1, "log"));

    IoCounts counts = IoCounts.ofDisk(accesses, new Disk.Served(1.5, 4, 3));

    assertThat(counts.reads()).isEqualTo(1);
    assertThat(counts.writes()).isEqualTo(3);
    assertThat(counts.forces()).isEqualTo(1);
    assertThat(counts.readBytes()).isEqualTo(4);
    assertThat(counts.writtenBytes()).isEqualTo(21);
    // The first, the one in the block, and the one back in the log; a force is none.
    assertThat(counts.jumps()).isEqualTo(3);
    assertThat(counts.figures(2)).containsEntry("jumps/op", 1.5).containsEntry("MODEL disk s", 1.5);
  }

  @Test
  void readsLinesOfATrace() {
    assertThat(Io.parse("17 W 4096 512 /a b/update.log"))
        .isEqualTo(new Io('W', 4096, 512, "/a b/update.log"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Io.parse("17 W 4096"))
        .withMessageContaining("17 W 4096");
  }
}
