/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.namenode;

import java.util.concurrent.atomic.LongAdder;

/** What was done since the start. Thread-safe. */
final class SessionCounters {
  final LongAdder opened = new LongAdder();
  final LongAdder attached = new LongAdder();
  final LongAdder refused = new LongAdder();
  final LongAdder closed = new LongAdder();
  final LongAdder expired = new LongAdder();
  final LongAdder unfit = new LongAdder();
  final LongAdder replaced = new LongAdder();
  final LongAdder healed = new LongAdder();
  final LongAdder failedSweeps = new LongAdder();
}
