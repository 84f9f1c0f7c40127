/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.wire.message.DiskReport;
import io.hdfsparity.raidp.wire.message.FrameReport;

/**
 * Room for protected blocks: the units of all frames that belong to superchunks, by the reports of
 * DataNodes that work. A disk has no more of it than its frames times their size, however large it
 * is. When it is used up, writes to protected directories are refused, or go on without parity.
 *
 * @param units of these frames, each side counted
 * @param free of these units, those that no row holds
 */
record ProtectedRoom(long units, long free) {
  private static final int LOW = 10;

  static ProtectedRoom of(ClusterView view) {
    long units = 0;
    long free = 0;
    for (NodeState node : view.nodes().values()) {
      if (node.silence() != NodeState.Silence.NONE) {
        continue;
      }
      for (DiskReport disk : node.report().disks()) {
        if (disk.geometry().isEmpty()) {
          continue;
        }
        long unitsPerFrame = disk.geometry().get().unitsPerFrame();
        for (FrameReport frame : disk.frames()) {
          if (frame.pairing().isPresent() && !frame.failed()) {
            units += unitsPerFrame;
            free += frame.load().freeUnits();
          }
        }
      }
    }
    return new ProtectedRoom(units, free);
  }

  /** For administrators, if less than a tenth is free; empty: enough is. */
  String warning() {
    return units > 0 && free < units / LOW ? free + " of " + units + " units free" : "";
  }
}
