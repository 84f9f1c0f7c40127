/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

import java.util.List;

/**
 * A lost superchunk.
 *
 * @param disks the dead disks that hold a frame of it, and any further dead disks whose Lstors may
 *     help
 * @param wanted blocks that the NameNode misses, most urgent first; empty: all that the slot tables
 *     have for its frames
 */
public record SuperchunkJob(List<DeadDisk> disks, List<WantedBlock> wanted) {
  public SuperchunkJob {
    disks = List.copyOf(disks);
    wanted = List.copyOf(wanted);
  }
}
