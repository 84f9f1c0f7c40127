/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.wire.message.LstorReport;

/**
 * An Lstor as its daemon reports it.
 *
 * @param report its last report
 * @param reportedAtMs manager's clock
 * @param reachable the daemon reports in time
 */
record LstorState(LstorReport report, long reportedAtMs, boolean reachable) {
  /** Parity can be read from it through the daemon. */
  boolean readable() {
    return reachable && !report.locked() && report.failure().isEmpty();
  }
}
