/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.gf;

import io.hdfsparity.core.check.Checks;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A program of sums as calls of ISA-L on addresses. Plain XORs go to {@code xor_gen}, which takes
 * half the time of products, where all addresses are equally far from 32-byte boundaries. Where
 * rows are very long they are worked on in pieces. Thread-safe: scratch is per thread.
 *
 * <p>Memory safety: {@link #place} takes no address before it has compared the bytes that the plan
 * can touch with those that the buffer has; all else is computed from that plan and never from what
 * a caller says.
 */
final class IsalProgram implements KernelProgram {
  /**
   * Bounds scratch. Pieces that fit a second-level cache made cells of 1 MiB slower, not faster:
   * rows lie powers of two apart and compete for the same sets, and there are more calls.
   */
  private static final int MAX_PIECE_BYTES = 256 * 1024;

  /** Keeps scratch columns from lying a multiple of 4 KiB apart, where loads wait for stores. */
  private static final int STAGGER_BYTES = 5 * IsalScratch.CACHE_LINE_BYTES;

  private final IsalKernel kernel;
  private final IsalPlan plan;
  private final int pointers;
  private final IsalCall[] calls;

  IsalProgram(IsalKernel kernel, IsalPlan plan) {
    this.kernel = kernel;
    this.plan = plan;
    pointers = plan.pointers();
    calls = plan.calls.toArray(IsalCall[]::new);
  }

  @Override
  public void run(@Nullable ByteBuffer[] columns, int[] baseOffsets, int rowBytes) {
    Checks.argument(rowBytes >= 0, "run a program", "rowBytes", rowBytes, ">= 0");
    if (rowBytes == 0 || calls.length == 0) {
      return;
    }
    IsalScratch own = kernel.scratch();
    own.reservePointers(pointers, pointers);
    int piece = Math.min(rowBytes, MAX_PIECE_BYTES);
    // Another thread may change the caller's array; this one keeps what was checked reachable.
    @Nullable ByteBuffer[] held = columns.clone();
    IsalFrame frame = place(held, baseOffsets, rowBytes, piece);
    placeScratch(own, frame);
    frame.align();
    if (piece == rowBytes) {
      for (IsalCall call : calls) {
        run(own, frame, call, 0, call.runs * rowBytes);
      }
    } else {
      for (int from = 0; from < rowBytes; from += piece) {
        runPiece(own, frame, Math.min(piece, rowBytes - from));
      }
    }
    Reference.reachabilityFence(held);
    Reference.reachabilityFence(own);
    Reference.reachabilityFence(this);
  }

  /** Neighbouring rows do not follow each other then. */
  private void runPiece(IsalScratch own, IsalFrame frame, int bytes) {
    for (IsalCall call : calls) {
      for (int row = 0; row < call.runs; row++) {
        run(own, frame, call, row, bytes);
      }
    }
    frame.moveOn(bytes);
  }

  /** Finds addresses, and refuses what would make native code leave the buffers. */
  private IsalFrame place(
      @Nullable ByteBuffer[] columns, int[] baseOffsets, int rowBytes, int piece) {
    requireCount("columns", columns.length);
    requireCount("baseOffsets", baseOffsets.length);
    IsalFrame frame = new IsalFrame(plan, rowBytes, piece);
    for (int column = 0; column < plan.columns; column++) {
      if (plan.rowsUsed[column] == 0) {
        continue;
      }
      ByteBuffer buffer = columns[column];
      if (buffer == null) {
        throw refusal(column, "missing", "a direct buffer");
      }
      if (!buffer.isDirect() || (plan.isWritten[column] && buffer.isReadOnly())) {
        throw refusal(
            column, buffer, plan.isWritten[column] ? "direct and writable" : "a direct buffer");
      }
      int offset = baseOffsets[column];
      long bytes = (long) plan.rowsUsed[column] * rowBytes;
      // Each is read once: what is compared is what is used.
      int position = buffer.position();
      int remaining = buffer.limit() - position;
      if (offset < 0 || offset + bytes > remaining) {
        Checks.range("run a program", offset, bytes, remaining);
      }
      frame.bases[column] = kernel.memory().of(buffer, position + offset);
    }
    return frame;
  }

  private void requireCount(String name, int count) {
    if (count < plan.columns) {
      Checks.argument(false, "run a program", name + ".length", count, ">= " + plan.columns);
    }
  }

  private static IllegalArgumentException refusal(int column, Object buffer, String expected) {
    return new IllegalArgumentException(
        "Cannot run a program: column=" + column + ", buffer=" + buffer + ", expected " + expected);
  }

  /** As far from a boundary as the first column, so that XORs of both are aligned alike. */
  private void placeScratch(IsalScratch own, IsalFrame frame) {
    if (plan.scratchColumns == 0) {
      return;
    }
    int first = 0;
    while (plan.rowsUsed[first] == 0) {
      first++;
    }
    long strideBytes = (long) plan.rows * frame.pieceBytes + STAGGER_BYTES;
    long start =
        own.programScratch(plan.scratchColumns * strideBytes)
            + (frame.bases[first] & (IsalScratch.CACHE_LINE_BYTES - 1));
    for (int i = 0; i < plan.scratchColumns; i++) {
      frame.bases[plan.columns + i] = start + i * strideBytes;
    }
  }

  private void run(IsalScratch own, IsalFrame frame, IsalCall call, int row, int bytes) {
    if (call.matrix.isPlainSum() && frame.headBytes >= 0 && frame.headBytes < bytes) {
      xor(own, frame, call, row, bytes);
      return;
    }
    int[] sources = call.sources;
    for (int i = 0; i < sources.length; i++) {
      own.putInput(i, frame.address(sources[i] + row));
    }
    int[] targets = call.targets;
    for (int i = 0; i < targets.length; i++) {
      own.putOutput(i, frame.address(targets[i] + row));
    }
    IsalLibrary.ec_encode_data(
        bytes, sources.length, targets.length, call.matrix.address(), own.inputs, own.outputs);
  }

  private void xor(IsalScratch own, IsalFrame frame, IsalCall call, int row, int bytes) {
    int[] sources = call.sources;
    int head = frame.headBytes;
    long target = frame.address(call.targets[0] + row);
    for (int i = 0; i < sources.length; i++) {
      own.putInput(i, frame.address(sources[i] + row) + head);
    }
    own.putInput(sources.length, target + head);
    NativeMemory memory = kernel.memory();
    for (int at = 0; at < head; at += Long.BYTES) {
      long sum = 0;
      for (int source : sources) {
        sum ^= memory.getLong(frame.address(source + row) + at);
      }
      memory.putLong(target + at, sum);
    }
    kernel.xorAligned(sources.length + 1, bytes - head, own.inputs);
  }
}
