/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

import java.util.List;

/**
 * A storage of a DataNode. Sums are those of all its replicas, whichever are listed. Immutable.
 *
 * @param storageId as HDFS has it
 * @param trouble why it serves no updates; empty: it does
 * @param log its update log
 * @param admitted replicas that may be updated
 * @param withheld replicas that are neither read nor reported
 * @param space that updates take
 * @param sessions that were admitted to some replica and have not left, ascending; 0 is somebody
 *     unknown
 * @param replicas those that were asked for
 */
public record StorageStatus(
    String storageId,
    String trouble,
    LogSpace log,
    int admitted,
    int withheld,
    UpdateSpace space,
    List<SessionId> sessions,
    List<ReplicaStatus> replicas) {
  public StorageStatus {
    sessions = List.copyOf(sessions);
    replicas = List.copyOf(replicas);
  }
}
