/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import java.util.concurrent.atomic.LongAdder;

/**
 * Ranges of lost blocks that a DataNode was asked for, since its start. Thread-safe.
 *
 * @param decoded ranges
 * @param bytes of these
 * @param refused without permission, or that ask for what no block has
 * @param busy turned away for a moment
 * @param failed that could not be decoded
 */
record RangeCounters(
    LongAdder decoded, LongAdder bytes, LongAdder refused, LongAdder busy, LongAdder failed) {
  RangeCounters() {
    this(new LongAdder(), new LongAdder(), new LongAdder(), new LongAdder(), new LongAdder());
  }
}
