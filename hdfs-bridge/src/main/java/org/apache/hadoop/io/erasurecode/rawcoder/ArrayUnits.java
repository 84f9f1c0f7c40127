/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.io.erasurecode.rawcoder;

import java.nio.ByteBuffer;

/** Units that came as arrays and offsets, seen as buffers. Stateless. */
final class ArrayUnits {
  private ArrayUnits() {}

  /** Null stays null. */
  static ByteBuffer[] wrap(byte[][] units, int[] offsets, int lengthBytes) {
    ByteBuffer[] buffers = new ByteBuffer[units.length];
    for (int i = 0; i < units.length; i++) {
      buffers[i] = units[i] == null ? null : ByteBuffer.wrap(units[i], offsets[i], lengthBytes);
    }
    return buffers;
  }
}
