/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Blocks for which a frame has agreed on units with its partner while HDFS held no lock yet, so
 * that nobody has to be asked under it. An agreement is forgotten after {@link
 * Frame#UNUSED_ROW_MS}, as the units then may be given back. At most {@link #MAX_ROWS} are kept: a
 * disk may have a thousand frames. For others the partner is asked again. Thread-safe.
 */
final class AgreedRows {
  static final int MAX_ROWS = 64;

  private final Frame frame;
  private final ExpiringMap<Long, Pairing> partners;

  AgreedRows(Frame frame) {
    this.frame = frame;
    this.partners =
        new ExpiringMap<>(frame.disk().context().clock(), Frame.UNUSED_ROW_MS, MAX_ROWS);
  }

  /**
   * Units were agreed on.
   *
   * @param partner with whom
   */
  void add(long blockId, Pairing partner) {
    partners.put(blockId, partner);
  }

  /** Whether units were agreed on that are still to be used. */
  boolean contains(long blockId) {
    return partners.get(blockId).isPresent();
  }

  /**
   * Whether the row of a block is as it was agreed on, with the partner that the frame has now.
   * True once for each agreement. The block has to be {@link Frame#isOpen open}, so that its units
   * stay.
   */
  boolean take(long blockId, Predicate<SlotEntry> asAgreed) {
    Optional<Pairing> partner = partners.get(blockId);
    partners.remove(blockId);
    if (partner.isEmpty() || !partner.equals(frame.pairing())) {
      return false;
    }
    frame.lock(blockId);
    try {
      frame.touch(blockId);
      return frame.disk().lstor().entry(frame.index(), blockId).filter(asAgreed).isPresent();
    } finally {
      frame.unlock(blockId);
    }
  }
}
