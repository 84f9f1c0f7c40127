/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

import io.hdfsparity.core.check.Checks;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;

/** An immutable run of bytes. Thread-safe. */
public final class Bytes {
  private static final int SHOWN_BYTES = 16;

  private final byte[] bytes;

  private Bytes(byte[] bytes) {
    this.bytes = bytes;
  }

  /** A copy. */
  public static Bytes copyOf(byte[] bytes) {
    return new Bytes(bytes.clone());
  }

  /** Takes the array over: the caller must not write to it any more. */
  public static Bytes wrap(byte[] bytes) {
    return new Bytes(bytes);
  }

  /** So many zero bytes. */
  public static Bytes zeros(int lengthBytes) {
    return new Bytes(new byte[lengthBytes]);
  }

  public int length() {
    return bytes.length;
  }

  /** One byte, 0..255. */
  public int at(int index) {
    return bytes[index] & 0xff;
  }

  /** A part of it; copied. */
  public Bytes slice(int offset, int lengthBytes) {
    Checks.range("slice bytes", offset, lengthBytes, bytes.length);
    return new Bytes(Arrays.copyOfRange(bytes, offset, offset + lengthBytes));
  }

  /** The sum in GF(2^8): both must be of one length. */
  public Bytes xor(Bytes other) {
    Checks.argument(
        other.bytes.length == bytes.length,
        "add bytes",
        "lengthBytes",
        other.bytes.length,
        "= " + bytes.length);
    byte[] sum = bytes.clone();
    for (int i = 0; i < sum.length; i++) {
      sum[i] ^= other.bytes[i];
    }
    return new Bytes(sum);
  }

  /** A view that cannot be written. */
  public ByteBuffer buffer() {
    return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
  }

  /** Writes all of it. */
  public void writeTo(OutputStream out) throws IOException {
    out.write(bytes);
  }

  /** A copy. */
  public byte[] toArray() {
    return bytes.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bytes that && Arrays.equals(that.bytes, bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    String shown = HexFormat.of().formatHex(bytes, 0, Math.min(bytes.length, SHOWN_BYTES));
    return bytes.length <= SHOWN_BYTES ? shown : shown + "... (" + bytes.length + " bytes)";
  }
}
