/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

import io.hdfsparity.raidp.lstor.SlotEntry;
import org.jspecify.annotations.Nullable;

/**
 * Why a range could not be decoded from one Lstor.
 *
 * @param disk whose Lstor was tried
 * @param contributor the block whose image nobody serves; null when parity or verification failed
 * @param message what happened
 */
record SourceFailure(DecodeSource disk, @Nullable SlotEntry contributor, String message) {
  @Override
  public String toString() {
    String who =
        contributor == null
            ? ""
            : " contributor block="
                + contributor.blockId()
                + " GS="
                + contributor.generationStamp()
                + " covered="
                + contributor.coveredBytes()
                + " frame="
                + contributor.frameIndex();
    return "Lstor of disk " + disk.diskId() + who + ": " + message;
  }
}
