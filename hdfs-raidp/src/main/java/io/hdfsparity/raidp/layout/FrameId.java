/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import java.util.Comparator;

/**
 * A frame: one disk's side of one superchunk. Of two frames the one on the volume with the lower
 * name leads, as between DataNodes.
 *
 * @param volume name of its volume, not blank, unique in the cluster; on a cluster the HDFS storage
 *     id
 * @param index index of the frame on its disk, at least 0
 */
public record FrameId(String volume, int index) implements Comparable<FrameId> {
  private static final Comparator<FrameId> ORDER =
      Comparator.comparing(FrameId::volume).thenComparingInt(FrameId::index);

  public FrameId {
    if (volume.isBlank() || index < 0) {
      throw new IllegalArgumentException(
          "Cannot make a FrameId: volume='"
              + volume
              + "' index="
              + index
              + ", expected a name that is not blank, and index >= 0");
    }
  }

  @Override
  public int compareTo(FrameId other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return volume + "/" + index;
  }
}
