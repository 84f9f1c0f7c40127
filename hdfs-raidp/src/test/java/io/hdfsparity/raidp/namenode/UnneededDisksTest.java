/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.namenode.DegradedBlocks.Lacking;
import io.hdfsparity.raidp.config.Coefficients;
import io.hdfsparity.raidp.config.ManagerOptions;
import io.hdfsparity.raidp.wire.message.DiskState;
import io.hdfsparity.raidp.wire.message.FrameReport;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Superchunk 5 was on a and b, superchunk 6 on a and c. The disk of a has failed. */
class UnneededDisksTest {
  private final SuperchunkMap map =
      new SuperchunkMap(new ManagerOptions.Silence(10_000, 20_000), Coefficients.THREE, 0);
  private final Set<Long> moving = new HashSet<>();
  private final Set<Long> lacking = new HashSet<>();
  private boolean areAllKnown = true;
  private boolean isSettled = true;
  private long withoutReplica;
  private final UnneededDisks disks =
      new UnneededDisks(
          moving::contains,
          () -> new Lacking(lacking, areAllKnown, 0),
          () -> withoutReplica,
          () -> isSettled);

  private static FrameReport side(
      String storageId, int index, long superchunk, long epoch, String partner) {
    return Reports.frame(
        storageId, index, new Pairing(superchunk, epoch, partner, "n" + partner, 1));
  }

  private void aFails() {
    map.report(
        Reports.node("na", DiskState.DISK_FAILED, side("a", 0, 5, 1, "b"), side("a", 1, 6, 1, "c")),
        0);
    map.report(Reports.node("nb", side("b", 0, 5, 1, "a")), 0);
    map.report(Reports.node("nc", side("c", 0, 6, 1, "a")), 0);
  }

  private void recovered() {
    map.report(Reports.node("nb", side("b", 0, 5, 2, "d")), 0);
    map.report(Reports.node("nc", side("c", 0, 6, 2, "d")), 0);
    map.report(Reports.node("nd", side("d", 0, 5, 2, "b"), side("d", 1, 6, 2, "c")), 0);
  }

  private List<String> unneeded() {
    return disks.of(map.view(), "na");
  }

  @Test
  void aFailedDiskIsNeededUntilItsLastSuperchunkHasTwoOtherSides() {
    aFails();
    assertThat(unneeded()).isEmpty();
    map.report(Reports.node("nb", side("b", 0, 5, 2, "d")), 0);
    map.report(Reports.node("nd", side("d", 0, 5, 2, "b")), 0);
    assertThat(unneeded()).as("superchunk 6 has one side").isEmpty();
    recovered();
    assertThat(unneeded()).containsExactly("na-d");
    assertThat(disks.of(map.view(), "nb")).as("it works").isEmpty();
    assertThat(disks.of(map.view(), "unknown")).isEmpty();
  }

  @Test
  void itIsNeededWhileBlocksLackReplicas() {
    aFails();
    recovered();
    moving.add(6L);
    assertThat(unneeded()).isEmpty();
    moving.clear();
    lacking.add(5L);
    assertThat(unneeded()).isEmpty();
    lacking.clear();
    withoutReplica = 1;
    assertThat(unneeded()).as("its Lstor may be the last to decode that block").isEmpty();
    withoutReplica = 0;
    assertThat(unneeded()).containsExactly("na-d");
  }

  @Test
  void itIsNeededWhileBlocksMayLackReplicasThatNobodyHasCounted() {
    aFails();
    recovered();
    areAllKnown = false;
    assertThat(unneeded()).isEmpty();
    areAllKnown = true;
    isSettled = false;
    assertThat(unneeded()).isEmpty();
    isSettled = true;
    assertThat(unneeded()).containsExactly("na-d");
  }

  @Test
  void itIsNeededAgainWhenTheOtherSidesFail() {
    aFails();
    recovered();
    map.report(
        Reports.node("nd", DiskState.DISK_FAILED, side("d", 0, 5, 2, "b"), side("d", 1, 6, 2, "c")),
        0);
    assertThat(unneeded()).isEmpty();
  }

  @Test
  void ofADiskWhoseFramesNobodyKnowsItIsNotSaid() {
    map.report(Reports.node("na", DiskState.DISK_FAILED), 0);
    assertThat(unneeded()).isEmpty();
    map.report(Reports.lstor("na", false, side("a", 0, 5, 1, "b")), 0);
    map.report(Reports.node("nb", side("b", 0, 5, 1, "a")), 0);
    assertThat(unneeded()).as("its Lstor tells").isEmpty();
    map.report(Reports.node("nb", side("b", 0, 5, 2, "d")), 0);
    map.report(Reports.node("nd", side("d", 0, 5, 2, "b")), 0);
    assertThat(unneeded()).containsExactly("na-d");
  }

  @Test
  void aDiskThatNeverHadASuperchunkIsUnneeded() {
    map.report(Reports.node("na", DiskState.DISK_FAILED, Reports.spare("a", 0)), 0);
    assertThat(unneeded()).containsExactly("na-d");
  }

  /** It was moved aside, or its daemon has a directory less. */
  @Test
  void anLstorThatNobodyReportsIsForgottenWhenItWouldDecodeNothing() {
    map.report(Reports.lstor("na", false, side("a", 0, 5, 1, "b")), 0);
    map.report(Reports.node("nb", side("b", 0, 5, 1, "a")), 0);
    map.advance(20_001);
    assertThat(map.view().lstors()).as("it is the last one of a").containsKey("na-d");
    map.report(Reports.node("nb", side("b", 0, 5, 2, "d")), 20_001);
    map.report(Reports.node("nd", side("d", 0, 5, 2, "b")), 20_001);
    map.advance(20_002);
    assertThat(map.view().lstors()).isEmpty();
    assertThat(map.view().disks()).containsOnlyKeys("nb-d", "nd-d");
    assertThat(map.view().framesOn("a")).isEmpty();
    map.report(Reports.lstor("na", false, side("a", 0, 5, 1, "b")), 20_003);
    assertThat(map.view().disks()).as("it is there again").containsKey("na-d");
  }

  @Test
  void theLstorOfADiskThatIsReportedIsNotForgotten() {
    aFails();
    map.report(Reports.lstor("na", false, side("a", 0, 5, 1, "b"), side("a", 1, 6, 1, "c")), 0);
    recovered();
    map.advance(20_001);
    assertThat(map.view().lstors()).containsKey("na-d");
  }
}
