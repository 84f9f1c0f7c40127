/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.repair;

import io.hdfsparity.core.geometry.ByteRange;
import java.util.List;

/**
 * What to read of one unit for one stripe. Immutable.
 *
 * @param unit its number
 * @param ranges in bytes from the start of the internal block; ascending, none empty or adjacent
 */
public record UnitRead(int unit, List<ByteRange> ranges) {
  public UnitRead {
    ranges = List.copyOf(ranges);
  }

  /** Bytes of all ranges. */
  public long lengthBytes() {
    long bytes = 0;
    for (ByteRange range : ranges) {
      bytes += range.lengthBytes();
    }
    return bytes;
  }
}
