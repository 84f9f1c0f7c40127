/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import java.io.IOException;

/** What a client does while others hold the locks that it wants, or have to end their writes. */
public interface LockWait {
  /** Waits as long as a stripe is tried. */
  LockWait DEFAULT = new LockWait() {};

  /** Until another client must have released the first stripe; it may be reading the group. */
  default long timeoutMs(long operationMs) {
    return operationMs;
  }

  /**
   * Called again and again meanwhile.
   *
   * @throws IOException if it is of no use to wait any longer
   */
  default void checkProgress() throws IOException {}

  /**
   * Called with all available units of a stripe locked, each time before writers may end what they
   * have begun: what others made of the stripe before is of no use from then on.
   *
   * @throws IOException if they must not: somebody else may go by what the stripe is now
   */
  default void beforeWritersEnd() throws IOException {}

  /**
   * Whether units that do not answer are still to be asked to release their locks: not of a group
   * that the file has no more. Called on any thread.
   */
  default boolean isOfUse() {
    return true;
  }
}
