/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

/**
 * A frame of a disk.
 *
 * @param id identity
 */
public record Frame(FrameId id) {
  /** Index of the frame on its disk. */
  public int index() {
    return id.index();
  }
}
