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

  /**
   * The parity with which a doubt began, where it is known. Empty: any may have been encoded since.
   */
  private final Map<Long, Set<ParityReplica>> witnesses = new HashMap<>();

  /** Doubts that end when that is durable: the next NameNode begins without them. */
  private final Set<Long> ending = new HashSet<>();

  private boolean isChanged;

  /** Begins with what is durable. With which parity a doubt began is not. */
  void restore(VerifyProgress progress) {
    Set<Long> restored = ConcurrentHashMap.newKeySet();
    restored.addAll(progress.doubted());
    doubted = restored;
    suspected.clear();
    suspected.addAll(progress.suspected());
    witnesses.clear();
    ending.clear();
    restored.forEach(this::voidWitnesses);
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
   * @param parity that was compared; none: it is not known
   */
  void add(long groupId, Set<ParityReplica> parity) {
    isChanged |= doubted.add(groupId) | ending.remove(groupId);
    if (!parity.isEmpty()) {
      witnesses.putIfAbsent(groupId, Set.copyOf(parity));
    }
  }

  /** The doubt is not to be saved any more; it lasts until {@link #remove}, or goes on. */
  void end(long groupId) {
    isChanged |= doubted.contains(groupId) && ending.add(groupId);
  }

  /** Whether the next NameNode is to doubt a group. */
  boolean isDurable(long groupId) {
    return doubted.contains(groupId) && !ending.contains(groupId);
  }

  /** Its data may be wrong. */
  void suspect(long groupId) {
    add(groupId, Set.of());
    isChanged |= suspected.add(groupId);
  }

  /** Any parity of a doubted group may be another one from now on. */
  void voidWitnesses(long groupId) {
    if (doubted.contains(groupId)) {
      witnesses.put(groupId, Set.of());
    }
  }

  /** Whether the doubt may have begun with other parity. */
  boolean hasOtherWitnesses(long groupId, Set<ParityReplica> parity) {
    return !witnesses.getOrDefault(groupId, parity).equals(parity);
  }

  /** Doubted no more. */
  void remove(long groupId) {
    isChanged |= doubted.remove(groupId);
    suspected.remove(groupId);
    witnesses.remove(groupId);
    ending.remove(groupId);
  }

  /** Whether anything durable has changed since {@link #saving}. */
  boolean isChanged() {
    return isChanged;
  }

  /** What is there now is saved. */
  void saving() {
    isChanged = false;
  }

  /** All that the next NameNode is to doubt, ascending. */
  List<Long> durable() {
    return doubted.stream().filter(this::isDurable).sorted().toList();
  }

  /** All whose data may be wrong, ascending. */
  List<Long> suspected() {
    return suspected.stream().sorted().toList();
  }
}
