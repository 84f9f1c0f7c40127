/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.kernel;

import io.hdfsparity.core.erasure.LinearCode;
import io.hdfsparity.core.erasure.UndecodableException;
import io.hdfsparity.core.gf.ScalarKernel;
import java.nio.ByteBuffer;
import java.util.List;

/** ISA-L called from C: {@link IsalLoop}. */
final class IsalFromC implements Contender {
  private final Stripe stripe;
  private final ByteBuffer encodeTables;
  private final ByteBuffer decodeTables;
  private final ByteBuffer updateTables;
  private final ByteBuffer twiceTables;
  private final ByteBuffer data;
  private final ByteBuffer parity;
  private final ByteBuffer sources;
  private final ByteBuffer recovered;

  IsalFromC(Stripe stripe) throws UndecodableException {
    this.stripe = stripe;
    LinearCode code = new LinearCode(new ScalarKernel(), stripe.parityRows);
    encodeTables = IsalLoop.tables(stripe.parityRows.toBytes(), Stripe.DATA_UNITS);
    decodeTables =
        IsalLoop.tables(
            code.planDecode(List.of(3, 4, 5, 6, 7, 8), List.of(0, 1, 2)).coefficients().toBytes(),
            Stripe.DATA_UNITS);
    updateTables = IsalLoop.tables(stripe.parityRows.column(0), 1);
    twiceTables = IsalLoop.tables(new byte[] {2}, 1);
    data = IsalLoop.pointers(stripe.data);
    parity = IsalLoop.pointers(stripe.parity);
    sources =
        IsalLoop.pointers(
            stripe.data[3],
            stripe.data[4],
            stripe.data[5],
            stripe.parity[0],
            stripe.parity[1],
            stripe.parity[2]);
    recovered = IsalLoop.pointers(stripe.recovered);
  }

  @Override
  public String name() {
    return "isal-from-c";
  }

  @Override
  public Stripe stripe() {
    return stripe;
  }

  @Override
  public void run(Operation operation, int times) {
    switch (operation) {
      case ENCODE -> combine(times, encodeTables, data, parity);
      case DECODE -> combine(times, decodeTables, sources, recovered);
      case UPDATE ->
          IsalLoop.update(
              times, stripe.cellBytes, Stripe.PARITY_UNITS, updateTables, stripe.data[0], parity);
      case ADD_TWICE ->
          IsalLoop.update(times, stripe.cellBytes, 1, twiceTables, stripe.data[0], parity);
      case XOR -> IsalLoop.xor(times, stripe.cellBytes, stripe.parity[0], stripe.data[0]);
    }
  }

  private void combine(int times, ByteBuffer tables, ByteBuffer inputs, ByteBuffer outputs) {
    IsalLoop.encode(
        times, stripe.cellBytes, Stripe.DATA_UNITS, Stripe.PARITY_UNITS, tables, inputs, outputs);
  }
}
