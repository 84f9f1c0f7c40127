/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.gf;

import java.nio.ByteBuffer;

/** The reference: one byte at a time, written to be read. Stateless, thread-safe. */
public final class ScalarKernel implements Kernel {
  @Override
  public String name() {
    return "scalar";
  }

  @Override
  public void xor(ByteBuffer dst, ByteBuffer src) {
    multiplyAdd(1, src, dst);
  }

  @Override
  public void multiplyAdd(int coefficient, ByteBuffer src, ByteBuffer dst) {
    KernelChecks.coefficient(coefficient);
    int length = KernelChecks.pair(dst, src);
    for (int i = 0; i < length; i++) {
      int at = dst.position() + i;
      int product = Gf256.multiply(coefficient, src.get(src.position() + i));
      dst.put(at, (byte) (dst.get(at) ^ product));
    }
  }

  @Override
  public void encode(byte[] matrix, ByteBuffer[] inputs, ByteBuffer[] outputs) {
    int length = KernelChecks.encode(matrix, inputs, outputs);
    for (int out = 0; out < outputs.length; out++) {
      for (int i = 0; i < length; i++) {
        int sum = 0;
        for (int in = 0; in < inputs.length; in++) {
          ByteBuffer input = inputs[in];
          sum ^= Gf256.multiply(matrix[out * inputs.length + in], input.get(input.position() + i));
        }
        outputs[out].put(outputs[out].position() + i, (byte) sum);
      }
    }
  }

  @Override
  public void update(byte[] column, ByteBuffer delta, ByteBuffer[] outputs) {
    KernelChecks.update(column, delta, outputs);
    for (int out = 0; out < outputs.length; out++) {
      multiplyAdd(column[out] & 0xff, delta, outputs[out]);
    }
  }
}
