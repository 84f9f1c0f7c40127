/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.gf;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;

/**
 * ISA-L's C functions by JNA direct mapping. Addresses are passed as {@code long}: on the 64-bit
 * platforms that ISA-L is built for that is a pointer, and it spares the objects and look-ups of
 * JNA's own pointer types. Names and parameters are those of {@code isa-l/erasure_code.h} and
 * {@code isa-l/raid.h}.
 */
final class IsalLibrary {
  /** Soname of ISA-L 2.x, the same on Debian, Ubuntu, RHEL and SUSE. */
  static final String SONAME = "libisal.so.2";

  private IsalLibrary() {}

  /**
   * Binds the functions below. Call once, before any of them.
   *
   * @throws UnsatisfiedLinkError if JNA or the library cannot be loaded, or a function is missing
   */
  static void bind() {
    if (Native.POINTER_SIZE != Long.BYTES) {
      throw new UnsatisfiedLinkError(
          "Cannot bind " + SONAME + ": pointer size=" + Native.POINTER_SIZE + ", expected 8");
    }
    Native.register(IsalLibrary.class, NativeLibrary.getInstance(SONAME));
  }

  /**
   * Expands {@code rows * inputs} coefficients at {@code matrix} into 32 bytes each at {@code
   * tables}.
   */
  static native void ec_init_tables(int inputs, int rows, long matrix, long tables);

  /**
   * Writes {@code rows} outputs; {@code inputAddresses} and {@code outputAddresses} are arrays of
   * pointers.
   */
  static native void ec_encode_data(
      int lengthBytes,
      int inputs,
      int rows,
      long tables,
      long inputAddresses,
      long outputAddresses);

  /** Adds input number {@code input} times its coefficients to the outputs. */
  static native void ec_encode_data_update(
      int lengthBytes,
      int inputs,
      int rows,
      int input,
      long tables,
      long inputAddress,
      long outputAddresses);

  /**
   * Sets the last of {@code vectors} buffers to the XOR of the others. All must be aligned to 32
   * bytes.
   *
   * @return 0 on success
   */
  static native int xor_gen(int vectors, int lengthBytes, long addresses);
}
