/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.client;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.core.geometry.StripeGeometry;
import io.hdfsparity.ecupdate.ajx.StripeCode;
import java.util.List;

/**
 * How the bytes of a closed file lie in its block groups. Immutable; none of it changes while a
 * session is open.
 *
 * @param code of every stripe
 * @param cellBytes size of a cell
 * @param groups in the order of the file, without gaps
 */
public record FileLayout(StripeCode code, int cellBytes, List<Group> groups) {
  /**
   * A block group.
   *
   * @param offsetBytes of its first byte in the file
   * @param lengthBytes of its data
   */
  public record Group(long offsetBytes, long lengthBytes) {
    long endOffset() {
      return offsetBytes + lengthBytes;
    }
  }

  public FileLayout {
    groups = List.copyOf(groups);
    Checks.argument(cellBytes > 0, "lay out a file", "cellBytes", cellBytes, "> 0");
    long end = 0;
    for (Group group : groups) {
      Checks.argument(
          group.offsetBytes == end && group.lengthBytes > 0,
          "lay out a file",
          "group",
          group,
          "at least a byte, from " + end);
      end = group.endOffset();
    }
  }

  /** Of the file. */
  public long lengthBytes() {
    return groups.isEmpty() ? 0 : groups.get(groups.size() - 1).endOffset();
  }

  /** Of each group. */
  public StripeGeometry geometry() {
    return new StripeGeometry(code.shape().dataBlocks(), code.shape().parityBlocks(), cellBytes);
  }

  /** Whether a group has a replica of a unit: HDFS makes none for a unit without any byte. */
  public boolean hasUnit(int group, int unit) {
    return geometry().blockBytes(unit, groups.get(group).lengthBytes) > 0;
  }

  /** Index of the group that has a byte; the byte must be in the file. */
  int groupAt(long position) {
    int low = 0;
    int high = groups.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (groups.get(middle).offsetBytes <= position) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }
}
