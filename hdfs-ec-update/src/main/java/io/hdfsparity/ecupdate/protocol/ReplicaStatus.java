/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

import java.util.List;

/**
 * A replica that was admitted to updates, or is withheld. Immutable.
 *
 * @param unit index in its group, data units first; -1: not known
 * @param scheme how it takes updates; empty: not known
 * @param lengthBytes of the replica
 * @param space that its updates take
 * @param trouble why it is not served, or its changes stay in the log; empty: all is well
 * @param sessions that were admitted and have not left, ascending; 0 is somebody unknown
 */
public record ReplicaStatus(
    long blockId,
    int unit,
    String scheme,
    long lengthBytes,
    UpdateSpace space,
    String trouble,
    List<SessionId> sessions) {
  public ReplicaStatus {
    sessions = List.copyOf(sessions);
  }

  /** One of which nothing is known but why it is not served. */
  public static ReplicaStatus withheld(long blockId, String trouble) {
    return new ReplicaStatus(blockId, -1, "", 0, UpdateSpace.NONE, trouble, List.of());
  }
}
