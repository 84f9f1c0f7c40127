/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.wire.message.LstorReport;
import org.jspecify.annotations.Nullable;

/**
 * An Lstor as its daemon reports it.
 *
 * @param report its last report
 * @param reportedAtMs manager's clock
 * @param reachable the daemon reports in time
 * @param soundAtMs when it was last reported without a failure; its first report, if it never was
 */
record LstorState(LstorReport report, long reportedAtMs, boolean reachable, long soundAtMs) {
  /**
   * After a report.
   *
   * @param before the state until then; null: it was not known
   */
  static LstorState reported(@Nullable LstorState before, LstorReport report, long nowMs) {
    boolean isSound = before == null || report.failure().isEmpty();
    return new LstorState(report, nowMs, true, isSound ? nowMs : before.soundAtMs());
  }

  /** The same report, whose daemon is silent now or is none any more. */
  LstorState withReachable(boolean isReachable) {
    return new LstorState(report, reportedAtMs, isReachable, soundAtMs);
  }

  /**
   * Whether parity cannot be read from it now, and may be in a moment: its daemon restarts, its
   * DataNode has it still, or its device fails to be read for the first time.
   *
   * @param maxMs after which one that is silent or fails is not awaited any more. One that its
   *     DataNode holds is there: it is awaited as long as its daemon says so
   */
  boolean isAwaited(long nowMs, long maxMs) {
    return !readable() && nowMs - soundAtMs <= maxMs;
  }

  /** Parity can be read from it through the daemon. */
  boolean readable() {
    return reachable && !report.locked() && report.failure().isEmpty();
  }
}
