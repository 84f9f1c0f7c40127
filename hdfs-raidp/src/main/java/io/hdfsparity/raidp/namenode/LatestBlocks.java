/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Block ids, the latest ones, each once. Not thread-safe. */
final class LatestBlocks {
  private final int maxBlocks;
  private final Set<Long> blockIds = new LinkedHashSet<>();

  LatestBlocks(int maxBlocks) {
    this.maxBlocks = maxBlocks;
  }

  /** Adds one as the latest. Where there are too many then, the eldest goes. */
  void add(long blockId) {
    blockIds.remove(blockId);
    blockIds.add(blockId);
    if (blockIds.size() > maxBlocks) {
      take(1);
    }
  }

  /** Takes the eldest ones. */
  List<Long> take(int limit) {
    List<Long> taken = new ArrayList<>();
    for (Iterator<Long> eldest = blockIds.iterator(); eldest.hasNext() && taken.size() < limit; ) {
      taken.add(eldest.next());
      eldest.remove();
    }
    return taken;
  }

  boolean contains(long blockId) {
    return blockIds.contains(blockId);
  }

  int size() {
    return blockIds.size();
  }

  void clear() {
    blockIds.clear();
  }
}
