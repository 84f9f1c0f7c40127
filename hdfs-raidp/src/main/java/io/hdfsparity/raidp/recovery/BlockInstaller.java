/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

import java.io.IOException;

/** Takes what was recovered. Thread-safe. */
public interface BlockInstaller {
  /**
   * Whether the receiver already has this replica, with bytes that match their checksums.
   *
   * @throws ReplicaConflictException when it has another one in its place
   */
  boolean holds(long blockId, long generationStamp, long lengthBytes) throws IOException;

  /**
   * Stores a recovered block as a replica.
   *
   * @param generationStamp for the replica; may be newer than the row's, see {@link WantedBlock}
   */
  void install(VerifiedBlock block, long generationStamp) throws IOException;
}
