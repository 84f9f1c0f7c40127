/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire.message;

/**
 * What became of a {@link HealRequest}.
 *
 * @param detail for people
 */
public record HealReport(Outcome outcome, String detail) {
  /** How it ended. */
  public enum Outcome {
    /** Neither the mirror nor the parity could give the bytes, or it is not the time for it. */
    FAILED,
    /** The replica was read and is right. */
    GOOD,
    /** The replica has its bytes back; they were verified. */
    HEALED,
    /** The replica could not be healed in place; HDFS deletes it and copies its good mirror. */
    GIVEN_UP
  }

  /** Whether the replica can be read again, now or soon. */
  public boolean isRepaired() {
    return outcome != Outcome.FAILED;
  }
}
