/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.adoption;

/**
 * A superchunk with one replica of a block, which the block is copied to the other side of.
 * Immutable.
 *
 * @param nearStorageId the side with the replica
 */
public record CopyPlan(SharedSuperchunk superchunk, String nearStorageId) {
  /** The side that gets the copy. */
  public String farStorageId() {
    return nearStorageId.equals(superchunk.leaderStorageId())
        ? superchunk.followerStorageId()
        : superchunk.leaderStorageId();
  }
}
