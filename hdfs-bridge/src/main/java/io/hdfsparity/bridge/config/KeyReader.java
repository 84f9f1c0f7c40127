/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.config;

import io.hdfsparity.bridge.wire.PerNameNodeAddress;
import io.hdfsparity.core.check.Refusal;
import io.hdfsparity.core.cli.Quantities;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetUtils;
import org.jspecify.annotations.Nullable;

/**
 * Reads keys, with their defaults, and refuses values that cannot be used: every method throws an
 * {@link IllegalArgumentException} that names key and value, and says what is expected. As
 * thread-safe as its configuration.
 */
public final class KeyReader {
  private final Configuration conf;
  private final String rangeSign;

  /** A reader that writes ranges as {@code 1..10}. */
  public KeyReader(Configuration conf) {
    this(conf, "..");
  }

  /**
   * A reader for a feature whose messages write ranges in their own way.
   *
   * @param rangeSign between the least and the most of a range
   */
  public KeyReader(Configuration conf, String rangeSign) {
    this.conf = conf;
    this.rangeSign = rangeSign;
  }

  /**
   * Refuses what looks like a key of ours and is none.
   *
   * @param prefixes of the names that we answer for
   * @param keys all of them
   * @param perNameNode of these, those that a suffix may follow
   * @param page that lists the keys
   */
  public void refuseUnknown(
      List<String> prefixes, ConfigKey[] keys, Set<? extends ConfigKey> perNameNode, String page) {
    for (Map.Entry<String, String> each : conf) {
      String name = each.getKey();
      if (prefixes.stream().anyMatch(name::startsWith)
          && Arrays.stream(keys)
              .noneMatch(
                  key ->
                      name.equals(key.key())
                          || perNameNode.contains(key) && name.startsWith(key.key() + "."))) {
        throw refused(name, each.getValue(), "a key listed in " + page, /* cause= */ null);
      }
    }
  }

  /**
   * Where something in a NameNode listens: the key with its suffix, else with the nameservice's,
   * else the plain key.
   *
   * @param nameservice null or empty: none
   * @param nameNodeId null or empty: none
   */
  public InetSocketAddress address(
      ConfigKey key, @Nullable String nameservice, @Nullable String nameNodeId) {
    String own = PerNameNodeAddress.key(key.key(), nameservice, nameNodeId);
    String text = PerNameNodeAddress.text(conf, key.key(), text(key), nameservice, nameNodeId);
    try {
      return NetUtils.createSocketAddr(text, -1, own);
    } catch (IllegalArgumentException e) {
      throw refused(own, text, "host:port", e);
    }
  }

  /** What is set, trimmed, or the default. */
  public String text(ConfigKey key) {
    return conf.getTrimmed(key.key(), key.defaultValue());
  }

  /** A whole number from min to max. */
  public long count(ConfigKey key, long min, long max) {
    String text = text(key);
    long value;
    try {
      value = Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw refused(key.key(), text, "a whole number, " + range(min, max), e);
    }
    return inRange(key, value, text, min, max, /* unit= */ "");
  }

  /** A number from min to max with or without a unit, as {@link Quantities#parseBytes} reads it. */
  public long quantity(ConfigKey key, long min, long max) {
    String text = text(key);
    long value;
    try {
      value = text.equals("0") ? 0 : Quantities.parseBytes(key.key(), text);
    } catch (IllegalArgumentException e) {
      throw refused(key.key(), text, "a number, as 4, 64K or 100M", e);
    }
    return inRange(key, value, text, min, max, /* unit= */ "");
  }

  /** Milliseconds, from min to max, of a duration that may end with its unit. */
  public long millis(ConfigKey key, long min, long max) {
    String text = text(key);
    long value;
    try {
      value = conf.getTimeDuration(key.key(), key.defaultValue(), TimeUnit.MILLISECONDS);
    } catch (IllegalArgumentException e) {
      throw refused(key.key(), text, "a duration, with ms, s, m, h, d", e);
    }
    return inRange(key, value, text, min, max, " ms");
  }

  /** True or false. */
  public boolean flag(String key, String defaultValue) {
    // Configuration.getBoolean takes any other word for the default without a message.
    String text = conf.getTrimmed(key, defaultValue);
    if (!text.equals("true") && !text.equals("false")) {
      throw refused(key, text, "true or false", /* cause= */ null);
    }
    return text.equals("true");
  }

  private long inRange(ConfigKey key, long value, String text, long min, long max, String unit) {
    if (value < min || value > max) {
      throw refused(key.key(), text, range(min, max) + unit, /* cause= */ null);
    }
    return value;
  }

  private String range(long min, long max) {
    return min + rangeSign + max;
  }

  /**
   * The refusal of a value, to be thrown.
   *
   * @param rule what is expected
   */
  public static IllegalArgumentException refused(
      String key, String value, String rule, @Nullable Exception cause) {
    return new IllegalArgumentException(
        Refusal.to("use configuration").value(key, value).expected(rule).message(), cause);
  }
}
