/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.config;

import io.hdfsparity.bridge.wire.PerNameNodeAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetUtils;
import org.jspecify.annotations.Nullable;

/**
 * Reads keys, with their defaults, and refuses values that cannot be used. As thread-safe as its
 * configuration.
 */
final class KeyReader {
  private final Configuration conf;

  KeyReader(Configuration conf) {
    this.conf = conf;
  }

  /** Refuses what looks like a key of ours and is none. */
  void refuseUnknown() {
    for (Map.Entry<String, String> each : conf) {
      String name = each.getKey();
      if (name.startsWith(CasoKey.PREFIX) && !isKnown(name)) {
        throw refused(name, each.getValue(), "a key listed in docs/caso.md", /* cause= */ null);
      }
    }
  }

  private static boolean isKnown(String name) {
    return name.startsWith(CasoKey.LAYOUT_RPC_ADDRESS.key() + ".")
        || Arrays.stream(CasoKey.values()).anyMatch(key -> name.equals(key.key()));
  }

  String text(CasoKey key) {
    return conf.getTrimmed(key.key(), key.defaultValue());
  }

  int number(CasoKey key, int min, int max) {
    String text = text(key);
    try {
      int value = Integer.parseInt(text);
      if (value >= min && value <= max) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw refused(key.key(), text, "a number from " + min + " to " + max, e);
    }
    throw refused(key.key(), text, min + " to " + max, /* cause= */ null);
  }

  /** A duration of at most a day. */
  int millis(CasoKey key) {
    String text = text(key);
    long value;
    try {
      value = conf.getTimeDuration(key.key(), key.defaultValue(), TimeUnit.MILLISECONDS);
    } catch (IllegalArgumentException e) {
      throw refused(key.key(), text, "a duration, with ms, s, m, h", e);
    }
    if (value < 1 || value > TimeUnit.DAYS.toMillis(1)) {
      throw refused(key.key(), text, "1ms to 1d", /* cause= */ null);
    }
    return (int) value;
  }

  /**
   * Where something in a NameNode listens: the key with its suffix, else with the nameservice's,
   * else the plain key.
   *
   * @param nameservice null: none
   * @param nameNodeId null: none
   */
  InetSocketAddress address(
      CasoKey key, @Nullable String nameservice, @Nullable String nameNodeId) {
    String own = PerNameNodeAddress.key(key.key(), nameservice, nameNodeId);
    String text = PerNameNodeAddress.text(conf, key.key(), text(key), nameservice, nameNodeId);
    try {
      return NetUtils.createSocketAddr(text, -1, own);
    } catch (IllegalArgumentException e) {
      throw refused(own, text, "host:port", e);
    }
  }

  static IllegalArgumentException refused(
      String key, String value, String rule, @Nullable Exception cause) {
    return new IllegalArgumentException(
        "Cannot use configuration: " + key + "=" + value + ", expected " + rule, cause);
  }
}
