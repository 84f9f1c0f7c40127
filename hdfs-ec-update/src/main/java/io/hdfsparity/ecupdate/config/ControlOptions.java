/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.config;

import io.hdfsparity.core.check.Refusal;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetUtils;
import org.jspecify.annotations.Nullable;

/**
 * What the control server of a DataNode and its clients are configured with. Immutable, validated
 * together.
 *
 * @param address where the server listens
 * @param handlerCount RPC handlers
 * @param clientTimeoutMs how long a client waits
 */
public record ControlOptions(InetSocketAddress address, int handlerCount, int clientTimeoutMs) {
  private static final int MOST_HANDLERS = 1000;
  private static final int HOUR_MS = 3600 * 1000;

  /** Longer than a server works on one call. */
  private static final int LEAST_TIMEOUT_MS = 15_000;

  /**
   * Reads and validates all keys.
   *
   * @throws IllegalArgumentException naming the first key that cannot be used
   */
  public static ControlOptions of(Configuration conf) {
    for (Map.Entry<String, String> each : conf) {
      String name = each.getKey();
      if (name.startsWith(ControlKey.PREFIX)
          && Arrays.stream(ControlKey.values()).noneMatch(key -> name.equals(key.key()))) {
        throw refused(
            name, each.getValue(), "a key listed in docs/ec-update-command.md", /* cause= */ null);
      }
    }
    return new ControlOptions(address(conf), handlers(conf), timeoutMs(conf));
  }

  private static InetSocketAddress address(Configuration conf) {
    String text = text(conf, ControlKey.RPC_ADDRESS);
    try {
      return NetUtils.createSocketAddr(text, -1, ControlKey.RPC_ADDRESS.key());
    } catch (IllegalArgumentException e) {
      throw refused(ControlKey.RPC_ADDRESS.key(), text, "host:port", e);
    }
  }

  private static int handlers(Configuration conf) {
    String text = text(conf, ControlKey.HANDLER_COUNT);
    try {
      int count = Integer.parseInt(text);
      if (count >= 1 && count <= MOST_HANDLERS) {
        return count;
      }
      throw refused(ControlKey.HANDLER_COUNT.key(), text, "1.." + MOST_HANDLERS, /* cause= */ null);
    } catch (NumberFormatException e) {
      throw refused(ControlKey.HANDLER_COUNT.key(), text, "a number, 1.." + MOST_HANDLERS, e);
    }
  }

  private static int timeoutMs(Configuration conf) {
    ControlKey key = ControlKey.CLIENT_TIMEOUT;
    String text = text(conf, key);
    long value;
    try {
      value = conf.getTimeDuration(key.key(), key.defaultValue(), TimeUnit.MILLISECONDS);
    } catch (IllegalArgumentException e) {
      throw refused(key.key(), text, "a duration, with ms, s, m, h, d", e);
    }
    if (value < LEAST_TIMEOUT_MS || value > HOUR_MS) {
      throw refused(key.key(), text, LEAST_TIMEOUT_MS + "ms.." + HOUR_MS + "ms", /* cause= */ null);
    }
    return (int) value;
  }

  private static String text(Configuration conf, ControlKey key) {
    return conf.getTrimmed(key.key(), key.defaultValue());
  }

  private static IllegalArgumentException refused(
      String key, String value, String rule, @Nullable Exception cause) {
    return new IllegalArgumentException(
        Refusal.to("use configuration").value(key, value).expected(rule).message(), cause);
  }
}
