/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.wire.message.Assignment;
import io.hdfsparity.raidp.wire.message.FrameRef;
import io.hdfsparity.raidp.wire.message.NodeReport;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Pairings that are on their way to their frames, one a frame at most. Not thread-safe. */
final class Orders {
  private final Map<FrameRef, Assignment> byFrame = new LinkedHashMap<>();
  private final Map<String, Set<FrameRef>> byVolume = new HashMap<>();
  private final Map<Long, Set<FrameRef>> bySuperchunk = new HashMap<>();

  /** All, as they are at any time. */
  Map<FrameRef, Assignment> all() {
    return Collections.unmodifiableMap(byFrame);
  }

  @Nullable Assignment get(FrameRef frame) {
    return byFrame.get(frame);
  }

  void put(Assignment order) {
    remove(order.frame());
    byFrame.put(order.frame(), order);
    byVolume
        .computeIfAbsent(order.frame().storageId(), id -> new LinkedHashSet<>())
        .add(order.frame());
    bySuperchunk
        .computeIfAbsent(order.pairing().superchunkId(), id -> new LinkedHashSet<>())
        .add(order.frame());
  }

  void remove(FrameRef frame) {
    Assignment order = byFrame.remove(frame);
    if (order != null) {
      remove(byVolume, frame.storageId(), frame);
      remove(bySuperchunk, order.pairing().superchunkId(), frame);
    }
  }

  private static <K> void remove(Map<K, Set<FrameRef>> index, K key, FrameRef frame) {
    Set<FrameRef> frames = index.getOrDefault(key, Set.of());
    frames.remove(frame);
    if (frames.isEmpty()) {
      index.remove(key);
    }
  }

  /** Frames of a volume that have an order. */
  Collection<FrameRef> on(String storageId) {
    return List.copyOf(byVolume.getOrDefault(storageId, Set.of()));
  }

  /** Frames that are to store a superchunk. */
  Collection<FrameRef> of(long superchunkId) {
    return List.copyOf(bySuperchunk.getOrDefault(superchunkId, Set.of()));
  }

  /** Orders that the frames of a report have stored, or passed. */
  List<Assignment> answeredBy(NodeReport report) {
    List<Assignment> answered = new ArrayList<>();
    report
        .frames()
        .forEach(
            frame -> {
              Assignment order = get(frame.ref());
              if (order != null && frame.pairing().filter(p -> isAnswered(order, p)).isPresent()) {
                answered.add(order);
              }
            });
    return answered;
  }

  private static boolean isAnswered(Assignment order, Pairing stored) {
    // Another one under the same epoch was ordered by a manager that did not know of this order.
    return stored.epoch() >= order.pairing().epoch();
  }

  /**
   * What the frames of a node shall store.
   *
   * @param storageIds of its volumes
   * @param completions of a volume: halves of pairs that an earlier manager began
   */
  List<Assignment> forNode(
      String nodeUuid,
      Set<String> storageIds,
      ClusterView view,
      Function<String, ? extends Collection<Assignment>> completions) {
    List<Assignment> result = new ArrayList<>();
    for (String storageId : new TreeSet<>(storageIds)) {
      for (FrameRef ref : on(storageId)) {
        if (view.frame(ref)
            .filter(f -> f.nodeUuid().equals(nodeUuid) && f.health().alive())
            .isPresent()) {
          result.add(byFrame.get(ref));
        }
      }
    }
    for (String storageId : new TreeSet<>(storageIds)) {
      for (Assignment a : completions.apply(storageId)) {
        FrameView frame = view.frame(a.frame()).orElse(null);
        if (frame != null && frame.nodeUuid().equals(nodeUuid) && get(a.frame()) == null) {
          result.add(a);
        }
      }
    }
    return result;
  }

  /** Of the orders for some frames, those that no frame is to store any more. */
  List<Assignment> obsolete(ClusterView view, Set<FrameRef> frames) {
    List<Assignment> obsolete = new ArrayList<>();
    for (FrameRef frame : frames) {
      Assignment order = get(frame);
      if (order != null && isObsolete(view, order)) {
        obsolete.add(order);
      }
    }
    return obsolete;
  }

  /**
   * A superchunk that went on under a higher epoch makes older orders obsolete, and a dead frame
   * can store nothing: if it comes back, what its partner has stored is derived again. Nor does a
   * frame store what another one of its volume has stored, or give up what it holds, or follow a
   * partner that has stored another one under the same epoch: another manager has ordered that.
   */
  private static boolean isObsolete(ClusterView view, Assignment order) {
    SuperchunkView superchunk = view.superchunks().get(order.pairing().superchunkId());
    FrameView frame = view.frame(order.frame()).orElse(null);
    if (frame == null
        || !frame.health().alive()
        || view.superchunkOf(frame)
            .filter(s -> s.id() != order.pairing().superchunkId())
            .isPresent()) {
      return true;
    }
    return superchunk != null
        && (superchunk.epoch() > order.pairing().epoch()
            || superchunk.epoch() == order.pairing().epoch()
                && superchunk.holders().stream()
                    .anyMatch(f -> hasInsteadOf(f, order.frame()) || hasOtherPartner(f, order)));
  }

  private static boolean hasInsteadOf(FrameView holder, FrameRef ordered) {
    return holder.storageId().equals(ordered.storageId()) && !holder.ref().equals(ordered);
  }

  private static boolean hasOtherPartner(FrameView holder, Assignment order) {
    return holder.storageId().equals(order.pairing().partnerStorageId())
        && holder
            .pairing()
            .filter(
                stored ->
                    stored.epoch() == order.pairing().epoch()
                        && !stored.partnerStorageId().equals(order.frame().storageId()))
            .isPresent();
  }
}
