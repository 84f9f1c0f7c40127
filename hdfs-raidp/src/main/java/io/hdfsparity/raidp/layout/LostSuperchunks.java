/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import java.util.ArrayList;
import java.util.List;

/**
 * In which order lost superchunks can be decoded. An Lstor holds one equation over its disk's
 * superchunks, so it decodes one whose siblings are all to be had: alive, or rebuilt in an earlier
 * stage.
 */
final class LostSuperchunks {
  /**
   * A superchunk both of whose frames are dead.
   *
   * @param pair superchunk
   * @param stage stages are done one after the other
   * @param full disks whose Lstor decodes all of it in its stage
   * @param partial disks whose Lstor decodes what no other lost superchunk of the disk overlaps
   */
  record Lost(SuperchunkPair pair, int stage, List<Integer> full, List<Integer> partial) {}

  private LostSuperchunks() {}

  /**
   * Puts lost superchunks into stages.
   *
   * @param lost pairs of dead frames
   * @param readable for each disk whether its Lstor can be read
   * @return in order of stages; superchunks without any readable Lstor have no Lstors
   */
  static List<Lost> stages(ShapeIndex index, List<SuperchunkPair> lost, boolean[] readable) {
    int[] open = new int[index.diskCount()];
    for (SuperchunkPair pair : lost) {
      for (int disk : disks(index, pair)) {
        open[disk]++;
      }
    }
    List<Lost> result = new ArrayList<>();
    List<SuperchunkPair> left = new ArrayList<>(lost);
    int stage = 0;
    while (!left.isEmpty()) {
      List<Lost> now = new ArrayList<>();
      for (SuperchunkPair pair : left) {
        List<Integer> full = new ArrayList<>();
        List<Integer> partial = new ArrayList<>();
        for (int disk : disks(index, pair)) {
          if (readable[disk]) {
            (open[disk] == 1 ? full : partial).add(disk);
          }
        }
        now.add(new Lost(pair, stage, full, partial));
      }
      if (now.stream().anyMatch(item -> !item.full().isEmpty())) {
        now.removeIf(item -> item.full().isEmpty());
      }
      for (Lost item : now) {
        left.remove(item.pair());
        disks(index, item.pair()).forEach(disk -> open[disk]--);
      }
      result.addAll(now);
      stage++;
    }
    return result;
  }

  private static List<Integer> disks(ShapeIndex index, SuperchunkPair pair) {
    List<Integer> disks = new ArrayList<>(2);
    for (FrameId id : List.of(pair.leader(), pair.follower())) {
      int frame = index.frameIndex(id);
      if (frame >= 0) {
        disks.add(index.diskOfFrame(frame));
      }
    }
    return disks;
  }
}
