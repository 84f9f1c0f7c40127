/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.core.gf.GfMatrix;
import io.hdfsparity.core.gf.ScalarKernel;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.CodeTable;
import io.hdfsparity.ecupdate.ajx.MovedRows;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.Shape;
import io.hdfsparity.ecupdate.ajx.StripeCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PatchRoundsTest {
  private static final int DATA = 4;
  private static final int CELL_BYTES = 100_000;

  private static Patch patch(Random random, int offset, int lengthBytes) {
    byte[] bytes = new byte[lengthBytes];
    random.nextBytes(bytes);
    return new Patch(offset, Bytes.wrap(bytes));
  }

  private static SortedMap<Integer, Patch> write(Random random) {
    SortedMap<Integer, Patch> write = new TreeMap<>();
    while (write.isEmpty()) {
      for (int block = 0; block < DATA; block++) {
        if (random.nextBoolean()) {
          int offset = random.nextInt(CELL_BYTES / 2);
          write.put(block, patch(random, offset, 1 + random.nextInt(CELL_BYTES / 2)));
        }
      }
    }
    return write;
  }

  private static StripeCode moved(Random random) {
    CodeTable table =
        new CodeTable(
            GfMatrix.cauchyParity(DATA, 2), MovedRows.shifted(new Shape(DATA, 2), 8, random));
    return new StripeCode(new ScalarKernel(), table).forCodeword(CELL_BYTES);
  }

  /** The patches of a cell in the order of the rounds, which have no gaps. */
  private static List<Patch> ofCell(List<SortedMap<Integer, Patch>> rounds, int block) {
    List<Patch> patches = new ArrayList<>();
    for (int i = 0; i < rounds.size(); i++) {
      Patch patch = rounds.get(i).get(block);
      if (patch != null) {
        assertThat(patches).as("earlier rounds of block %d", block).hasSize(i);
        patches.add(patch);
      }
    }
    return patches;
  }

  @Test
  void firstPatchesOfAllCellsComeBeforeSecondOnes() {
    Random random = new Random(1);
    Patch a = patch(random, 0, 3);
    Patch b = patch(random, 10, 4);
    Patch c = patch(random, 20, 5);
    Patch d = patch(random, 0, 6);
    Patch e = patch(random, 7, 7);
    assertThat(
            PatchRounds.of(
                new TreeMap<>(Map.of(0, List.of(a, b, c), 2, List.of(d), 3, List.of(e, a)))))
        .containsExactly(
            new TreeMap<>(Map.of(0, a, 2, d, 3, e)),
            new TreeMap<>(Map.of(0, b, 3, a)),
            new TreeMap<>(Map.of(0, c)));
    assertThat(PatchRounds.of(new TreeMap<>())).isEmpty();
  }

  @Test
  void aWriteUnderAPlainCodeIsNotCopied() {
    StripeCode plain = new StripeCode(new ScalarKernel(), GfMatrix.cauchyParity(DATA, 2));
    SortedMap<Integer, Patch> write = write(new Random(1));
    List<SortedMap<Integer, Patch>> rounds = PatchRounds.split(write, plain);
    assertThat(rounds).hasSize(1);
    assertThat(rounds.get(0)).isSameAs(write);
  }

  @Test
  void everyCellIsWrittenInTheParts() {
    List<Integer> most = new ArrayList<>();
    SeededRuns.of(100)
        .check(
            random -> {
              StripeCode code = moved(random);
              SortedMap<Integer, Patch> write = write(random);
              List<SortedMap<Integer, Patch>> rounds = PatchRounds.split(write, code);
              for (int block = 0; block < DATA; block++) {
                assertThat(ofCell(rounds, block))
                    .isEqualTo(
                        write.containsKey(block) ? code.parts(block, write.get(block)) : List.of());
              }
              assertThat(rounds).noneMatch(Map::isEmpty);
              most.add(rounds.size());
            });
    assertThat(most).as("writes that are split, and writes that are not").contains(1);
    assertThat(most).anyMatch(rounds -> rounds > 1);
  }
}
