/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.config;

import io.hdfsparity.bridge.config.KeyReader;
import io.hdfsparity.izs.verify.VerifyQueue;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;

/**
 * What the verification of parity is configured with, in NameNodes and DataNodes. Immutable,
 * validated together.
 *
 * @param scope what is verified
 * @param sweep of the NameNode
 * @param limits of the queue in the NameNode
 * @param rebuildWaitMs since the NameNode became active, until unverified parity is believed in
 *     rebuilds
 * @param bytesPerSecond of a DataNode; 0: no limit
 * @param pollMs pause of a DataNode without work
 */
public record VerifyOptions(
    Scope scope,
    Sweep sweep,
    VerifyQueue.Limits limits,
    long rebuildWaitMs,
    long bytesPerSecond,
    long pollMs) {
  /**
   * What is verified.
   *
   * @param isEnabled whether anything is verified
   * @param areExistingVerified groups from before the first start
   * @param isHadoopVerified groups of Hadoop's own codecs
   * @param isWhole every byte, not only samples
   */
  public record Scope(
      boolean isEnabled, boolean areExistingVerified, boolean isHadoopVerified, boolean isWhole) {}

  /**
   * How the NameNode looks for groups.
   *
   * @param intervalMs pause of the sweeper
   * @param batch ids looked up under one hold of the lock
   * @param saveIntervalMs between two saves
   */
  public record Sweep(long intervalMs, int batch, long saveIntervalMs) {}

  private static final long HOUR_MS = 3_600_000L;
  private static final long MIB = 1 << 20;

  /**
   * Reads and validates all keys.
   *
   * @throws IllegalArgumentException naming the first key that cannot be used
   */
  public static VerifyOptions of(Configuration conf) {
    KeyReader keys = new KeyReader(conf);
    keys.refuseUnknown(List.of(VerifyKey.PREFIX), List.of(VerifyKey.values()), Set.of());
    long bytesPerSecond = keys.bytes(VerifyKey.BYTES_PER_SECOND, 0, Long.MAX_VALUE / 2);
    if (bytesPerSecond != 0 && bytesPerSecond < MIB) {
      throw KeyReader.refused(
          VerifyKey.BYTES_PER_SECOND.key(),
          keys.text(VerifyKey.BYTES_PER_SECOND),
          "0 or at least 1M",
          /* cause= */ null);
    }
    return new VerifyOptions(
        new Scope(
            keys.flag(VerifyKey.ENABLED),
            keys.flag(VerifyKey.EXISTING),
            keys.flag(VerifyKey.RS),
            keys.flag(VerifyKey.WHOLE)),
        new Sweep(
            keys.millis(VerifyKey.INTERVAL, 10, HOUR_MS),
            keys.count(VerifyKey.BATCH, 1, 100_000),
            keys.millis(VerifyKey.SAVE_INTERVAL, 10, HOUR_MS)),
        new VerifyQueue.Limits(
            keys.count(VerifyKey.OPEN_GROUPS, 1, 1_000_000),
            keys.millis(VerifyKey.TASK_TIMEOUT, 100, HOUR_MS),
            keys.millis(VerifyKey.RETRY, 10, HOUR_MS),
            keys.count(VerifyKey.ATTEMPTS, 1, 1000)),
        rebuildWaitMs(conf),
        bytesPerSecond,
        keys.millis(VerifyKey.POLL, 10, HOUR_MS));
  }

  /**
   * That key alone, where another one cannot be used.
   *
   * @return also true when it cannot be used itself
   */
  public static boolean isHadoopVerified(Configuration conf) {
    try {
      return new KeyReader(conf).flag(VerifyKey.RS);
    } catch (IllegalArgumentException e) {
      return true;
    }
  }

  /**
   * That key alone, for repairs, which do without verification.
   *
   * @throws IllegalArgumentException when it cannot be used
   */
  public static long rebuildWaitMs(Configuration conf) {
    return new KeyReader(conf).millis(VerifyKey.REBUILD_WAIT, 0, 24 * HOUR_MS);
  }
}
