/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.raidp.lstor.Run;
import io.hdfsparity.raidp.lstor.SlotCoverage;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.lstor.SlotStatus;
import io.hdfsparity.raidp.recovery.WantedBlock.Decision;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Rows of an open block that has 100 bytes of stamp 5 for the NameNode. */
class WantedBlockTest {
  private static final WantedBlock OPEN = new WantedBlock(1, 5, false, OptionalLong.of(100));

  /** Neither the NameNode nor an administrator expects any of its replicas back. */
  private static final WantedBlock LOST = new WantedBlock(1, 5, false, OptionalLong.empty());

  private static SlotEntry row(long generationStamp, long coveredBytes) {
    return new SlotEntry(
        0,
        1,
        generationStamp,
        List.of(new Run(0, 1)),
        new SlotCoverage(coveredBytes, true, 2, 512, 1),
        new SlotStatus(SlotState.LIVE, false, false));
  }

  @Test
  void anOpenBlockIsNotReplacedByWhatMayBeLessThanItsReplicas() {
    assertThat(OPEN.decide(row(4, 100)).refusal())
        .contains("generationStamp=4", "expected 5", "open block", "-failDisk");
    assertThat(OPEN.decide(row(4, 180)).accepted()).isFalse();
    assertThat(OPEN.decide(row(5, 99)).refusal())
        .contains("coveredBytes=99", "expected at least 100", "open block", "-failDisk");
  }

  @Test
  void anOpenBlockIsReplacedByAllOfIt() {
    assertThat(OPEN.decide(row(5, 100))).isEqualTo(Decision.accept(5));
    assertThat(OPEN.decide(row(5, 180))).isEqualTo(Decision.accept(5));
  }

  /** A recovery of the block was cut off after a replica had its result, which may be shorter. */
  @Test
  void aRowNewerThanTheNameNodesRecordHasAllThatCounts() {
    assertThat(OPEN.decide(row(6, 60))).isEqualTo(Decision.accept(6));
  }

  @Test
  void whereTheReplicasAreLostWhatIsCoveredComesBackForLeaseRecovery() {
    assertThat(LOST.decide(row(4, 60))).isEqualTo(Decision.accept(5));
    assertThat(LOST.decide(row(6, 60))).isEqualTo(Decision.accept(6));
  }

  @Test
  void nothingComesOfARowThatCoversNothing() {
    assertThat(LOST.decide(SlotEntry.expected(0, 1)).accepted()).isFalse();
  }
}
