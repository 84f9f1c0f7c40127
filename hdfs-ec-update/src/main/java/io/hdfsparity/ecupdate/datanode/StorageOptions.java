/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.bridge.config.KeyReader;
import io.hdfsparity.ecupdate.config.StorageKey;
import io.hdfsparity.ecupdate.config.UpdateKey;
import io.hdfsparity.ecupdate.storage.EngineOptions;
import io.hdfsparity.ecupdate.storage.ReservedSpaceOptions;
import io.hdfsparity.ecupdate.storage.ShrinkMode;
import io.hdfsparity.ecupdate.storage.log.UpdateLogOptions;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;

/**
 * How a DataNode's storages take updates. Immutable, validated together.
 *
 * @param logBytes of a new log
 * @param engine of each storage
 * @param reservedPeriodMs of {@link StorageKey#RESERVED_PERIOD}; 0 for none
 * @param shrinkMode what is done with reserved space at its end
 * @param snapshotAgeMs of a stock reader, at most
 * @param snapshotFullAgeMs of {@link StorageKey#SNAPSHOT_FULL_AGE}
 * @param quietMs of {@link StorageKey#QUIET}
 * @param ioTrace of {@link StorageKey#IO_TRACE}; empty for none
 */
record StorageOptions(
    long logBytes,
    EngineOptions engine,
    long reservedPeriodMs,
    ShrinkMode shrinkMode,
    long snapshotAgeMs,
    long snapshotFullAgeMs,
    long quietMs,
    String ioTrace) {
  private static final long MAX_BYTES = 1L << 40;
  private static final long HOUR_MS = 3600_000;
  private static final int RESERVE_RECORDS = 3;
  private static final int RECORD_ALIGNMENT = 64;

  /**
   * Reads and validates all keys.
   *
   * @throws IllegalArgumentException naming the first key that cannot be used
   */
  static StorageOptions of(Configuration conf) {
    KeyReader keys = UpdateKey.reader(conf);
    int recordBytes = (int) keys.bytes(StorageKey.RECORD_BYTES, 4096, 64 << 20);
    recordBytes -= recordBytes % RECORD_ALIGNMENT;
    long minLogBytes = (RESERVE_RECORDS + 8L) * recordBytes;
    long logBytes = keys.bytes(StorageKey.LOG_BYTES, minLogBytes, MAX_BYTES);
    // A replica with other chunks is refused when it is admitted.
    int chunkBytes =
        conf.getInt(
            HdfsClientConfigKeys.DFS_BYTES_PER_CHECKSUM_KEY,
            HdfsClientConfigKeys.DFS_BYTES_PER_CHECKSUM_DEFAULT);
    EngineOptions engine =
        new EngineOptions(
            new UpdateLogOptions(recordBytes, RESERVE_RECORDS * recordBytes, chunkBytes),
            (int) keys.bytes(StorageKey.OVERLAY_BYTES, recordBytes, 1 << 30),
            (int) Math.min(logBytes / 2, Integer.MAX_VALUE),
            reserved(keys),
            keys.millis(StorageKey.DRAIN_DELAY, 1, HOUR_MS),
            keys.millis(StorageKey.SEAL_AFTER, 1, HOUR_MS),
            keys.millis(StorageKey.QUIESCENT_AFTER, 1, 24 * HOUR_MS),
            keys.bytes(StorageKey.RECEIPT_BYTES, recordBytes, MAX_BYTES));
    return new StorageOptions(
        logBytes,
        engine,
        keys.millis(StorageKey.RESERVED_PERIOD, 0, 366 * 24 * HOUR_MS),
        keys.flag(StorageKey.RESERVED_MERGE) ? ShrinkMode.SHRINK_AND_MERGE : ShrinkMode.SHRINK_ONLY,
        keys.millis(StorageKey.SNAPSHOT_AGE, 100, 24 * HOUR_MS),
        keys.millis(StorageKey.SNAPSHOT_FULL_AGE, 0, 24 * HOUR_MS),
        keys.millis(StorageKey.QUIET, 0, HOUR_MS),
        keys.text(StorageKey.IO_TRACE));
  }

  private static ReservedSpaceOptions reserved(KeyReader keys) {
    long defaultBytes = keys.bytes(StorageKey.RESERVED_BYTES, 512, 1 << 30);
    long chunkBytes = keys.bytes(StorageKey.RESERVED_CHUNK_BYTES, 512, 1 << 30);
    return new ReservedSpaceOptions(
        keys.fraction(StorageKey.RESERVED_ALPHA),
        Math.min(chunkBytes, defaultBytes),
        defaultBytes,
        keys.fraction(StorageKey.RESERVED_UTILITY));
  }
}
