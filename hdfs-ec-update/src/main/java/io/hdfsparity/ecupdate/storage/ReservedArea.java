/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Preallocated bytes beside a replica. Used by one thread at a time, but for {@link #read}. */
public interface ReservedArea {
  /**
   * Asks the file system.
   *
   * @throws IOException if it does not know, as when the area is gone
   */
  long sizeBytes() throws IOException;

  /** Fills {@code into} from its position to its limit. */
  void read(long offset, ByteBuffer into) throws IOException;

  /**
   * Called when what was {@link #read} is not what was written: damage of the replica.
   *
   * @return the failure, as one that {@link ReplicaStore#isDamage} knows
   */
  default IOException damaged(IOException failure) {
    return failure;
  }

  /**
   * Opens what {@link #write}, {@link #force} and {@link #shrink} need, until {@link #endWrite}: so
   * that none of them fails half way because the process has no file descriptor left.
   */
  default void prepareWrite() throws IOException {}

  void write(long offset, ByteBuffer from) throws IOException;

  /** Makes all writes so far durable. */
  void force() throws IOException;

  /** Gives what lies behind a size back to the file system, durably. */
  void shrink(long toBytes) throws IOException;

  /** Closes what {@link #prepareWrite} has opened. */
  default void endWrite() throws IOException {}
}
