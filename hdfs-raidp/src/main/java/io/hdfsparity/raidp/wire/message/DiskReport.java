/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire.message;

import io.hdfsparity.raidp.lstor.LstorGeometry;
import java.util.List;
import java.util.Optional;

/**
 * A disk with its frames.
 *
 * @param diskId durable id
 * @param path its root on the node
 * @param state health
 * @param geometry shape; empty when it could not be read
 * @param frames all frames known
 * @param failure why, when the state is not OK
 */
public record DiskReport(
    String diskId,
    String path,
    DiskState state,
    Optional<LstorGeometry> geometry,
    List<FrameReport> frames,
    Optional<String> failure) {
  public DiskReport {
    frames = frames instanceof PackedFrames ? frames : List.copyOf(frames);
  }

  /** The same disk with other frames. */
  public DiskReport withFrames(List<FrameReport> others) {
    return new DiskReport(diskId, path, state, geometry, others, failure);
  }

  /** Whether all but the frames is equal. */
  public boolean isLike(DiskReport other) {
    return diskId.equals(other.diskId)
        && path.equals(other.path)
        && state == other.state
        && geometry.equals(other.geometry)
        && failure.equals(other.failure);
  }

  /** Whether only numbers of frames are others; looks at frames that the two do not share. */
  @SuppressWarnings("ReferenceEquality") // A shortcut.
  public boolean differsInNumbersOnly(DiskReport other) {
    return this == other || isLike(other) && PackedFrames.differInNumbersOnly(frames, other.frames);
  }
}
