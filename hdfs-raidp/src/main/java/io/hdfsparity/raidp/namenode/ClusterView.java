/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.wire.message.Assignment;
import io.hdfsparity.raidp.wire.message.DiskReport;
import io.hdfsparity.raidp.wire.message.FrameRef;
import io.hdfsparity.raidp.wire.message.FrameReport;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What all reports together say, at one moment. Immutable.
 *
 * <p>Questions about a volume are asked under locks of the NameNode, for each block: they look at
 * the frames of that volume only, and at no other superchunk. There are no maps by frame: a volume
 * has a list of its frames in index order, and the pairing of a frame leads to its superchunk.
 *
 * @param nodes by DataNode uuid
 * @param disks by disk id
 * @param lstors by disk id
 * @param frames of all disks
 * @param superchunks by id
 * @param completions by frame: pairings that the other side of a superchunk has stored already and
 *     this one has not
 * @param problems what cannot be right
 */
record ClusterView(
    Map<String, NodeState> nodes,
    Map<String, DiskView> disks,
    Map<String, LstorState> lstors,
    Frames frames,
    Map<Long, SuperchunkView> superchunks,
    Map<FrameRef, Assignment> completions,
    List<Problem> problems) {

  /**
   * Frames of all disks.
   *
   * @param byVolume all, by storage id, each list in index order
   * @param spares live, usable frames that belong to no superchunk
   * @param superseded live frames with blocks of a superchunk that continued without them
   * @param cleared live frames that were superseded, and have lost all their blocks
   */
  record Frames(
      Map<String, List<FrameView>> byVolume,
      List<FrameView> spares,
      List<FrameView> superseded,
      List<FrameView> cleared) {
    static final Frames NONE = new Frames(Map.of(), List.of(), List.of(), List.of());

    Frames {
      byVolume = Map.copyOf(byVolume);
      spares = List.copyOf(spares);
      superseded = List.copyOf(superseded);
      cleared = List.copyOf(cleared);
    }

    /** All frames, volume by volume. */
    Stream<FrameView> all() {
      return byVolume.values().stream().flatMap(List::stream);
    }
  }

  ClusterView {
    nodes = Map.copyOf(nodes);
    disks = Map.copyOf(disks);
    lstors = Map.copyOf(lstors);
    superchunks = Map.copyOf(superchunks);
    completions = Map.copyOf(completions);
    problems = List.copyOf(problems);
  }

  static ClusterView empty() {
    return new ClusterView(
        Map.of(), Map.of(), Map.of(), Frames.NONE, Map.of(), Map.of(), List.of());
  }

  /** The same view with newer numbers of one node. */
  ClusterView withNode(NodeState node) {
    Map<String, NodeState> newer = new HashMap<>(nodes);
    newer.put(node.report().nodeUuid(), node);
    return new ClusterView(newer, disks, lstors, frames, superchunks, completions, problems);
  }

  /** The newest numbers of a frame. */
  FrameReport latest(FrameView frame) {
    NodeState node = nodes.get(frame.nodeUuid());
    if (node != null) {
      for (DiskReport disk : node.report().disks()) {
        if (disk.diskId().equals(frame.diskId())) {
          return latest(disk.frames(), frame.ref()).orElse(frame.report());
        }
      }
    }
    return frame.report();
  }

  /** Reports are in index order, and mostly have every index of a disk. */
  private static Optional<FrameReport> latest(List<FrameReport> frames, FrameRef ref) {
    if (ref.frameIndex() >= 0 && ref.frameIndex() < frames.size()) {
      FrameReport guess = frames.get(ref.frameIndex());
      if (guess.frameIndex() == ref.frameIndex() && guess.storageId().equals(ref.storageId())) {
        return Optional.of(guess);
      }
    }
    return frames.stream().filter(f -> f.ref().equals(ref)).findFirst();
  }

  /** A frame by its name. */
  Optional<FrameView> frame(FrameRef ref) {
    List<FrameView> frames = framesOn(ref.storageId());
    int low = 0;
    int high = frames.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      FrameView frame = frames.get(middle);
      int index = frame.report().frameIndex();
      if (index == ref.frameIndex()) {
        return Optional.of(frame);
      }
      if (index < ref.frameIndex()) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return Optional.empty();
  }

  /** Frames of a volume, in index order. */
  List<FrameView> framesOn(String storageId) {
    return frames.byVolume().getOrDefault(storageId, List.of());
  }

  /** For people: the storage id, with the frame's index where the volume has several frames. */
  String name(FrameRef ref) {
    return framesOn(ref.storageId()).size() > 1 ? ref.toString() : ref.storageId();
  }

  /** Whether a volume is known, and its disk alive. */
  boolean isAlive(String storageId) {
    for (FrameView frame : framesOn(storageId)) {
      if (frame.health().alive()) {
        return true;
      }
    }
    return false;
  }

  /** The superchunk that a live frame holds. */
  Optional<SuperchunkView> superchunkOf(FrameView frame) {
    // A frame holds only what it claims.
    Pairing pairing = frame.pairing().orElse(null);
    SuperchunkView superchunk = pairing == null ? null : superchunks.get(pairing.superchunkId());
    return superchunk != null && superchunk.isHeldBy(frame)
        ? Optional.of(superchunk)
        : Optional.empty();
  }

  /** Superchunks that live frames of a volume hold. */
  List<SuperchunkView> superchunksOn(String storageId) {
    return framesOn(storageId).stream().flatMap(frame -> superchunkOf(frame).stream()).toList();
  }

  /** The same by the index of the volume's frame in it. */
  Map<Integer, SuperchunkView> superchunksByFrame(String storageId) {
    Map<Integer, SuperchunkView> byFrame = new HashMap<>();
    for (FrameView frame : framesOn(storageId)) {
      superchunkOf(frame).ifPresent(held -> byFrame.put(frame.report().frameIndex(), held));
    }
    return byFrame;
  }

  /**
   * The active superchunk with these two volumes as its sides. Of two, which cannot be right, the
   * one with the lower id: the other one gets no new blocks ({@link
   * Problem.Kind#VOLUMES_SHARE_TWICE}).
   */
  Optional<SuperchunkView> superchunkOfPair(String storageId, String otherStorageId) {
    SuperchunkView found = null;
    for (FrameView frame : framesOn(storageId)) {
      Pairing pairing = frame.pairing().orElse(null);
      if (pairing != null && pairing.partnerStorageId().equals(otherStorageId)) {
        SuperchunkView superchunk = superchunkOf(frame).orElse(null);
        if (superchunk != null
            && superchunk.state() == SuperchunkState.ACTIVE
            && (found == null || superchunk.id() < found.id())) {
          found = superchunk;
        }
      }
    }
    return Optional.ofNullable(found);
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
