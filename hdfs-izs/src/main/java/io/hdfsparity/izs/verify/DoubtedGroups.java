/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.verify;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Block groups of which a comparison did not fit, and those of them whose data may be wrong.
 *
 * <p><b>Invariant.</b> A group in which data is suspected is doubted.
 *
 * <p>Guarded by who owns it, but for {@link #contains}, which waits for nobody.
 */
final class DoubtedGroups {
  private volatile Set<Long> doubted = ConcurrentHashMap.newKeySet();
  private final Set<Long> suspected = new HashSet<>();

  /** Nodes of the parity with which a doubt began, where they are known. */
  private final Map<Long, Set<String>> witnesses = new HashMap<>();

  private boolean isChanged;

  /** Begins with what is durable. */
  void restore(VerifyProgress progress) {
    Set<Long> restored = ConcurrentHashMap.newKeySet();
    restored.addAll(progress.doubted());
    doubted = restored;
    suspected.clear();
    suspected.addAll(progress.suspected());
    witnesses.clear();
    isChanged = false;
  }

  /** Whether a group is doubted. */
  boolean contains(long groupId) {
    return doubted.contains(groupId);
  }

  /** Whether it is, and its data may be wrong. */
  boolean isSuspected(long groupId) {
    return suspected.contains(groupId);
  }

  /**
   * A comparison did not fit.
   *
   * @param parityNodes the nodes that have the parity that was compared; none: they are not known
   */
  void add(long groupId, Set<String> parityNodes) {
    isChanged |= doubted.add(groupId);
    if (!parityNodes.isEmpty()) {
      witnesses.putIfAbsent(groupId, Set.copyOf(parityNodes));
    }
  }

  /** Its data may be wrong. */
  void suspect(long groupId) {
    add(groupId, Set.of());
    isChanged |= suspected.add(groupId);
  }

  /** Whether the doubt is known to have begun with the parity of other nodes. */
  boolean hasOtherWitnesses(long groupId, Set<String> parityNodes) {
    return !witnesses.getOrDefault(groupId, parityNodes).equals(parityNodes);
  }

  /** Doubted no more. */
  void remove(long groupId) {
    isChanged |= doubted.remove(groupId);
    suspected.remove(groupId);
    witnesses.remove(groupId);
  }

  /** Whether anything durable has changed since {@link #saving}. */
  boolean isChanged() {
    return isChanged;
  }

  /** What is there now is saved. */
  void saving() {
    isChanged = false;
  }

  /** All that are doubted, ascending. */
  List<Long> all() {
    return sorted(doubted);
  }

  /** All whose data may be wrong, ascending. */
  List<Long> suspected() {
    return sorted(suspected);
  }

  private static List<Long> sorted(Collection<Long> ids) {
    return ids.stream().sorted().toList();
  }
}
