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
 * What a start has found in the rows of a frame and left for the time when the DataNode serves and
 * knows the partners: replicas that are damaged, for HDFS to look at, and {@link LostRows}. In
 * memory, as the next start finds it again.
 *
 * <p>Thread-safe.
 */
final class StartFindings {
  private final Frame frame;
  private final Coverage coverage;
  private final LostRows lostRows;
  private final Set<Long> damaged = ConcurrentHashMap.newKeySet();

  StartFindings(Frame frame, Coverage coverage) {
    this.frame = frame;
    this.coverage = coverage;
    this.lostRows = frame.disk().lostRows();
  }

  /** The replica of a row is damaged or unreadable. */
  void addDamaged(SlotEntry row) {
    damaged.add(row.blockId());
  }

  /** A row is lost, and could not leave the parity. */
  void addLost(SlotEntry row) {
    lostRows.add(row);
  }

  /**
   * Does what is left for a block. May take long.
   *
   * @throws UnreadableRowException if another block stands in the way; HDFS is asked to look at it
   */
  void finish(long blockId) throws IOException {
    if (damaged.contains(blockId)) {
      lookAgain(blockId);
      damaged.remove(blockId);
    }
    if (coverage.find(blockId).filter(lostRows::contains).isPresent()) {
      try {
        takeOut(blockId);
      } catch (UnreadableRowException e) {
        report(frame.disk().frame(e.frameIndex()), e.blockId(), e.generationStamp());
        throw e;
      }
    }
  }

  private void takeOut(long blockId) throws IOException {
    frame.lock(blockId);
    try {
      frame.touch(blockId);
      coverage.uncover(coverage.row(blockId));
    } finally {
      frame.unlock(blockId);
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
