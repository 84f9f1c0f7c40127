/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.geometry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.SeededRuns;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Against dumb twins that go byte by byte. */
class GeometryTest {
  @Test
  void rangesAgreeWithSetsOfBytes() {
    SeededRuns.of(2000)
        .check(
            random -> {
              ByteRange a = new ByteRange(random.nextInt(20), random.nextInt(10));
              ByteRange b = new ByteRange(random.nextInt(20), random.nextInt(10));
              boolean[] both = new boolean[40];
              int common = 0;
              int onlyB = 0;
              for (int i = 0; i < both.length; i++) {
                boolean isInA = i >= a.offsetBytes() && i < a.endOffset();
                boolean isInB = i >= b.offsetBytes() && i < b.endOffset();
                both[i] = isInA && isInB;
                common += both[i] ? 1 : 0;
                onlyB += isInB && !isInA ? 1 : 0;
              }
              assertThat(a.overlaps(b)).isEqualTo(common > 0);
              ByteRange intersection = a.intersect(b);
              assertThat(intersection.lengthBytes()).isEqualTo(common);
              for (int i = 0; i < common; i++) {
                assertThat(both[(int) intersection.offsetBytes() + i]).isTrue();
              }
              if (!b.isEmpty()) {
                assertThat(a.contains(b)).isEqualTo(onlyB == 0);
              }
              int alignment = 1 + random.nextInt(8);
              ByteRange aligned = a.alignedTo(alignment);
              assertThat(aligned.contains(a) || a.isEmpty()).isTrue();
              assertThat(aligned.offsetBytes() % alignment).isZero();
              assertThat(aligned.endOffset() % alignment).isZero();
              assertThat(aligned.lengthBytes()).isLessThan(a.lengthBytes() + 2L * alignment - 1);
            });
  }

  @Test
  void badRangesAreRefused() {
    assertThatThrownBy(() -> new ByteRange(-1, 0))
        .hasMessage("Cannot make a byte range: offsetBytes=-1, expected >= 0");
    assertThatThrownBy(() -> new ByteRange(0, -1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new ByteRange(2, Long.MAX_VALUE - 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void stripesAgreeWithWritingByteByByte() {
    SeededRuns.of(300)
        .check(
            random -> {
              StripeGeometry geometry =
                  new StripeGeometry(
                      1 + random.nextInt(6), random.nextInt(4), 1 + random.nextInt(5));
              walk(geometry, random.nextInt(200), random);
            });
  }

  private static void walk(StripeGeometry geometry, int groupBytes, Random random) {
    long[] blockBytes = new long[geometry.dataUnits()];
    int unit = 0;
    int inCell = 0;
    long stripe = 0;
    for (int offset = 0; offset < groupBytes; offset++) {
      CellPosition position = new CellPosition(stripe, unit, inCell);
      assertThat(geometry.cellOf(offset)).isEqualTo(position);
      assertThat(geometry.groupOffset(position)).isEqualTo(offset);
      assertThat(geometry.blockOffset(position)).isEqualTo(blockBytes[unit]);
      ByteRange stripeRange = geometry.stripeRange(stripe, groupBytes);
      assertThat(stripeRange.contains(new ByteRange(offset, 1))).isTrue();
      blockBytes[unit]++;
      if (++inCell == geometry.cellBytes()) {
        inCell = 0;
        if (++unit == geometry.dataUnits()) {
          unit = 0;
          stripe++;
        }
      }
    }
    boolean isCut = unit != 0 || inCell != 0;
    assertThat(geometry.stripeCount(groupBytes)).isEqualTo(stripe + (isCut ? 1 : 0));
    for (int i = 0; i < geometry.totalUnits(); i++) {
      long expected = i < geometry.dataUnits() ? blockBytes[i] : blockBytes[0];
      assertThat(geometry.blockBytes(i, groupBytes)).isEqualTo(expected);
    }
    int beyond = geometry.totalUnits() + random.nextInt(3);
    assertThatThrownBy(() -> geometry.blockBytes(beyond, groupBytes))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void badGeometriesAreRefused() {
    assertThatThrownBy(() -> new StripeGeometry(0, 1, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new StripeGeometry(1, -1, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new StripeGeometry(200, 57, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new StripeGeometry(1, 1, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
