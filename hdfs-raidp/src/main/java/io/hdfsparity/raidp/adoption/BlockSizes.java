/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.adoption;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Counts blocks by how much of an allocation unit they fill: a block takes whole units, so small
 * ones use up a superchunk without filling it. Not thread-safe.
 */
public final class BlockSizes {
  /** Upper bounds of the classes, in shares of a unit; the last class has no bound. */
  private static final double[] BOUNDS = {1.0 / 16, 1.0 / 4, 1.0 / 2, 1};

  /** Names of the classes. */
  public static final List<String> NAMES =
      List.of(
          "below 1/16 unit",
          "1/16 to 1/4 unit",
          "1/4 to 1/2 unit",
          "1/2 to 1 unit",
          "a unit or more");

  private final long unitBytes;
  private final List<Tally> classes =
      new ArrayList<>(Collections.nCopies(NAMES.size(), Tally.NONE));

  /**
   * @param unitBytes allocation unit
   */
  public BlockSizes(long unitBytes) {
    this.unitBytes = unitBytes;
  }

  void add(long lengthBytes) {
    int i = 0;
    while (i < BOUNDS.length && lengthBytes >= BOUNDS[i] * unitBytes) {
      i++;
    }
    classes.set(i, classes.get(i).plus(lengthBytes));
  }

  List<Tally> classes() {
    return List.copyOf(classes);
  }
}
