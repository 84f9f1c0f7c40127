/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.ecupdate.protocol.SessionId;
import java.util.Set;

/** Whoever serves requests of sessions. Thread-safe. */
@FunctionalInterface
public interface SessionEnds {
  /**
   * Ends the requests of sessions that are not live any more: returns when no request of theirs is
   * being executed, or those that are do not end in good time. {@link
   * io.hdfsparity.ecupdate.protocol.LiveSessions#isLive} says already that they are not live, so no
   * further one begins. One that is live again is not waited for. Reports go on meanwhile; for one
   * nameservice it is called by one thread at a time.
   *
   * <p>Must wait for nothing else that a request may keep for ever, such as a lock that it holds
   * while it reads from a disk: else one disk that hangs keeps all sessions from ending.
   *
   * @param over they never will be again: what they hold is released, unless they linger
   * @param suspended they may be again: what they hold stays
   * @param lingering of these, those that lingered the last time: not waited for
   * @return those that linger: a request of theirs is still being executed. Of the others none is
   */
  Set<SessionId> end(Set<SessionId> over, Set<SessionId> suspended, Set<SessionId> lingering)
      throws InterruptedException;
}
