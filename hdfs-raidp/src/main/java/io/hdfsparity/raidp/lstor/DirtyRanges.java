/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

import io.hdfsparity.core.store.ByteStore;
import java.io.IOException;

/**
 * Where the file was changed since the last checkpoint: one range for each part, so that a sync is
 * short.
 */
final class DirtyRanges {
  private final long[] starts;
  private final long[] from;
  private final long[] to;
  private final long journalStart;
  private final long journalEnd;
  private final long fileBytes;

  DirtyRanges(LstorLayout layout) {
    starts =
        new long[] {
          layout.frameTable(),
          layout.slotTable(),
          layout.data().crcs(),
          layout.meta().crcs(),
          layout.data().start(),
          layout.meta().start()
        };
    from = new long[starts.length];
    to = new long[starts.length];
    journalStart = layout.journal();
    journalEnd = layout.data().start();
    fileBytes = layout.fileBytes();
  }

  /**
   * Whether a range is one that transactions may write: in the file, but not in header or journal.
   */
  boolean isHome(long offset, int lengthBytes) {
    return offset >= starts[0]
        && offset <= fileBytes - lengthBytes
        && (offset + lengthBytes <= journalStart || offset >= journalEnd);
  }

  void add(long offset, int lengthBytes) {
    int part = starts.length - 1;
    while (starts[part] > offset) {
      part--;
    }
    if (to[part] == 0) {
      from[part] = offset;
      to[part] = offset + lengthBytes;
    } else {
      from[part] = Math.min(from[part], offset);
      to[part] = Math.max(to[part], offset + lengthBytes);
    }
  }

  void sync(ByteStore store) throws IOException {
    for (int part = 0; part < starts.length; part++) {
      if (to[part] > 0) {
        store.sync(from[part], to[part] - from[part]);
        to[part] = 0;
      }
    }
  }
}
