/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.adoption;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Asks storages for rows, many blocks at a time. Stateless. */
final class RowQuery {
  /** As many as a DataNode answers for in a call. */
  private static final int MAX_BLOCKS = 10_000;

  private final AdoptionCluster cluster;

  RowQuery(AdoptionCluster cluster) {
    this.cluster = cluster;
  }

  /** Asks, and has each block judge; one with a storage that does not answer stays as it is. */
  void ask(List<BlockWork> due, long nowMs) {
    Map<String, List<BlockWork>> byStorage = new LinkedHashMap<>();
    for (BlockWork work : due) {
      for (String storageId : work.ask()) {
        byStorage.computeIfAbsent(storageId, id -> new java.util.ArrayList<>()).add(work);
      }
    }
    byStorage.forEach(
        (storageId, works) -> {
          for (int from = 0; from < works.size(); from += MAX_BLOCKS) {
            ask(storageId, works.subList(from, Math.min(works.size(), from + MAX_BLOCKS)));
          }
        });
    due.forEach(work -> work.judge(cluster, nowMs));
  }

  private void ask(String storageId, List<BlockWork> works) {
    Map<Long, BlockRow> rows = new HashMap<>();
    Set<Long> ids = new HashSet<>();
    works.forEach(work -> ids.add(work.block().blockId()));
    try {
      cluster.findRows(storageId, List.copyOf(ids)).forEach(row -> rows.put(row.blockId(), row));
    } catch (IOException e) {
      return; // Asked again: what is not answered stays unknown.
    }
    for (BlockWork work : works) {
      BlockRow row = rows.get(work.block().blockId());
      if (row != null) {
        work.found(row);
      }
      work.answered(storageId);
    }
  }
}
