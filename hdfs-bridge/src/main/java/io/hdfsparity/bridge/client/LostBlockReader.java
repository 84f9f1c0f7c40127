/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.client;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/** Computes ranges of blocks of replicated files that have no replica left. Thread-safe. */
public interface LostBlockReader {
  /** Most bytes of one call. */
  int maxBytes();

  /**
   * Computes a range.
   *
   * @param block as it was located last
   * @param offset in the block
   * @param lengthBytes 1 to {@link #maxBytes}, inside the block
   * @return exactly these bytes, verified; empty: this feature has nothing to compute the block of
   * @throws org.apache.hadoop.security.token.SecretManager.InvalidToken when the block is to be
   *     located again, for another token
   * @throws IOException when the block is one of the feature's, and cannot be computed now; the
   *     message says what to do
   */
  Optional<byte[]> read(LocatedBlock block, long offset, int lengthBytes) throws IOException;
}
