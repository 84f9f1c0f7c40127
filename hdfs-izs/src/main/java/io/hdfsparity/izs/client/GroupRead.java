/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.client;

import io.hdfsparity.bridge.client.BlockGroup;
import io.hdfsparity.bridge.client.InternalBlocks;
import io.hdfsparity.bridge.client.UnitRead;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.geometry.ByteRange;
import io.hdfsparity.core.geometry.StripeGeometry;
import io.hdfsparity.izs.codec.ContradictionException;
import io.hdfsparity.izs.codec.IzsCodec;
import io.hdfsparity.izs.codec.Overlap;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One read of a block group: plans, reads, decodes, and plans again when a unit turns out to be
 * lost on the way. Stripes in which nothing is decoded are read together, straight into the target;
 * others one by one, so that at most k + r cells are borrowed at a time. Not thread-safe; used
 * once.
 */
final class GroupRead {
  private final IzsCodec codec;
  private final ReadPlanner planner;
  private final ComparedParities compared;
  private final StripeGeometry geometry;
  private final InternalBlocks blocks;
  private final BlockGroup group;
  private final long offset;
  private final ByteBuffer target;
  private final long[] readTo;

  /** By unit: its wanted bytes of the stripes before this one need not be read again. */
  private final Map<Integer, Long> inPlaceUntil = new HashMap<>();

  /**
   * A read.
   *
   * @param offset in the group's data, of the first byte of {@code target}
   */
  GroupRead(
      IzsCodec codec,
      ReadPlanner planner,
      ComparedParities compared,
      InternalBlocks blocks,
      BlockGroup group,
      long offset,
      ByteBuffer target) {
    this.codec = codec;
    this.planner = planner;
    this.compared = compared;
    this.geometry = planner.geometry();
    this.blocks = blocks;
    this.group = group;
    this.offset = offset;
    this.target = target.slice();
    this.readTo = new long[geometry.totalUnits()];
  }

  /** Fills the target. */
  void run() throws IOException {
    List<StripePlan> plans = planFrom(offset);
    int next = 0;
    while (next < plans.size()) {
      int end = batchEnd(plans, next);
      StripePlan first = plans.get(next);
      if (isNothingInPlaceFrom(first.stripe())) {
        blocks.beginRead();
      }
      boolean isDone = readBatch(plans.subList(next, end));
      next = isDone ? end : next;
      // What is left is planned again with what has been learned: of units lost, or of parity.
      if (next < plans.size() && (!isDone || !first.spares().isEmpty())) {
        long stripeStart = plans.get(next).stripe() * geometry.stripeDataBytes();
        plans = planFrom(Math.max(offset, stripeStart));
        next = 0;
      }
    }
  }

  private List<StripePlan> planFrom(long from) throws LostUnitsException {
    ByteRange range = ByteRange.between(from, offset + target.limit());
    List<StripePlan> plans = planner.plan(group, range, blocks.lost(), compared);
    for (StripePlan plan : plans) {
      for (int unit = 0; unit < readTo.length; unit++) {
        ByteRange fetched = plan.fetched().get(unit);
        if (!fetched.isEmpty()) {
          readTo[unit] = plan.stripe() * geometry.cellBytes() + fetched.endOffset();
        }
      }
    }
    return plans;
  }

  private static int batchEnd(List<StripePlan> plans, int from) {
    int end = from + 1;
    if (!plans.get(from).decodes()) {
      while (end < plans.size() && !plans.get(end).decodes()) {
        end++;
      }
    }
    return end;
  }

  /**
   * Reads some stripes, of which none is decoded, or one that is.
   *
   * @return whether they are done; else some units are lost that were not, or to be tried again
   */
  private boolean readBatch(List<StripePlan> batch) throws IOException {
    try (ScratchCells scratch = new ScratchCells(blocks.pool(), target.isDirect())) {
      @Nullable ByteBuffer[] cells = new ByteBuffer[geometry.totalUnits()];
      List<UnitRead> reads = new ArrayList<>();
      for (int unit = 0; unit < cells.length; unit++) {
        addRead(batch, unit, cells, scratch, reads);
      }
      Set<Integer> failed = blocks.read(reads);
      if (!failed.isEmpty()) {
        keepWhatIsInPlace(batch, reads, failed);
        return false;
      }
      StripePlan first = batch.get(0);
      if (first.decodes()) {
        decode(first, cells, scratch);
      }
      return true;
    }
  }

