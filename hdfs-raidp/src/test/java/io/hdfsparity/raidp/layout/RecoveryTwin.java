/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import java.util.ArrayList;
import java.util.List;

/**
 * Tries every receiver for every superchunk, one after the other, and checks the whole layout at
 * each step.
 */
final class RecoveryTwin {
  private RecoveryTwin() {}

  static boolean canRecoverFully(RecoveryRequest request) {
    List<SuperchunkPair> kept = new ArrayList<>();
    List<SuperchunkPair> broken = new ArrayList<>();
    for (SuperchunkPair pair : request.layout().pairs()) {
      (dead(request, pair.leader()) || dead(request, pair.follower()) ? broken : kept).add(pair);
    }
    List<FrameId> spare = new ArrayList<>();
    for (Disk disk : request.layout().shape().disks()) {
      if (!request.failedDisks().contains(disk.id())
          && !request.closedDisks().contains(disk.id())) {
        request.layout().spareFrames(disk.id()).forEach(frame -> spare.add(frame.id()));
      }
    }
    // Superchunks with a survivor have fewer ways: they go first.
    broken.sort((x, y) -> Boolean.compare(lost(request, x), lost(request, y)));
    return search(request, kept, broken, 0, spare);
  }

  private static boolean search(
      RecoveryRequest request,
      List<SuperchunkPair> layout,
      List<SuperchunkPair> broken,
      int next,
      List<FrameId> spare) {
    if (next == broken.size()) {
      return true;
    }
    SuperchunkPair pair = broken.get(next);
    List<FrameId> sources =
        lost(request, pair)
            ? spare
            : List.of(dead(request, pair.leader()) ? pair.follower() : pair.leader());
    for (FrameId source : sources) {
      DiskId last = null;
      for (FrameId receiver : spare) {
        DiskId disk = request.layout().shape().diskOf(receiver).orElseThrow().id();
        // Frames of a disk are alike: the first free one stands for all.
        if (disk.equals(last) || source.equals(receiver)) {
          continue;
        }
        last = disk;
        List<SuperchunkPair> tried = new ArrayList<>(layout);
        tried.add(SuperchunkPair.of(pair.id(), source, receiver));
        if (Layout.of(request.layout().shape(), tried).check().isEmpty()) {
          List<FrameId> left = new ArrayList<>(spare);
          left.remove(receiver);
          left.remove(source);
          if (search(request, tried, broken, next + 1, left)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private static boolean lost(RecoveryRequest request, SuperchunkPair pair) {
    return dead(request, pair.leader()) && dead(request, pair.follower());
  }

  private static boolean dead(RecoveryRequest request, FrameId frame) {
    return request
        .layout()
        .shape()
        .diskOf(frame)
        .map(disk -> request.failedDisks().contains(disk.id()))
        .orElse(true);
  }
}
