/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.adoption;

/** Where a block is on its way into a superchunk. */
public enum BlockState {
  /** Its rows are not known yet. */
  UNKNOWN,
  /** Both sides of a superchunk cover it, and know it of each other. */
  COVERED,
  /** A side has a row of it. */
  BEING_COVERED,
  /** It has no row, and two of its replicas share a superchunk with room. */
  PLAIN,
  /** As the one before, but it has to be copied to one side of a superchunk first. */
  NEEDS_COPY,
  /** No disk with a replica has a superchunk that it could be covered in. */
  NO_SUPERCHUNK,
  /** The superchunks that its replicas share have none, and none can be copied to. */
  NO_ROOM,
  LACKS_REPLICAS
}
