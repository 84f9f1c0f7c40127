/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

import java.util.List;

/**
 * A DataNode that serves updates. Immutable.
 *
 * @param uuid as HDFS has it
 * @param blockPool whose replicas it serves; empty: it has not registered yet
 * @param connections of clients to its update channel; -1: the channel is not up
 */
public record NodeStatus(
    String uuid, String blockPool, int connections, List<StorageStatus> storages) {
  public NodeStatus {
    storages = List.copyOf(storages);
  }
}
