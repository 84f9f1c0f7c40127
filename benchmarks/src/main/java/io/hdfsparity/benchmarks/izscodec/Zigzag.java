/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.izscodec;

import io.hdfsparity.core.geometry.ByteRange;
import io.hdfsparity.core.gf.Kernel;
import io.hdfsparity.izs.codec.IzsCodec;
import io.hdfsparity.izs.codec.RepairPlan;
import io.hdfsparity.izs.codec.ZigzagCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A zigzag code on one of the suite's kernels. */
final class Zigzag implements Coder {
  private final String code;
  private final String kernel;
  private final Cells cells;
  private final IzsCodec codec;
  private final RepairPlan plan;

  /** What the helpers of the plan send: as it arrives, the bytes of a helper in one piece. */
  private final ByteBuffer[] helperRuns;

  /**
   * A coder.
   *
   * @param code its name in tables
   */
  Zigzag(String code, ZigzagCode zigzag, Kernel kernel, Cells cells) {
    this.code = code;
    this.kernel = kernel.name();
    this.cells = cells;
    codec = new IzsCodec(kernel, zigzag);
    plan = codec.repairPlan(0);
    helperRuns = new ByteBuffer[plan.helpers().size()];
    for (int i = 0; i < helperRuns.length; i++) {
      int bytes = Math.toIntExact(plan.bytesRead(i, cells.shape.cellBytes()));
      helperRuns[i] = Cells.cells(1, bytes, new Random(0))[0];
    }
  }

  @Override
  public void fetch() {
    ByteBuffer[] units = cells.units();
    for (int i = 0; i < helperRuns.length; i++) {
      ByteBuffer run = helperRuns[i].clear();
      ByteBuffer unit = units[plan.helpers().get(i).column()];
      List<ByteRange> ranges = plan.ranges(i, cells.shape.cellBytes());
      for (ByteRange range : ranges) {
        run.put(
            unit.slice(Math.toIntExact(range.offsetBytes()), Math.toIntExact(range.lengthBytes())));
      }
      run.flip();
    }
  }

  @Override
  public String name() {
    return code + " " + kernel;
  }

  @Override
  public String code() {
    return code;
  }

  @Override
  public boolean does(Work work) {
    return true;
  }

  @Override
  public double shareRead(Work work) {
    return work.kind() == Work.Kind.REPAIR ? plan.shareOfFullRead(cells.shape.cellBytes()) : 1;
  }

  @Override
  public Cells cells() {
    return cells;
  }

  @Override
  public void run(Work work, int times) throws IOException {
    if (work.kind() == Work.Kind.DECODE) {
      decode(work.losses(), times);
      return;
    }
    for (int i = 0; i < times; i++) {
      switch (work.kind()) {
        case ENCODE -> codec.encode(cells.data, cells.parity);
        case REPAIR -> codec.repair(plan, helperRuns, cells.recovered[0]);
        default -> codec.update(0, cells.shape.changedOffset(), cells.delta, cells.parity);
      }
    }
  }

  private void decode(int losses, int times) throws IOException {
    int[] lost = IntStream.range(0, losses).toArray();
    ByteBuffer[] outputs = Arrays.copyOf(cells.recovered, losses);
    @Nullable ByteBuffer[] units = cells.units();
    Arrays.fill(units, 0, losses, null);
    Arrays.fill(units, losses + cells.shape.dataUnits(), units.length, null);
    for (int i = 0; i < times; i++) {
      codec.decode(units, lost, outputs);
    }
  }
}
