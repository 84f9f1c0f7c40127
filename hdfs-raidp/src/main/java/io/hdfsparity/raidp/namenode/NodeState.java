/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.config.ManagerOptions;
import io.hdfsparity.raidp.wire.message.NodeReport;

/**
 * A node and when it last reported.
 *
 * @param report its last report
 * @param reportedAtMs manager's clock
 * @param silence how long that is ago
 */
record NodeState(NodeReport report, long reportedAtMs, Silence silence) {
  /** Whether a node reports in time. */
  enum Silence {
    NONE,
    STALE,
    DEAD;

    /** That of a node whose last report is so many milliseconds old. */
    static Silence after(long ageMs, ManagerOptions.Silence limits) {
      if (ageMs > limits.deadMs()) {
        return DEAD;
      }
      return ageMs > limits.staleMs() ? STALE : NONE;
    }
  }
}
