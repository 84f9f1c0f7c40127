/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.config;

import io.hdfsparity.bridge.wire.PerNameNodeAddress;
import io.hdfsparity.core.check.Refusal;
import io.hdfsparity.ecupdate.plr.UpdateScheme;
import io.hdfsparity.ecupdate.session.SessionTimes;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetUtils;
import org.jspecify.annotations.Nullable;

/**
 * What the session manager and its clients are configured with. Immutable, validated together.
 *
 * @param handlerCount RPC handlers
 * @param maxGroups most block groups of a file
 * @param sweepIntervalMs pause of the sweeper
 * @param clientTimeoutMs how long a client waits
 * @param times of leases and reports, and how many sessions there may be
 */
public record SessionOptions(
    int handlerCount,
    int maxGroups,
    long sweepIntervalMs,
    int clientTimeoutMs,
    SessionTimes times) {
  private static final long DAY_MS = 24L * 3600 * 1000;
  private static final int MOST_GROUPS = 20_000;

  /** Of the validity: reports that a DataNode may miss, and one more. */
  private static final int REPORTS = 3;

  /**
   * Reads and validates all keys.
   *
   * @throws IllegalArgumentException naming the first key that cannot be used
   */
  public static SessionOptions of(Configuration conf) {
    refuseUnknown(conf);
    SessionTimes times =
        new SessionTimes(
            millis(conf, SessionKey.LEASE, 1000, DAY_MS),
            millis(conf, SessionKey.NODE_VALIDITY, 300, DAY_MS),
            millis(conf, SessionKey.NODE_REPORT, 100, DAY_MS),
            (int) count(conf, SessionKey.MAX_SESSIONS, 1, 100_000),
            (int) count(conf, SessionKey.MAX_PER_USER, 1, 100_000));
    if (times.validMs() < REPORTS * times.reportEveryMs()) {
      throw refused(
          SessionKey.NODE_VALIDITY.key(),
          text(conf, SessionKey.NODE_VALIDITY),
          "at least " + REPORTS + " times " + SessionKey.NODE_REPORT.key(),
          /* cause= */ null);
    }
    return new SessionOptions(
        (int) count(conf, SessionKey.HANDLER_COUNT, 1, 1000),
        (int) count(conf, SessionKey.FILE_GROUPS, 1, MOST_GROUPS),
        millis(conf, SessionKey.SWEEP_INTERVAL, 10, DAY_MS),
        (int) millis(conf, SessionKey.CLIENT_TIMEOUT, 1000, DAY_MS),
        times);
  }

  /**
   * The update scheme that replicas begin with.
   *
   * @throws IllegalArgumentException for none that there is
   */
  public static String scheme(Configuration conf) {
    String scheme = text(conf, SessionKey.SCHEME);
    try {
      UpdateScheme.of(scheme);
      return scheme;
    } catch (IllegalArgumentException e) {
      throw refused(SessionKey.SCHEME.key(), scheme, "FO, FL, PL or PLR", e);
    }
  }

  /**
   * Where the session manager of a NameNode listens: the key with its suffix, else with the
   * nameservice's, else the plain key.
   *
   * @param nameservice empty: none
   * @param nameNodeId empty: none
   */
  public static InetSocketAddress address(
      Configuration conf, String nameservice, String nameNodeId) {
    SessionKey key = SessionKey.RPC_ADDRESS;
    String own = PerNameNodeAddress.key(key.key(), nameservice, nameNodeId);
    String text =
        PerNameNodeAddress.text(conf, key.key(), text(conf, key), nameservice, nameNodeId);
    try {
      return NetUtils.createSocketAddr(text, -1, own);
    } catch (IllegalArgumentException e) {
      throw refused(own, text, "host:port", e);
    }
  }

  private static void refuseUnknown(Configuration conf) {
    for (Map.Entry<String, String> each : conf) {
      String name = each.getKey();
      if (name.startsWith(SessionKey.PREFIX)
          && !name.startsWith(SessionKey.RPC_ADDRESS.key() + ".")
          && Arrays.stream(SessionKey.values()).noneMatch(key -> name.equals(key.key()))) {
        throw refused(
            name, each.getValue(), "a key listed in docs/ec-update-sessions.md", /* cause= */ null);
      }
    }
  }

  private static String text(Configuration conf, SessionKey key) {
    return conf.getTrimmed(key.key(), key.defaultValue());
  }

  private static long count(Configuration conf, SessionKey key, long min, long max) {
    String text = text(conf, key);
    try {
      return inRange(key, Long.parseLong(text), text, min, max);
    } catch (NumberFormatException e) {
      throw refused(key.key(), text, "a whole number, " + min + ".." + max, e);
    }
  }

  private static long millis(Configuration conf, SessionKey key, long min, long max) {
    String text = text(conf, key);
    long value;
    try {
      value = conf.getTimeDuration(key.key(), key.defaultValue(), TimeUnit.MILLISECONDS);
    } catch (IllegalArgumentException e) {
      throw refused(key.key(), text, "a duration, with ms, s, m, h, d", e);
    }
    return inRange(key, value, text, min, max);
  }

  private static long inRange(SessionKey key, long value, String text, long min, long max) {
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
