/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.raidp.wire.message.ScrubFinding;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** What a scrub has found so far. Not thread-safe. */
final class ScrubTally {
  final List<ScrubFinding> findings = new ArrayList<>();
  long bytesRead;
  int blocks;
  int disks;

  void add(
      DiskEngine disk,
      String kind,
      String detail,
      @Nullable Frame frame,
      @Nullable Long blockId,
      boolean repaired) {
    findings.add(
        new ScrubFinding(
            disk.diskId(),
            kind,
            detail,
            repaired,
            Optional.ofNullable(frame).map(Frame::storageId),
            blockId == null ? OptionalLong.empty() : OptionalLong.of(blockId)));
  }

  void add(ScrubTally other) {
    findings.addAll(other.findings);
    bytesRead += other.bytesRead;
    blocks += other.blocks;
    disks += other.disks;
  }
}
