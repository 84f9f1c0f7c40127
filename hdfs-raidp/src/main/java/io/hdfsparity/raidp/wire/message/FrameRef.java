/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire.message;

import java.util.Comparator;

/**
 * Names a frame: a volume, and the frame's index in the Lstor of the volume's disk. A frame keeps
 * its name when it gets another superchunk.
 */
public record FrameRef(String storageId, int frameIndex) implements Comparable<FrameRef> {
  private static final Comparator<FrameRef> ORDER =
      Comparator.comparing(FrameRef::storageId).thenComparingInt(FrameRef::frameIndex);

  @Override
  public int compareTo(FrameRef other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return storageId + "/" + frameIndex;
  }
}
