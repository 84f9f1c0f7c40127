/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.repair;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.core.geometry.ByteRange;
import io.hdfsparity.izs.codec.IzsCodec;
import io.hdfsparity.izs.codec.RepairPlan;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableSet;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What to read of which unit to rebuild units of a block group.
 *
 * <p>Full stripes are rebuilt by the code's half-read plan if exactly one data unit is wanted and
 * every helper of the plan is usable; other stripes and other losses take k units: empty cells
 * first, since they cost nothing, then data units, then parity units. So parity 0 comes before
 * parity 1, and decoding is a plain XOR where it can be. Immutable but for the codec's cache of
 * plans, thread-safe.
 */
public final class GroupReads {
  private final GroupShape shape;
  private final NavigableSet<Integer> wanted;
  private final NavigableSet<Integer> usable;
  private final @Nullable RepairPlan halfPlan;
  private final List<List<ByteRange>> halfRanges;
  private final long stripes;

  private GroupReads(
      GroupShape shape,
      NavigableSet<Integer> wanted,
      NavigableSet<Integer> usable,
      @Nullable RepairPlan halfPlan) {
    this.shape = shape;
    this.wanted = wanted;
    this.usable = usable;
    this.halfPlan = halfPlan;
    this.halfRanges = new ArrayList<>();
    if (halfPlan != null) {
      for (int helper = 0; helper < halfPlan.helpers().size(); helper++) {
        halfRanges.add(halfPlan.ranges(helper, shape.cellBytes()));
      }
    }
    long longest = wanted.stream().mapToLong(shape::blockBytes).max().orElse(0);
    this.stripes = (longest + shape.cellBytes() - 1) / shape.cellBytes();
  }

  /**
   * Plans the reads.
   *
   * @param codec of the group's code
   * @param wanted units to rebuild, at least one
   * @param usable units that can be read; none is wanted
   * @param mayHalf whether half-read plans may be used
   * @throws NotEnoughSourcesException if some stripe cannot be rebuilt from the usable units
   */
  public static GroupReads plan(
      GroupShape shape,
      IzsCodec codec,
      SortedSet<Integer> wanted,
      SortedSet<Integer> usable,
      HalfReads mayHalf)
      throws NotEnoughSourcesException {
    Checks.argument(!wanted.isEmpty(), "plan a rebuild", "wanted", wanted, "at least one unit");
    for (int unit : wanted) {
      Checks.index("plan a rebuild", "wanted", unit, shape.units());
      Checks.argument(
          !usable.contains(unit), "plan a rebuild", "usable", usable, "without wanted " + wanted);
    }
    Optional<RepairPlan> half =
        mayHalf == HalfReads.ALLOWED ? halfPlan(shape, codec, wanted, usable) : Optional.empty();
    GroupReads reads =
        new GroupReads(shape, new TreeSet<>(wanted), new TreeSet<>(usable), half.orElse(null));
    // All full stripes are alike, and only the last can be partial.
    if (reads.stripes > 0) {
      reads.stripe(0);
      reads.stripe(reads.stripes - 1);
    }
    return reads;
  }

  private static Optional<RepairPlan> halfPlan(
      GroupShape shape, IzsCodec codec, SortedSet<Integer> wanted, SortedSet<Integer> usable) {
    int unit = wanted.first();
    if (wanted.size() > 1 || unit >= shape.dataUnits() || !shape.isFull(0)) {
      return Optional.empty();
    }
    RepairPlan plan = codec.repairPlan(unit);
    boolean isUsable = plan.helpers().stream().allMatch(helper -> usable.contains(helper.column()));
    return isUsable && plan.shareOfFullRead(shape.cellBytes()) < 1
        ? Optional.of(plan)
        : Optional.empty();
  }

  /** The plan by which full stripes are rebuilt; empty where k units are read. */
  public Optional<RepairPlan> halfPlan() {
    return Optional.ofNullable(halfPlan);
  }

  /** Units that it may read, ascending. */
  public SortedSet<Integer> usable() {
    return Collections.unmodifiableSortedSet(usable);
  }

  /** Stripes in which a wanted unit has bytes; they are the first ones. */
  public long stripes() {
    return stripes;
  }

