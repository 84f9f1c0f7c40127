/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.client;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import org.apache.hadoop.io.ByteBufferPool;

/**
 * The internal blocks of one block group, as one reader sees them. Connections, block tokens, dead
 * nodes, reports of corrupt replicas and statistics are its matter. Not thread-safe.
 */
public interface InternalBlocks {
  /**
   * The units that cannot be read, with the reason: no DataNode is known to have one, its DataNode
   * is held dead, or a read of it has failed. Units of a group that is shorter than a stripe may
   * have no bytes, and are named here all the same. A snapshot.
   */
  SortedMap<Integer, String> lost();

  /**
   * What is read from now on is not decoded together with what was read before. A stripe of which
   * nothing has been read yet begins with this call; a call of a {@link GroupReader} begins as by
   * one. {@link #decode} refuses bytes that took too long to read.
   */
  void beginRead();

  /**
   * Reads in parallel, and returns when every read has ended, well or not: no buffer is written to
   * afterwards.
   *
   * @param reads at most one a unit, of none that is lost
   * @return units whose read failed, and what their buffers hold is undefined. They are lost from
   *     now on, unless there is another replica to try.
   * @throws java.io.InterruptedIOException if the calling thread was interrupted
   */
  Set<Integer> read(List<UnitRead> reads) throws IOException;

  /**
   * Runs a computation whose time counts as decoding in the stream's statistics.
   *
   * @throws IOException of the computation, or if the last {@link #beginRead} is so long ago that
   *     the units may not fit together any more
   */
  void decode(Decoding decoding) throws IOException;

  /** Where to borrow buffers. */
  ByteBufferPool pool();

  /** A computation on bytes that were read. */
  @FunctionalInterface
  interface Decoding {
    void run() throws IOException;
  }
}
