/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

/**
 * A node: the DataNode that serves a disk.
 *
 * @param value identity, not blank, unique in the cluster
 */
public record NodeId(String value) implements Comparable<NodeId> {
  public NodeId {
    if (value.isBlank()) {
      throw new IllegalArgumentException(
          "Cannot make a NodeId: value='" + value + "', expected a name that is not blank");
    }
  }

  @Override
  public int compareTo(NodeId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
