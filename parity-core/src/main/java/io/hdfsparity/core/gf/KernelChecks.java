/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.gf;

import io.hdfsparity.core.check.Checks;
import java.nio.ByteBuffer;

/** What every kernel checks before it touches a byte, so that all of them refuse the same calls. */
final class KernelChecks {
  private KernelChecks() {}

  static int pair(ByteBuffer dst, ByteBuffer src) {
    int length = dst.remaining();
    Checks.argument(
        src.remaining() == length,
        "combine buffers",
        "src.remaining",
        src.remaining(),
        "= " + length);
    writable(dst);
    return length;
  }

  static int encode(byte[] matrix, ByteBuffer[] inputs, ByteBuffer[] outputs) {
    Checks.argument(inputs.length > 0, "encode", "inputs.length", inputs.length, "> 0");
    Checks.argument(outputs.length > 0, "encode", "outputs.length", outputs.length, "> 0");
    Checks.argument(
        matrix.length == inputs.length * outputs.length,
        "encode",
        "matrix.length",
        matrix.length,
        "inputs * outputs = " + inputs.length * outputs.length);
    int length = inputs[0].remaining();
    for (ByteBuffer input : inputs) {
      sameLength("encode", "input.remaining", input, length);
    }
    for (ByteBuffer output : outputs) {
      sameLength("encode", "output.remaining", output, length);
      writable(output);
    }
    return length;
  }

  static int update(byte[] column, ByteBuffer delta, ByteBuffer[] outputs) {
    Checks.argument(outputs.length > 0, "update parity", "outputs.length", outputs.length, "> 0");
    Checks.argument(
        column.length == outputs.length,
        "update parity",
        "column.length",
        column.length,
        "outputs = " + outputs.length);
    int length = delta.remaining();
    for (ByteBuffer output : outputs) {
      sameLength("update parity", "output.remaining", output, length);
      writable(output);
    }
    return length;
  }

  static int coefficient(int coefficient) {
    Checks.argument(
        coefficient >= 0 && coefficient <= 0xff, "multiply", "coefficient", coefficient, "0..255");
    return coefficient;
  }

  private static void sameLength(String doing, String name, ByteBuffer buffer, int length) {
    Checks.argument(buffer.remaining() == length, doing, name, buffer.remaining(), "= " + length);
  }

  private static void writable(ByteBuffer dst) {
    Checks.argument(!dst.isReadOnly(), "write a result", "readOnly", true, "false");
  }
}
