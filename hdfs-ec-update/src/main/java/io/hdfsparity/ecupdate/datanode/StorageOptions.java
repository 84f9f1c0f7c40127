/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.core.check.Refusal;
import io.hdfsparity.core.cli.Quantities;
import io.hdfsparity.ecupdate.engine.EngineOptions;
import io.hdfsparity.ecupdate.engine.ShrinkMode;
import io.hdfsparity.ecupdate.plr.ReservedSpaceOptions;
import io.hdfsparity.ecupdate.wal.UpdateLogOptions;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.jspecify.annotations.Nullable;

/**
 * How a DataNode's storages take updates. Immutable, validated together.
 *
 * @param logBytes of a new log
 * @param engine of each storage
 * @param reservedPeriodMs of {@link StorageKey#RESERVED_PERIOD}; 0 for none
 * @param shrinkMode what is done with reserved space at its end
 * @param snapshotAgeMs of a stock reader, at most
 * @param quietMs of {@link StorageKey#QUIET}
 * @param ioTrace of {@link StorageKey#IO_TRACE}; empty for none
 */
public record StorageOptions(
    long logBytes,
    EngineOptions engine,
    long reservedPeriodMs,
    ShrinkMode shrinkMode,
    long snapshotAgeMs,
    long quietMs,
    String ioTrace) {
  private static final long MOST_BYTES = 1L << 40;
  private static final long HOUR_MS = 3600_000;
  private static final int RESERVE_RECORDS = 3;
  private static final int RECORD_ALIGNMENT = 64;

  /**
   * Reads and validates all keys.
   *
   * @throws IllegalArgumentException naming the first key that cannot be used
   */
  public static StorageOptions of(Configuration conf) {
    refuseUnknown(conf);
    int recordBytes = (int) bytes(conf, StorageKey.RECORD_BYTES, 4096, 64 << 20);
    recordBytes -= recordBytes % RECORD_ALIGNMENT;
    long least = (RESERVE_RECORDS + 8L) * recordBytes;
    long logBytes = bytes(conf, StorageKey.LOG_BYTES, least, MOST_BYTES);
    // A replica with other chunks is refused when it is admitted.
    int chunkBytes =
        conf.getInt(
            HdfsClientConfigKeys.DFS_BYTES_PER_CHECKSUM_KEY,
            HdfsClientConfigKeys.DFS_BYTES_PER_CHECKSUM_DEFAULT);
    EngineOptions engine =
        new EngineOptions(
            new UpdateLogOptions(recordBytes, RESERVE_RECORDS * recordBytes, chunkBytes),
            (int) bytes(conf, StorageKey.OVERLAY_BYTES, recordBytes, 1 << 30),
            (int) Math.min(logBytes / 2, Integer.MAX_VALUE),
            reserved(conf),
            millis(conf, StorageKey.DRAIN_DELAY, 1, HOUR_MS),
            millis(conf, StorageKey.SEAL_AFTER, 1, HOUR_MS));
    return new StorageOptions(
        logBytes,
        engine,
        millis(conf, StorageKey.RESERVED_PERIOD, 0, 366 * 24 * HOUR_MS),
        flag(conf, StorageKey.RESERVED_MERGE)
            ? ShrinkMode.SHRINK_AND_MERGE
            : ShrinkMode.SHRINK_ONLY,
        millis(conf, StorageKey.SNAPSHOT_AGE, 100, 24 * HOUR_MS),
        millis(conf, StorageKey.QUIET, 0, HOUR_MS),
        text(conf, StorageKey.IO_TRACE));
  }

  private static ReservedSpaceOptions reserved(Configuration conf) {
    long defaultBytes = bytes(conf, StorageKey.RESERVED_BYTES, 512, 1 << 30);
    long chunkBytes = bytes(conf, StorageKey.RESERVED_CHUNK_BYTES, 512, 1 << 30);
    return new ReservedSpaceOptions(
        fraction(conf, StorageKey.RESERVED_ALPHA),
        Math.min(chunkBytes, defaultBytes),
        defaultBytes,
        fraction(conf, StorageKey.RESERVED_UTILITY));
  }

  private static void refuseUnknown(Configuration conf) {
    for (Map.Entry<String, String> each : conf) {
      if (each.getKey().startsWith(StorageKey.PREFIX)
          && Arrays.stream(StorageKey.values()).noneMatch(key -> key.key().equals(each.getKey()))) {
        throw refused(
            each.getKey(),
            each.getValue(),
            "a key listed in docs/ec-update-datanode.md",
            /* cause= */ null);
      }
    }
  }

  private static String text(Configuration conf, StorageKey key) {
    return conf.getTrimmed(key.key(), key.defaultValue());
  }

  private static long bytes(Configuration conf, StorageKey key, long min, long max) {
    String text = text(conf, key);
    try {
      return inRange(key, text, Quantities.parseBytes(key.key(), text), min, max);
    } catch (IllegalArgumentException e) {
      throw refused(key.key(), text, "bytes, " + min + ".." + max, e);
    }
  }

  private static long millis(Configuration conf, StorageKey key, long min, long max) {
    String text = text(conf, key);
    try {
      long value = conf.getTimeDuration(key.key(), key.defaultValue(), TimeUnit.MILLISECONDS);
      return inRange(key, text, value, min, max);
    } catch (IllegalArgumentException e) {
      throw refused(key.key(), text, "a duration, " + min + "ms.." + max + "ms", e);
    }
  }

  private static boolean flag(Configuration conf, StorageKey key) {
    String text = text(conf, key);
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> throw refused(key.key(), text, "true or false", /* cause= */ null);
    };
  }

  private static double fraction(Configuration conf, StorageKey key) {
    String text = text(conf, key);
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw refused(key.key(), text, "a number, 0..1", e);
    }
  }

  private static long inRange(StorageKey key, String text, long value, long min, long max) {
    if (value < min || value > max) {
      throw refused(key.key(), text, min + ".." + max, /* cause= */ null);
    }
    return value;
  }

  private static IllegalArgumentException refused(
      String key, String value, String rule, @Nullable Exception cause) {
    return new IllegalArgumentException(
        Refusal.to("use configuration").value(key, value).expected(rule).message(), cause);
  }
}
