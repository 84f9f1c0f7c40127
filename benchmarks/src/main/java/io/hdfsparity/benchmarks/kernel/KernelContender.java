/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.kernel;

import io.hdfsparity.core.erasure.DecodePlan;
import io.hdfsparity.core.erasure.LinearCode;
import io.hdfsparity.core.erasure.UndecodableException;
import io.hdfsparity.core.gf.Kernel;
import java.nio.ByteBuffer;
import java.util.List;

/** One of the suite's kernels, called as the suite calls it. */
final class KernelContender implements Contender {
  private final Kernel kernel;
  private final Stripe stripe;
  private final LinearCode code;
  private final DecodePlan plan;
  private final ByteBuffer[] sources;

  KernelContender(Kernel kernel, Stripe stripe) throws UndecodableException {
    this.kernel = kernel;
    this.stripe = stripe;
    code = new LinearCode(kernel, stripe.parityRows);
    plan = code.planDecode(List.of(3, 4, 5, 6, 7, 8), List.of(0, 1, 2));
    sources =
        new ByteBuffer[] {
          stripe.data[3], stripe.data[4], stripe.data[5],
          stripe.parity[0], stripe.parity[1], stripe.parity[2]
        };
  }

  @Override
  public String name() {
    return kernel.name();
  }

  @Override
  public Stripe stripe() {
    return stripe;
  }

  @Override
  public void run(Operation operation, int times) {
    switch (operation) {
      case ENCODE -> {
        for (int i = 0; i < times; i++) {
          code.encode(stripe.data, stripe.parity);
        }
      }
      case DECODE -> {
        for (int i = 0; i < times; i++) {
          plan.decode(sources, stripe.recovered);
        }
      }
      case UPDATE -> {
        for (int i = 0; i < times; i++) {
          code.update(0, stripe.data[0], stripe.parity);
        }
      }
      case ADD_TWICE -> {
        for (int i = 0; i < times; i++) {
          kernel.multiplyAdd(2, stripe.data[0], stripe.parity[0]);
        }
      }
      case XOR -> {
        for (int i = 0; i < times; i++) {
          kernel.xor(stripe.parity[0], stripe.data[0]);
        }
      }
    }
  }
}
