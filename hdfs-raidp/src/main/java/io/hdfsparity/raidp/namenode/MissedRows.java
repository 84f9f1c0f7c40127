/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Blocks that a list of all rows of a volume did not have: to list them again and again helps
 * nobody, so a block is looked for less often each time. Thread-safe; time is passed in.
 */
final class MissedRows {
  static final long LAST_MS = 120_000;
  private static final int MAX_KEPT = 100_000;

  private final long firstMs;
  private final Map<Where, Pause> pauses = new LinkedHashMap<>();

  private record Where(String storageId, long blockId) {}

  private record Pause(long endMs, long lengthMs) {}

  MissedRows(long firstMs) {
    this.firstMs = firstMs;
  }

  /** Those of some blocks of a volume that are to be looked for now. */
  synchronized Set<Long> due(String storageId, Set<Long> blockIds, long nowMs) {
    return blockIds.stream()
        .filter(
            blockId -> {
              Pause pause = pauses.get(new Where(storageId, blockId));
              return pause == null || nowMs >= pause.endMs();
            })
        .collect(Collectors.toSet());
  }

  synchronized void missed(String storageId, long blockId, long nowMs) {
    Where where = new Where(storageId, blockId);
    Pause before = pauses.remove(where);
    long lengthMs = before == null ? firstMs : Math.min(LAST_MS, 2 * before.lengthMs());
    pauses.put(where, new Pause(nowMs + lengthMs, lengthMs));
    if (pauses.size() > MAX_KEPT) {
      pauses.remove(pauses.keySet().iterator().next());
    }
  }

  synchronized void found(String storageId, long blockId) {
    pauses.remove(new Where(storageId, blockId));
  }

  synchronized void clear() {
    pauses.clear();
  }
}
