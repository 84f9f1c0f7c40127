/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.core.check.Clock;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which replicas of a volume that have no row HDFS is changing now, is moving to another volume, or
 * is about to delete. No frame takes them: the parity would be made of bytes that change or go
 * without the hooks.
 *
 * <p>Marks are set and looked at under the block's lock. Kept in memory: after a restart the
 * directories tell which replicas are being written. Thread-safe.
 */
final class PlainReplicas {
  /** HDFS unlinks the file right after the hook has let it. */
  private static final long LEAVING_MS = 60_000;

  private static final int MAX_LEAVING = 1 << 16;

  private final Set<Long> open = ConcurrentHashMap.newKeySet();
  private final Map<Long, Integer> moves = new ConcurrentHashMap<>();
  private final ExpiringMap<Long, Boolean> leaving;

  PlainReplicas(Clock clock) {
    leaving = new ExpiringMap<>(clock, LEAVING_MS, MAX_LEAVING);
  }

  /** It is being written, or cut. */
  void open(long blockId) {
    open.add(blockId);
    leaving.remove(blockId);
  }

  /** It is complete, or stays as it was. */
  void close(long blockId) {
    open.remove(blockId);
    leaving.remove(blockId);
  }

  /** HDFS may delete its files now. */
  void leave(long blockId) {
    open.remove(blockId);
    leaving.put(blockId, true);
  }

  /** It is being moved, maybe by several that will not all succeed. */
  void beginMove(long blockId) {
    moves.merge(blockId, 1, Integer::sum);
  }

  void endMove(long blockId) {
    moves.computeIfPresent(blockId, (id, n) -> n == 1 ? null : n - 1);
  }

  boolean isChanging(long blockId) {
    return isChangingHere(blockId) || leaving.get(blockId).isPresent();
  }

  /** Whether it is being written, cut or moved; one that HDFS may delete is not. */
  boolean isChangingHere(long blockId) {
    return open.contains(blockId) || moves.containsKey(blockId);
  }
}
