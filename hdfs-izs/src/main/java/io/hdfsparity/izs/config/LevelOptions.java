/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.config;

import io.hdfsparity.bridge.wire.PerNameNodeAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetUtils;
import org.jspecify.annotations.Nullable;

/**
 * What the level manager and its clients are configured with. Immutable, validated together.
 *
 * @param handlerCount RPC handlers
 * @param batchFiles most files of one call
 * @param maxGroups most block groups of a file
 * @param lockHoldMs how long the NameNode's lock is held before it is given back
 * @param groupsPerSecond rate of changes; 0: no limit
 * @param callTimeMs how long one call goes on
 * @param sweepIntervalMs pause of the sweeper
 * @param checkPeers the other NameNodes must be guarded
 * @param adminTimeoutMs how long a client waits
 */
public record LevelOptions(
    int handlerCount,
    int batchFiles,
    int maxGroups,
    long lockHoldMs,
    int groupsPerSecond,
    long callTimeMs,
    long sweepIntervalMs,
    boolean checkPeers,
    int adminTimeoutMs) {
  private static final long DAY_MS = 24L * 3600 * 1000;

  /** As many as the guard before the map of blocks remembers. */
  private static final int MOST_GROUPS = 20_000;

  /**
   * Reads and validates all keys.
   *
   * @throws IllegalArgumentException naming the first key that cannot be used
   */
  public static LevelOptions of(Configuration conf) {
    refuseUnknown(conf);
    return new LevelOptions(
        (int) count(conf, LevelKey.HANDLER_COUNT, 1, 1000),
        (int) count(conf, LevelKey.BATCH_FILES, 1, 10_000),
        (int) count(conf, LevelKey.FILE_GROUPS, 1, MOST_GROUPS),
        millis(conf, LevelKey.LOCK_HOLD, 1, 1000),
        (int) count(conf, LevelKey.GROUPS_PER_SECOND, 0, Integer.MAX_VALUE),
        millis(conf, LevelKey.CALL_TIME, 1, 60_000),
        millis(conf, LevelKey.SWEEP_INTERVAL, 100, DAY_MS),
        flag(conf, LevelKey.PEERS_CHECK),
        (int) millis(conf, LevelKey.ADMIN_TIMEOUT, 1000, DAY_MS));
  }

  /**
   * Where the level manager of a NameNode listens: the key with its suffix, else with the
   * nameservice's, else the plain key.
   *
   * @param nameservice empty: none
   * @param nameNodeId empty: none
   */
  public static InetSocketAddress address(
      Configuration conf, String nameservice, String nameNodeId) {
    String plain = LevelKey.RPC_ADDRESS.key();
    String own = PerNameNodeAddress.key(plain, nameservice, nameNodeId);
    String text =
        PerNameNodeAddress.text(
            conf, plain, text(conf, LevelKey.RPC_ADDRESS), nameservice, nameNodeId);
    try {
      return NetUtils.createSocketAddr(text, -1, own);
    } catch (IllegalArgumentException e) {
      throw refused(own, text, "host:port", e);
    }
  }

  private static void refuseUnknown(Configuration conf) {
    for (Map.Entry<String, String> each : conf) {
      String name = each.getKey();
      if (name.startsWith(LevelKey.PREFIX) && !isKnown(name)) {
        throw refused(name, each.getValue(), "a key listed in docs/levels.md", /* cause= */ null);
      }
    }
  }

  private static boolean isKnown(String name) {
    for (LevelKey key : LevelKey.values()) {
      if (name.equals(key.key())
          || key == LevelKey.RPC_ADDRESS && name.startsWith(key.key() + ".")) {
        return true;
      }
    }
    return false;
  }

  private static String text(Configuration conf, LevelKey key) {
    return conf.getTrimmed(key.key(), key.defaultValue());
  }

  private static long count(Configuration conf, LevelKey key, long min, long max) {
    String text = text(conf, key);
    long value;
    try {
      value = Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw refused(key.key(), text, "a whole number", e);
    }
    return inRange(key, value, text, min, max);
  }

  private static long millis(Configuration conf, LevelKey key, long min, long max) {
    String text = text(conf, key);
    long value;
    try {
      value = conf.getTimeDuration(key.key(), key.defaultValue(), TimeUnit.MILLISECONDS);
    } catch (IllegalArgumentException e) {
      throw refused(key.key(), text, "a duration, with ms, s, m, h, d", e);
    }
    return inRange(key, value, text, min, max);
  }

  private static boolean flag(Configuration conf, LevelKey key) {
    String text = text(conf, key);
    if (!text.equals("true") && !text.equals("false")) {
      throw refused(key.key(), text, "true or false", /* cause= */ null);
    }
    return Boolean.parseBoolean(text);
  }

  private static long inRange(LevelKey key, long value, String text, long min, long max) {
    if (value < min || value > max) {
      throw refused(key.key(), text, min + ".." + max, /* cause= */ null);
    }
    return value;
  }

  private static IllegalArgumentException refused(
      String key, String value, String rule, @Nullable Exception cause) {
    return new IllegalArgumentException(
        "Cannot use configuration: " + key + "=" + value + ", expected " + rule, cause);
  }
}
