/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

/**
 * A frame and its place on its disk.
 *
 * @param id identity
 * @param index index of the frame on its disk, at least 0
 */
public record Frame(FrameId id, int index) {
  public Frame {
    if (index < 0) {
      throw new IllegalArgumentException(
          "Cannot make a frame: index=" + index + ", expected index >= 0, frame=" + id);
    }
  }
}
