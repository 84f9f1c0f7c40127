/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.verify;

import io.hdfsparity.core.geometry.ByteRange;
import io.hdfsparity.izs.codec.CodewordLayout;
import io.hdfsparity.izs.repair.GroupShape;
import io.hdfsparity.izs.repair.UnitRead;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * What to read of a block group to compare all of its parity with all of its data. Immutable.
 *
 * @param shape of the group
 * @param rows of a cell that parity mixes
 */
public record VerifyReads(GroupShape shape, int rows) {
  /** Read of a cell of each unit for a sample. */
  static final int SAMPLE_BYTES = 32 * 1024;

  private static final int PAGE_BYTES = 4096;

  /**
   * Reads of one codeword.
   *
   * @param codewordBytes length of its columns; what is read of a unit is filled up with zeros
   * @param reads of the units that have bytes there
   */
  public record Codeword(long stripe, int codewordBytes, List<UnitRead> reads) {
    public Codeword {
      reads = List.copyOf(reads);
    }

    /** Bytes read of all units. */
    public long lengthBytes() {
      return reads.stream().mapToLong(UnitRead::lengthBytes).sum();
    }
  }

  /** A stretch of each row of the first stripe, one in the middle, and the last. */
  public List<Codeword> samples() {
    long last = shape.stripes() - 1;
    return new TreeSet<>(List.of(0L, last / 2, last))
        .stream().map(stripe -> codeword(stripe, stretchBytes())).toList();
  }

  /** Whether the samples are all bytes of the group. */
  public boolean areSamplesAll() {
    return shape.stripes() <= 3
        && samples().stream()
            .allMatch(each -> each.codewordBytes() == shape.codewordBytes(each.stripe()));
  }

  /** All bytes of a stripe. */
  public Codeword stripe(long stripe) {
    return codeword(stripe, Integer.MAX_VALUE);
  }

  private int stretchBytes() {
    return Math.max(PAGE_BYTES, SAMPLE_BYTES / rows);
  }

  private Codeword codeword(long stripe, int stretchBytes) {
    CodewordLayout layout = new CodewordLayout(rows, shape.codewordBytes(stripe));
    boolean isWhole = layout.rowBytes() <= stretchBytes;
    List<UnitRead> reads = new ArrayList<>();
    for (int unit = 0; unit < shape.units(); unit++) {
      ByteRange cell = new ByteRange(0, shape.cellBytes(unit, stripe));
      List<ByteRange> ranges = new ArrayList<>();
      if (isWhole) {
        add(cell, stripe, ranges);
      } else {
        // Not the same place in each stripe; whole pages, as far as rows are.
        long places = ((long) layout.rowBytes() - stretchBytes) / PAGE_BYTES + 1;
        long from = stripe % places * PAGE_BYTES;
        for (int row = 0; row < rows; row++) {
          ByteRange stretch = new ByteRange((long) row * layout.rowBytes() + from, stretchBytes);
          add(stretch.intersect(cell), stripe, ranges);
        }
      }
      if (!ranges.isEmpty()) {
        reads.add(new UnitRead(unit, ranges));
      }
    }
    return new Codeword(stripe, isWhole ? layout.lengthBytes() : rows * stretchBytes, reads);
  }

  private void add(ByteRange inCell, long stripe, List<ByteRange> to) {
    if (!inCell.isEmpty()) {
      to.add(new ByteRange(shape.cellOffset(stripe) + inCell.offsetBytes(), inCell.lengthBytes()));
    }
  }
}
