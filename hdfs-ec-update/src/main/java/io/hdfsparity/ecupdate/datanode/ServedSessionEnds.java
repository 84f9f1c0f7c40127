/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.ecupdate.channel.ChannelAccess.Grant;
import io.hdfsparity.ecupdate.channel.ChannelServer;
import io.hdfsparity.ecupdate.protocol.SessionId;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends sessions on the update channel of a DataNode and on its replicas, each when its own requests
 * have ended: a request that hangs on a disk keeps its session, and no other one. Thread-safe.
 *
 * <p><b>What it waits for.</b> A request may hang in a read of the disk, with the lock of its slot
 * held, and with locks under which replicas are opened or noted. Whoever ends sessions takes none
 * of these: it counts requests ({@link ChannelServer#running}), wakes those that wait for room, and
 * leaves locks and receipts of a slot that is in use to whoever is next at the slot, or to the next
 * call. All other locks that it takes are held for moments, and never during I/O.
 *
 * <p><b>Locks that expire later.</b> The lock of a session that has ended may still be there when
 * this returns, in a slot whose request hangs. It is expired before the slot executes another
 * request, and until then nobody can ask the slot. A lock that expires late, or that another
 * session of the same number has by then, loses nothing: that is safe at any time (ADR 0010).
 */
final class ServedSessionEnds implements SessionEnds {
  /** So long requests of sessions that have just ended are waited for; most take less. */
  static final long WAIT_MS = 1000;

  private static final Logger LOG = LoggerFactory.getLogger(ServedSessionEnds.class);

  private final ChannelServer server;
  private final UpdateReplicas replicas;
  private final Predicate<SessionId> isOpen;
  private final UnaryOperator<Set<Long>> overByNumber;

  /**
   * Of a DataNode.
   *
   * @param isOpen whether a NameNode calls a session live
   * @param overByNumber as {@link NodeSessions#overByNumber}
   */
  ServedSessionEnds(
      ChannelServer server,
      UpdateReplicas replicas,
      Predicate<SessionId> isOpen,
      UnaryOperator<Set<Long>> overByNumber) {
    this.server = server;
    this.replicas = replicas;
    this.isOpen = isOpen;
    this.overByNumber = overByNumber;
  }

  @Override
  public Set<SessionId> end(Set<SessionId> over, Set<SessionId> suspended, Set<SessionId> lingering)
      throws InterruptedException {
    Set<SessionId> ending = new HashSet<>(over);
    ending.addAll(suspended);
    Set<SessionId> left = ending.isEmpty() ? Set.of() : await(ending, lingering);
    Set<SessionId> ended = new HashSet<>(over);
    ended.removeAll(left);
    if (!ended.isEmpty()) {
      release(ended);
    }
    replicas.forgetReceipts(overByNumber);
    return left;
  }

  /** Those of which a request is still being executed. */
  private Set<SessionId> await(Set<SessionId> ending, Set<SessionId> lingering)
      throws InterruptedException {
    Set<SessionId> awaited = new HashSet<>(ending);
    awaited.removeAll(lingering);
    replicas.judgeWaitingAgain();
    server.awaitNone(grant -> isOf(awaited, grant), WAIT_MS);
    Set<SessionId> left = new HashSet<>();
    for (Grant grant : server.running()) {
      if (isOf(ending, grant)) {
        left.add(((SessionAccess.ReplicaGrant) grant).session());
      }
    }
    return left;
  }

  /** A session that is called live again meanwhile may make requests without end. */
  private boolean isOf(Set<SessionId> ids, Grant grant) {
    return grant instanceof SessionAccess.ReplicaGrant replica
        && ids.contains(replica.session())
        && !isOpen.test(replica.session());
  }

  /** Nothing is executed of sessions that are over. What is noted of them stays. */
  private void release(Set<SessionId> ended) {
    replicas.over(ended);
    Set<Long> numbers =
        ended.stream().map(id -> (long) id.number()).collect(Collectors.toUnmodifiableSet());
    try {
      replicas.expireLocks(client -> numbers.contains(client >>> 32));
    } catch (IOException e) {
      // Of an engine that does not serve: when it is opened again, locks that were held are EXP.
      LOG.info("Cannot expire locks of sessions that are over: {}", e.toString());
    }
  }
}
