/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

/**
 * How many frames of a disk stay without a superchunk, so that recovery has room.
 *
 * @param share share of the frames of a disk, rounded up, at least 0 and below 1
 * @param minFrames least number of spare frames of a disk, at least 0
 */
public record SpareRule(double share, int minFrames) {
  /** One frame in ten, rounded up, at least one. */
  public static final SpareRule DEFAULT = new SpareRule(0.1, 1);

  public SpareRule {
    if (!(share >= 0 && share < 1) || minFrames < 0) {
      throw new IllegalArgumentException(
          "Cannot keep frames spare: share="
              + share
              + " minFrames="
              + minFrames
              + ", expected 0 <= share < 1 and minFrames >= 0");
    }
  }

  /** A share, rounded up; at least one frame unless the share is 0. */
  public static SpareRule share(double share) {
    return new SpareRule(share, share > 0 ? 1 : 0);
  }

  /** The same number on every disk. */
  public static SpareRule frames(int frames) {
    return new SpareRule(0, frames);
  }

  /** Spare frames of a disk that has {@code frames} frames; never more than it has. */
  public int spareFrames(int frames) {
    // 0.1 * 30 is 3.0000000000000004 in binary: without the allowance it would round up to 4.
    int byShare = (int) Math.ceil(share * frames - 1e-9);
    return Math.min(frames, Math.max(minFrames, byShare));
  }
}
