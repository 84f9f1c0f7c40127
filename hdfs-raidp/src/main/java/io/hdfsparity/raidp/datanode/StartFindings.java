/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.raidp.lstor.SlotEntry;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;

/**
 * What a start has found in the rows of a frame and left for the time when the DataNode serves:
 * replicas that are damaged, for HDFS to look at. In memory, as the next start finds it again.
 *
 * <p>Thread-safe.
 */
final class StartFindings {
  private final Frame frame;
  private final Coverage coverage;
  private final Set<Long> damaged = ConcurrentHashMap.newKeySet();

  StartFindings(Frame frame, Coverage coverage) {
    this.frame = frame;
    this.coverage = coverage;
  }

  /** The replica of a row is damaged or unreadable. */
  void addDamaged(SlotEntry row) {
    damaged.add(row.blockId());
  }

  /** Does what is left for a block. */
  void finish(long blockId) throws IOException {
    if (damaged.contains(blockId)) {
      lookAgain(blockId);
      damaged.remove(blockId);
    }
  }

  private void lookAgain(long blockId) throws IOException {
    SlotEntry row = coverage.find(blockId).orElse(null);
    if (row != null
        && row.coversAnything()
        && frame.directory().findFinalized(frame.blockPoolId(), blockId).isPresent()
        && CoveredFiles.look(frame, row) == CoveredFiles.State.DAMAGED) {
      report(frame, blockId, row.generationStamp());
    }
  }

  private static void report(Frame of, long blockId, long generationStamp) throws IOException {
    ExtendedBlock block = new ExtendedBlock(of.blockPoolId(), blockId, 0, generationStamp);
    of.disk().context().damaged().found(of.storageId(), block);
  }
}
