/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.wire.message.Assignment;
import io.hdfsparity.raidp.wire.message.FrameReport;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What all reports together say, at one moment. Immutable.
 *
 * @param nodes by DataNode uuid
 * @param disks by disk id
 * @param lstors by disk id
 * @param frames of all disks
 * @param superchunks by id
 * @param byStorage superchunk of every live frame that holds one
 * @param completions pairings that the other side of a superchunk has stored already and this one
 *     has not
 * @param problems what cannot be right
 */
record ClusterView(
    Map<String, NodeState> nodes,
    Map<String, DiskView> disks,
    Map<String, LstorState> lstors,
    Frames frames,
    Map<Long, SuperchunkView> superchunks,
    Map<String, SuperchunkView> byStorage,
    Map<String, Assignment> completions,
    List<Problem> problems) {

  /**
   * Frames of all disks.
   *
   * @param byStorage all, by storage id
   * @param spares live, usable frames that belong to no superchunk
   * @param superseded live frames with blocks of a superchunk that continued without them
   */
  record Frames(
      Map<String, FrameView> byStorage, List<FrameView> spares, List<FrameView> superseded) {
    Frames {
      byStorage = Map.copyOf(byStorage);
      spares = List.copyOf(spares);
      superseded = List.copyOf(superseded);
    }
  }

  ClusterView {
    nodes = Map.copyOf(nodes);
    disks = Map.copyOf(disks);
    lstors = Map.copyOf(lstors);
    superchunks = Map.copyOf(superchunks);
    byStorage = Map.copyOf(byStorage);
    completions = Map.copyOf(completions);
    problems = List.copyOf(problems);
  }

  static ClusterView empty() {
    return new ClusterView(
        Map.of(),
        Map.of(),
        Map.of(),
        new Frames(Map.of(), List.of(), List.of()),
        Map.of(),
        Map.of(),
        Map.of(),
        List.of());
  }

  /** The same view with newer numbers of one node. */
  ClusterView withNode(NodeState node) {
    Map<String, NodeState> newer = new HashMap<>(nodes);
    newer.put(node.report().nodeUuid(), node);
    return new ClusterView(
        newer, disks, lstors, frames, superchunks, byStorage, completions, problems);
  }

  /** The newest numbers of a frame. */
  FrameReport latest(FrameView frame) {
    NodeState node = nodes.get(frame.nodeUuid());
    if (node == null) {
      return frame.report();
    }
    return node.report().disks().stream()
        .flatMap(d -> d.frames().stream())
        .filter(f -> f.storageId().equals(frame.storageId()))
        .findFirst()
        .orElse(frame.report());
  }

  /** Frames of a volume. */
  List<FrameView> framesOn(String storageId) {
    FrameView frame = frames.byStorage().get(storageId);
    return frame == null ? List.of() : List.of(frame);
  }

  /** Whether a volume is known, and its disk alive. */
  boolean isAlive(String storageId) {
    return framesOn(storageId).stream().anyMatch(frame -> frame.health().alive());
  }

  /** The superchunk that a live frame holds. */
  Optional<SuperchunkView> superchunkOf(FrameView frame) {
    return superchunksOn(frame.storageId()).stream()
        .filter(superchunk -> superchunk.holders().contains(frame))
        .findFirst();
  }

  /** Superchunks that live frames of a volume hold. */
  List<SuperchunkView> superchunksOn(String storageId) {
    SuperchunkView superchunk = byStorage.get(storageId);
    return superchunk == null ? List.of() : List.of(superchunk);
  }

  /** The superchunk with these two volumes as its sides: two disks share at most one. */
  Optional<SuperchunkView> superchunkOfPair(String storageId, String otherStorageId) {
    return superchunksOn(storageId).stream()
        .filter(
            superchunk ->
                superchunk.state() == SuperchunkState.ACTIVE
                    && superchunk.holders().stream()
                        .anyMatch(frame -> frame.storageId().equals(otherStorageId)))
        .filter(superchunk -> !storageId.equals(otherStorageId))
        .findFirst();
  }

  Collection<SuperchunkView> all() {
    return superchunks.values();
  }

  List<SuperchunkView> in(SuperchunkState state) {
    return superchunks.values().stream()
        .filter(s -> s.state() == state)
        .sorted(Comparator.comparingLong(SuperchunkView::id))
        .toList();
  }

  long count(SuperchunkState state) {
    return superchunks.values().stream().filter(s -> s.state() == state).count();
  }

  /** The Lstor of a disk when parity can be read from it now. */
  Optional<LstorState> readableLstor(String diskId) {
    return Optional.ofNullable(lstors.get(diskId)).filter(LstorState::readable);
  }
}
