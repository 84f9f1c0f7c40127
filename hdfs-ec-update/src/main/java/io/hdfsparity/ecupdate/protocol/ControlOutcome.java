/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

import java.util.List;

/**
 * What became of a request about replicas. Immutable.
 *
 * @param done how many it was done for
 * @param absent how many of those named were never admitted to updates on that DataNode
 * @param failures the others
 * @param left replicas that time did not suffice for: to be asked for again
 */
public record ControlOutcome(long done, long absent, List<Failure> failures, List<Long> left) {
  /** Why it was not done for a replica. */
  public record Failure(long blockId, String reason) {}

  public ControlOutcome {
    failures = List.copyOf(failures);
    left = List.copyOf(left);
  }
}
