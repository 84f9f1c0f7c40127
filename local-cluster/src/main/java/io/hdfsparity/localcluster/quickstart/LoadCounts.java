/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static io.hdfsparity.localcluster.quickstart.Texts.count;
import static io.hdfsparity.localcluster.quickstart.Texts.size;

/**
 * What the load has seen so far.
 *
 * @param reads ranges read and found right
 * @param readBytes their bytes
 * @param refusedReads reads that ended with an error instead of bytes, while disks or nodes were
 *     down
 * @param writes writes that were acknowledged
 * @param writtenBytes their bytes
 * @param repeated reads or writes that failed and were done again
 * @param slowestMs longest time that a write took
 * @param wrong reads that returned wrong bytes; must be none
 */
record LoadCounts(
    long reads,
    long readBytes,
    long refusedReads,
    long writes,
    long writtenBytes,
    long repeated,
    long slowestMs,
    int wrong) {
  /** What readers, and writers of files, did meanwhile. */
  void addTo(Report report) {
    report.row(
        "meanwhile",
        "%s of %s right, %s refused, %s wrong; %s of %s written, %s repeated",
        count(reads, "read"),
        size(readBytes),
        refusedReads,
        wrong,
        count(writes, "file"),
        size(writtenBytes),
        count(repeated, "write"));
  }
}
