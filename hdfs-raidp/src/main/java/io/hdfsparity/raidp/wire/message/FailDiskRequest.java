/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire.message;

/**
 * What an administrator asks of a disk that shall go out of service.
 *
 * @param diskId durable id
 * @param check whether it may have the last replica of a block
 */
public record FailDiskRequest(String diskId, Check check) {
  /** What is checked before. */
  public enum Check {
    /** That other disks have complete replicas of all blocks. */
    OTHER_REPLICAS,
    /** Nothing. */
    NONE
  }
}
