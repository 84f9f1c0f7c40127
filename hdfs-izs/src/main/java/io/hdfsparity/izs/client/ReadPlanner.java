/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.client;

import io.hdfsparity.bridge.client.BlockGroup;
import io.hdfsparity.core.geometry.ByteRange;
import io.hdfsparity.core.geometry.StripeGeometry;
import io.hdfsparity.izs.codec.Overlap;
import io.hdfsparity.izs.codec.ZigzagCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Decides which bytes of which units give a range of a block group's data.
 *
 * <p>Where the parity units that are left and whose columns are not shifted are as many as the
 * unknown data units, decoding does not depend on where a codeword begins (docs/formats/
 * izs-codeword.md), and only the wanted bytes of the lost cells are decoded, from the same bytes of
 * k others: no more than Hadoop reads for Reed-Solomon. Else whole codewords are decoded. The
 * length of a codeword is that of the stripe's parity cells, which is that of its first data cell.
 *
 * <p>Parity is a claim of whoever wrote it. Until parity units of a group have been compared with
 * each other, every stripe that is decoded is decoded as a whole codeword, with all parity units
 * that are left, so that those that decoding does not need can be compared. Where as many data
 * units are lost as parity units are left, there is nothing to compare, and the parity is believed.
 *
 * <p>Immutable, thread-safe.
 */
final class ReadPlanner {
  private final ZigzagCode code;
  private final StripeGeometry geometry;

  ReadPlanner(ZigzagCode code, int cellBytes) {
    this.code = code;
    this.geometry = new StripeGeometry(code.dataColumns(), code.parityColumns(), cellBytes);
  }

  StripeGeometry geometry() {
    return geometry;
  }

  /**
   * Plans of all stripes that a range touches, in order.
   *
   * @param range of the group's data; not behind its end
   * @param lost units not to be used
   * @param compared what is known of parity units
   * @throws LostUnitsException if the others do not give all bytes
   */
  List<StripePlan> plan(
      BlockGroup group, ByteRange range, SortedMap<Integer, String> lost, ComparedParities compared)
      throws LostUnitsException {
    List<StripePlan> plans = new ArrayList<>();
    long stripeBytes = geometry.stripeDataBytes();
    for (long stripe = range.offsetBytes() / stripeBytes;
        stripe * stripeBytes < range.endOffset();
        stripe++) {
      plans.add(new OneStripe(group, stripe, lost, compared).plan(range));
    }
    return plans;
  }

  /** Bytes of a unit's cell in a stripe; 0 where the group ends before it. */
  int cellBytes(BlockGroup group, long stripe, int unit) {
    long blockBytes = geometry.blockBytes(unit, group.lengthBytes());
    long inStripe = blockBytes - stripe * geometry.cellBytes();
    return (int) Math.max(0, Math.min(geometry.cellBytes(), inStripe));
  }

  /** Whether all cells of a stripe have their full length. */
  boolean isFull(BlockGroup group, long stripe) {
    return cellBytes(group, stripe, geometry.dataUnits() - 1) == geometry.cellBytes();
  }

  /** The work on one stripe. */
  private final class OneStripe {
    private final BlockGroup group;
    private final long stripe;
    private final SortedMap<Integer, String> lost;
    private final ComparedParities compared;
    private final int dataUnits = geometry.dataUnits();

    OneStripe(
        BlockGroup group, long stripe, SortedMap<Integer, String> lost, ComparedParities compared) {
      this.group = group;
      this.stripe = stripe;
      this.lost = lost;
      this.compared = compared;
    }

    StripePlan plan(ByteRange range) throws LostUnitsException {
      List<ByteRange> wanted = new ArrayList<>();
      List<Integer> outputs = new ArrayList<>();
      ByteRange lostBytes = StripePlan.NOTHING;
      for (int unit = 0; unit < geometry.totalUnits(); unit++) {
        ByteRange inCell = unit < dataUnits ? wantedOf(unit, range) : StripePlan.NOTHING;
        wanted.add(inCell);
        if (!inCell.isEmpty() && lost.containsKey(unit)) {
          outputs.add(unit);
          lostBytes = hull(lostBytes, inCell);
        }
      }
      return outputs.isEmpty()
          ? new StripePlan(
              stripe, wanted, wanted, StripePlan.NOTHING, List.of(), outputs, List.of())
          : planDecode(wanted, outputs, lostBytes);
    }

