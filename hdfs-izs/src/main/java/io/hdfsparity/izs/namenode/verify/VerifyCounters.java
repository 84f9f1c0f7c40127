/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.namenode.verify;

import io.hdfsparity.izs.level.VerifyStatus;
import java.util.concurrent.atomic.LongAdder;

/** Counts since the start. Thread-safe. */
final class VerifyCounters {
  final LongAdder sampled = new LongAdder();
  final LongAdder verified = new LongAdder();
  final LongAdder wrongParity = new LongAdder();
  final LongAdder unitsReencoded = new LongAdder();
  final LongAdder suspectedData = new LongAdder();
  final LongAdder notCompared = new LongAdder();
  final LongAdder takenByUpdates = new LongAdder();
  final LongAdder givenUp = new LongAdder();
  final LongAdder lateReports = new LongAdder();
  final LongAdder expiredTasks = new LongAdder();
  final LongAdder bytesRead = new LongAdder();
  final LongAdder idsLookedUp = new LongAdder();
  final LongAdder failedRounds = new LongAdder();

  VerifyStatus.Results results() {
    return new VerifyStatus.Results(
        sampled.sum(),
        verified.sum(),
        wrongParity.sum(),
        unitsReencoded.sum(),
        suspectedData.sum(),
        notCompared.sum(),
        takenByUpdates.sum(),
        givenUp.sum());
  }
}
