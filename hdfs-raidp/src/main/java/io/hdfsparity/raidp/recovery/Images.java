/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

import io.hdfsparity.raidp.lstor.LstorGeometry;
import io.hdfsparity.raidp.lstor.ParityKind;
import io.hdfsparity.raidp.lstor.SlotEntry;

/** Sizes of the two halves of a covered image, each of which has a parity region of its own. */
final class Images {
  private Images() {}

  /** Length in bytes of one half of the row's covered image. */
  static long bytes(ParityKind kind, SlotEntry row) {
    return kind == ParityKind.DATA ? row.coveredBytes() : row.coveredMetaBytes();
  }

  /** Bytes of that half that one allocation unit holds. */
  static int bytesPerUnit(ParityKind kind, LstorGeometry geometry) {
    return kind == ParityKind.DATA ? geometry.unitBytes() : geometry.metaBytesPerUnit();
  }

  /** Whether two rows, of the Lstors of two disks, stand for the same covered image. */
  static boolean same(SlotEntry a, SlotEntry b) {
    return a.blockId() == b.blockId()
        && a.generationStamp() == b.generationStamp()
        && a.coveredBytes() == b.coveredBytes()
        && a.metaCovered() == b.metaCovered()
        && a.checksumTypeId() == b.checksumTypeId()
        && a.bytesPerChecksum() == b.bytesPerChecksum();
  }
}