    private ByteRange wantedOf(int unit, ByteRange range) {
      long cellStart = stripe * geometry.stripeDataBytes() + (long) unit * geometry.cellBytes();
      ByteRange part = new ByteRange(cellStart, cellBytes(unit)).intersect(range);
      return part.isEmpty()
          ? StripePlan.NOTHING
          : new ByteRange(part.offsetBytes() - cellStart, part.lengthBytes());
    }

    private int cellBytes(int unit) {
      return ReadPlanner.this.cellBytes(group, stripe, unit);
    }

    private StripePlan planDecode(
        List<ByteRange> wanted, List<Integer> outputs, ByteRange lostBytes)
        throws LostUnitsException {
      if (!group.isComplete() && cellBytes(dataUnits - 1) < geometry.cellBytes()) {
        throw LostUnitsException.unfinished(group, lost);
      }
      StripePlan plain = planPlain(wanted, outputs, lostBytes);
      boolean isFull = isFull(group, stripe);
      return compared.holds(group, isFull, stripe, plain.parities(dataUnits))
          ? plain
          : planCompared(wanted, outputs).orElse(plain);
    }

    private StripePlan planPlain(List<ByteRange> wanted, List<Integer> outputs, ByteRange lostBytes)
        throws LostUnitsException {
      ByteRange decoded = lostBytes;
      List<Integer> parities = parities(false);
      if (unknownFrom(decoded) > parities.size()) {
        decoded = new ByteRange(0, cellBytes(0));
        parities.addAll(parities(true));
      }
      int unknown = unknownFrom(decoded);
      if (unknown > parities.size()) {
        throw LostUnitsException.tooMany(group, code, lost);
      }
      return withInputs(wanted, outputs, decoded, parities.subList(0, unknown), List.of());
    }

    /** The whole codeword with all parity units; empty if none of them is to spare. */
    private Optional<StripePlan> planCompared(List<ByteRange> wanted, List<Integer> outputs) {
      ByteRange codeword = new ByteRange(0, cellBytes(0));
      List<Integer> spares =
          Overlap.spares(
              code,
              unit -> unit < dataUnits ? !isUnknown(unit, codeword) : !lost.containsKey(unit));
      if (spares.isEmpty()) {
        return Optional.empty();
      }
      List<Integer> parities = parities(false);
      parities.addAll(parities(true));
      parities.removeAll(spares);
      return Optional.of(withInputs(wanted, outputs, codeword, parities, spares));
    }

    /** Units with a parity column that is left. */
    private List<Integer> parities(boolean isShifted) {
      List<Integer> parities = new ArrayList<>();
      for (int parity = 0; parity < geometry.parityUnits(); parity++) {
        if (code.isRowwise(parity) != isShifted && !lost.containsKey(dataUnits + parity)) {
          parities.add(dataUnits + parity);
        }
      }
      return parities;
    }

    /** Lost data units that are not known to be zero in a range. */
    private int unknownFrom(ByteRange decoded) {
      int unknown = 0;
      for (int unit = 0; unit < dataUnits; unit++) {
        unknown += isUnknown(unit, decoded) ? 1 : 0;
      }
      return unknown;
    }

    private boolean isUnknown(int unit, ByteRange decoded) {
      return lost.containsKey(unit) && cellBytes(unit) > decoded.offsetBytes();
    }

    private StripePlan withInputs(
        List<ByteRange> wanted,
        List<Integer> outputs,
        ByteRange decoded,
        List<Integer> parities,
        List<Integer> spares) {
      List<ByteRange> fetched = new ArrayList<>();
      List<Integer> inputs = new ArrayList<>();
      for (int unit = 0; unit < geometry.totalUnits(); unit++) {
        boolean isInput = unit < dataUnits ? !isUnknown(unit, decoded) : parities.contains(unit);
        if (isInput) {
          inputs.add(unit);
        }
        ByteRange needed =
            isInput || spares.contains(unit)
                ? decoded.intersect(new ByteRange(0, cellBytes(unit)))
                : StripePlan.NOTHING;
        fetched.add(lost.containsKey(unit) ? StripePlan.NOTHING : hull(wanted.get(unit), needed));
      }
      return new StripePlan(stripe, wanted, fetched, decoded, inputs, outputs, spares);
    }
  }

  /** The least range that holds both; empty ones are nowhere. */
  private static ByteRange hull(ByteRange a, ByteRange b) {
    if (a.isEmpty() || b.isEmpty()) {
      return a.isEmpty() ? (b.isEmpty() ? StripePlan.NOTHING : b) : a;
    }
    return ByteRange.between(
        Math.min(a.offsetBytes(), b.offsetBytes()), Math.max(a.endOffset(), b.endOffset()));
  }
}
