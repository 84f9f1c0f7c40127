/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

import io.hdfsparity.raidp.lstor.LstorGeometry;
import io.hdfsparity.raidp.lstor.ParityKind;
import io.hdfsparity.raidp.lstor.SlotEntry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * What the Lstor of a dead disk offers. A disk that comes back may change its Lstor while it is
 * used: {@link #requireUnchanged} finds that. Thread-safe.
 */
public interface ParitySource {
  /** The dead disk. */
  String diskId();

  LstorGeometry geometry();

  /** All rows of the slot table, of all frames. */
  List<SlotEntry> rows();

  /**
   * Fills {@code dst} with parity bytes, verified against the Lstor's CRCs and against damage on
   * the way.
   *
   * @param position byte offset in the parity region of that kind
   * @throws IOException when the Lstor cannot be reached, or its bytes are damaged
   */
  void readParity(ParityKind kind, long position, ByteBuffer dst) throws IOException;

  /**
   * Checks that {@link #rows} and all parity that was read up to now are of one moment. A row that
   * one of them has and the other has not is taken out of data and checksums alike, so that no
   * checksum finds it.
   *
   * @throws IOException when the Lstor has changed since its rows were read, or may have
   */
  void requireUnchanged() throws IOException;
}
