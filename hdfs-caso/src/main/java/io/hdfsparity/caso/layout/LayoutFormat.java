/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.layout;

import io.hdfsparity.caso.format.RecordFile;
import io.hdfsparity.caso.format.RecordInput;
import io.hdfsparity.caso.format.RecordOutput;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.framing.CorruptFormatException;
import io.hdfsparity.core.framing.FormatException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The layout index of one file. Big-endian; the same words stand in docs/formats/caso-layout.md.
 *
 * <pre>
 * header (HeaderFormat): magic "CASOLAYT", version 1, owner = the file it belongs to, payload:
 *   offset  bytes  field
 *   0       4      cellSizeBytes
 *   4       2      dataCells        k
 *   6       2      parityCells      m
 *   8       8      lengthBytes      of the file in its own order
 *   16      8      storedCellCount  padding included
 *   24      4      runCount
 *   28      2      n
 *   30      n      origin           UTF-8, for people
 * record (RecordFormat): magic 0x434c4159 "CLAY", sequence from 1 without gaps, payload: up to
 *   65536 runs in the order of logical cells, each of
 *   0       8      storedCell       first stored cell
 *   8       8      count            cells, > 0
 * </pre>
 *
 * <p>Runs cover the file's cells from 0 on without gaps. A file that ends early has fewer runs than
 * its header says; bytes after the last run are refused too. Stateless, thread-safe.
 */
public final class LayoutFormat {
  static final int RUNS_PER_RECORD = 1 << 16;
  private static final int RUN_BYTES = 2 * Long.BYTES;
  private static final RecordFile FILE =
      RecordFile.of("CASOLAYT", 0x434c4159, RUNS_PER_RECORD * RUN_BYTES);
  private static final int FIXED_BYTES = 30;

  private LayoutFormat() {}

  /**
   * Writes an index; closes the stream.
   *
   * @throws IOException if it cannot be written
   */
  public static void write(LayoutIndex index, OutputStream out) throws IOException {
    StoredOrder order = index.order();
    byte[] origin = index.origin().getBytes(StandardCharsets.UTF_8);
    ByteBuffer payload = ByteBuffer.allocate(FIXED_BYTES + origin.length);
    payload.putInt(index.cellSizeBytes());
    payload.putShort((short) index.dataCells()).putShort((short) index.parityCells());
    payload.putLong(index.lengthBytes()).putLong(order.storedCellCount());
    payload.putInt(order.runCount()).putShort((short) origin.length).put(origin).flip();
    try (RecordOutput records = new RecordOutput(FILE, out, index.owner(), payload)) {
      ByteBuffer runs = ByteBuffer.allocate(RUNS_PER_RECORD * RUN_BYTES);
      for (int run = 0; run < order.runCount(); run++) {
        runs.putLong(order.storedStart(run)).putLong(order.count(run));
        if (!runs.hasRemaining()) {
          records.append(runs.flip());
          runs.clear();
        }
      }
      if (runs.flip().hasRemaining()) {
        records.append(runs);
      }
    }
  }

  /**
   * Reads an index and checks all of it; closes the stream.
   *
   * @param name of the file, for messages
   * @throws FormatException if it is damaged, cut, of another version or kind
   */
  public static LayoutIndex read(InputStream in, String name) throws IOException {
    try (RecordInput records = new RecordInput(FILE, in, name)) {
      ByteBuffer fixed = records.header().payload();
      try {
        int cellSizeBytes = fixed.getInt();
        int dataCells = Short.toUnsignedInt(fixed.getShort());
        int parityCells = Short.toUnsignedInt(fixed.getShort());
        long lengthBytes = fixed.getLong();
        long storedCellCount = fixed.getLong();
        int runCount = fixed.getInt();
        byte[] origin = new byte[Short.toUnsignedInt(fixed.getShort())];
        fixed.get(origin);
        if (fixed.hasRemaining()) {
          throw records.corrupt("header bytes", fixed.remaining(), "0 after the origin");
        }
        return new LayoutIndex(
            records.header().owner(),
            cellSizeBytes,
            dataCells,
            parityCells,
            lengthBytes,
            new String(origin, StandardCharsets.UTF_8),
            order(records, runCount, storedCellCount));
      } catch (BufferUnderflowException e) {
        throw records.corrupt("payloadBytes", fixed.limit(), "at least " + FIXED_BYTES);
      } catch (IllegalArgumentException e) {
        // Checksums are right and the contents are not: written by something that is not ours.
        throw new CorruptFormatException(
            ErrorMessage.to("read a layout")
                .value("cause", e.getMessage())
                .expected("a layout that holds")
                .where("file", name)
                .message());
      }
    }
  }

  private static StoredOrder order(RecordInput records, int runCount, long storedCellCount)
      throws IOException {
    if (runCount < 0) {
      throw records.corrupt("runCount", runCount, ">= 0");
    }
    // Grown as runs arrive: a header alone must not make us allocate.
    long[] storedStarts = new long[Math.min(runCount, RUNS_PER_RECORD)];
    long[] counts = new long[storedStarts.length];
    int size = 0;
    for (ByteBuffer runs = records.next(); runs != null; runs = records.next()) {
      int inRecord = runs.remaining() / RUN_BYTES;
      if (runs.remaining() % RUN_BYTES != 0 || inRecord == 0 || inRecord > runCount - size) {
        throw records.corrupt(
            "runs before", size + (long) inRecord, "whole runs, runCount=" + runCount);
      }
      if (size + inRecord > counts.length) {
        int capacity = (int) Math.min(runCount, 2L * (size + inRecord));
        storedStarts = Arrays.copyOf(storedStarts, capacity);
        counts = Arrays.copyOf(counts, capacity);
      }
      while (runs.hasRemaining()) {
        storedStarts[size] = runs.getLong();
        counts[size++] = runs.getLong();
      }
    }
    if (size != runCount) {
      throw records.corrupt("runs", size, "runCount=" + runCount + ", the file was cut");
    }
    return new StoredOrder(
        Arrays.copyOf(storedStarts, size), Arrays.copyOf(counts, size), storedCellCount);
  }
}
