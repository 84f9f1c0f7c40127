/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import java.util.ArrayList;
import java.util.List;

/**
 * The devices of a disk and of its Lstor. An Lstor that fails with a disk is an equation less for
 * the decoder: two disks that hold each other's Lstors take both of theirs with them, and then
 * nothing rebuilds what the two share with each other or with a third one.
 *
 * @param lstorDir directory of the Lstor, for administrators
 * @param disk device of the disk
 * @param lstor device of its Lstor
 */
record LstorDevices(String lstorDir, Object disk, Object lstor) {
  /** Lstors that lie on the device of their own disk. */
  static List<String> onOwnDisk(List<LstorDevices> all) {
    return all.stream().filter(LstorDevices::isOnOwnDisk).map(LstorDevices::lstorDir).toList();
  }

  /** Lstors that lie on the device of another disk of the node. */
  static List<String> onOtherDisk(List<LstorDevices> all) {
    return all.stream()
        .filter(each -> !each.isOnOwnDisk())
        .filter(each -> all.stream().anyMatch(other -> other.disk.equals(each.lstor)))
        .map(LstorDevices::lstorDir)
        .toList();
  }

  /** Pairs of Lstors, each of which lies on the device of the other one's disk: {@code a+b}. */
  static List<String> onEachOther(List<LstorDevices> all) {
    List<String> pairs = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      for (LstorDevices other : all.subList(i + 1, all.size())) {
        if (all.get(i).isMutualWith(other)) {
          pairs.add(all.get(i).lstorDir + "+" + other.lstorDir);
        }
      }
    }
    return pairs;
  }

  private boolean isOnOwnDisk() {
    return lstor.equals(disk);
  }

  private boolean isMutualWith(LstorDevices other) {
    return !isOnOwnDisk() && lstor.equals(other.disk) && other.lstor.equals(disk);
  }
}
