/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.core.geometry.StripeGeometry;
import io.hdfsparity.ecupdate.ajx.StripeCode;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * How the bytes of a closed file lie in its block groups. Immutable; none of it changes while a
 * session is open.
 *
 * @param code of the file; see {@link StripeCode#forCodeword}
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

  /** The code of a stripe. */
  StripeCode codeOf(StripeKey stripe) {
    return code.forCodeword(codewordBytes(stripe.group(), stripe.stripe()));
  }

  /** Length of the parity cells of a stripe, which is that of its first data cell. */
  private int codewordBytes(int group, long stripe) {
    long parityBytes =
        geometry().blockBytes(code.shape().dataBlocks(), groups.get(group).lengthBytes);
    return (int) Math.min(cellBytes, parityBytes - stripe * cellBytes);
  }

  /** All lengths that codewords of the file have, ascending. */
  public SortedSet<Integer> codewordLengths() {
    SortedSet<Integer> lengths = new TreeSet<>();
    for (int group = 0; group < groups.size(); group++) {
      lengths.add(codewordBytes(group, 0));
      lengths.add(codewordBytes(group, geometry().stripeCount(groups.get(group).lengthBytes) - 1));
    }
    return lengths;
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
