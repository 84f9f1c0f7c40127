/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.config.Protection;
import io.hdfsparity.raidp.lstor.LstorGeometry;
import io.hdfsparity.raidp.wire.message.DiskReport;
import io.hdfsparity.raidp.wire.message.DiskState;
import io.hdfsparity.raidp.wire.message.FrameReport;
import io.hdfsparity.raidp.wire.message.LstorReport;
import io.hdfsparity.raidp.wire.message.NodeIdentity;
import io.hdfsparity.raidp.wire.message.NodeReport;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.util.List;
import java.util.Optional;

/** Short forms of reports for tests: node n has one disk "n-d" with the given frames. */
final class Reports {
  static final int FREE_UNITS = 100;

  private Reports() {}

  static FrameReport frame(String storageId, int index, Pairing pairing) {
    return new FrameReport(
        storageId,
        index,
        Optional.ofNullable(pairing),
        new FrameReport.Load(FREE_UNITS, 0, pairing == null ? 0 : 1, 0, 0),
        false);
  }

  static FrameReport spare(String storageId, int index) {
    return frame(storageId, index, null);
  }

  static NodeReport node(String uuid, FrameReport... frames) {
    return node(uuid, DiskState.OK, frames);
  }

  static NodeReport node(String uuid, DiskState state, FrameReport... frames) {
    DiskReport disk =
        new DiskReport(
            uuid + "-d",
            "/" + uuid,
            state,
            Optional.of(LstorGeometry.of(Math.max(1, frames.length), FREE_UNITS, 1 << 20)),
            List.of(frames),
            state == DiskState.OK ? Optional.empty() : Optional.of("broken"));
    return new NodeReport(
        new NodeIdentity(uuid, "host-" + uuid, 1, "host-" + uuid, 2, "CID", 1),
        List.of(disk),
        List.of(),
        Protection.DIRECTORIES);
  }

  static LstorReport lstor(String uuid, boolean locked, FrameReport... frames) {
    return new LstorReport(
        uuid + "-d", "CID", uuid, "host-" + uuid, 3, locked, List.of(frames), Optional.empty());
  }
}
