/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.codec;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.core.geometry.ByteRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/**
 * What to read of which column to rebuild one lost column, and how to rebuild it from that. Made
 * once by {@link IzsCodec#repairPlan}. Immutable, thread-safe; {@link #toString} is meant for
 * people.
 *
 * <p>Paper section 4.3, Algorithms 5 and 7: rows of a lost data column with {@code w . row = 0}
 * come from parity 0, the others from parity 1, where the hyperplane w is such that most helpers
 * are read in the rows {@code w . row = 0} only. A lost parity column, and everything where there
 * is one parity column, takes k whole columns.
 */
public final class RepairPlan {
  private final ZigzagCode code;
  private final int lostColumn;
  private final List<Helper> helpers;
  private final RowProgram rows;
  private final RowProgram tail;

  /**
   * One column that is read.
   *
   * @param column its number
   * @param rowsRead ascending
   * @param isTailRead whether the bytes behind the last row are read, too
   */
  public record Helper(int column, List<Integer> rowsRead, boolean isTailRead) {
    public Helper {
      rowsRead = List.copyOf(rowsRead);
    }

    /** Runs of consecutive rows. */
    public int rowRuns() {
      int runs = 0;
      for (int i = 0; i < rowsRead.size(); i++) {
        if (i == 0 || rowsRead.get(i) != rowsRead.get(i - 1) + 1) {
          runs++;
        }
      }
      return runs;
    }
  }

  RepairPlan(
      ZigzagCode code, int lostColumn, List<Helper> helpers, RowProgram rows, RowProgram tail) {
    this.code = code;
    this.lostColumn = lostColumn;
    this.helpers = List.copyOf(helpers);
    this.rows = rows;
    this.tail = tail;
  }

  /** The column that is rebuilt. */
  public int lostColumn() {
    return lostColumn;
  }

  /** The columns that are read, ascending. */
  public List<Helper> helpers() {
    return helpers;
  }

  /** The code that this is a plan of. */
  ZigzagCode code() {
    return code;
  }

  /** Computes the rows; a row of a helper is numbered by its place among those read. */
  RowProgram rowProgram() {
    return rows;
  }

  RowProgram tailProgram() {
    return tail;
  }

  /**
   * What to read of a helper, in bytes from the start of its part of the codeword: ascending,
   * adjacent runs merged.
   *
   * @param helper index into {@link #helpers}
   * @param codewordBytes length of the codeword, at least 1
   */
  public List<ByteRange> ranges(int helper, int codewordBytes) {
    Checks.index("plan a repair", "helper", helper, helpers.size());
    CodewordLayout layout = new CodewordLayout(code.rows(), codewordBytes);
    List<ByteRange> ranges = new ArrayList<>();
    for (int row : helpers.get(helper).rowsRead()) {
      append(ranges, layout.rowRange(row, 1));
    }
    if (helpers.get(helper).isTailRead()) {
      append(ranges, layout.tailRange());
    }
    return ranges;
  }

  private static void append(List<ByteRange> ranges, ByteRange next) {
    if (next.isEmpty()) {
      return;
    }
    int last = ranges.size() - 1;
    if (last >= 0 && ranges.get(last).endOffset() == next.offsetBytes()) {
      ranges.set(last, ByteRange.between(ranges.get(last).offsetBytes(), next.endOffset()));
    } else {
      ranges.add(next);
    }
  }

  /** Bytes read of one helper. */
  public long bytesRead(int helper, int codewordBytes) {
    Checks.index("plan a repair", "helper", helper, helpers.size());
    CodewordLayout layout = new CodewordLayout(code.rows(), codewordBytes);
    Helper read = helpers.get(helper);
    return (long) read.rowsRead().size() * layout.rowBytes()
        + (read.isTailRead() ? layout.tailBytes() : 0);
  }

  /** Bytes read of all helpers. */
  public long bytesRead(int codewordBytes) {
    long bytes = 0;
    for (int helper = 0; helper < helpers.size(); helper++) {
      bytes += bytesRead(helper, codewordBytes);
    }
    return bytes;
  }

  /** Bytes read as a share of the k columns that Reed-Solomon reads. */
  public double shareOfFullRead(int codewordBytes) {
    return (double) bytesRead(codewordBytes) / ((double) code.dataColumns() * codewordBytes);
  }

  /** {@link #shareOfFullRead} where p divides the length of the codeword. */
  public double shareOfFullRead() {
    return shareOfFullRead(code.rows());
  }

  @Override
  public String toString() {
    StringJoiner lines = new StringJoiner("\n");
    lines.add(
        String.format(
            Locale.ROOT,
            "%s: rebuild column %d from %d of %d rows (%.4f of a full read)",
            code.name(),
            lostColumn,
            bytesRead(code.rows()),
            code.dataColumns() * code.rows(),
            shareOfFullRead()));
    for (Helper helper : helpers) {
      lines.add(
          String.format(
              Locale.ROOT,
              "  column %d: rows %s of %d%s",
              helper.column(),
              runs(helper.rowsRead()),
              code.rows(),
              helper.isTailRead() ? ", tail" : ""));
    }
    return lines.toString();
  }

  /** {@code 0-1 4 6-7}. */
  private static String runs(List<Integer> rows) {
    StringJoiner runs = new StringJoiner(" ");
    for (int i = 0; i < rows.size(); ) {
      int end = i;
      while (end + 1 < rows.size() && rows.get(end + 1) == rows.get(end) + 1) {
        end++;
      }
      runs.add(i == end ? "" + rows.get(i) : rows.get(i) + "-" + rows.get(end));
      i = end + 1;
    }
    return runs.toString();
  }
}
