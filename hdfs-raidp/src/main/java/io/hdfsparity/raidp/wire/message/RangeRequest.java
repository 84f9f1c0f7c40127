/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire.message;

import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;

/**
 * A range of a block that has lost all replicas.
 *
 * @param block as the NameNode located it
 * @param token that lets the client read the block; empty where there are no block tokens
 * @param offset in the block
 * @param count 1 to {@link #MAX_BYTES}
 */
public record RangeRequest(
    ExtendedBlock block, Token<BlockTokenIdentifier> token, long offset, int count) {
  /** Most bytes of one answer. */
  public static final int MAX_BYTES = 1 << 20;
}
