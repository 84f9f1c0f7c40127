/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Sessions as a NameNode lists them to DataNodes. Immutable.
 *
 * @param incarnation of the sessions; another one after each start and failover
 * @param version rises with each change of the set
 * @param live sessions whose requests may be executed, and whose they are
 * @param ended while {@code provisional}: sessions that are over although it is
 * @param provisional sessions of an earlier term may still be attached: one that is neither live
 *     nor ended is suspended, not over
 */
public record SessionList(
    long incarnation,
    long version,
    Map<SessionId, SessionOwner> live,
    Set<SessionId> ended,
    boolean provisional) {
  /** What a standby says. */
  public static final SessionList NONE =
      new SessionList(0, 0, Map.of(), Set.of(), /* provisional= */ false);

  public SessionList {
    live = Map.copyOf(live);
    ended = Set.copyOf(ended);
  }

  /** A list that says all, of owners that are not known. */
  public static SessionList whole(long incarnation, long version, Set<SessionId> live) {
    Map<SessionId, SessionOwner> owners = new HashMap<>();
    live.forEach(id -> owners.put(id, SessionOwner.UNKNOWN));
    return new SessionList(incarnation, version, owners, Set.of(), /* provisional= */ false);
  }

  /** The sessions that are live. */
  public Set<SessionId> ids() {
    return live.keySet();
  }
}
