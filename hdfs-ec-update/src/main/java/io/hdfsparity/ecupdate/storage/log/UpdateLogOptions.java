/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage.log;

import io.hdfsparity.core.check.Checks;

/**
 * Sizes of a log. Immutable.
 *
 * @param maxRecordBytes longest record, its header included; a multiple of 64. A swap takes twice
 *     its bytes, a reconstruction a whole cell
 * @param reserveBytes room that changes leave to snapshots and drops
 * @param chunkBytes under one checksum of a replica: what a fold is aligned to
 */
public record UpdateLogOptions(int maxRecordBytes, int reserveBytes, int chunkBytes) {
  /** What a fold needs for one change beside whole chunks. */
  private static final int FOLD_OVERHEAD_BYTES = 1024;

  public UpdateLogOptions {
    Checks.argument(
        maxRecordBytes >= 2048 && maxRecordBytes % RecordHeader.ALIGNMENT == 0,
        "configure an update log",
        "maxRecordBytes",
        maxRecordBytes,
        ">= 2048 and a multiple of " + RecordHeader.ALIGNMENT);
    Checks.argument(
        reserveBytes >= 0, "configure an update log", "reserveBytes", reserveBytes, ">= 0");
    Checks.argument(chunkBytes > 0, "configure an update log", "chunkBytes", chunkBytes, "> 0");
  }

  /** Most that a fold can need for a change of so many bytes of a replica. */
  long foldBytes(int changedBytes) {
    return changedBytes == 0
        ? 0
        : (changedBytes / chunkBytes + 2L) * chunkBytes + FOLD_OVERHEAD_BYTES;
  }
}
