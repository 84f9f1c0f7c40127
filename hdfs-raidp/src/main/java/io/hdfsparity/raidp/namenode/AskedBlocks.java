/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.wire.message.ExpectedBlock;
import java.util.ArrayList;
import java.util.List;

/**
 * Lost blocks that clients have asked for lately: these are rebuilt before others. At most {@value
 * #MAX_BLOCKS}, the latest ones. Thread-safe.
 */
final class AskedBlocks {
  static final int MAX_BLOCKS = 10_000;

  private final LatestBlocks blockIds = new LatestBlocks(MAX_BLOCKS);

  synchronized void add(long blockId) {
    blockIds.add(blockId);
  }

  /** The same blocks, those that were asked for first; else in the same order. */
  synchronized List<ExpectedBlock> first(List<ExpectedBlock> blocks) {
    List<ExpectedBlock> ordered = new ArrayList<>();
    blocks.stream().filter(block -> blockIds.contains(block.blockId())).forEach(ordered::add);
    blocks.stream().filter(block -> !blockIds.contains(block.blockId())).forEach(ordered::add);
    return List.copyOf(ordered);
  }
}
