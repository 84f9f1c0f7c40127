/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A disk, where it is, and its frames.
 *
 * @param id identity
 * @param node node that serves it
 * @param rack network location of the node, the same for all disks of a node
 * @param frames frames in the order in which a planner fills them; may be empty
 */
public record Disk(DiskId id, NodeId node, String rack, List<Frame> frames) {
  public Disk {
    frames = List.copyOf(frames);
    Set<Integer> indexes = new HashSet<>();
    for (Frame frame : frames) {
      if (!indexes.add(frame.index())) {
        throw new IllegalArgumentException(
            "Cannot describe a disk: frame index="
                + frame.index()
                + " of "
                + frame.id()
                + ", expected each index once, disk="
                + id);
      }
    }
  }
}
