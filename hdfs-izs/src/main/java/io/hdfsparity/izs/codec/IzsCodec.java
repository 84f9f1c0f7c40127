/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.codec;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.core.gf.Kernel;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A zigzag code at work on codewords.
 *
 * <p>The buffers of a call hold one codeword and nothing else: the bytes between position and limit
 * are one column's part of it, as long in every column ({@link CodewordLayout}). A cut or a shifted
 * codeword decodes to wrong bytes without notice; callers must know where codewords begin and how
 * long they are. Positions and limits stay. Direct and heap buffers are accepted and may be mixed,
 * which is slower. What an output held is overwritten.
 *
 * <p>Plans are made at first use and kept. Thread-safe.
 */
public final class IzsCodec {
  private final ZigzagCode code;
  private final Kernel kernel;
  private final ProgramRunner runner;
  private final Programs encode;
  private final ConcurrentHashMap<Erasures, Programs> decodes = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<Integer, RepairPlan> repairs = new ConcurrentHashMap<>();

  /**
   * Programs for the rows and for the tail.
   *
   * @param isPlain whether the one for the tail does for the rows, too: where no shifted parity
   *     column takes part
   */
  private record Programs(RowProgram rows, RowProgram tail, boolean isPlain) {
    Programs(RowProgram rows, RowProgram tail) {
      this(rows, tail, rows.repeats(tail));
    }
  }

  /** What a decode program depends on. */
  private record Erasures(ColumnSet available, ColumnSet wanted) {}

  public IzsCodec(Kernel kernel, ZigzagCode code) {
    this.code = code;
    this.kernel = kernel;
    this.runner = new ProgramRunner(kernel);
    this.encode = new Programs(DecodePlanner.encode(code), DecodePlanner.encode(code.tailCode()));
  }

  /** The code. */
  public ZigzagCode code() {
    return code;
  }

  /**
   * Computes all parity columns (paper section 4.3, Algorithms 2 and 6).
   *
   * @param data k columns
   * @param parity r columns
   */
  public void encode(ByteBuffer[] data, ByteBuffer[] parity) {
    requireCount("encode", "data", data.length, code.dataColumns());
    requireCount("encode", "parity", parity.length, code.parityColumns());
    ByteBuffer[] columns = Arrays.copyOf(data, code.columns());
    System.arraycopy(parity, 0, columns, data.length, parity.length);
    run(encode, columns, layoutOf(columns));
  }

  /**
   * Computes any columns from those left.
   *
   * @param columns all k + r by number; null where one is lost or not to be used
   * @param wanted columns to compute; null in {@code columns}
   * @param outputs where to, one a wanted column
   * @throws TooManyErasuresException if those left do not determine the wanted ones
   */
  public void decode(@Nullable ByteBuffer[] columns, int[] wanted, ByteBuffer[] outputs)
      throws TooManyErasuresException {
    requireCount("decode", "columns", columns.length, code.columns());
    Checks.argument(
        outputs.length == wanted.length,
        "decode",
        "outputs.length",
        outputs.length,
        "= wanted.length = " + wanted.length);
    if (wanted.length == 0) {
      return;
    }
    ColumnSet available = ColumnSet.NONE;
    for (int column = 0; column < columns.length; column++) {
      available = columns[column] == null ? available : available.with(column);
    }
    @Nullable ByteBuffer[] all = columns.clone();
    ColumnSet wantedSet = ColumnSet.NONE;
    for (int i = 0; i < wanted.length; i++) {
      Checks.index("decode", "wanted", wanted[i], columns.length);
      Checks.argument(
          all[wanted[i]] == null, "decode", "wanted", wanted[i], "a column that is not given");
      all[wanted[i]] = outputs[i];
      wantedSet = wantedSet.with(wanted[i]);
    }
    run(programs(new Erasures(available, wantedSet)), all, layoutOf(all));
  }

  private static void requireCount(String doing, String columns, int count, int expected) {
    Checks.argument(count == expected, doing, columns + ".length", count, "= " + expected);
  }

  private Programs programs(Erasures erasures) throws TooManyErasuresException {
    Programs known = decodes.get(erasures);
    if (known != null) {
      return known;
    }
    Programs made =
        new Programs(
            DecodePlanner.decode(code, erasures.available(), erasures.wanted()),
            DecodePlanner.decode(code.tailCode(), erasures.available(), erasures.wanted()));
    decodes.put(erasures, made);
    return made;
  }

  /** How to rebuild one column from as few bytes as possible; every other column must be there. */
  public RepairPlan repairPlan(int lostColumn) {
    Checks.index("plan a repair", "lostColumn", lostColumn, code.columns());
    return repairs.computeIfAbsent(lostColumn, new RepairPlanner(code)::plan);
  }

