/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstord;

import io.hdfsparity.raidp.lstor.FrameRow;
import io.hdfsparity.raidp.lstor.Lstor;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.wire.message.FrameReport;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.util.List;
import java.util.Optional;

/** Turns the frame table of an Lstor into reports. */
final class FrameRows {
  private FrameRows() {}

  static FrameReport report(FrameRow row, Lstor lstor) {
    List<SlotEntry> entries = lstor.entries(row.frameIndex());
    Optional<Pairing> pairing =
        row.isAssigned()
            ? Optional.of(
                new Pairing(
                    row.superchunkId(),
                    row.epoch(),
                    row.partnerStorageId(),
                    row.partnerNodeUuid(),
                    row.coefficient()))
            : Optional.empty();
    int live = (int) entries.stream().filter(entry -> entry.state() == SlotState.LIVE).count();
    long limboBytes =
        entries.stream()
            .filter(entry -> entry.state() == SlotState.LIMBO)
            .mapToLong(SlotEntry::coveredBytes)
            .sum();
    int unacknowledged = (int) entries.stream().filter(SlotEntry::ackPending).count();
    return new FrameReport(
        row.storageId(),
        row.frameIndex(),
        pairing,
        new FrameReport.Load(
            lstor.freeUnits(row.frameIndex()), 0, live, limboBytes, unacknowledged),
        false);
  }
}
