/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PairTableCheckerTest {
  /** Two disks on each of three nodes, two of these in one rack when there are two. */
  private static PairTable table(int racks, int[]... peers) {
    DiskMap disks = DiskMap.even(3, 2, racks);
    int[] from = new int[6];
    int[] loads = new int[6];
    int ends = 0;
    for (int d = 0; d < 6; d++) {
      from[d] = ends;
      loads[d] = peers[d].length;
      ends += loads[d];
    }
    int[] lists = new int[ends];
    for (int d = 0; d < 6; d++) {
      System.arraycopy(peers[d], 0, lists, from[d], loads[d]);
    }
    return PairTable.of(disks, from, loads, lists);
  }

  private static int[] of(int... peers) {
    return peers;
  }

  @Test
  void acceptsALegalTable() {
    assertThat(PairTableChecker.check(table(1, of(2, 4), of(3), of(0), of(1), of(0), of())))
        .isEmpty();
    assertThat(PairTableChecker.check(table(2, of(2), of(3), of(0), of(1), of(), of()))).isEmpty();
  }

  @Test
  void namesEachBrokenRule() {
    assertBroken(LayoutRule.ONE_SHARING, table(1, of(2, 2), of(), of(0, 0), of(), of(), of()));
    assertBroken(LayoutRule.ONE_MIRRORING, table(1, of(2), of(), of(), of(), of(0), of()));
    assertBroken(LayoutRule.ONE_MIRRORING, table(1, of(0), of(), of(), of(), of(), of()));
    assertBroken(LayoutRule.DIFFERENT_NODES, table(1, of(1), of(0), of(), of(), of(), of()));
    assertBroken(LayoutRule.DIFFERENT_RACKS, table(2, of(4), of(), of(), of(), of(0), of()));
    assertBroken(LayoutRule.KNOWN_FRAME, table(1, of(6), of(), of(), of(), of(), of()));
  }

  private static void assertBroken(LayoutRule rule, PairTable table) {
    assertThat(PairTableChecker.check(table)).extracting(LayoutViolation::rule).contains(rule);
  }
}
