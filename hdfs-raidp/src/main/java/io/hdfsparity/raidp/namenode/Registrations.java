/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import java.util.Optional;
import java.util.Set;

/** The DataNodes that have registered with the NameNode, dead ones too. Thread-safe. */
@FunctionalInterface
interface Registrations {
  /**
   * A DataNode.
   *
   * @param ipAddress from which it has registered
   * @param hostNames that it has registered under
   * @param storageIds that its heartbeats name
   */
  record Registered(String ipAddress, Set<String> hostNames, Set<String> storageIds) {
    public Registered {
      hostNames = Set.copyOf(hostNames);
      storageIds = Set.copyOf(storageIds);
    }
  }

  Optional<Registered> find(String nodeUuid);
}
