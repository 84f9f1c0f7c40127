/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.raidp.lstor.LstorGeometry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LstorSizingTest {
  @ParameterizedTest
  @ValueSource(longs = {4, 16, 64})
  void isSmallWith256FramesAndARowForEachUnit(long gigabytes) {
    long superchunk = gigabytes << 30;
    LstorSizing sizing = LstorSizing.of(256, superchunk);
    assertThat(sizing.overhead()).isBetween(0.008, 0.015);
    assertThat((double) sizing.tableBytes() / superchunk).isLessThan(0.005);
    assertThat(superchunk % sizing.unitBytes()).isZero();
    long rows = superchunk / sizing.unitBytes() * 256;
    assertThat(rows).isLessThanOrEqualTo(LstorGeometry.MAX_ROWS);
    assertThat(sizing.tableBytes()).isGreaterThanOrEqualTo(rows * 256);
  }

  @Test
  void unitsDivideTheSuperchunkAndLeaveSixtyFour() {
    assertThat(LstorSizing.unitFor(256, 1L << 20)).isEqualTo(1L << 20);
    assertThat(LstorSizing.unitFor(256, 256L << 20)).isEqualTo(4L << 20);
    assertThat(LstorSizing.unitFor(256, 4099L << 20)).isEqualTo(1L << 20);
    assertThat(LstorSizing.unitFor(4, 1L << 30)).isEqualTo(1L << 20);
    assertThat(LstorSizing.unitFor(4, 1L << 40)).isEqualTo(4L << 20);
  }

  @Test
  void ringsAreNoSmallerAndNoLargerThanTheyNeedToBe() {
    assertThat(LstorSizing.of(8, 64L << 20).journalBytes()).isEqualTo(2L << 20);
    assertThat(LstorSizing.of(256, 4L << 30).journalBytes()).isEqualTo(4L << 20);
    assertThat(LstorSizing.of(256, 64L << 30).journalBytes()).isEqualTo(16L << 20);
  }
}
