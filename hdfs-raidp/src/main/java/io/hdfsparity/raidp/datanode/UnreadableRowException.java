/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.raidp.lstor.SlotEntry;
import java.io.IOException;

/**
 * The covered bytes of a row cannot be read, neither here nor at the partner, and the parity of
 * another block cannot be recomputed without them. It can be tried again.
 */
final class UnreadableRowException extends IOException {
  private static final long serialVersionUID = 1L;

  private final int frameIndex;
  private final long blockId;
  private final long generationStamp;

  UnreadableRowException(SlotEntry row, IOException cause) {
    super(
        "Cannot recompute parity: expected to read block="
            + row.blockId()
            + " generationStamp="
            + row.generationStamp()
            + " frameIndex="
            + row.frameIndex()
            + " here or at the partner: "
            + cause.getMessage(),
        cause);
    this.frameIndex = row.frameIndex();
    this.blockId = row.blockId();
    this.generationStamp = row.generationStamp();
  }

  int frameIndex() {
    return frameIndex;
  }

  long blockId() {
    return blockId;
  }

  long generationStamp() {
    return generationStamp;
  }
}
