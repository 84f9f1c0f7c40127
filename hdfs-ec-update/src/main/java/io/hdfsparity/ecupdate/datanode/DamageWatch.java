/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.ecupdate.datanode.SuspectReplicas.RepeatedRead;
import java.io.IOException;
import org.apache.hadoop.fs.ChecksumException;

/** What becomes of a replica of which damage is found. Thread-safe; takes no time and no lock. */
interface DamageWatch {
  /** Of files that nobody updates. */
  DamageWatch NONE =
      new DamageWatch() {
        @Override
        public void damaged() {}

        @Override
        public boolean isDamage(RepeatedRead again) {
          return true;
        }

        @Override
        public void requireServed() {}
      };

  /** Bytes cannot be read, or do not fit their checksums. Called each time, by whoever reads. */
  void damaged();

  /**
   * Whether an error of the disk is known to be damage of this replica. If not, the read is
   * repeated later, to find out.
   */
  boolean isDamage(RepeatedRead again);

  /**
   * A failure of reading, as a ChecksumException if it is damage, which is noted then.
   *
   * @param again the same read, without this
   */
  default IOException found(IOException failure, long offset, RepeatedRead again) {
    if (ReadFailures.isDiskError(failure) && !isDamage(again)) {
      return failure;
    }
    IOException found = ReadFailures.of(failure, offset);
    if (found instanceof ChecksumException) {
      damaged();
    }
    return found;
  }

  /**
   * Refuses requests of update sessions.
   *
   * @throws IOException if none is executed any more
   */
  void requireServed() throws IOException;
}
