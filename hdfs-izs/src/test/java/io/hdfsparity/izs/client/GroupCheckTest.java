/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.client.BlockGroup;
import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.core.gf.Kernels;
import io.hdfsparity.izs.client.GroupCheck.Verdict;
import io.hdfsparity.izs.codec.IzsFamily;
import io.hdfsparity.izs.codec.ZigzagCode;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;

class GroupCheckTest {
  private static final int CELL_BYTES = 1000;

  private static GroupCheck.Result check(ZigzagCode code, int cellBytes, MemoryGroup group)
      throws IOException {
    BlockGroup described = new BlockGroup("/file", "blk_-16", 0, group.data.length, true);
    GroupCheck.Result result =
        new IzsGroupReader(Kernels.best(), code.dataColumns(), code.parityColumns(), cellBytes)
            .check()
            .run(group, described);
    assertThat(group.buffersOut()).isZero();
    return result;
  }

  @Test
  void everyWrongByteOfParityIsFoundAndItsUnitNamed() {
    SeededRuns.of(40)
        .check(
            random -> {
              for (ZigzagCode code : IzsFamily.all()) {
                int cellBytes = 1 + random.nextInt(300);
                int groupBytes = 1 + random.nextInt(3 * cellBytes * code.dataColumns());
                MemoryGroup group = new MemoryGroup(code, cellBytes, groupBytes, random);
                assertThat(check(code, cellBytes, group).verdict()).isEqualTo(Verdict.FITS);
                int unit = code.dataColumns() + random.nextInt(code.parityColumns());
                group.blocks[unit][random.nextInt(group.blocks[unit].length)] ^=
                    (byte) (1 + random.nextInt(255));
                GroupCheck.Result wrong = check(code, cellBytes, group);
                assertThat(wrong.verdict()).isEqualTo(Verdict.WRONG);
                assertThat(wrong.wrong()).containsExactly(unit);
                if (code.parityColumns() > 1) {
                  assertThat(wrong.suspectedData()).isEmpty();
                }
              }
            });
  }

  /** Parity has the right bytes then: a copy of the data would lose them. */
  @Test
  void aDataUnitThatExplainsAllIsSuspected() {
    SeededRuns.of(40)
        .check(
            random -> {
              for (ZigzagCode code : IzsFamily.all()) {
                int cellBytes = 1 + random.nextInt(300);
                int groupBytes = 1 + random.nextInt(3 * cellBytes * code.dataColumns());
                MemoryGroup group = new MemoryGroup(code, cellBytes, groupBytes, random);
                int cells = (groupBytes - 1) / cellBytes + 1;
                int unit = random.nextInt(Math.min(cells, code.dataColumns()));
                group.blocks[unit][random.nextInt(group.blocks[unit].length)] ^=
                    (byte) (1 + random.nextInt(255));
                GroupCheck.Result wrong = check(code, cellBytes, group);
                assertThat(wrong.verdict()).isEqualTo(Verdict.WRONG);
                if (code.parityColumns() > 1) {
                  assertThat(wrong.suspectedData()).contains(unit);
                } else {
                  assertThat(wrong.suspectedData()).as("one parity unit tells nothing").isEmpty();
                }
              }
            });
  }

  @Test
  void parityOfReedSolomonIsWrongInAllUnits() throws IOException {
    ZigzagCode code = IzsFamily.code(6, 3);
    MemoryGroup group = new MemoryGroup(code, CELL_BYTES, 7 * CELL_BYTES + 1, new Random(1));
    group.writeParityOfReedSolomon();
    assertThat(check(code, CELL_BYTES, group).wrong()).containsExactly(6, 7, 8);
  }

  /** Parity must not be called wrong, and replaced, by what is left of the data. */
  @Test
  void groupsWithALostUnitAreNotCompared() throws IOException {
    ZigzagCode code = IzsFamily.code(4, 2);
    for (int unit = 0; unit < code.columns(); unit++) {
      MemoryGroup known = new MemoryGroup(code, CELL_BYTES, 6 * CELL_BYTES, new Random(2));
      known.writeParityOfReedSolomon();
      known.lose(unit);
      GroupCheck.Result result = check(code, CELL_BYTES, known);
      assertThat(result.verdict()).isEqualTo(Verdict.NOT_COMPARED);
      assertThat(result.reason()).isEqualTo("lost units={" + unit + "=lost}");
      assertThat(result.wrong()).isEmpty();
      MemoryGroup unknown = new MemoryGroup(code, CELL_BYTES, 6 * CELL_BYTES, new Random(3));
      unknown.writeParityOfReedSolomon();
      unknown.failWhenRead(unit);
      assertThat(check(code, CELL_BYTES, unknown).reason())
          .isEqualTo("units that could not be read=[" + unit + "]");
    }
  }
}
