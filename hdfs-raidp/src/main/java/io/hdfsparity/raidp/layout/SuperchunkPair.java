/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

/**
 * A superchunk: two frames that mirror each other.
 *
 * @param id superchunk id
 * @param leader frame with the lower id, the one that allocates
 * @param follower the other frame
 */
public record SuperchunkPair(long id, FrameId leader, FrameId follower) {
  public SuperchunkPair {
    if (leader.compareTo(follower) >= 0) {
      throw new IllegalArgumentException(
          "Cannot make a superchunk: leader="
              + leader
              + " follower="
              + follower
              + ", expected two frames, the leader with the lower id, superchunk="
              + id);
    }
  }

  /** The superchunk of two frames in any order. */
  public static SuperchunkPair of(long id, FrameId a, FrameId b) {
    return a.compareTo(b) < 0 ? new SuperchunkPair(id, a, b) : new SuperchunkPair(id, b, a);
  }

  public boolean contains(FrameId frame) {
    return leader.equals(frame) || follower.equals(frame);
  }

  /**
   * The frame that mirrors {@code frame}.
   *
   * @throws IllegalArgumentException when {@code frame} is not in this superchunk
   */
  public FrameId partnerOf(FrameId frame) {
    if (leader.equals(frame)) {
      return follower;
    }
    if (follower.equals(frame)) {
      return leader;
    }
    throw new IllegalArgumentException(
        "Cannot name the partner: frame="
            + frame
            + ", expected "
            + leader
            + " or "
            + follower
            + ", superchunk="
            + id);
  }
}
