/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

/** A rule that a legal layout keeps (paper section 3.1). */
public enum LayoutRule {
  /** Superchunk ids are unique. */
  UNIQUE_ID,
  /** Both frames of a superchunk are known. */
  KNOWN_FRAME,
  /** A frame is in at most one superchunk, which has two frames on two disks. */
  ONE_MIRRORING,
  /** Two disks share at most one superchunk. */
  ONE_SHARING,
  /** The two frames of a superchunk are on different nodes. */
  DIFFERENT_NODES,
  /** The two frames of a superchunk are in different racks where there are two racks or more. */
  DIFFERENT_RACKS,
  /** N disks hold at most N(N-1)/2 superchunks. */
  MAX_SUPERCHUNKS,
  /** Every disk keeps its share of frames spare. */
  SPARE_FRAMES
}