  /**
   * Rebuilds a column by a plan (paper section 4.3, Algorithms 5 and 7).
   *
   * @param plan made by this codec
   * @param helperRuns one a helper of the plan: the bytes of its {@link RepairPlan#ranges}, one
   *     after the other
   * @param lost where to; its remaining bytes are the codeword's length
   */
  public void repair(RepairPlan plan, ByteBuffer[] helperRuns, ByteBuffer lost) {
    Checks.argument(
        plan.code() == code, "repair a column", "plan", plan.code().name(), "one of this codec");
    List<RepairPlan.Helper> helpers = plan.helpers();
    Checks.argument(
        helperRuns.length == helpers.size(),
        "repair a column",
        "helperRuns.length",
        helperRuns.length,
        "= " + helpers.size());
    CodewordLayout layout = new CodewordLayout(code.rows(), lost.remaining());
    @Nullable ByteBuffer[] columns = new ByteBuffer[code.columns()];
    int[] tailOffsets = new int[code.columns()];
    for (int i = 0; i < helperRuns.length; i++) {
      long expected = plan.bytesRead(i, layout.lengthBytes());
      if (helperRuns[i].remaining() != expected) {
        Checks.argument(
            false,
            "repair a column",
            "helperRuns[" + i + "].remaining",
            helperRuns[i].remaining(),
            "= " + expected);
      }
      int column = helpers.get(i).column();
      columns[column] = helperRuns[i];
      tailOffsets[column] = helpers.get(i).rowsRead().size() * layout.rowBytes();
    }
    columns[plan.lostColumn()] = lost;
    tailOffsets[plan.lostColumn()] = layout.tailOffset();
    runner.run(plan.rowProgram(), columns, new int[columns.length], layout.rowBytes());
    runner.run(plan.tailProgram(), columns, tailOffsets, layout.tailBytes());
  }

  /**
   * Where a change of some bytes of one data column goes: for each parity column, by place in the
   * change. The lengths add up to r times the change's.
   *
   * @param offset of the change in the data column's part of the codeword, in bytes
   * @param lengthBytes of the change, at least 0
   * @param codewordBytes length of the codeword
   */
  public List<ParityRun> updateRuns(
      int dataColumn, int offset, int lengthBytes, int codewordBytes) {
    return new UpdatePlanner(code).plan(dataColumn, offset, lengthBytes, codewordBytes);
  }

  /**
   * Computes what each parity column changes by, to be added where {@link #updateRuns} says.
   *
   * @param runs of {@link #updateRuns}
   * @param delta old bytes XOR new bytes
   * @param parityDeltas r buffers as long as {@code delta}; a run's bytes are at its {@link
   *     ParityRun#deltaOffset}
   */
  public void parityDeltas(List<ParityRun> runs, ByteBuffer delta, ByteBuffer[] parityDeltas) {
    checkParityCount("compute parity deltas", parityDeltas);
    for (ParityRun run : runs) {
      ByteBuffer target = part(parityDeltas[run.parity()], run.deltaOffset(), run.lengthBytes());
      kernel.encode(
          new byte[] {(byte) run.coefficient()},
          new ByteBuffer[] {part(delta, run.deltaOffset(), run.lengthBytes())},
          new ByteBuffer[] {target});
    }
  }

  /**
   * Brings all parity columns up to date after some bytes of one data column changed (paper section
   * 4.3, Algorithm 3).
   *
   * @param offset of the change in the data column's part of the codeword, in bytes
   * @param delta old bytes XOR new bytes
   * @param parity r columns
   */
  public void update(int dataColumn, int offset, ByteBuffer delta, ByteBuffer[] parity) {
    checkParityCount("update parity", parity);
    CodewordLayout layout = layoutOf(parity);
    for (ParityRun run : updateRuns(dataColumn, offset, delta.remaining(), layout.lengthBytes())) {
      kernel.multiplyAdd(
          run.coefficient(),
          part(delta, run.deltaOffset(), run.lengthBytes()),
          part(parity[run.parity()], run.parityOffset(), run.lengthBytes()));
    }
  }

  private void checkParityCount(String doing, ByteBuffer[] parity) {
    Checks.argument(
        parity.length == code.parityColumns(),
        doing,
        "parity.length",
        parity.length,
        "= " + code.parityColumns());
  }

  private static ByteBuffer part(ByteBuffer buffer, int offset, int lengthBytes) {
    return buffer.slice(buffer.position() + offset, lengthBytes);
  }

  /** The layout that all given columns have. */
  private CodewordLayout layoutOf(@Nullable ByteBuffer[] columns) {
    int lengthBytes = -1;
    for (ByteBuffer column : columns) {
      if (column == null) {
        continue;
      }
      if (lengthBytes >= 0 && column.remaining() != lengthBytes) {
        Checks.argument(
            false, "use a codeword", "column.remaining", column.remaining(), "= " + lengthBytes);
      }
      lengthBytes = column.remaining();
    }
    return new CodewordLayout(code.rows(), lengthBytes);
  }

  private void run(Programs programs, @Nullable ByteBuffer[] columns, CodewordLayout layout) {
    int[] baseOffsets = new int[columns.length];
    if (programs.isPlain()) {
      runner.run(programs.tail(), columns, baseOffsets, layout.lengthBytes());
      return;
    }
    runner.run(programs.rows(), columns, baseOffsets, layout.rowBytes());
    Arrays.fill(baseOffsets, layout.tailOffset());
    runner.run(programs.tail(), columns, baseOffsets, layout.tailBytes());
  }
}
