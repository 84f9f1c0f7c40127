/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.config;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;

/**
 * One configuration key: name, kind, default and what it means. Immutable.
 *
 * @param name full name, with the prefix
 * @param kind how its value is written
 * @param defaultValue as it would stand in a site file; empty: none
 * @param readers which daemons read it
 * @param meaning for the operator, with units
 */
public record ConfigKey(
    String name, Kind kind, String defaultValue, Set<Reader> readers, String meaning) {
  /** How a value is written. */
  public enum Kind {
    SIZE("size in bytes, with k, m, g, t"),
    DURATION("duration, with ms, s, m, h, d"),
    COUNT("whole number"),
    SHARE("number from 0 up to, not including, 1"),
    FLAG("true or false"),
    WORD("one of the words listed"),
    PATHS("comma-separated absolute paths"),
    ADDRESS("host:port");

    private final String form;

    Kind(String form) {
      this.form = form;
    }

    /** For the reference. */
    public String form() {
      return form;
    }
  }

  /** Daemons and commands. */
  public enum Reader {
    NAMENODE,
    DATANODE,
    LSTOR,
    ADMIN
  }

  public ConfigKey {
    readers = Set.copyOf(readers);
  }

  /**
   * @throws RaidpConfigException when the value is no size or outside [min, max]
   */
  long bytes(Configuration conf, long min, long max) {
    String text = text(conf);
    long value;
    try {
      value =
          conf.getLongBytes(
              name,
              org.apache.hadoop.util.StringUtils.TraditionalBinaryPrefix.string2long(defaultValue));
    } catch (IllegalArgumentException e) {
      throw withCause(new RaidpConfigException(name, text, "a " + kind.form()), e);
    }
    return inRange(value, text, min, max, "bytes");
  }

  /**
   * @throws RaidpConfigException when the value is no duration or outside [min, max] milliseconds
   */
  long millis(Configuration conf, long min, long max) {
    String text = text(conf);
    long value;
    try {
      value = conf.getTimeDuration(name, defaultValue, TimeUnit.MILLISECONDS);
    } catch (IllegalArgumentException e) {
      throw withCause(new RaidpConfigException(name, text, "a " + kind.form()), e);
    }
    return inRange(value, text, min, max, "ms");
  }

  int count(Configuration conf, int min, int max) {
    String text = text(conf);
    int value;
    try {
      value = Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw withCause(new RaidpConfigException(name, text, "a " + kind.form()), e);
    }
    return (int) inRange(value, text, min, max, "");
  }

  double share(Configuration conf) {
    String text = text(conf);
    double value;
    try {
      value = Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw withCause(new RaidpConfigException(name, text, "a " + kind.form()), e);
    }
    if (!(value >= 0 && value < 1)) {
      throw new RaidpConfigException(name, text, "a " + kind.form());
    }
    return value;
  }

  boolean flag(Configuration conf) {
    String text = text(conf).toLowerCase(Locale.ROOT);
    // Configuration.getBoolean takes any other word for the default without a message.
    if (!text.equals("true") && !text.equals("false")) {
      throw new RaidpConfigException(name, text, kind.form());
    }
    return Boolean.parseBoolean(text);
  }

  <E extends Enum<E>> E word(Configuration conf, Class<E> type) {
    String text = text(conf);
    for (E each : type.getEnumConstants()) {
      if (each.name().equalsIgnoreCase(text)) {
        return each;
      }
    }
    throw new RaidpConfigException(
        name, text, "one of " + Arrays.toString(type.getEnumConstants()).toLowerCase(Locale.ROOT));
  }

  String text(Configuration conf) {
    return conf.getTrimmed(name, defaultValue);
  }

  private long inRange(long value, String text, long min, long max, String unit) {
    if (value < min || value > max) {
      throw new RaidpConfigException(name, text, (min + ".." + max + " " + unit).trim());
    }
    return value;
  }

  private static RaidpConfigException withCause(RaidpConfigException e, Exception cause) {
    e.initCause(cause);
    return e;
  }
}
