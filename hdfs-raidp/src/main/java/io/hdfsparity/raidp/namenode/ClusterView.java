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
import io.hdfsparity.raidp.wire.message.PackedFrames;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.Node;

/**
 * What all reports together say, at one moment. Immutable.
 *
 * <p>Questions about a volume are asked under locks of the NameNode, for each block: they look at
 * the frames of that volume only, and at no other superchunk. There are no maps by frame: a volume
 * has a list of its frames in index order, and the pairing of a frame leads to its superchunk.
 */
final class ClusterView {
  private final PersistentMap<String, NodeState> nodes;
  private final PersistentMap<String, DiskView> disks;
  private final PersistentMap<String, LstorState> lstors;
  private final Frames frames;
  private final Superchunks superchunks;
  private final Map<FrameRef, Assignment> completions;
  private final AllProblems problems;

  /** Frames of all disks. */
  static final class Frames {
    private final PersistentMap<String, List<FrameView>> byVolume;
    private final PersistentMap<String, Special> special;

    Frames(
        PersistentMap<String, List<FrameView>> byVolume, PersistentMap<String, Special> special) {
      this.byVolume = byVolume;
      this.special = special;
    }

    /** All, by storage id, each list in index order. */
    Map<String, List<FrameView>> byVolume() {
      return byVolume;
    }

    /** Live, usable frames that belong to no superchunk, disk by disk. */
    List<FrameView> spares() {
      return special.values().stream()
          .flatMap(each -> each.spares().stream())
          .sorted(Comparator.comparing(FrameView::diskId).thenComparing(f -> f.frameIndex()))
          .toList();
    }

    /** How many spares there are. */
    int spareCount() {
      return special.values().stream().mapToInt(each -> each.spares().size()).sum();
    }

    /** Live frames with blocks of a superchunk that continued without them. */
    List<FrameView> superseded() {
      return special.values().stream().flatMap(each -> each.superseded().stream()).toList();
    }

    /** The same of one volume. */
    List<FrameView> supersededOn(String storageId) {
      return special.getOrDefault(storageId, Special.NONE).superseded();
    }

    /** Live frames of a volume that were superseded, and have lost all their blocks. */
    List<FrameView> clearedOn(String storageId) {
      return special.getOrDefault(storageId, Special.NONE).cleared();
    }

    /** All frames, volume by volume. */
    Stream<FrameView> all() {
      return byVolume.values().stream().flatMap(List::stream);
    }
  }

  /**
   * Frames of a volume that are in no superchunk.
   *
   * @param spares live, usable frames that belong to none
   * @param superseded live frames with blocks of a superchunk that continued without them
   * @param cleared live frames that were superseded, and have lost all their blocks
   */
  record Special(
      String storageId,
      List<FrameView> spares,
      List<FrameView> superseded,
      List<FrameView> cleared) {
    static final Special NONE = new Special("", List.of(), List.of(), List.of());

    Special {
      spares = List.copyOf(spares);
      superseded = List.copyOf(superseded);
      cleared = List.copyOf(cleared);
    }
  }

  /**
   * Superchunks by id.
   *
   * @param all of them
   * @param lacking those that lack a side, and have dead frames: few
   */
  record Superchunks(
      PersistentMap<Long, SuperchunkView> all, PersistentMap<Long, SuperchunkView> lacking) {
    static final Superchunks NONE =
        new Superchunks(
            PersistentMap.empty(SuperchunkView::id), PersistentMap.empty(SuperchunkView::id));

    Superchunks with(SuperchunkView superchunk) {
      return new Superchunks(
          all.with(superchunk),
          superchunk.lacksSide() ? lacking.with(superchunk) : lacking.without(superchunk.id()));
    }

    Superchunks without(long id) {
      return new Superchunks(all.without(id), lacking.without(id));
    }
  }

  /** What cannot be right, of frames and of superchunks. */
  record AllProblems(Problems ofFrames, Problems ofSuperchunks) {}

  ClusterView(
      PersistentMap<String, NodeState> nodes,
      PersistentMap<String, DiskView> disks,
      PersistentMap<String, LstorState> lstors,
      Frames frames,
      Superchunks superchunks,
      Map<FrameRef, Assignment> completions,
      AllProblems problems) {
    this.nodes = nodes;
    this.disks = disks;
    this.lstors = lstors;
    this.frames = frames;
    this.superchunks = superchunks;
    this.completions = completions;
    this.problems = problems;
  }

