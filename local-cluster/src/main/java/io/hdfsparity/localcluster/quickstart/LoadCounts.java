/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import java.util.List;

/**
 * What the load has seen so far.
 *
 * @param reads ranges read and found right
 * @param readBytes their bytes
 * @param refusedReads reads that ended with an error instead of bytes, while disks were down
 * @param writes files written and acknowledged
 * @param writtenBytes their bytes
 * @param retriedWrites writes that failed and were done again
 * @param wrong reads that returned wrong bytes; must be none
 * @param unexpected errors that no failed disk explains
 */
record LoadCounts(
    long reads,
    long readBytes,
    long refusedReads,
    long writes,
    long writtenBytes,
    long retriedWrites,
    List<String> wrong,
    List<String> unexpected) {
  LoadCounts {
    wrong = List.copyOf(wrong);
    unexpected = List.copyOf(unexpected);
  }
}
