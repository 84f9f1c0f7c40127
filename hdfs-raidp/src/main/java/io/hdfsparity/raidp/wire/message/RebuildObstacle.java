/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire.message;

/**
 * What a rebuild ran into, so that blocks which it did not rebuild may be decodable all the same.
 */
public enum RebuildObstacle {
  /** Nothing: each source has answered, and the receiver has stored what could be decoded. */
  NONE,
  /** An Lstor or a mirror did not answer in the last attempt. */
  SOURCE_UNANSWERED,
  /** The receiver could not go on, or could not store what it had decoded. */
  RECEIVER_FAILED,
  /** The receiver is too old to say whether it has failed itself. */
  UNKNOWN
}
