/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.wire.message.FrameRef;
import io.hdfsparity.raidp.wire.message.FrameReport;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.util.Optional;

/**
 * A frame as the manager knows it.
 *
 * @param nodeUuid DataNode that reported it, or owned it
 * @param diskId its disk
 * @param report its last report, from the DataNode or from the frame table of its Lstor
 * @param health see {@link FrameHealth}
 */
public record FrameView(String nodeUuid, String diskId, FrameReport report, FrameHealth health) {
  /** Its name. */
  public FrameRef ref() {
    return new FrameRef(report.storageId(), report.frameIndex());
  }

  /** Its volume. */
  public String storageId() {
    return report.storageId();
  }

  /** Whether both are views of one frame. */
  boolean isSameFrame(FrameView other) {
    return report.frameIndex() == other.report.frameIndex()
        && storageId().equals(other.storageId());
  }

  /** Whether both are the same but for numbers that change all the time. */
  boolean isLike(FrameView other) {
    return isSameFrame(other)
        && nodeUuid.equals(other.nodeUuid)
        && diskId.equals(other.diskId)
        && health == other.health
        && report.failed() == other.report.failed()
        && pairing().equals(other.pairing())
        && isEmpty() == other.isEmpty();
  }

  public Optional<Pairing> pairing() {
    return report.pairing();
  }

  /** Nothing of a block is left in it. */
  public boolean isEmpty() {
    return report.load().blocks() == 0 && report.load().limboBytes() == 0;
  }
}
