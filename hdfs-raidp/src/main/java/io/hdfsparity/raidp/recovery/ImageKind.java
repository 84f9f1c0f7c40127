/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

import io.hdfsparity.raidp.lstor.LstorGeometry;
import io.hdfsparity.raidp.lstor.SlotEntry;

/** The two halves of a covered image, each with a parity region of its own. */
public enum ImageKind {
  /** Bytes of the block file. */
  DATA {
    @Override
    public long imageBytes(SlotEntry row) {
      return row.coveredBytes();
    }

    @Override
    public int bytesPerUnit(LstorGeometry geometry) {
      return geometry.unitBytes();
    }
  },
  /** Bytes of the checksum file, header included. */
  META {
    @Override
    public long imageBytes(SlotEntry row) {
      return ChecksumFile.imageBytes(row);
    }

    @Override
    public int bytesPerUnit(LstorGeometry geometry) {
      return geometry.metaBytesPerUnit();
    }
  };

  /** Length in bytes of this half of the row's covered image. */
  public abstract long imageBytes(SlotEntry row);

  /** Bytes of this half that one allocation unit holds. */
  public abstract int bytesPerUnit(LstorGeometry geometry);
}
