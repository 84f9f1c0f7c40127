/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import java.util.Random;

/**
 * Triples of disks that share superchunks pairwise.
 *
 * @param count how many there are; an estimate when not all superchunks were looked at
 * @param tried superchunks of which the triples were counted
 * @param superchunks how many there are
 * @param example such a triple; empty when none was found
 */
public record Triangles(long count, int tried, int superchunks, int[] example) {
  private static final long MAX_STEPS = 200_000_000L;

  /** Whether the count is exact. */
  public boolean exact() {
    return tried == superchunks;
  }

  static Triangles of(PairTable table, long seed) {
    int all = table.superchunks();
    long steps = 2L * Math.max(1, table.maxLoad());
    int tries = (int) Math.min(all, Math.max(1000, MAX_STEPS / steps / 4));
    Random random = new Random(seed);
    long common = 0;
    int[] example = {};
    for (int i = 0; i < tries; i++) {
      int p = tries == all ? i : random.nextInt(all);
      int a = table.lowerDisk(p);
      int b = table.higherDisk(p);
      int x = 0;
      int y = 0;
      while (x < table.load(a) && y < table.load(b)) {
        int difference = Integer.compare(table.peer(a, x), table.peer(b, y));
        if (difference == 0) {
          common++;
          if (example.length == 0) {
            example = new int[] {a, b, table.peer(a, x)};
          }
        }
        x += difference <= 0 ? 1 : 0;
        y += difference >= 0 ? 1 : 0;
      }
    }
    long count = tries == all ? common / 3 : Math.round((double) common * all / tries / 3);
    return new Triangles(count, tries, all, example);
  }
}
