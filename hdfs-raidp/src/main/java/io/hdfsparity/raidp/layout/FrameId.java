/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

/**
 * A frame: a fixed region of a disk that holds one replica of one superchunk. On a cluster this is
 * the StorageID of the DataNode volume.
 *
 * @param value identity, not blank, unique in the cluster
 */
public record FrameId(String value) implements Comparable<FrameId> {
  public FrameId {
    if (value.isBlank()) {
      throw new IllegalArgumentException(
          "Cannot make a FrameId: value='" + value + "', expected a name that is not blank");
    }
  }

  @Override
  public int compareTo(FrameId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
