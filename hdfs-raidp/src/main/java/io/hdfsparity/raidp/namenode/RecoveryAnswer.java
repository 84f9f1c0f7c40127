/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfsparity.raidp.wire.message.TextResponse;
import java.util.OptionalLong;

/** What an administrator is answered who asks for a recovery, or how far it is. Stateless. */
final class RecoveryAnswer {
  private static final int FAILED = -1;

  private RecoveryAnswer() {}

  /**
   * @param documents of {@code view}
   * @param postponed how many superchunks keep a side that is down for maintenance
   * @param replicasMissing blocks of superchunks that lack a replica; empty: not counted yet, as
   *     this NameNode has just become the active one
   */
  static TextResponse of(
      RecoveryStatus status,
      ClusterView view,
      int postponed,
      Documents documents,
      OptionalLong replicasMissing) {
    ObjectNode doc = documents.recovery(status);
    doc.put("replicasCounted", replicasMissing.isPresent());
    replicasMissing.ifPresent(missing -> doc.put("replicasMissing", missing));
    return new TextResponse(doc.toString(), isFailure(status, view, postponed) ? FAILED : 0);
  }

  /** Whoever runs nothing has failed where a side is missing, whatever it says of itself. */
  private static boolean isFailure(RecoveryStatus status, ClusterView view, int postponed) {
    return switch (status.state()) {
      case RUNNING -> false;
      case WAITING -> true;
      case IDLE, DONE ->
          !status.givenUp().isEmpty()
              || view.count(SuperchunkState.LOST) + view.count(SuperchunkState.DEGRADED)
                  > postponed;
    };
  }
}
