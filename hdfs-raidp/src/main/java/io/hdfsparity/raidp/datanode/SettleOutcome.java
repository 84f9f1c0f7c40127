/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

/** How a step of background work for a block ended. */
enum SettleOutcome {
  /** Nothing is left to do until something happens to the block. */
  DONE,
  /** Something came in between: to be tried again at once. */
  SOON,
  /** Somebody else is not ready: to be tried again, with growing pauses. */
  LATER,
  /** To be tried again after a report: the manager tells the partner something with its answer. */
  AFTER_REPORT,
  /** To be tried again when the disk is quiet. */
  WHEN_IDLE
}
