/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.client;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Reads data of a block group from its internal blocks: decides which bytes of which units to read,
 * and computes those that are lost. Thread-safe; a call keeps its state to itself.
 */
public interface GroupReader {
  /**
   * Fills {@code target} from its position to its limit.
   *
   * @param offset in the group's data, in bytes; the end of the read lies in the group
   * @param target written to by several threads while the call lasts; its position may move
   * @throws IOException if the bytes cannot be had; those in {@code target} are undefined then.
   *     Never is a call ended with wrong bytes.
   */
  void read(InternalBlocks blocks, BlockGroup group, long offset, ByteBuffer target)
      throws IOException;
}
