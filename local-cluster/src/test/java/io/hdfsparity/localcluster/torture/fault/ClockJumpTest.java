/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.localcluster.Daemon;
import io.hdfsparity.localcluster.DaemonRole;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ClockJumpTest {
  private static final List<Daemon> DAEMONS =
      List.of(
          new Daemon(DaemonRole.PAIRED_NAMENODE, 1),
          new Daemon(DaemonRole.JOURNALNODE, 0),
          new Daemon(DaemonRole.DATANODE, 2),
          new Daemon(DaemonRole.LSTOR, 2));

  private static List<ClockJump> drawn(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return Stream.generate(() -> ClockJump.draw(DAEMONS, random)).limit(200).toList();
  }

  @Test
  void jumpsFollowFromTheSeed() {
    assertThat(drawn(1)).isEqualTo(drawn(1)).isNotEqualTo(drawn(2));
  }

  @Test
  void clocksOfNameNodesDataNodesAndLstorsJumpBothWays() {
    assertThat(drawn(3))
        .extracting(jump -> jump.daemon().name())
        .containsOnly("nn1", "dn2", "lstor2");
    assertThat(drawn(3))
        .allMatch(jump -> jump.seconds() != 0 && Math.abs(jump.seconds()) <= 600)
        .anyMatch(jump -> jump.seconds() > 300)
        .anyMatch(jump -> jump.seconds() < -300);
    assertThat(new ClockJump(DAEMONS.get(2), 7).describe()).isEqualTo("of dn2 by +7 s");
  }
}
