/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.placement;

import io.hdfsparity.core.check.Checks;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;

/**
 * Parity updates that nodes are expected to take for files that were placed by forecast, and whose
 * they are.
 *
 * <p><b>Invariants</b>: a node's load is the sum of the loads of its parity units, and there is no
 * node without one; there are at most {@code maxGroups} groups, of which those of the file that was
 * begun first are forgotten first, but never those of the file that is being written.
 *
 * <p>Thread-safe.
 */
public final class ParityLoad {
  private record Group(long load, List<String> parityNodes) {}

  private final int maxGroups;
  private final Map<Long, Map<Integer, Group>> files = new LinkedHashMap<>();
  private final Map<String, Long> loads = new HashMap<>();
  private int groupCount;

  /**
   * No load.
   *
   * @param maxGroups limit on the groups that are remembered, > 0
   */
  public ParityLoad(int maxGroups) {
    Checks.argument(maxGroups > 0, "remember load", "maxGroups", maxGroups, "> 0");
    this.maxGroups = maxGroups;
  }

  /**
   * Decides which nodes get the parity of a group, and remembers it. A group that was placed before
   * (its client did not get the answer, or lost the nodes) is forgotten first.
   *
   * @param fileId inode of the file
   * @param group number of the group in the file
   * @param load of each of its parity units, 0 to {@link ParityForecast#MAX_RATE}
   * @param dataUnits of the code
   * @param nodes in the order in which they would get the units otherwise
   * @return see {@link ParityChoice#order}
   */
  public synchronized int[] place(
      long fileId, int group, long load, int dataUnits, List<String> nodes) {
    forget(fileId, group);
    if (load == 0) {
      return ParityChoice.order(new long[nodes.size()], dataUnits);
    }
    int[] order = ParityChoice.order(nodes.stream().mapToLong(this::loadOf).toArray(), dataUnits);
    List<String> parityNodes =
        IntStream.range(Math.min(dataUnits, order.length), order.length)
            .mapToObj(unit -> nodes.get(order[unit]))
            .toList();
    if (parityNodes.isEmpty()) {
      return order;
    }
    files.computeIfAbsent(fileId, id -> new HashMap<>()).put(group, new Group(load, parityNodes));
    groupCount++;
    parityNodes.forEach(node -> loads.merge(node, load, Long::sum));
    forgetOldest(fileId);
    return order;
  }

  private void forget(long fileId, int group) {
    Map<Integer, Group> groups = files.get(fileId);
    Group known = groups == null ? null : groups.remove(group);
    if (known != null) {
      forget(known);
    }
  }

  private void forget(Group group) {
    groupCount--;
    for (String node : group.parityNodes()) {
      loads.computeIfPresent(
          node, (name, load) -> load == group.load() ? null : load - group.load());
    }
  }

  private void forgetOldest(long placed) {
    Iterator<Map.Entry<Long, Map<Integer, Group>>> oldest = files.entrySet().iterator();
    while (groupCount > maxGroups && oldest.hasNext()) {
      Map.Entry<Long, Map<Integer, Group>> file = oldest.next();
      if (file.getKey() != placed) {
        file.getValue().values().forEach(this::forget);
        oldest.remove();
      }
    }
  }

  /** Forgets files that are gone: deleted, replaced, or copies that were abandoned. */
  public synchronized void keep(LongPredicate isThere) {
    files
        .entrySet()
        .removeIf(
            file -> {
              boolean isGone = !isThere.test(file.getKey());
              if (isGone) {
                file.getValue().values().forEach(this::forget);
              }
              return isGone;
            });
  }

  /** Load of a node. */
  public synchronized long loadOf(String node) {
    return loads.getOrDefault(node, 0L);
  }

  /** How many groups are remembered. */
  public synchronized int groupCount() {
    return groupCount;
  }

  /** Of the nodes that have a load. */
  public synchronized LongSummaryStatistics statistics() {
    return loads.values().stream().mapToLong(Long::longValue).summaryStatistics();
  }
}
