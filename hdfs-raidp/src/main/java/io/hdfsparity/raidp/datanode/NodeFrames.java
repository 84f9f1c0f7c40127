/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.raidp.rebuild.RebuiltBlocks;
import io.hdfsparity.raidp.wire.message.FrameRef;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.io.IOException;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** Disks, volumes and frames of this node. Thread-safe. */
final class NodeFrames implements RebuiltBlocks {
  private final List<DiskEngine> disks = new CopyOnWriteArrayList<>();
  private final Map<String, VolumeFrames> volumes = new ConcurrentHashMap<>();

  void add(DiskEngine disk) {
    disks.add(disk);
  }

  void add(VolumeFrames volume) {
    volumes.put(volume.volume().storageId(), volume);
  }

  /** Forgets a disk that has failed, with its volumes: it is there again, or not needed. */
  void remove(DiskEngine disk) {
    disks.remove(disk);
    volumes.values().removeIf(volume -> volume.volume().disk() == disk);
  }

  List<DiskEngine> disks() {
    return disks;
  }

  /** In no order. */
  Collection<VolumeFrames> volumes() {
    return volumes.values();
  }

  /** Of all volumes. */
  List<FrameEngine> engines() {
    return volumes.values().stream().flatMap(volume -> volume.engines().stream()).toList();
  }

  List<VolumeFrames> volumesOf(DiskEngine disk) {
    return disk.storageIds().stream().map(this::requireVolume).toList();
  }

  List<FrameEngine> enginesOf(DiskEngine disk) {
    return volumesOf(disk).stream().flatMap(volume -> volume.engines().stream()).toList();
  }

  private VolumeFrames requireVolume(String storageId) {
    return volume(storageId)
        .orElseThrow(() -> new IllegalStateException("Cannot find volume: storageId=" + storageId));
  }

  Optional<VolumeFrames> volume(String storageId) {
    return Optional.ofNullable(volumes.get(storageId));
  }

  /** A frame by its name. */
  Optional<FrameEngine> engine(FrameRef frame) {
    return volume(frame.storageId()).stream()
        .flatMap(volume -> volume.engines().stream())
        .filter(engine -> engine.frame().index() == frame.frameIndex())
        .findFirst();
  }

  /**
   * The frame of this node in a superchunk; two frames of one node never mirror each other. Of
   * those that have been in it, the one of the latest pairing: a frame whose disk has failed keeps
   * its last one, and the superchunk may have been rebuilt on another disk of the same node.
   */
  Optional<FrameEngine> bySuperchunk(long superchunkId) {
    List<Frame> found =
        volumes.values().stream()
            .flatMap(volume -> volume.volume().frameIn(superchunkId).stream())
            .toList();
    return latest(found, Frame::pairing, superchunkId)
        .flatMap(frame -> volume(frame.storageId()).map(volume -> volume.engine(frame)));
  }

  /**
   * Before a block is rebuilt, or when it is found rebuilt: it is the frame's in a superchunk.
   *
   * @param epoch of the superchunk, at least
   * @throws PeerException.UnknownSuperchunk if the volume has no such frame, as its assignment may
   *     be on its way
   */
  @Override
  public void claim(String storageId, long superchunkId, long epoch, long blockId)
      throws IOException {
    VolumeFrames volume = volume(storageId).orElse(null);
    if (volume == null) {
      return;
    }
    Frame frame =
        volume
            .volume()
            .frameIn(superchunkId)
            .filter(
                each -> each.isInUse() && each.pairing().stream().anyMatch(p -> p.epoch() >= epoch))
            .orElseThrow(
                () ->
                    new PeerException.UnknownSuperchunk(
                        "Cannot rebuild block: block="
                            + blockId
                            + " superchunk="
                            + superchunkId
                            + " epoch="
                            + epoch
                            + ", expected a frame of the volume in it, storageId="
                            + storageId));
    if (!volume.volume().isLive(frame, blockId)) {
      volume.volume().claim(blockId, frame);
      frame.schedule(blockId);
    }
    // If HDFS deletes an older replica first, the claim ends, and the row says nothing any more.
    volume.volume().hold(blockId, frame);
  }

  /** The block that was to be rebuilt could not be made. */
  @Override
  public void endClaim(String storageId, long blockId) {
    volume(storageId).ifPresent(volume -> volume.volume().endClaim(blockId));
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