  private void addRead(
      List<StripePlan> batch,
      int unit,
      @Nullable ByteBuffer[] cells,
      ScratchCells scratch,
      List<UnitRead> reads) {
    List<ByteBuffer> into = new ArrayList<>();
    long from = 0;
    for (StripePlan plan : batch) {
      ByteRange fetched = plan.fetched().get(unit);
      if (fetched.isEmpty() || isInPlace(plan, unit)) {
        continue;
      }
      if (into.isEmpty()) {
        from = plan.stripe() * geometry.cellBytes() + fetched.offsetBytes();
      }
      if (plan.isFetchedAsWanted(unit)) {
        into.add(targetOf(plan, unit));
      } else {
        ByteBuffer cell = scratch.take(bytesToHold(plan, fetched));
        ScratchCells.clear(cell, (int) fetched.lengthBytes());
        cells[unit] = cell;
        into.add(cell.slice(0, (int) fetched.lengthBytes()));
      }
    }
    if (!into.isEmpty()) {
      reads.add(new UnitRead(unit, from, into, readTo[unit]));
    }
  }

  /** What is fetched, and zeros behind it up to the end of what is decoded. */
  private static int bytesToHold(StripePlan plan, ByteRange fetched) {
    long end = Math.max(fetched.endOffset(), plan.decoded().endOffset());
    return (int) (end - fetched.offsetBytes());
  }

  private boolean isInPlace(StripePlan plan, int unit) {
    return plan.isFetchedAsWanted(unit) && inPlaceUntil.getOrDefault(unit, 0L) > plan.stripe();
  }

  /** Whether all bytes of the stripes from one on are still to be read. */
  private boolean isNothingInPlaceFrom(long stripe) {
    return inPlaceUntil.values().stream().allMatch(until -> until <= stripe);
  }

  private void keepWhatIsInPlace(
      List<StripePlan> batch, List<UnitRead> reads, Set<Integer> failed) {
    StripePlan last = batch.get(batch.size() - 1);
    for (UnitRead read : reads) {
      int unit = read.unit();
      if (!failed.contains(unit) && last.isFetchedAsWanted(unit)) {
        inPlaceUntil.merge(unit, last.stripe() + 1, Math::max);
      }
    }
  }

  /** Where the wanted bytes of a unit go. */
  private ByteBuffer targetOf(StripePlan plan, int unit) {
    ByteRange wanted = plan.wanted().get(unit);
    long inGroup =
        plan.stripe() * geometry.stripeDataBytes()
            + (long) unit * geometry.cellBytes()
            + wanted.offsetBytes();
    return target.slice((int) (inGroup - offset), (int) wanted.lengthBytes());
  }

  private void decode(StripePlan plan, @Nullable ByteBuffer[] cells, ScratchCells scratch)
      throws IOException {
    int lengthBytes = (int) plan.decoded().lengthBytes();
    @Nullable ByteBuffer[] columns = new ByteBuffer[geometry.totalUnits()];
    for (int unit : plan.inputs()) {
      columns[unit] = input(plan, unit, cells[unit], scratch);
    }
    int[] wanted = plan.outputs().stream().mapToInt(Integer::intValue).toArray();
    ByteBuffer[] outputs = new ByteBuffer[wanted.length];
    for (int i = 0; i < wanted.length; i++) {
      boolean isAllWanted = plan.wanted().get(wanted[i]).equals(plan.decoded());
      outputs[i] = isAllWanted ? targetOf(plan, wanted[i]) : scratch.take(lengthBytes);
    }
    blocks.decode(() -> codec.decode(columns, wanted, outputs));
    if (!plan.spares().isEmpty()) {
      for (int i = 0; i < wanted.length; i++) {
        columns[wanted[i]] = outputs[i];
      }
      for (int unit : plan.spares()) {
        columns[unit] = input(plan, unit, cells[unit], scratch);
      }
      blocks.decode(() -> compare(plan, columns, scratch.take(lengthBytes)));
    }
    for (int i = 0; i < wanted.length; i++) {
      requireZerosBehindCell(plan, wanted[i], outputs[i]);
      if (!plan.wanted().get(wanted[i]).equals(plan.decoded())) {
        copyWanted(plan, wanted[i], outputs[i], plan.decoded().offsetBytes());
      }
    }
    for (int unit = 0; unit < geometry.dataUnits(); unit++) {
      ByteBuffer cell = cells[unit];
      if (cell != null) {
        copyWanted(plan, unit, cell, plan.fetched().get(unit).offsetBytes());
      }
    }
  }

