/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

import io.hdfsparity.raidp.lstor.ParityKind;
import io.hdfsparity.raidp.lstor.SlotEntry;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Covered images of blocks of a dead disk, from the disks that mirror its frames. Thread-safe. */
public interface MirrorSource {
  /**
   * Fills {@code dst} with bytes of the covered image of a row: of exactly that block, generation
   * stamp and prefix.
   *
   * @param row row of the dead disk's Lstor
   * @param position byte offset in that half of the image
   * @throws IOException when nobody can serve that image
   */
  void readImage(SlotEntry row, ParityKind kind, long position, ByteBuffer dst) throws IOException;
}
