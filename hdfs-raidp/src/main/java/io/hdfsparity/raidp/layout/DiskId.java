/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

/**
 * A disk, the failure unit: a directory root with frames and one Lstor.
 *
 * @param value identity, not blank, unique in the cluster
 */
public record DiskId(String value) implements Comparable<DiskId> {
  public DiskId {
    if (value.isBlank()) {
      throw new IllegalArgumentException(
          "Cannot make a DiskId: value='" + value + "', expected a name that is not blank");
    }
  }

  @Override
  public int compareTo(DiskId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
