/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.Content;
import io.hdfsparity.ecupdate.ajx.LogRecord;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.storage.log.BlockChange;
import io.hdfsparity.ecupdate.storage.log.Recovered;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;

/**
 * A cell as its machine sees it: always whole, with zeros where the file has ended. It only reads:
 * changes reach the bytes with their log record, under the same lock of the slot.
 */
final class CellContent implements Content {
  private final ReplicaLayout layout;
  private final VersionedBytes bytes;
  private final int stripe;

  CellContent(ReplicaLayout layout, VersionedBytes bytes, int stripe) {
    this.layout = layout;
    this.bytes = bytes;
    this.stripe = stripe;
  }

  @Override
  public int length() {
    return layout.cellBytes();
  }

  @Override
  public Bytes read(int offset, int lengthBytes) {
    Checks.range("read a cell", offset, lengthBytes, layout.cellBytes());
    int there = Math.max(0, Math.min(lengthBytes, layout.cellLength(stripe) - offset));
    if (there == 0) {
      return Bytes.zeros(lengthBytes);
    }
    try {
      byte[] read = bytes.read(layout.cellOffset(stripe) + offset, there);
      return Bytes.wrap(there == lengthBytes ? read : Arrays.copyOf(read, lengthBytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void overwrite(Patch patch) {
    // With the log record.
  }

  @Override
  public void add(Patch delta) {
    // With the log record.
  }

  /**
   * Refuses a request that would change bytes behind the end of the file.
   *
   * @throws IllegalArgumentException if it would
   */
  static void check(ReplicaLayout layout, int stripe, Request request) {
    int lengthBytes = layout.cellLength(stripe);
    if (request instanceof Request.Swap swap) {
      checkEnd("swap", swap.patch(), lengthBytes);
    } else if (request instanceof Request.Add add) {
      checkEnd("add", add.delta(), lengthBytes);
    } else if (request instanceof Request.AddAll add) {
      checkEnd("add", add.delta(), lengthBytes);
    } else if (request instanceof Request.Reconstruct reconstruct) {
      Bytes block = reconstruct.block();
      boolean hasZeros = true;
      for (int i = lengthBytes; i < block.length(); i++) {
        hasZeros &= block.at(i) == 0;
      }
      Checks.argument(
          hasZeros,
          "reconstruct a block",
          "block",
          block,
          "zeros behind the end of the file, cell bytes=" + lengthBytes);
    }
  }

  private static void checkEnd(String doing, Patch patch, int lengthBytes) {
    Checks.argument(
        patch.end() <= lengthBytes,
        doing,
        "patch.end",
        patch.end(),
        "<= bytes of the cell in the file=" + lengthBytes);
  }

  /** A change of bytes for the overlay, without what lies behind the end of the file. */
  static BlockChange record(
      ReplicaLayout layout, SlotKey slot, LogRecord change, long sequence, long version) {
    BlockChange whole =
        Recovered.overlayRecord(
            new Recovered.Change(sequence, slot, change), layout.cellBytes(), version);
    return clip(whole, layout.lengthBytes());
  }

  /** Without what lies behind the end of the file; perhaps nothing is left. */
  static BlockChange clip(BlockChange record, int lengthBytes) {
    if (record.end() <= lengthBytes) {
      return record;
    }
    int offset = Math.min(record.offset(), lengthBytes);
    byte[] left = Arrays.copyOf(record.bytes(), lengthBytes - offset);
    return record instanceof BlockChange.Delta
        ? new BlockChange.Delta(record.version(), offset, left)
        : new BlockChange.Absolute(record.version(), offset, left);
  }
}
