/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Bytes of a replica as the parity wants them: data, and the checksum file as it is (or was) for a
 * given prefix length.
 *
 * <p>For a prefix that ends inside a chunk the last CRC is that of the shortened chunk, whatever
 * the file holds now.
 */
public interface BlockImage {
  /** Fills {@code dst} with data bytes from {@code position}. */
  void readData(long position, ByteBuffer dst) throws IOException;

  /**
   * Fills {@code dst} from {@code position} with the checksum file of the replica cut at {@code
   * prefixBytes}.
   */
  void readMeta(long prefixBytes, long position, ByteBuffer dst) throws IOException;
}
