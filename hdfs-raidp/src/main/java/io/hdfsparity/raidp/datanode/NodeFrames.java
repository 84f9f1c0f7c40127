/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.raidp.wire.message.Pairing;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** Disks and frames of this node. Thread-safe. */
final class NodeFrames {
  private final List<DiskEngine> disks = new CopyOnWriteArrayList<>();
  private final Map<String, FrameEngine> byStorage = new ConcurrentHashMap<>();

  void add(DiskEngine disk) {
    disks.add(disk);
  }

  void add(FrameEngine engine) {
    byStorage.put(engine.frame().storageId(), engine);
  }

  List<DiskEngine> disks() {
    return disks;
  }

  Collection<FrameEngine> engines() {
    return byStorage.values();
  }

  List<FrameEngine> enginesOf(DiskEngine disk) {
    List<FrameEngine> engines = new ArrayList<>();
    for (Frame frame : disk.frames()) {
      engines.add(byStorage.get(frame.storageId()));
    }
    return engines;
  }

  Optional<FrameEngine> byStorage(String storageId) {
    return Optional.ofNullable(byStorage.get(storageId));
  }

  /**
   * The frame of this node in a superchunk; two frames of one node never mirror each other. Of
   * those that have been in it, the one of the latest pairing: a frame whose disk has failed keeps
   * its last one, and the superchunk may have been rebuilt on another disk of the same node.
   */
  Optional<FrameEngine> bySuperchunk(long superchunkId) {
    return latest(byStorage.values(), engine -> engine.frame().pairing(), superchunkId);
  }

  static <F> Optional<F> latest(
      Collection<F> frames, Function<F, Optional<Pairing>> pairing, long superchunkId) {
    return frames.stream()
        .filter(frame -> pairing.apply(frame).stream().anyMatch(p -> is(p, superchunkId)))
        .max(
            Comparator.comparingLong(frame -> pairing.apply(frame).map(Pairing::epoch).orElse(0L)));
  }

  private static boolean is(Pairing pairing, long superchunkId) {
    return pairing.superchunkId() == superchunkId;
  }
}
