/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.ecupdate.protocol.SessionId;
import java.io.IOException;
import java.util.Set;

/** What NameNodes say of sessions that clients say are over. Thread-safe; may block. */
@FunctionalInterface
interface EndedSessions {
  /**
   * Which of some sessions are over for this node, for good: nothing of them is executed any more.
   *
   * @param asked that have been open at some time
   * @throws IOException if that is not known now
   */
  Set<SessionId> over(Set<SessionId> asked) throws IOException;
}
