/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.config;

import io.hdfsparity.bridge.config.KeyReader;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;

/**
 * What the verification of parity is configured with, in NameNodes and DataNodes. Immutable,
 * validated together.
 *
 * @param isEnabled whether anything is verified
 * @param areExistingVerified groups from before the first start
 * @param isHadoopVerified groups of Hadoop's own codecs
 * @param isWhole every byte, not only samples
 * @param intervalMs pause of the sweeper
 * @param batch ids looked up under one hold of the lock
 * @param maxOpen groups that wait
 * @param saveIntervalMs between two saves
 * @param taskTimeoutMs until a task is taken from a node
 * @param retryMs before the second attempt
 * @param maxAttempts before a group is given up
 * @param rebuildWaitMs since it became active, until unverified parity is believed in rebuilds
 * @param bytesPerSecond of a DataNode; 0: no limit
 * @param pollMs pause of an idle DataNode
 */
public record VerifyOptions(
    boolean isEnabled,
    boolean areExistingVerified,
    boolean isHadoopVerified,
    boolean isWhole,
    long intervalMs,
    int batch,
    int maxOpen,
    long saveIntervalMs,
    long taskTimeoutMs,
    long retryMs,
    int maxAttempts,
    long rebuildWaitMs,
    long bytesPerSecond,
    long pollMs) {
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
        keys.flag(VerifyKey.ENABLED),
        keys.flag(VerifyKey.EXISTING),
        keys.flag(VerifyKey.RS),
        keys.flag(VerifyKey.WHOLE),
        keys.millis(VerifyKey.INTERVAL, 10, HOUR_MS),
        keys.count(VerifyKey.BATCH, 1, 100_000),
        keys.count(VerifyKey.OPEN_GROUPS, 1, 1_000_000),
        keys.millis(VerifyKey.SAVE_INTERVAL, 10, HOUR_MS),
        keys.millis(VerifyKey.TASK_TIMEOUT, 100, HOUR_MS),
        keys.millis(VerifyKey.RETRY, 10, HOUR_MS),
        keys.count(VerifyKey.ATTEMPTS, 1, 1000),
        keys.millis(VerifyKey.REBUILD_WAIT, 0, 24 * HOUR_MS),
        bytesPerSecond,
        keys.millis(VerifyKey.POLL, 10, HOUR_MS));
  }
}
