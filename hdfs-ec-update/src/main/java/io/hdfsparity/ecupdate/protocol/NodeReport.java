/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

import java.util.Map;
import java.util.Set;

/**
 * What a DataNode that can update replicas tells each NameNode, again and again. Immutable.
 *
 * @param node who it is, and where its data channel listens
 * @param incarnation of the sessions that it knows from this NameNode; 0: of none
 * @param appliedVersion of these sessions; no request of a session that is not among them is being
 *     executed or will be
 * @param lingering the same for a later version, but for sessions that it names; what an {@code
 *     appliedVersion} says holds beside it
 * @param heedsReplaced whether it goes by {@link NodeAnswer#replaced}
 * @param suspended sessions of earlier terms that this process has had live and has never ended,
 *     and whose they are; empty unless the NameNode's list is provisional
 * @param givenUp block ids of units of which this process executes no request any more, of whatever
 *     session: none was being executed when this was sent
 */
public record NodeReport(
    UpdateNode node,
    long incarnation,
    long appliedVersion,
    LingeringSessions lingering,
    boolean heedsReplaced,
    Map<SessionId, SessionOwner> suspended,
    Set<Long> givenUp) {
  public NodeReport {
    suspended = Map.copyOf(suspended);
    givenUp = Set.copyOf(givenUp);
  }

  /** Of a DataNode where no session lingers. */
  public NodeReport(
      UpdateNode node,
      long incarnation,
      long appliedVersion,
      boolean heedsReplaced,
      Map<SessionId, SessionOwner> suspended,
      Set<Long> givenUp) {
    this(
        node,
        incarnation,
        appliedVersion,
        LingeringSessions.none(appliedVersion),
        heedsReplaced,
        suspended,
        givenUp);
  }

  /** Of a DataNode where no session lingers, and that has given nothing up. */
  public NodeReport(
      UpdateNode node,
      long incarnation,
      long appliedVersion,
      boolean heedsReplaced,
      Map<SessionId, SessionOwner> suspended) {
    this(node, incarnation, appliedVersion, heedsReplaced, suspended, Set.of());
  }

  /** Of a DataNode with this software that keeps no session suspended. */
  public NodeReport(UpdateNode node, long incarnation, long appliedVersion) {
    this(node, incarnation, appliedVersion, /* heedsReplaced= */ true, Map.of());
  }

  /**
   * Whether it says that no request of a session is being executed, or ever will be.
   *
   * @param ofIncarnation of the sessions whose NameNode asks
   * @param endVersion the first one that does not list the session any more
   */
  boolean isEnded(long ofIncarnation, SessionId id, long endVersion) {
    return incarnation == ofIncarnation
        && (appliedVersion >= endVersion || lingering.isEnded(id, endVersion));
  }
}
