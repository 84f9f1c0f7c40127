/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.ecupdate.protocol.SessionId;

/** What NameNodes say may be executed. Thread-safe; must not block. */
@FunctionalInterface
interface LiveUnits {
  /** Whether requests of a session may be executed now for a unit. */
  boolean isLive(SessionId id, long blockId);
}
