/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.raidp.namenode.OpenBlocks.Decision;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.StoredBlock;
import org.junit.jupiter.api.Test;

class OpenBlocksTest {
  private final OpenBlocks kept = new OpenBlocks();

  private static Optional<StoredBlock> block(long blockId, boolean complete) {
    return Optional.of(new StoredBlock(blockId, 1, 0, complete, 2, List.of(), 2, List.of()));
  }

  /** Nobody asks for another block meanwhile. */
  @Test
  void aCompleteBlockIsPromisedNoMore() {
    for (long blockId = 1; blockId <= 3; blockId++) {
      kept.keep(blockId, new Decision(OptionalLong.of(9)));
    }
    kept.keep(4, Decision.PLAIN);
    assertThat(kept.isPromised(1, id -> block(id, false))).isTrue();
    assertThat(kept.isPromised(1, id -> block(id, true))).isFalse();
    assertThat(kept.isPromised(2, id -> Optional.empty())).as("deleted").isFalse();
    assertThat(kept.isPromised(4, id -> block(id, false))).as("plain").isFalse();
    assertThat(kept.isPromised(5, id -> block(id, false))).as("not asked for").isFalse();
    assertThat(kept.size()).isEqualTo(2);
    assertThat(kept.find(3)).isPresent();
  }
}
