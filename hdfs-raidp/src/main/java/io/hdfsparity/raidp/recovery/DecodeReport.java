/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

import java.util.List;
import java.util.Map;

/**
 * How a decode ended.
 *
 * @param installed blocks recovered and handed on
 * @param alreadyHeld blocks that the receiver already had
 * @param failures blocks abandoned
 * @param bytesInstalled data bytes handed on
 * @param bytesByDisk data bytes decoded from the Lstor of each disk
 * @param cancelled ended by cancel; then blocks may be in none of the lists
 */
public record DecodeReport(
    List<Long> installed,
    List<Long> alreadyHeld,
    List<Failure> failures,
    long bytesInstalled,
    Map<String, Long> bytesByDisk,
    boolean cancelled) {
  public DecodeReport {
    installed = List.copyOf(installed);
    alreadyHeld = List.copyOf(alreadyHeld);
    failures = List.copyOf(failures);
    bytesByDisk = Map.copyOf(bytesByDisk);
  }

  /**
   * A block that was not recovered.
   *
   * @param blockId HDFS block id
   * @param required false when the NameNode does not count on it: a block under construction of
   *     which the parity holds nothing
   * @param reason one line
   * @param origin where the fault is
   */
  public record Failure(long blockId, boolean required, String reason, Origin origin) {
    @Override
    public String toString() {
      return "block " + blockId + ": " + reason;
    }
  }

  /** Whose fault it is that a block was not recovered. */
  public enum Origin {
    /** The sources do not give it. */
    SOURCES,
    /** The receiver has another replica of it, which stays ({@link ReplicaConflictException}). */
    REPLICA,
    /** The receiver could not go on, or could not store it; the sources may give it. */
    RECEIVER
  }

  /** Whether every block that must be there is. */
  public boolean isComplete() {
    return !cancelled && failures.stream().noneMatch(Failure::required);
  }
}
