/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

import io.hdfsparity.raidp.lstor.ChecksumSpec;

/**
 * How a superchunk is decoded.
 *
 * @param chunkBytes most bytes asked of a source at a time (Table 2: 4 MB and 64 MB), at least
 *     65536
 * @param lockScope what a thread locks while it XORs
 * @param memoryBytes bound on buffers; at least two chunks are used whatever it says
 * @param fetchThreads most reads at a time over all sources
 * @param parallelBlocks most blocks decoded at a time
 */
public record DecodeOptions(
    int chunkBytes, LockScope lockScope, long memoryBytes, int fetchThreads, int parallelBlocks) {
  private static final int MIN_CHUNK_BYTES = 65536;
  private static final int WINDOW = 4;

  public DecodeOptions {
    if (chunkBytes < MIN_CHUNK_BYTES || memoryBytes < 0 || fetchThreads < 1 || parallelBlocks < 1) {
      throw new IllegalArgumentException(
          "Cannot decode: chunkBytes="
              + chunkBytes
              + " memoryBytes="
              + memoryBytes
              + " fetchThreads="
              + fetchThreads
              + " parallelBlocks="
              + parallelBlocks
              + ", expected chunkBytes >= 65536, memoryBytes >= 0, fetchThreads >= 1, parallelBlocks >= 1");
    }
  }

  /** Defaults for a chunk size and lock, with a quarter of this JVM's heap as the bound. */
  public static DecodeOptions of(int chunkBytes, LockScope lockScope) {
    return new DecodeOptions(chunkBytes, lockScope, Runtime.getRuntime().maxMemory() / 4, 16, 4);
  }

  /**
   * The same with chunks no larger than the largest image needs, so that buffers are not larger
   * either.
   */
  DecodeOptions forImagesUpTo(long largestBytes) {
    long rounded = (largestBytes + MIN_CHUNK_BYTES - 1) / MIN_CHUNK_BYTES * MIN_CHUNK_BYTES;
    int fitting = (int) Math.max(MIN_CHUNK_BYTES, Math.min(chunkBytes, rounded));
    return new DecodeOptions(fitting, lockScope, memoryBytes, fetchThreads, parallelBlocks);
  }

  /**
   * Size of a buffer: a chunk, but at least one piece of data that has a CRC, whatever its checksum
   * file's chunk size.
   */
  int bufferBytes() {
    return Math.max(chunkBytes, ChecksumSpec.MAX_BYTES_PER_CHECKSUM);
  }

  /**
   * Chunk-sized buffers that the bound allows for reads and accumulation, half of it; at least 2.
   */
  private int buffers() {
    return (int) Math.max(2, Math.min(1 << 16, memoryBytes / 2 / bufferBytes()));
  }

  /** Blocks that are decoded at a time within the bound. */
  int effectiveBlocks() {
    return Math.max(1, Math.min(parallelBlocks, buffers() / 4));
  }

  /** Chunks of one block in flight within the bound. */
  int effectiveWindow() {
    return Math.max(1, Math.min(WINDOW, buffers() / 2 / effectiveBlocks()));
  }

  /** Reads in flight within the bound. */
  int effectiveFetchThreads() {
    return Math.max(1, Math.min(fetchThreads, buffers() - effectiveBlocks() * effectiveWindow()));
  }

  /**
   * Largest block that is held in memory until it is handed on; a larger one goes to a spill file.
   */
  long memoryBlockBytes() {
    return memoryBytes / 2 / effectiveBlocks();
  }
}
