/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.status;

/** Whether a NameNode counts on a DataNode. */
public enum DataNodeAvailability {
  LIVE,

  /** No heartbeat for {@code dfs.namenode.stale.datanode.interval}. */
  STALE,
  DEAD,

  /** Decommissioned, in maintenance, or on the way there: whether it answers is the operator's. */
  OUT_OF_SERVICE;

  /** By its name; LIVE for another one, of a newer NameNode. */
  public static DataNodeAvailability of(String name) {
    for (DataNodeAvailability each : values()) {
      if (each.name().equals(name)) {
        return each;
      }
    }
    return LIVE;
  }
}
