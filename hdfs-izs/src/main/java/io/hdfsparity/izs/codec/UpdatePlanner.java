/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.codec;

import io.hdfsparity.core.check.Checks;
import java.util.ArrayList;
import java.util.List;

/**
 * Plans partial updates: a change of some bytes of one data column changes as many bytes of each
 * parity column and nothing else (paper section 4.3, Algorithm 3). Pure.
 */
final class UpdatePlanner {
  private final ZigzagCode code;

  UpdatePlanner(ZigzagCode code) {
    this.code = code;
  }

  /** Runs by parity, then by place in the change. */
  List<ParityRun> plan(int dataColumn, int offset, int lengthBytes, int codewordBytes) {
    Checks.index("plan an update", "dataColumn", dataColumn, code.dataColumns());
    Checks.range("plan an update", offset, lengthBytes, codewordBytes);
    CodewordLayout layout = new CodewordLayout(code.rows(), codewordBytes);
    List<ParityRun> runs = new ArrayList<>();
    for (int parity = 0; parity < code.parityColumns(); parity++) {
      int done = 0;
      while (done < lengthBytes) {
        ParityRun run = run(parity, dataColumn, offset, done, lengthBytes, layout);
        append(runs, run);
        done += run.lengthBytes();
      }
    }
    return runs;
  }

  /** What is left of the change, up to the end of a row or of the tail. */
  private ParityRun run(
      int parity, int data, int offset, int done, int lengthBytes, CodewordLayout layout) {
    int at = offset + done;
    int left = lengthBytes - done;
    if (at >= layout.tailOffset()) {
      return new ParityRun(parity, done, at, left, code.tailCode().coefficient(parity, data, 0));
    }
    int row = at / layout.rowBytes();
    int within = at % layout.rowBytes();
    return new ParityRun(
        parity,
        done,
        code.parityRow(parity, data, row) * layout.rowBytes() + within,
        Math.min(left, layout.rowBytes() - within),
        code.coefficient(parity, data, row));
  }

  private static void append(List<ParityRun> runs, ParityRun next) {
    int last = runs.size() - 1;
    if (last >= 0 && runs.get(last).isContinuedBy(next)) {
      runs.set(last, runs.get(last).extendedBy(next));
    } else {
      runs.add(next);
    }
  }
}
