/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.izscodec;

import io.hdfsparity.benchmarks.kernel.IsalLoop;
import io.hdfsparity.core.erasure.LinearCode;
import io.hdfsparity.core.erasure.UndecodableException;
import io.hdfsparity.core.gf.GfMatrix;
import io.hdfsparity.core.gf.ScalarKernel;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Hadoop's Reed-Solomon code by ISA-L called from C: the yardstick. */
final class RsFromC implements Coder {
  static final String NAME = "rs isal-from-c";
  static final String CODE = "rs";

  private final Cells cells;
  private final Shape shape;
  private final ByteBuffer encodeTables;
  private final ByteBuffer updateTables;
  private final ByteBuffer dataPointers;
  private final ByteBuffer parityPointers;
  private final ByteBuffer changedParityPointers;
  private final ByteBuffer recoveredPointers;

  /** By number of losses, less one. */
  private final List<ByteBuffer> decodeTables = new ArrayList<>();

  private final List<ByteBuffer> sourcePointers = new ArrayList<>();

  RsFromC(Cells cells) throws UndecodableException {
    this.cells = cells;
    shape = cells.shape;
    GfMatrix matrix = GfMatrix.cauchyParity(shape.dataUnits(), shape.parityUnits());
    LinearCode code = new LinearCode(new ScalarKernel(), matrix);
    encodeTables = IsalLoop.tables(matrix.toBytes(), shape.dataUnits());
    updateTables = IsalLoop.tables(matrix.column(0), 1);
    dataPointers = IsalLoop.pointers(cells.data);
    parityPointers = IsalLoop.pointers(cells.parity);
    changedParityPointers = IsalLoop.pointers(cells.changedParity());
    recoveredPointers = IsalLoop.pointers(cells.recovered);
    ByteBuffer[] units = cells.units();
    for (int losses = 1; losses <= shape.parityUnits(); losses++) {
      List<Integer> sources = IntStream.range(losses, losses + shape.dataUnits()).boxed().toList();
      List<Integer> lost = IntStream.range(0, losses).boxed().toList();
      byte[] coefficients = code.planDecode(sources, lost).coefficients().toBytes();
      decodeTables.add(IsalLoop.tables(coefficients, shape.dataUnits()));
      sourcePointers.add(
          IsalLoop.pointers(sources.stream().map(unit -> units[unit]).toArray(ByteBuffer[]::new)));
    }
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String code() {
    return CODE;
  }

  @Override
  public boolean does(Work work) {
    return true;
  }

  @Override
  public double shareRead(Work work) {
    return 1;
  }

  @Override
  public Cells cells() {
    return cells;
  }

  @Override
  public void run(Work work, int times) {
    switch (work.kind()) {
      case ENCODE ->
          IsalLoop.encode(
              times,
              shape.cellBytes(),
              shape.dataUnits(),
              shape.parityUnits(),
              encodeTables,
              dataPointers,
              parityPointers);
      case DECODE, REPAIR ->
          IsalLoop.encode(
              times,
              shape.cellBytes(),
              shape.dataUnits(),
              work.losses(),
              decodeTables.get(work.losses() - 1),
              sourcePointers.get(work.losses() - 1),
              recoveredPointers);
      case UPDATE ->
          IsalLoop.update(
              times,
              shape.changedBytes(),
              shape.parityUnits(),
              updateTables,
              cells.delta,
              changedParityPointers);
    }
  }
}
