/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.client;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * Bytes of one internal block to be read in one go.
 *
 * @param unit index of the internal block in its group
 * @param offset of the first byte in the internal block
 * @param into filled up one after the other, from position to limit, with consecutive bytes; their
 *     positions stay
 * @param readTo offset up to which later reads of the same request will go on; the DataNode is
 *     asked for so much at once. At least the end of this read.
 */
public record UnitRead(int unit, long offset, List<ByteBuffer> into, long readTo) {
  public UnitRead {
    into = List.copyOf(into);
  }

  /** Bytes to read. */
  public int lengthBytes() {
    return into.stream().mapToInt(ByteBuffer::remaining).sum();
  }
}
