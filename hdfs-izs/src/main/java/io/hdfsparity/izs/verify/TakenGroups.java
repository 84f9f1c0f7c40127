/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.verify;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** Block groups in the hands of each DataNode that has some. Guarded by who owns it. */
final class TakenGroups {
  /** By node; no set is empty. */
  private final Map<String, Set<Long>> taken = new HashMap<>();

  /** A node has a group now. */
  void add(String node, long groupId) {
    taken.computeIfAbsent(node, each -> new HashSet<>()).add(groupId);
  }

  /** A node that has a group has it no more. */
  void remove(String node, long groupId) {
    Set<Long> itsGroups = Objects.requireNonNull(taken.get(node));
    itsGroups.remove(groupId);
    if (itsGroups.isEmpty()) {
      taken.remove(node);
    }
  }

  void clear() {
    taken.clear();
  }

  /** Groups that a node has; a copy. */
  List<Long> of(String node) {
    return List.copyOf(taken.getOrDefault(node, Set.of()));
  }

  /** Groups that any node has. */
  Stream<Long> all() {
    return taken.values().stream().flatMap(Set::stream);
  }
}
