/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

/** What the planner asks about a shape before it takes the paper's construction. */
final class Shapes {
  private Shapes() {}

  static boolean oneDiskPerNode(ShapeIndex index) {
    return index.nodes() == index.diskCount();
  }

  static boolean groupsOfEqualSize(ShapeIndex index) {
    for (int g = 1; g < index.groups(); g++) {
      if (index.disksInGroup(g) != index.disksInGroup(0)) {
        return false;
      }
    }
    return true;
  }

  /** Disks such that column c is of group c mod groups; needs groups of equal size. */
  static int[] groupsInterleaved(ShapeIndex index) {
    int[] columns = new int[index.diskCount()];
    int[] filled = new int[index.groups()];
    for (int d = 0; d < columns.length; d++) {
      int group = index.group(d);
      columns[filled[group]++ * index.groups() + group] = d;
    }
    return columns;
  }
}
