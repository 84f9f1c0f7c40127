/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.check.SeededRuns;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BlockHomesTest {
  @Test
  void whatIsKeptIsBoundedAndTheYoungestIsThere() {
    SeededRuns.of(20).check(BlockHomesTest::sameAsMap);
  }

  private static void sameAsMap(Random random) {
    DiskWorld world = new DiskWorld();
    int max = 50;
    BlockHomes homes = new BlockHomes(max);
    Map<Long, Long> all = new HashMap<>();
    for (int i = 0; i < 1_000; i++) {
      long block = random.nextInt(200);
      List<String> where = List.of("A", "B", "C");
      if (random.nextBoolean()) {
        if (!all.containsKey(block)) {
          all.put(block, 1L + random.nextInt(3));
        }
        homes.put(block, world.superchunk(all.get(block)));
        assertThat(homes.of(world.view(), block, where).map(SuperchunkView::id))
            .contains(all.get(block));
      } else {
        homes
            .of(world.view(), block, where)
            .ifPresent(found -> assertThat(found.id()).isEqualTo(all.get(block)));
      }
      assertThat(homes.size()).isLessThanOrEqualTo(2 * max);
    }
    homes.clear();
    assertThat(homes.size()).isZero();
  }
}
