/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

import java.util.Set;

/**
 * How far a DataNode has ended sessions, one by one: with the exception of some of which requests
 * still hang, as on a disk. Immutable.
 *
 * <p>Once said it stays true for as long as the process goes by the same incarnation of the list:
 * what a list of it has ended is in no later one.
 *
 * @param version of the list: no request of a session that is not in the list of this version is
 *     being executed or will be, unless the session lingers
 * @param ids of sessions that linger: requests of theirs may be under way, and may change bytes
 */
public record LingeringSessions(long version, Set<SessionId> ids) {
  /**
   * All of them are in each report to each NameNode: 8 KiB. A DataNode of which more linger says
   * what it has said before.
   */
  static final int MAX_SESSIONS = 1024;

  public LingeringSessions {
    ids = Set.copyOf(ids);
  }

  /** None lingers. */
  public static LingeringSessions none(long version) {
    return new LingeringSessions(version, Set.of());
  }

  /** Whether nothing is executed, or ever will be, of a session that a version of the list ends. */
  boolean isEnded(SessionId id, long endVersion) {
    return version >= endVersion && !ids.contains(id);
  }
}
