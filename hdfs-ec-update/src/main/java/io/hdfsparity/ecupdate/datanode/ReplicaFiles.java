/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.core.store.ByteStore;
import io.hdfsparity.ecupdate.storage.ReservedArea;
import java.io.IOException;
import java.util.Optional;

/** Where the bytes of a replica lie. Thread-safe, but for the state and reserved space. */
interface ReplicaFiles {
  /** Opens the block file; the caller closes it. */
  ByteStore data() throws IOException;

  /** Opens the checksum file; the caller closes it. */
  ByteStore meta() throws IOException;

  /** The engine's state of the replica; empty if it has never been written. */
  byte[] readState() throws IOException;

  /** Replaces the state, durably. */
  void writeState(byte[] state) throws IOException;

  /** Reserved space that is there. */
  Optional<ReservedArea> reserved() throws IOException;

  /** Reserves space, or makes it larger. */
  ReservedArea reserve(long sizeBytes) throws IOException;
}
