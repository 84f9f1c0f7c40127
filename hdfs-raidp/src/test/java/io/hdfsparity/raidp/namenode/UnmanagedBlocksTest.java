/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.raidp.wire.message.SuperchunkAnswer;
import io.hdfsparity.raidp.wire.message.SuperchunkAnswer.Plain;
import io.hdfsparity.raidp.wire.message.SuperchunkAnswer.Refused;
import io.hdfsparity.raidp.wire.message.SuperchunkRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hdfs.server.blockmanagement.PlacedBlocks.Owner;
import org.apache.hadoop.hdfs.server.blockmanagement.PlacedBlocks.PlacedBlock;
import org.junit.jupiter.api.Test;

/** What DataNodes are answered while there is no manager. */
class UnmanagedBlocksTest {
  private static final long ID = 1_073_741_825L;
  private static final long STAMP = 1001;

  private static SuperchunkAnswer answer(Map<Long, PlacedBlock> blocks, long stamp) {
    return UnmanagedBlocks.answer(
        ids -> blocks,
        "wrong key",
        new SuperchunkRequest("CID", "n1", "BP", ID, stamp, Optional.of("DS-1")));
  }

  private static Map<Long, PlacedBlock> block(Owner owner) {
    return Map.of(ID, new PlacedBlock(STAMP, false, false, false, owner, List.of()));
  }

  @Test
  void blocksOfFilesThatAreNotProtectedArePlain() {
    assertThat(answer(block(new Owner(1, 2, false, 1)), STAMP)).isInstanceOf(Plain.class);
    assertThat(answer(block(new Owner(1, 1, true, 1)), STAMP))
        .as("one replica is never in a superchunk")
        .isInstanceOf(Plain.class);
  }

  @Test
  void blocksOfProtectedFilesAreRefusedWithTheReason() {
    assertThat(answer(block(new Owner(1, 2, true, 1)), STAMP))
        .isInstanceOfSatisfying(
            Refused.class, refused -> assertThat(refused.reason()).contains("wrong key"));
  }

  @Test
  void blocksThatAreGoneOrHaveANewerStampAreRefused() {
    assertThat(answer(Map.of(), STAMP)).isInstanceOf(Refused.class);
    assertThat(answer(block(new Owner(1, 2, false, 1)), STAMP - 1)).isInstanceOf(Refused.class);
  }
}
