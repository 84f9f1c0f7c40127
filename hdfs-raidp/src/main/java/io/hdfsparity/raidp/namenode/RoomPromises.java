/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/**
 * Superchunks that new blocks were placed in, and whose nodes have not asked yet: room was granted
 * when the block was placed, and is not granted again. Who placed a block the NameNode does not
 * tell, so these are numbers by superchunk, each for as long as a grant lives. Thread-safe; time is
 * passed in.
 */
final class RoomPromises {
  private static final int MAX_OPEN = 200_000;

  private final long leaseMs;
  private final Map<Long, Integer> open = new HashMap<>();
  private final ArrayDeque<Promise> promises = new ArrayDeque<>();

  private record Promise(long superchunkId, long atMs) {}

  RoomPromises(long leaseMs) {
    this.leaseMs = leaseMs;
  }

  synchronized void add(long superchunkId, long nowMs) {
    expire(nowMs);
    promises.addLast(new Promise(superchunkId, nowMs));
    open.merge(superchunkId, 1, Integer::sum);
    if (promises.size() > MAX_OPEN) {
      end(promises.removeFirst().superchunkId());
    }
  }

  /** Uses one up. */
  synchronized boolean take(long superchunkId, long nowMs) {
    expire(nowMs);
    return end(superchunkId);
  }

  /** One that was used up ends another one of its superchunk later, which asks for room again. */
  private void expire(long nowMs) {
    while (!promises.isEmpty() && promises.peekFirst().atMs() < nowMs - leaseMs) {
      end(promises.removeFirst().superchunkId());
    }
  }

  private boolean end(long superchunkId) {
    Integer before = open.get(superchunkId);
    if (before == null) {
      return false;
    }
    if (before == 1) {
      open.remove(superchunkId);
    } else {
      open.put(superchunkId, before - 1);
    }
    return true;
  }
}
