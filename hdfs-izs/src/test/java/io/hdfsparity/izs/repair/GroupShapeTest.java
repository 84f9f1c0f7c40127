/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.SeededRuns;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.junit.jupiter.api.Test;

/** Against HDFS's own arithmetic, and against going round the cells byte by byte. */
class GroupShapeTest {
  @Test
  void lengthsAreThoseOfHdfs() {
    SeededRuns.of(300)
        .check(
            random -> {
              int data = 1 + random.nextInt(10);
              GroupShape shape =
                  new GroupShape(
                      data,
                      1 + random.nextInt(3),
                      1 + random.nextInt(50),
                      1 + random.nextInt(2000));
              for (int unit = 0; unit < shape.units(); unit++) {
                assertThat(shape.blockBytes(unit))
                    .as("unit %s of %s", unit, shape)
                    .isEqualTo(
                        StripedBlockUtil.getInternalBlockLength(
                            shape.groupBytes(), shape.cellBytes(), data, unit));
              }
            });
  }

  @Test
  void cellsAreThoseThatBytesFallInto() {
    SeededRuns.of(100)
        .check(
            random -> {
              int data = 1 + random.nextInt(6);
              GroupShape shape =
                  new GroupShape(data, 2, 1 + random.nextInt(9), 1 + random.nextInt(300));
              int[][] cells = new int[(int) shape.stripes()][data];
              for (long at = 0; at < shape.groupBytes(); at++) {
                long cell = at / shape.cellBytes();
                cells[(int) (cell / data)][(int) (cell % data)]++;
              }
              for (int stripe = 0; stripe < cells.length; stripe++) {
                boolean isFull = true;
                for (int unit = 0; unit < data; unit++) {
                  assertThat(shape.cellBytes(unit, stripe)).isEqualTo(cells[stripe][unit]);
                  isFull &= cells[stripe][unit] == shape.cellBytes();
                }
                assertThat(shape.isFull(stripe)).isEqualTo(isFull);
                assertThat(shape.codewordBytes(stripe)).isEqualTo(cells[stripe][0]);
              }
            });
  }

  @Test
  void refusesWhatIsNoGroup() {
    assertThatThrownBy(() -> new GroupShape(4, 2, 64, 0)).hasMessageContaining("groupBytes=0");
    GroupShape shape = new GroupShape(4, 2, 64, 300);
    assertThatThrownBy(() -> shape.cellBytes(0, 2)).hasMessageContaining("stripe=2");
    assertThatThrownBy(() -> shape.cellBytes(6, 0)).hasMessageContaining("unit=6");
  }
}
