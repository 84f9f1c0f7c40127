/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire.message;

import io.hdfsparity.raidp.config.RebuildPace;
import java.util.List;

/**
 * An order to the receiver of a lost superchunk. Given again in every response until reported done;
 * idempotent by id.
 *
 * @param rebuildId identity of the order
 * @param superchunkId what is rebuilt
 * @param epoch of the rebuilt superchunk
 * @param target frame that receives the blocks
 * @param sources one or two Lstors
 * @param pace how it runs
 * @param expected blocks that the NameNode misses; empty: all in the slot tables
 * @param blockPoolId HDFS block pool
 */
public record RebuildOrder(
    long rebuildId,
    long superchunkId,
    long epoch,
    FrameRef target,
    List<LstorSource> sources,
    RebuildPace pace,
    List<ExpectedBlock> expected,
    String blockPoolId) {
  public RebuildOrder {
    sources = List.copyOf(sources);
    expected = List.copyOf(expected);
  }
}
