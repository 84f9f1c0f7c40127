/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static io.hdfsparity.raidp.namenode.Reports.FREE_UNITS;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.raidp.config.Coefficients;
import io.hdfsparity.raidp.config.ManagerOptions;
import io.hdfsparity.raidp.wire.message.FrameReport;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The room for protected blocks, by reports; each frame has {@link Reports#FREE_UNITS} units. */
class ProtectedRoomTest {
  private static final long DEAD_MS = 100;

  private final SuperchunkMap map =
      new SuperchunkMap(new ManagerOptions.Silence(10, DEAD_MS), Coefficients.THREE, 0);

  private static FrameReport side(String storage, String partner, String node, int free) {
    return new FrameReport(
        storage,
        0,
        Optional.of(new Pairing(7, 1, partner, node, 1)),
        new FrameReport.Load(free, 0, 1, 0, 0),
        false);
  }

  private void pairWithFree(int first, int second) {
    map.report(Reports.node("n1", side("a", "b", "n2", first), Reports.spare("spare", 1)), 0);
    map.report(Reports.node("n2", side("b", "a", "n1", second)), 0);
  }

  private ProtectedRoom room() {
    return ProtectedRoom.of(map.view());
  }

  @Test
  void framesWithoutSuperchunkAreNoRoom() {
    pairWithFree(60, 50);
    assertThat(room()).isEqualTo(new ProtectedRoom(2 * FREE_UNITS, 110));
    assertThat(room().warning()).isEmpty();
  }

  @Test
  void lessThanATenthIsLow() {
    pairWithFree(10, 10);
    assertThat(room().warning()).isEmpty();
    pairWithFree(10, 9);
    assertThat(room().warning()).isEqualTo("19 of 200 units free");
  }

  @Test
  void nodesThatDoNotReportHaveNone() {
    pairWithFree(60, 50);
    map.report(Reports.node("n2", side("b", "a", "n1", 50)), DEAD_MS + 1);
    map.advance(DEAD_MS + 1);
    assertThat(room()).isEqualTo(new ProtectedRoom(FREE_UNITS, 50));
  }

  @Test
  void aClusterWithoutSuperchunksIsNotFull() {
    map.report(Reports.node("n1", Reports.spare("spare", 0)), 0);
    assertThat(room()).isEqualTo(new ProtectedRoom(0, 0));
    assertThat(room().warning()).isEmpty();
  }
}