  /** Holds the parity units that decoding did not need against what it gave. */
  private void compare(StripePlan plan, @Nullable ByteBuffer[] columns, ByteBuffer scratch)
      throws IOException {
    Overlap.Outcome outcome = Overlap.compare(codec, columns, plan.spares(), scratch);
    if (!outcome.contradicted().isEmpty()) {
      throw new ContradictionException(
          ErrorMessage.to("decode a block group of codec izs")
              .where("file", group.file())
              .where("group", group.block())
              .where("stripe", plan.stripe()),
          outcome.contradicted(),
          plan.inputs());
    }
    compared.fit(
        group,
        planner.isFull(group, plan.stripe()),
        plan.stripe(),
        plan.parities(geometry.dataUnits()),
        outcome);
  }

  /** The bytes of a unit that decoding takes, with zeros behind the end of its cell. */
  private ByteBuffer input(
      StripePlan plan, int unit, @Nullable ByteBuffer cell, ScratchCells scratch) {
    ByteRange decoded = plan.decoded();
    int lengthBytes = (int) decoded.lengthBytes();
    ByteRange fetched = plan.fetched().get(unit);
    if (cell != null) {
      return cell.slice((int) (decoded.offsetBytes() - fetched.offsetBytes()), lengthBytes);
    }
    ByteRange present =
        decoded.intersect(new ByteRange(0, planner.cellBytes(group, plan.stripe(), unit)));
    if (present.isEmpty()) {
      return scratch.takeZeros(lengthBytes);
    }
    // Its wanted bytes hold all that is present: they are in the target.
    ByteBuffer inTarget =
        targetOf(plan, unit)
            .slice(
                (int) (present.offsetBytes() - fetched.offsetBytes()), (int) present.lengthBytes());
    if (present.lengthBytes() == lengthBytes) {
      return inTarget;
    }
    ByteBuffer padded = scratch.take(lengthBytes);
    padded.put(inTarget).rewind();
    ScratchCells.clear(padded, (int) present.lengthBytes());
    return padded;
  }

  /** Copies what is wanted of a unit from a buffer that begins at some offset of its cell. */
  private void copyWanted(StripePlan plan, int unit, ByteBuffer from, long fromOffset) {
    ByteRange wanted = plan.wanted().get(unit);
    if (!wanted.isEmpty()) {
      targetOf(plan, unit)
          .put(from.slice((int) (wanted.offsetBytes() - fromOffset), (int) wanted.lengthBytes()));
    }
  }

  /**
   * A short cell is coded with zeros behind it, and so must they be decoded: anything else means
   * that lengths or bytes do not belong together.
   */
  private void requireZerosBehindCell(StripePlan plan, int unit, ByteBuffer decoded)
      throws IOException {
    long cellEnd = planner.cellBytes(group, plan.stripe(), unit) - plan.decoded().offsetBytes();
    for (int at = (int) Math.max(0, cellEnd); at < decoded.limit(); at++) {
      if (decoded.get(at) != 0) {
        throw new IOException(
            ErrorMessage.to("decode the last stripe of a block group")
                .value("byte behind the cell of unit " + unit, decoded.get(at))
                .expected("0; its internal blocks are not of one write")
                .where("file", group.file())
                .where("group", group.block())
                .message());
      }
    }
  }
}
