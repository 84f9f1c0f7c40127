/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

/** How a write brings its adds to the parity blocks. */
public enum AddMode {
  /** One after the other (Fig. 5 line 10, {@code for}): p + 1 round trips, Theorem 1. */
  SERIAL,
  /** All at once ({@code pfor}): 2 round trips, Theorem 2. */
  PARALLEL,
  /** Groups one after the other, all at once inside a group: Theorem 3. */
  HYBRID,
  /**
   * As {@link #PARALLEL}, one message for all; the storage node multiplies by its coefficient
   * (section 3.11).
   */
  BROADCAST
}
