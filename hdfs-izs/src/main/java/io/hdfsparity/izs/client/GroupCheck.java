/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.client;

import io.hdfsparity.bridge.client.BlockGroup;
import io.hdfsparity.bridge.client.InternalBlocks;
import io.hdfsparity.bridge.client.UnitRead;
import io.hdfsparity.core.geometry.StripeGeometry;
import io.hdfsparity.izs.codec.IzsCodec;
import io.hdfsparity.izs.verify.IzsColumns;
import io.hdfsparity.izs.verify.ParityCheck;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;

/**
 * Compares all parity of block groups with their data, byte by byte. Mostly, data units are what a
 * client has written, and parity units are what it claims to be their parity. But a data unit that
 * was rebuilt from wrong parity has wrong bytes, and checksums that fit them: then the parity that
 * is left has the right ones. Thread-safe.
 */
public final class GroupCheck {
  private final IzsCodec codec;
  private final ReadPlanner planner;

  GroupCheck(IzsCodec codec, ReadPlanner planner) {
    this.codec = codec;
    this.planner = planner;
  }

  /** What is known of a group after it was read. */
  public enum Verdict {
    /** Every parity unit is what its data says. */
    FITS,
    /** All data is there, and some parity units hold other bytes. */
    WRONG,
    /** Some unit could not be read, or the group is not finished. */
    NOT_COMPARED
  }

  /**
   * Of one group.
   *
   * @param wrong parity units that hold other bytes than data says; empty unless WRONG
   * @param suspectedData data units each of which would explain all that does not fit, if it had
   *     other bytes: then not parity is wrong but one of these. Empty unless WRONG
   * @param reason why it was not compared; empty otherwise
   */
  public record Result(
      BlockGroup group,
      Verdict verdict,
      List<Integer> wrong,
      List<Integer> suspectedData,
      String reason) {
    public Result {
      wrong = List.copyOf(wrong);
      suspectedData = List.copyOf(suspectedData);
    }
  }

  /**
   * Reads a group, and compares.
   *
   * @throws IOException if the group is replaced meanwhile, or the thread is interrupted
   */
  Result run(InternalBlocks blocks, BlockGroup group) throws IOException {
    if (!group.isComplete()) {
      return notCompared(group, "it is being written");
    }
    SortedMap<Integer, String> lost = blocks.lost();
    lost.keySet().removeIf(unit -> geometry().blockBytes(unit, group.lengthBytes()) == 0);
    if (!lost.isEmpty()) {
      return notCompared(group, "lost units=" + lost);
    }
    long stripes = (group.lengthBytes() - 1) / geometry().stripeDataBytes() + 1;
    try (ScratchCells scratch = new ScratchCells(blocks.pool(), true)) {
      ParityCheck check = new ParityCheck(new IzsColumns(codec), scratch::take);
      for (long stripe = 0; stripe < stripes; stripe++) {
        Set<Integer> failed = compare(blocks, group, stripe, check);
        if (!failed.isEmpty()) {
          return notCompared(group, "units that could not be read=" + failed);
        }
      }
      return new Result(
          group,
          check.fits() ? Verdict.FITS : Verdict.WRONG,
          check.wrongParity(),
          check.suspectedData(),
          "");
    }
  }

  private static Result notCompared(BlockGroup group, String reason) {
    return new Result(group, Verdict.NOT_COMPARED, List.of(), List.of(), reason);
  }

  private StripeGeometry geometry() {
    return planner.geometry();
  }

  /** Compares a stripe, and returns the units that could not be read. */
  private Set<Integer> compare(
      InternalBlocks blocks, BlockGroup group, long stripe, ParityCheck check) throws IOException {
    int codewordBytes = planner.cellBytes(group, stripe, geometry().dataUnits());
    ByteBuffer[] columns = new ByteBuffer[geometry().totalUnits()];
    int[] dataBytes = new int[geometry().dataUnits()];
    try (ScratchCells scratch = new ScratchCells(blocks.pool(), true)) {
      List<UnitRead> reads = new ArrayList<>();
      for (int unit = 0; unit < columns.length; unit++) {
        int cellBytes = planner.cellBytes(group, stripe, unit);
        ByteBuffer column = scratch.take(codewordBytes);
        ScratchCells.clear(column, cellBytes);
        columns[unit] = column;
        if (cellBytes > 0) {
          reads.add(
              new UnitRead(
                  unit,
                  stripe * geometry().cellBytes(),
                  List.of(column.slice(0, cellBytes)),
                  geometry().blockBytes(unit, group.lengthBytes())));
        }
        if (unit < dataBytes.length) {
          dataBytes[unit] = cellBytes;
        }
      }
      Set<Integer> failed = blocks.read(reads);
      if (failed.isEmpty()) {
        blocks.decode(() -> check.compare(columns, dataBytes));
      }
      return failed;
    }
  }
}
