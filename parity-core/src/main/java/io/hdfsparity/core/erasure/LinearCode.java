/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.erasure;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.core.gf.GfMatrix;
import io.hdfsparity.core.gf.Kernel;
import io.hdfsparity.core.gf.RowReduction;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A systematic linear code: k data units and m parity units, each parity unit a sum of data units
 * times given coefficients. Units are numbered 0..k-1 for data and k..k+m-1 for parity.
 *
 * <p>Buffers are used from position to limit, which stay; all buffers of a call have the same
 * length. Immutable, thread-safe.
 */
public final class LinearCode {
  private final Kernel kernel;
  private final GfMatrix parityRows;
  private final GfMatrix generator;
  private final byte[] encodeMatrix;

  /**
   * A code.
   *
   * @param parityRows m rows of k coefficients
   */
  public LinearCode(Kernel kernel, GfMatrix parityRows) {
    this.kernel = kernel;
    this.parityRows = parityRows;
    generator = GfMatrix.identity(parityRows.columns()).stack(parityRows);
    encodeMatrix = parityRows.toBytes();
  }

  /** k. */
  public int dataUnits() {
    return parityRows.columns();
  }

  /** m. */
  public int parityUnits() {
    return parityRows.rows();
  }

  /** k + m. */
  public int totalUnits() {
    return generator.rows();
  }

  /** Computes all parity units; what the buffers held is overwritten. */
  public void encode(ByteBuffer[] data, ByteBuffer[] parity) {
    kernel.encode(encodeMatrix, data, parity);
  }

  /**
   * Brings all parity units up to date after one data unit changed.
   *
   * @param delta old bytes XOR new bytes of the data unit
   */
  public void update(int dataUnit, ByteBuffer delta, ByteBuffer[] parity) {
    Checks.index("update parity", "dataUnit", dataUnit, dataUnits());
    kernel.update(parityRows.column(dataUnit), delta, parity);
  }

  /**
   * How to compute lost units from those left. Worth keeping: making it inverts a matrix.
   *
   * @param available units that can be read, in order of preference: earlier ones are used first
   * @param wanted units to compute
   * @throws UndecodableException if the available ones do not determine the wanted ones
   */
  public DecodePlan planDecode(List<Integer> available, List<Integer> wanted)
      throws UndecodableException {
    Checks.argument(!available.isEmpty(), "decode", "available", available, "at least one unit");
    Checks.argument(!wanted.isEmpty(), "decode", "wanted", wanted, "at least one unit");
    available.forEach(unit -> Checks.index("decode", "available unit", unit, totalUnits()));
    wanted.forEach(unit -> Checks.index("decode", "wanted unit", unit, totalUnits()));
    int[] rows = available.stream().mapToInt(Integer::intValue).toArray();
    RowReduction reduction = new RowReduction(generator.selectRows(rows));
    List<byte[]> combinations = new ArrayList<>();
    boolean[] isUsed = new boolean[rows.length];
    for (int unit : wanted) {
      byte[] combination =
          reduction
              .express(generator.row(unit))
              .orElseThrow(() -> new UndecodableException(unit, available));
      combinations.add(combination);
      for (int i = 0; i < rows.length; i++) {
        isUsed[i] |= combination[i] != 0;
      }
    }
    return plan(rows, isUsed, combinations, wanted);
  }

  private DecodePlan plan(
      int[] rows, boolean[] isUsed, List<byte[]> combinations, List<Integer> wanted) {
    List<Integer> sources = new ArrayList<>();
    for (int i = 0; i < rows.length; i++) {
      if (isUsed[i]) {
        sources.add(rows[i]);
      }
    }
    byte[] matrix = new byte[wanted.size() * sources.size()];
    int at = 0;
    for (byte[] combination : combinations) {
      for (int i = 0; i < rows.length; i++) {
        if (isUsed[i]) {
          matrix[at++] = combination[i];
        }
      }
    }
    return new DecodePlan(
        kernel, sources, wanted, GfMatrix.of(wanted.size(), sources.size(), matrix));
  }

  /**
   * Computes lost units in one call.
   *
   * @param units all k + m units by number, null where a unit is lost
   * @param wanted units to compute
   * @param outputs where to, one a wanted unit
   * @throws UndecodableException if those left do not determine the wanted ones
   */
  public void decode(@Nullable ByteBuffer[] units, int[] wanted, ByteBuffer[] outputs)
      throws UndecodableException {
    Checks.argument(
        units.length == totalUnits(), "decode", "units.length", units.length, "= " + totalUnits());
    List<Integer> available = new ArrayList<>();
    for (int unit = 0; unit < units.length; unit++) {
      if (units[unit] != null) {
        available.add(unit);
      }
    }
    DecodePlan plan = planDecode(available, Arrays.stream(wanted).boxed().toList());
    List<ByteBuffer> sources = new ArrayList<>();
    for (int unit : plan.sources()) {
      ByteBuffer source = units[unit];
      if (source != null) {
        sources.add(source);
      }
    }
    plan.decode(sources.toArray(ByteBuffer[]::new), outputs);
  }
}