  /** Of no reports. */
  static ClusterView empty() {
    return new ClusterView(
        PersistentMap.empty(node -> node.report().nodeUuid()),
        PersistentMap.empty(DiskView::diskId),
        PersistentMap.empty(lstor -> lstor.report().diskId()),
        new Frames(
            PersistentMap.empty(frames -> frames.get(0).storageId()),
            PersistentMap.empty(Special::storageId)),
        Superchunks.NONE,
        Map.of(),
        new AllProblems(Problems.NONE, Problems.NONE));
  }

  /** By DataNode uuid. */
  PersistentMap<String, NodeState> nodes() {
    return nodes;
  }

  /** By disk id. */
  Map<String, DiskView> disks() {
    return disks;
  }

  /** By disk id. */
  Map<String, LstorState> lstors() {
    return lstors;
  }

  Frames frames() {
    return frames;
  }

  /** By id. */
  PersistentMap<Long, SuperchunkView> superchunks() {
    return superchunks.all();
  }

  /** Superchunks that lack a side, and have dead frames, by id. */
  PersistentMap<Long, SuperchunkView> lacking() {
    return superchunks.lacking();
  }

  /**
   * By frame: pairings that the other side of a superchunk has stored already and this one has not.
   */
  Map<FrameRef, Assignment> completions() {
    return completions;
  }

  /** What cannot be right, each once. */
  List<Problem> problems() {
    return Stream.of(problems.ofFrames(), problems.ofSuperchunks())
        .flatMap(each -> each.all().stream())
        .distinct()
        .toList();
  }

  /** The same view with newer numbers. */
  ClusterView with(
      PersistentMap<String, NodeState> newNodes, PersistentMap<String, LstorState> newLstors) {
    return new ClusterView(newNodes, disks, newLstors, frames, superchunks, completions, problems);
  }

  /** Host and port of a DataNode for people, as it has reported them. */
  Optional<String> addressOf(String nodeUuid) {
    return Optional.ofNullable(nodes.get(nodeUuid))
        .map(node -> node.report().node())
        .map(node -> node.hostName() + ":" + node.xferPort());
  }

  /** The same, else as the NameNode knows them. */
  String addressOf(Node node) {
    return addressOf(node.uuid())
        .orElseGet(() -> node.address().host() + ":" + node.address().transferPort());
  }

  /** The newest numbers of a frame. */
  FrameReport latest(FrameView frame) {
    NodeState node = nodes.get(frame.nodeUuid());
    if (node != null) {
      for (DiskReport disk : node.report().disks()) {
        if (disk.diskId().equals(frame.diskId())) {
          Optional<FrameReport> latest = latest(disk.frames(), frame.ref());
          if (latest.isPresent()) {
            return latest.get();
          }
        }
      }
    }
    LstorState lstor = lstors.get(frame.diskId());
    return Optional.ofNullable(lstor)
        .flatMap(known -> latest(known.report().frames(), frame.ref()))
        .orElseGet(
            () -> new FrameReport(frame.state(), new FrameReport.Load(0, 0, frame.blocks(), 0, 0)));
  }

  /** How many blocks a frame has, as it was last reported. */
  int blocks(FrameView frame) {
    return latest(frame).load().blocks();
  }

  private static Optional<FrameReport> latest(List<FrameReport> frames, FrameRef ref) {
    int position = PackedFrames.position(frames, ref);
    return position < 0 ? Optional.empty() : Optional.of(frames.get(position));
  }

  /** A frame by its name. */
  Optional<FrameView> frame(FrameRef ref) {
    return find(framesOn(ref.storageId()), ref.frameIndex());
  }

  /**
   * A frame by its index.
   *
   * @param frames of a volume, in index order
   */
  static Optional<FrameView> find(List<FrameView> frames, int frameIndex) {
    int low = 0;
    int high = frames.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      FrameView frame = frames.get(middle);
      int index = frame.frameIndex();
      if (index == frameIndex) {
        return Optional.of(frame);
      }
      if (index < frameIndex) {
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
    SuperchunkView superchunk = pairing == null ? null : superchunks().get(pairing.superchunkId());
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
      superchunkOf(frame).ifPresent(held -> byFrame.put(frame.frameIndex(), held));
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
    return superchunks().values();
  }

  List<SuperchunkView> in(SuperchunkState state) {
    return superchunks().values().stream()
        .filter(s -> s.state() == state)
        .sorted(Comparator.comparingLong(SuperchunkView::id))
        .toList();
  }

  long count(SuperchunkState state) {
    return superchunks().values().stream().filter(s -> s.state() == state).count();
  }

  /** The Lstor of a disk when parity can be read from it now. */
  Optional<LstorState> readableLstor(String diskId) {
    return Optional.ofNullable(lstors.get(diskId)).filter(LstorState::readable);
  }
}
