/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.codec;

import io.hdfsparity.core.gf.Kernel;
import io.hdfsparity.core.gf.KernelProgram;
import io.hdfsparity.core.gf.ProgramKernel;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Runs {@link RowProgram}s on bytes: by the kernel itself where it can and all buffers are direct.
 * Else step by step, and rows are worked on in blocks small enough that a block of every row stays
 * in the cache, since the steps read each of them several times. Thread-safe: scratch is per
 * thread.
 */
final class ProgramRunner {
  /** About what the second-level cache of one core holds. */
  private static final int CACHE_BYTES = 1 << 20;

  private static final int MIN_BLOCK_BYTES = 4096;
  private static final int MAX_BLOCK_BYTES = 64 * 1024;

  private final Kernel kernel;

  /** Programs that the kernel runs itself. */
  private final ConcurrentHashMap<RowProgram, KernelProgram> prepared = new ConcurrentHashMap<>();

  private final ThreadLocal<Scratch> scratch = ThreadLocal.withInitial(Scratch::new);

  ProgramRunner(Kernel kernel) {
    this.kernel = kernel;
  }

  /**
   * Runs a program.
   *
   * @param columns by number; null where the program uses none. Used from their positions, which
   *     stay; limits must leave room for all rows that the program names
   * @param baseOffsets where row 0 of each column is, in bytes from its position
   * @param rowBytes length of a row; 0 does nothing
   */
  void run(RowProgram program, @Nullable ByteBuffer[] columns, int[] baseOffsets, int rowBytes) {
    if (rowBytes == 0 || program.steps().isEmpty()) {
      return;
    }
    if (kernel instanceof ProgramKernel direct && areDirect(columns)) {
      prepared(direct, program).run(columns, baseOffsets, rowBytes);
      return;
    }
    int blockBytes = Math.min(rowBytes, blockBytes(program));
    Binder binder = new Binder(program, columns, baseOffsets, rowBytes, blockBytes);
    BoundStep[] steps = new BoundStep[program.steps().size()];
    for (int i = 0; i < steps.length; i++) {
      steps[i] = binder.bind(program.steps().get(i));
    }
    for (int from = 0; from < rowBytes; from += blockBytes) {
      int bytes = Math.min(blockBytes, rowBytes - from);
      for (BoundStep step : steps) {
        step.run(kernel, from, bytes);
      }
    }
  }

  private KernelProgram prepared(ProgramKernel direct, RowProgram program) {
    KernelProgram known = prepared.get(program);
    return known != null
        ? known
        : prepared.computeIfAbsent(
            program,
            fresh ->
                direct.prepare(
                    fresh.rows(), fresh.scratchFrom(), fresh.scratchColumns(), fresh.sums()));
  }

  private static boolean areDirect(@Nullable ByteBuffer[] columns) {
    for (ByteBuffer column : columns) {
      if (column != null && !column.isDirect()) {
        return false;
      }
    }
    return true;
  }

  private static int blockBytes(RowProgram program) {
    int fitting = CACHE_BYTES / program.elements() / MIN_BLOCK_BYTES * MIN_BLOCK_BYTES;
    return Math.max(MIN_BLOCK_BYTES, Math.min(MAX_BLOCK_BYTES, fitting));
  }

  /** Finds the bytes of elements. */
  private final class Binder {
    private final RowProgram program;
    private final @Nullable ByteBuffer[] columns;
    private final int[] baseOffsets;
    private final int rowBytes;
    private final int blockBytes;
    private final ByteBuffer blocks;

    Binder(
        RowProgram program,
        @Nullable ByteBuffer[] columns,
        int[] baseOffsets,
        int rowBytes,
        int blockBytes) {
      this.program = program;
      this.columns = columns;
      this.baseOffsets = baseOffsets;
      this.rowBytes = rowBytes;
      this.blockBytes = blockBytes;
      int scratchBytes = program.scratchColumns() * program.rows() * blockBytes;
      this.blocks = scratch.get().reserve(scratchBytes, isDirect());
    }

    /** Kernels are fastest when all buffers are of one kind. */
    private boolean isDirect() {
      for (ByteBuffer column : columns) {
        if (column != null) {
          return column.isDirect();
        }
      }
      return true;
    }

    BoundStep bind(RowStep step) {
      return new BoundStep(step.matrix(), slots(step.sources()), slots(step.targets()));
    }

    private Slot[] slots(List<Element> elements) {
      Slot[] slots = new Slot[elements.size()];
      for (int i = 0; i < slots.length; i++) {
        slots[i] = slot(elements.get(i));
      }
      return slots;
    }

    private Slot slot(Element element) {
      if (element.column() >= program.scratchFrom()) {
        int block = (element.column() - program.scratchFrom()) * program.rows() + element.row();
        return new Slot(blocks.duplicate(), block * blockBytes, false);
      }
      ByteBuffer column = columns[element.column()];
      if (column == null) {
        throw new IllegalStateException(
            "Cannot run a program: column=" + element.column() + ", expected a buffer for it");
      }
      int offset = column.position() + baseOffsets[element.column()] + element.row() * rowBytes;
      return new Slot(column.duplicate(), offset, true);
    }
  }

  /**
   * A view of one element.
   *
   * @param movesOn whether the next block of it is elsewhere, as in a column; in scratch it is not
   */
  private record Slot(ByteBuffer view, int offset, boolean movesOn) {
    void show(int from, int bytes) {
      int start = movesOn ? offset + from : offset;
      view.limit(start + bytes).position(start);
    }
  }

  /** A step with its buffers. */
  private static final class BoundStep {
    private final byte[] matrix;
    private final Slot[] sources;
    private final Slot[] targets;
    private final ByteBuffer[] inputs;
    private final ByteBuffer[] outputs;

    BoundStep(byte[] matrix, Slot[] sources, Slot[] targets) {
      this.matrix = matrix;
      this.sources = sources;
      this.targets = targets;
      this.inputs = views(sources);
      this.outputs = views(targets);
    }

    private static ByteBuffer[] views(Slot[] slots) {
      ByteBuffer[] views = new ByteBuffer[slots.length];
      for (int i = 0; i < slots.length; i++) {
        views[i] = slots[i].view();
      }
      return views;
    }

    void run(Kernel kernel, int from, int bytes) {
      for (Slot source : sources) {
        source.show(from, bytes);
      }
      for (Slot target : targets) {
        target.show(from, bytes);
      }
      kernel.encode(matrix, inputs, outputs);
    }
  }

  /** Room for what is computed on the way. */
  private static final class Scratch {
    private ByteBuffer direct = ByteBuffer.allocateDirect(0);
    private ByteBuffer heap = ByteBuffer.allocate(0);

    ByteBuffer reserve(int bytes, boolean isDirect) {
      if (isDirect) {
        if (direct.capacity() < bytes) {
          direct = ByteBuffer.allocateDirect(bytes);
        }
        return direct;
      }
      if (heap.capacity() < bytes) {
        heap = ByteBuffer.allocate(bytes);
      }
      return heap;
    }
  }
}
