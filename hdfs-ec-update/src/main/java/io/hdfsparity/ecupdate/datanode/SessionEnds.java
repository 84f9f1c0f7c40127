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
   * being executed. {@link io.hdfsparity.ecupdate.protocol.LiveSessions#isLive} says already that
   * they are not, so no further one begins. One that is live again is not waited for. Reports go on
   * meanwhile; for one nameservice it is called by one thread at a time.
   *
   * @param over they never will be again: what they hold is released
   * @param suspended they may be again: what they hold stays
   */
  void end(Set<SessionId> over, Set<SessionId> suspended) throws InterruptedException;
}
