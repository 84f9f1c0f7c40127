/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

import java.io.IOException;

/**
 * A dead disk as a source of recovery.
 *
 * @param parity its Lstor
 * @param mirrors who can serve the images of its blocks
 * @param lostFrame index of the frame on it that is to be rebuilt; {@link #NO_FRAME} when the disk
 *     only helps to find blocks that the equations of others need
 */
public record DeadDisk(ParitySource parity, MirrorSource mirrors, int lostFrame) {
  /** See {@link DeadDisk#lostFrame}. */
  public static final int NO_FRAME = -1;

  /**
   * Checks the slot table, so that a disk with a corrupt one can be left out.
   *
   * @throws IOException naming the row and the rule that it breaks
   */
  public void requireSoundTable() throws IOException {
    new RowIndex(parity);
  }
}
