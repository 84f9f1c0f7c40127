/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire;

import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.wire.message.ImageKind;
import io.hdfsparity.raidp.wire.message.LstorInfo;
import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;

/** What an Lstor daemon serves of the Lstors whose DataNode has let go. Read only, thread-safe. */
public interface RaidpLstorProtocol {
  LstorInfo info(String diskId) throws IOException;

  /** Rows of one frame, or of all. */
  List<SlotEntry> entries(String diskId, OptionalInt frameIndex) throws IOException;

  /**
   * How often the Lstor was ever opened. While the number stays the same, nobody has changed the
   * Lstor: rows and parity that were read in between are of one moment.
   */
  long takes(String diskId) throws IOException;

  /**
   * Reads parity, verified on the device by the daemon and on the wire by the caller.
   *
   * @return exactly {@code count} bytes
   */
  byte[] readParity(String diskId, ImageKind kind, long position, int count) throws IOException;
}
