/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Texts in fixed-size fields: one length byte, then UTF-8. */
final class FixedText {
  private FixedText() {}

  static void requireFits(String name, String text, int minBytes, int maxBytes) {
    int length = text.getBytes(StandardCharsets.UTF_8).length;
    if (length < minBytes || length > maxBytes) {
      throw new IllegalArgumentException(
          "Cannot store a text: "
              + name
              + "="
              + text
              + " bytes="
              + length
              + ", expected "
              + minBytes
              + ".."
              + maxBytes);
    }
  }

  static void put(ByteBuffer dst, int offset, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    dst.put(offset, (byte) bytes.length);
    dst.put(offset + 1, bytes);
  }

  static String get(ByteBuffer src, int offset) {
    byte[] bytes = new byte[src.get(offset) & 0xff];
    src.get(offset + 1, bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
