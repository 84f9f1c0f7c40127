/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.raidp.lstor.SlotEntry;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Rows of a disk whose covered bytes no file of it holds, and that could not leave the parity at
 * the start, as another block at their units could not be read. They leave it when that block can
 * be read here or at its partner.
 *
 * <p>They leave by recomputing only, whatever holds their bytes meanwhile. Where two such rows
 * share units, the first one to leave takes the other one's bytes with it; a second time they would
 * spoil the parity of all others there. So the replica of such a row is not healed in place either.
 *
 * <p>In memory: the next start finds them again. Thread-safe.
 */
final class LostRows {
  private final Set<Key> rows = ConcurrentHashMap.newKeySet();

  /** Names a row. */
  private record Key(int frameIndex, long blockId) {
    static Key of(SlotEntry row) {
      return new Key(row.frameIndex(), row.blockId());
    }
  }

  void add(SlotEntry row) {
    rows.add(Key.of(row));
  }

  /** Has left the parity. */
  void remove(SlotEntry row) {
    rows.remove(Key.of(row));
  }

  boolean contains(SlotEntry row) {
    return rows.contains(Key.of(row));
  }
}
