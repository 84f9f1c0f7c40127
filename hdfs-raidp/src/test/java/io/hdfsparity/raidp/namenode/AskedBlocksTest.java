/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.raidp.wire.message.ExpectedBlock;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class AskedBlocksTest {
  private static List<ExpectedBlock> blocks(long... ids) {
    return LongStream.of(ids)
        .mapToObj(id -> new ExpectedBlock(id, 1, true, OptionalLong.of(10)))
        .toList();
  }

  @Test
  void thoseThatWereAskedForComeFirst() {
    AskedBlocks asked = new AskedBlocks();
    assertThat(asked.first(blocks(1, 2, 3))).isEqualTo(blocks(1, 2, 3));
    asked.add(3);
    asked.add(9);
    asked.add(2);
    assertThat(asked.first(blocks(1, 2, 3, 4))).isEqualTo(blocks(2, 3, 1, 4));
  }

  @Test
  void theOldestAreForgotten() {
    AskedBlocks asked = new AskedBlocks();
    for (int id = 1; id <= AskedBlocks.MAX_BLOCKS; id++) {
      asked.add(id);
    }
    asked.add(1);
    asked.add(1_000_000);
    assertThat(asked.first(blocks(7, 2, 1))).isEqualTo(blocks(7, 1, 2));
  }
}
