/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.ajx;

import io.hdfsparity.core.gf.GfMatrix;
import io.hdfsparity.core.gf.Kernels;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.Content;
import io.hdfsparity.ecupdate.ajx.DurableSlot;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.SlotMachine;
import io.hdfsparity.ecupdate.ajx.StripeCode;
import java.util.Arrays;

/** Memory that the engine's machine of a cell takes, measured by holding many. */
final class SlotMemory {
  private static final int SLOTS = 100_000;
  private static final int COLLECTIONS = 3;

  private SlotMemory() {}

  /** Content is where the bytes are, in the log, the file or the overlay: no protocol state. */
  private enum NoContent implements Content {
    NONE;

    @Override
    public int length() {
      return 0;
    }

    @Override
    public Bytes read(int offset, int lengthBytes) {
      return Bytes.wrap(new byte[lengthBytes]);
    }

    @Override
    public void overwrite(Patch patch) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void add(Patch delta) {
      throw new UnsupportedOperationException();
    }
  }

  /** Of a cell whose garbage was collected, in bytes of heap. */
  static double bytesPerSlot() {
    StripeCode code = new StripeCode(Kernels.best(), GfMatrix.cauchyParity(2, 1));
    SlotMachine[] held = new SlotMachine[SLOTS];
    long before = usedBytes();
    for (int i = 0; i < SLOTS; i++) {
      held[i] = new SlotMachine(code, 0, DurableSlot.untouched(), NoContent.NONE);
    }
    long after = usedBytes();
    long there = Arrays.stream(held).filter(slot -> slot.epoch() >= 0).count();
    return (double) (after - before) / there;
  }

  private static long usedBytes() {
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
    }
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