  /**
   * Reads of one stripe.
   *
   * @param stripe below {@link #stripes}
   * @throws NotEnoughSourcesException never, once {@link #plan} has returned
   */
  public StripeReads stripe(long stripe) throws NotEnoughSourcesException {
    Checks.argument(
        stripe >= 0 && stripe < stripes, "plan a rebuild", "stripe", stripe, "0.." + (stripes - 1));
    List<Integer> rebuilt =
        wanted.stream().filter(unit -> shape.cellBytes(unit, stripe) > 0).toList();
    return halfPlan != null && shape.isFull(stripe)
        ? halfStripe(halfPlan, stripe, rebuilt)
        : fullStripe(stripe, rebuilt);
  }

  private StripeReads halfStripe(RepairPlan plan, long stripe, List<Integer> rebuilt) {
    List<UnitRead> reads = new ArrayList<>();
    for (int helper = 0; helper < halfRanges.size(); helper++) {
      List<ByteRange> ranges = new ArrayList<>();
      for (ByteRange range : halfRanges.get(helper)) {
        ranges.add(
            new ByteRange(shape.cellOffset(stripe) + range.offsetBytes(), range.lengthBytes()));
      }
      reads.add(new UnitRead(plan.helpers().get(helper).column(), ranges));
    }
    return new StripeReads(true, reads, List.of(), rebuilt);
  }

  private StripeReads fullStripe(long stripe, List<Integer> rebuilt)
      throws NotEnoughSourcesException {
    List<Integer> empty = new ArrayList<>();
    for (int unit = 0; unit < shape.dataUnits(); unit++) {
      if (shape.cellBytes(unit, stripe) == 0) {
        empty.add(unit);
      }
    }
    List<UnitRead> reads = new ArrayList<>();
    for (int unit : usable) {
      int cellBytes = shape.cellBytes(unit, stripe);
      if (cellBytes > 0 && empty.size() + reads.size() < shape.dataUnits()) {
        reads.add(new UnitRead(unit, List.of(new ByteRange(shape.cellOffset(stripe), cellBytes))));
      }
    }
    if (empty.size() + reads.size() < shape.dataUnits()) {
      throw new NotEnoughSourcesException(shape, wanted, usable);
    }
    return new StripeReads(false, reads, empty, rebuilt);
  }

  /**
   * The requests to one unit, in order: what {@link #stripe} says of it for all stripes from one
   * on, with whatever touches made one, also across stripes. Made as they are asked for: a block
   * may need millions.
   */
  public Iterator<ByteRange> requests(int unit, long fromStripe) {
    return new Requests(unit, fromStripe);
  }

  private final class Requests implements Iterator<ByteRange> {
    private final int unit;
    private long stripe;
    private Iterator<ByteRange> ofStripe = List.<ByteRange>of().iterator();
    private @Nullable ByteRange pending;

    Requests(int unit, long fromStripe) {
      this.unit = unit;
      this.stripe = fromStripe;
      this.pending = nextRange();
    }

    private @Nullable ByteRange nextRange() {
      while (!ofStripe.hasNext()) {
        if (stripe >= stripes) {
          return null;
        }
        ofStripe = ranges(stripe++).iterator();
      }
      return ofStripe.next();
    }

    private List<ByteRange> ranges(long ofOne) {
      try {
        return stripe(ofOne).reads().stream()
            .filter(read -> read.unit() == unit)
            .findFirst()
            .map(UnitRead::ranges)
            .orElse(List.of());
      } catch (NotEnoughSourcesException e) {
        throw new IllegalStateException("Every stripe was planned", e);
      }
    }

    @Override
    public boolean hasNext() {
      return pending != null;
    }

    @Override
    public ByteRange next() {
      ByteRange merged = pending;
      if (merged == null) {
        throw new NoSuchElementException("no more requests to unit " + unit);
      }
      pending = nextRange();
      while (pending != null && pending.offsetBytes() == merged.endOffset()) {
        merged = ByteRange.between(merged.offsetBytes(), pending.endOffset());
        pending = nextRange();
      }
      return merged;
    }
  }
}
