/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import java.io.IOException;

/** What becomes of a replica of which damage is found. Thread-safe; takes no time and no lock. */
interface DamageWatch {
  /** Of files that nobody updates. */
  DamageWatch NONE =
      new DamageWatch() {
        @Override
        public void damaged() {}

        @Override
        public void requireServed() {}
      };

  /** Bytes that were read do not fit their checksums. Called each time, by whoever reads. */
  void damaged();

  /**
   * Refuses requests of update sessions.
   *
   * @throws IOException if none is executed any more
   */
  void requireServed() throws IOException;
}
