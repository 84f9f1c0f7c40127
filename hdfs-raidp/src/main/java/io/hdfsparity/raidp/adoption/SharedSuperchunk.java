/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.adoption;

import java.util.List;

/** An active superchunk and the storages of its two sides. Immutable. */
public record SharedSuperchunk(
    long id, long epoch, String leaderStorageId, String followerStorageId) {
  /** Both sides, the leader first. */
  public List<String> sides() {
    return List.of(leaderStorageId, followerStorageId);
  }
}
