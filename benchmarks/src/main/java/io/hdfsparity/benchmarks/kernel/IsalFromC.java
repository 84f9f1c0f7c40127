/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.kernel;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import io.hdfsparity.core.erasure.LinearCode;
import io.hdfsparity.core.erasure.UndecodableException;
import io.hdfsparity.core.gf.ScalarKernel;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * ISA-L called from C in a loop. Java enters the loop once for many calls, so its own cost does not
 * count. Built with the system's gcc.
 */
final class IsalFromC implements Contender {
  private static final int TABLE_BYTES = 32;

  private final Stripe stripe;
  private final ByteBuffer encodeTables;
  private final ByteBuffer decodeTables;
  private final ByteBuffer updateTables;
  private final long dataAddresses;
  private final long parityAddresses;
  private final long sourceAddresses;
  private final long recoveredAddresses;
  private final long delta;
  private final long parity;

  /** Pointer arrays, which native code reads. */
  private final List<ByteBuffer> kept;

  IsalFromC(Stripe stripe) throws UndecodableException {
    this.stripe = stripe;
    LinearCode code = new LinearCode(new ScalarKernel(), stripe.parityRows);
    encodeTables = tables(stripe.parityRows.toBytes(), Stripe.DATA_UNITS);
    decodeTables =
        tables(
            code.planDecode(List.of(3, 4, 5, 6, 7, 8), List.of(0, 1, 2)).coefficients().toBytes(),
            Stripe.DATA_UNITS);
    updateTables = tables(stripe.parityRows.column(0), 1);
    ByteBuffer[] sources = {
      stripe.data[3], stripe.data[4], stripe.data[5],
      stripe.parity[0], stripe.parity[1], stripe.parity[2]
    };
    kept =
        List.of(
            pointers(stripe.data),
            pointers(stripe.parity),
            pointers(sources),
            pointers(stripe.recovered));
    dataAddresses = address(kept.get(0));
    parityAddresses = address(kept.get(1));
    sourceAddresses = address(kept.get(2));
    recoveredAddresses = address(kept.get(3));
    delta = address(stripe.data[0]);
    parity = address(stripe.parity[0]);
  }

  /**
   * Compiles and binds the loops.
   *
   * @param directory for the library
   * @throws IOException with the compiler's words if that does not work
   */
  static void build(Path directory) throws IOException, InterruptedException {
    Path source = directory.resolve("isal_loop.c");
    Path library = directory.resolve("libisal_loop.so");
    try (InputStream in = IsalFromC.class.getResourceAsStream("/isal_loop.c")) {
      Files.write(source, Objects.requireNonNull(in, "isal_loop.c").readAllBytes());
    }
    Process gcc =
        new ProcessBuilder(
                "gcc",
                "-O2",
                "-shared",
                "-fPIC",
                "-o",
                library.toString(),
                source.toString(),
                "-l:libisal.so.2")
            .redirectErrorStream(true)
            .start();
    String said = new String(gcc.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int exit = gcc.waitFor();
    if (exit != 0) {
      throw new IOException(
          "Cannot build the C side: exit=" + exit + ", expected 0, gcc said: " + said);
    }
    Native.register(IsalFromC.class, NativeLibrary.getInstance(library.toString()));
  }

  static native void loop_init_tables(int inputs, int rows, long matrix, long tables);

  static native void loop_encode(
      int times, int lengthBytes, int inputs, int rows, long tables, long data, long coding);

  static native void loop_update(
      int times, int lengthBytes, int rows, long tables, long delta, long coding);

  static native void loop_xor(int times, int lengthBytes, long dst, long src);

  private static ByteBuffer tables(byte[] matrix, int inputs) {
    ByteBuffer direct = ByteBuffer.allocateDirect(matrix.length).put(matrix).flip();
    ByteBuffer tables = ByteBuffer.allocateDirect(matrix.length * TABLE_BYTES);
    loop_init_tables(inputs, matrix.length / inputs, address(direct), address(tables));
    return tables;
  }

  private static ByteBuffer pointers(ByteBuffer[] cells) {
    ByteBuffer array =
        ByteBuffer.allocateDirect(cells.length * Long.BYTES)
            .order(java.nio.ByteOrder.nativeOrder());
    for (ByteBuffer cell : cells) {
      array.putLong(address(cell));
    }
    return array.flip();
  }

  private static long address(ByteBuffer direct) {
    return Pointer.nativeValue(Native.getDirectBufferPointer(direct));
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
      case ENCODE ->
          loop_encode(
              times,
              stripe.cellBytes,
              Stripe.DATA_UNITS,
              Stripe.PARITY_UNITS,
              address(encodeTables),
              dataAddresses,
              parityAddresses);
      case DECODE ->
          loop_encode(
              times,
              stripe.cellBytes,
              Stripe.DATA_UNITS,
              Stripe.PARITY_UNITS,
              address(decodeTables),
              sourceAddresses,
              recoveredAddresses);
      case UPDATE ->
          loop_update(
              times,
              stripe.cellBytes,
              Stripe.PARITY_UNITS,
              address(updateTables),
              delta,
              parityAddresses);
      case XOR -> loop_xor(times, stripe.cellBytes, parity, delta);
    }
  }
}
