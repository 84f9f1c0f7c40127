/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.kernel;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Loops in C around ISA-L's functions, built with the system's gcc. Java enters a loop once for
 * many calls, so its own cost does not count. Addresses are those of direct buffers, which the
 * caller keeps.
 */
public final class IsalLoop {
  private static final int TABLE_BYTES = 32;

  private IsalLoop() {}

  /**
   * Compiles and binds the loops. The library is loaded at once, so its file does not outlive this
   * call.
   *
   * @throws IOException with the compiler's words if that does not work
   */
  public static void build() throws IOException, InterruptedException {
    Path directory = Files.createTempDirectory("isal-loop");
    try {
      build(directory);
    } finally {
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  private static void build(Path directory) throws IOException, InterruptedException {
    Path source = directory.resolve("isal_loop.c");
    Path library = directory.resolve("libisal_loop.so");
    try (InputStream in = IsalLoop.class.getResourceAsStream("/isal_loop.c")) {
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
      throw new IOException(refusal(exit, said));
    }
    Native.register(IsalLoop.class, NativeLibrary.getInstance(library.toString()));
  }

  /** Why the C side is not built, and which package is missing if that is why. */
  static String refusal(int exit, String said) {
    String remedy =
        said.contains("cannot find -l:libisal.so.2")
            ? "install ISA-L (Debian, Ubuntu: apt-get install libisal2; no headers are needed), "
            : "";
    return "Cannot build the C side: exit="
        + exit
        + ", expected 0; "
        + remedy
        + "gcc said: "
        + said;
  }

  static native void loop_init_tables(int inputs, int rows, long matrix, long tables);

  static native void loop_encode(
      int times, int lengthBytes, int inputs, int rows, long tables, long data, long coding);

  static native void loop_update(
      int times, int lengthBytes, int rows, long tables, long delta, long coding);

  static native void loop_xor(int times, int lengthBytes, long dst, long src);

  /** {@code ec_encode_data}. */
  public static void encode(
      int times,
      int lengthBytes,
      int inputs,
      int rows,
      ByteBuffer tables,
      ByteBuffer dataPointers,
      ByteBuffer codingPointers) {
    loop_encode(
        times,
        lengthBytes,
        inputs,
        rows,
        address(tables),
        address(dataPointers),
        address(codingPointers));
  }

  /** {@code ec_encode_data_update} of one input. */
  public static void update(
      int times,
      int lengthBytes,
      int rows,
      ByteBuffer tables,
      ByteBuffer delta,
      ByteBuffer codingPointers) {
    loop_update(times, lengthBytes, rows, address(tables), address(delta), address(codingPointers));
  }

  /** {@code xor_gen} into {@code dst}. */
  public static void xor(int times, int lengthBytes, ByteBuffer dst, ByteBuffer src) {
    loop_xor(times, lengthBytes, address(dst), address(src));
  }

  /** ISA-L's tables of a matrix with so many columns. */
  public static ByteBuffer tables(byte[] matrix, int inputs) {
    ByteBuffer direct = ByteBuffer.allocateDirect(matrix.length).put(matrix).flip();
    ByteBuffer tables = ByteBuffer.allocateDirect(matrix.length * TABLE_BYTES);
    loop_init_tables(inputs, matrix.length / inputs, address(direct), address(tables));
    return tables;
  }

  /** The addresses of cells, as C wants them. */
  public static ByteBuffer pointers(ByteBuffer... cells) {
    ByteBuffer array =
        ByteBuffer.allocateDirect(cells.length * Long.BYTES).order(ByteOrder.nativeOrder());
    for (ByteBuffer cell : cells) {
      array.putLong(address(cell));
    }
    return array.flip();
  }

  /** Of the buffer's position. */
  private static long address(ByteBuffer direct) {
    return Pointer.nativeValue(Native.getDirectBufferPointer(direct)) + direct.position();
  }
}
