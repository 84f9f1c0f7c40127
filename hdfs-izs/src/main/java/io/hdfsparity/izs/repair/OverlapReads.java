/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.repair;

import io.hdfsparity.core.geometry.ByteRange;
import io.hdfsparity.izs.codec.CodewordLayout;
import io.hdfsparity.izs.codec.Overlap;
import io.hdfsparity.izs.codec.ZigzagCode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What to read of a block group to compare units that are there beyond those that decoding needs.
 *
 * <p>The same stretch of every row of every unit, put together, is a codeword by itself, with rows
 * as long as the stretch: a byte of any column depends on bytes at the same place of other rows
 * only. So a few kilobytes of each unit are enough to compare parity that mixes rows. Immutable.
 */
public final class OverlapReads {
  /** Of each row that is looked at; a page, and several checksum chunks. */
  static final int STRETCH_BYTES = 4096;

  private final GroupShape shape;
  private final ZigzagCode code;
  private final TreeSet<Integer> usable;

  /**
   * Reads of one stripe.
   *
   * @param codewordBytes length of the codeword that the bytes read of each unit make, filled up
   *     with zeros
   * @param reads the ranges of each unit; together they are the beginning of its column
   * @param spares units among those read that the others determine
   */
  public record Sample(long stripe, int codewordBytes, StripeReads reads, List<Integer> spares) {
    public Sample {
      spares = List.copyOf(spares);
    }
  }

  /**
   * Reads of a group.
   *
   * @param usable units that can be read
   */
  public OverlapReads(GroupShape shape, ZigzagCode code, Collection<Integer> usable) {
    this.shape = shape;
    this.code = code;
    this.usable = new TreeSet<>(usable);
  }

  /**
   * A stretch of the first stripe, of one in the middle and of the last. Empty if nothing is
   * decoded with parity, or all of it is needed.
   */
  public List<Sample> stretches() {
    long last = shape.stripes() - 1;
    List<Sample> samples = new ArrayList<>();
    for (long stripe : new TreeSet<>(List.of(0L, last / 2, last))) {
      Sample sample = sample(stripe, STRETCH_BYTES);
      if (sample != null) {
        samples.add(sample);
      }
    }
    return samples;
  }

  /**
   * Whether a data unit that has bytes is decoded, and all that is usable is needed for that, so
   * that nothing can be compared.
   */
  public boolean isNothingToSpare() {
    return isDataDecoded() && spares(emptyUnits(0)).isEmpty();
  }

  /** Whether a data unit that has bytes cannot be read, so that parity is needed. */
  public boolean isDataDecoded() {
    return isDecoded(0);
  }

  /** Stripes of the group. */
  public long stripes() {
    return shape.stripes();
  }

  /**
   * Stripes as a whole, in order; those are left out in which nothing is to be compared.
   *
   * @param from first of them
   * @param to behind the last one, at most {@link #stripes}
   */
  public List<Sample> whole(long from, long to) {
    List<Sample> samples = new ArrayList<>();
    for (long stripe = from; stripe < to; stripe++) {
      Sample sample = sample(stripe, Integer.MAX_VALUE);
      if (sample != null) {
        samples.add(sample);
      }
    }
    return samples;
  }

  /** Whether a data unit that has bytes in a stripe cannot be read. */
  private boolean isDecoded(long stripe) {
    return dataUnits().anyMatch(unit -> hasBytes(unit, stripe) && !usable.contains(unit));
  }

  /** Data units without bytes in a stripe. */
  private List<Integer> emptyUnits(long stripe) {
    return new ArrayList<>(dataUnits().filter(unit -> !hasBytes(unit, stripe)).boxed().toList());
  }

  private IntStream dataUnits() {
    return IntStream.range(0, shape.dataUnits());
  }

  private boolean hasBytes(int unit, long stripe) {
    return shape.cellBytes(unit, stripe) > 0;
  }

  private List<Integer> spares(Collection<Integer> empty) {
    return Overlap.spares(code, unit -> empty.contains(unit) || usable.contains(unit));
  }

  private @Nullable Sample sample(long stripe, int stretchBytes) {
    List<Integer> empty = emptyUnits(stripe);
    List<Integer> spares = spares(empty);
    if (!isDecoded(stripe) || spares.isEmpty()) {
      return null;
    }
    List<UnitRead> reads = new ArrayList<>();
    for (int unit : usable) {
      List<ByteRange> ranges = ranges(unit, stripe, stretchBytes);
      if (!ranges.isEmpty()) {
        reads.add(new UnitRead(unit, ranges));
      } else if (!empty.contains(unit)) {
        // Its cell ends before the stretch of its first row: zeros there.
        empty.add(unit);
      }
    }
    return new Sample(
        stripe,
        codewordBytes(stripe, stretchBytes),
        new StripeReads(false, reads, empty, List.of()),
        spares);
  }

  private CodewordLayout layout(long stripe) {
    return new CodewordLayout(code.rows(), shape.codewordBytes(stripe));
  }

  private int codewordBytes(long stripe, int stretchBytes) {
    CodewordLayout layout = layout(stripe);
    return layout.rowBytes() <= stretchBytes ? layout.lengthBytes() : code.rows() * stretchBytes;
  }

  private List<ByteRange> ranges(int unit, long stripe, int stretchBytes) {
    CodewordLayout layout = layout(stripe);
    ByteRange cell = new ByteRange(0, shape.cellBytes(unit, stripe));
    if (layout.rowBytes() <= stretchBytes) {
      return cell.isEmpty() ? List.of() : List.of(moved(cell, stripe));
    }
    // Not the same place in each stripe; whole pages, as far as rows are.
    long places = ((long) layout.rowBytes() - stretchBytes) / STRETCH_BYTES + 1;
    long from = stripe % places * STRETCH_BYTES;
    List<ByteRange> ranges = new ArrayList<>();
    for (int row = 0; row < code.rows(); row++) {
      ByteRange stretch =
          new ByteRange((long) row * layout.rowBytes() + from, stretchBytes).intersect(cell);
      if (!stretch.isEmpty()) {
        ranges.add(moved(stretch, stripe));
      }
    }
    return ranges;
  }

  private ByteRange moved(ByteRange inCell, long stripe) {
    return new ByteRange(shape.cellOffset(stripe) + inCell.offsetBytes(), inCell.lengthBytes());
  }
}
