/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import java.io.IOException;
import java.util.Optional;

/** The replicas of one storage. */
public interface ReplicaStores {
  /**
   * Opens a replica.
   *
   * @return empty only if it is certain that the storage does not have it: what the log still has
   *     of it is forgotten then
   * @throws IOException if it is not known, or the replica cannot be opened
   */
  Optional<ReplicaStore> open(ReplicaKey key) throws IOException;
}
