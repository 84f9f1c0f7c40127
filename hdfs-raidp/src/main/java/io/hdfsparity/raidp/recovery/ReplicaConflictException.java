/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

import java.io.IOException;

/**
 * The receiver has another replica of a block under the same or a newer stamp, which no rebuild
 * replaces. Trying again does not help, so it counts as a failed attempt of the block.
 */
public final class ReplicaConflictException extends IOException {
  private static final long serialVersionUID = 1L;

  public ReplicaConflictException(String message) {
    super(message);
  }
}
