/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

/**
 * State of a superchunk, derived from reports alone.
 *
 * <pre>
 *   ACTIVE --one frame gone--&gt; DEGRADED --other frame gone--&gt; LOST
 *     ^                          |   ^                          |
 *     +--re-paired, both durable-+   +--rebuilt on a receiver---+
 * </pre>
 */
public enum SuperchunkState {
  /** Both frames are there, under one epoch, and name each other. */
  ACTIVE,
  /** One frame holds it. */
  DEGRADED,
  /** Both frames are gone; Lstors and mirrors of other superchunks can bring it back. */
  LOST
}
