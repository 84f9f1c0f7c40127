/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The one block pool that this node serves: slot tables know blocks by id alone. Thread-safe. */
final class BlockPool {
  private volatile @Nullable String id;

  /** Notes or checks the pool of an operation. */
  void use(String blockPoolId) throws IOException {
    String known = id;
    if (known == null) {
      synchronized (this) {
        if (id == null) {
          id = blockPoolId;
        }
        known = id;
      }
    }
    if (!blockPoolId.equals(known)) {
      throw new IOException(
          "Cannot use block pool: blockPoolId="
              + blockPoolId
              + ", expected "
              + known
              + ": RAIDP serves one block pool a DataNode");
    }
  }

  /**
   * @throws IOException before the first operation
   */
  String id() throws IOException {
    String known = id;
    if (known == null) {
      throw new IOException(
          "Cannot find replicas: blockPoolId=unknown, expected a started block pool");
    }
    return known;
  }
}
