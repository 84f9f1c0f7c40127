/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.config;

import io.hdfsparity.bridge.wire.PerNameNodeAddress;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.cli.SizesAndDurations;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
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
  private static final String PAGE = "docs/reference/keys.md";

  private final Configuration conf;

  public KeyReader(Configuration conf) {
    this.conf = conf;
  }

  /**
   * Refuses what looks like a key of ours and is none: a misspelt key must not become a default in
   * silence.
   *
   * @param prefixes of the names that the caller answers for
   * @param keys all of them
   * @param perNameNode of these, those that a suffix may follow
   */
  public void refuseUnknown(
      List<String> prefixes,
      Collection<? extends ConfigKey> keys,
      Set<? extends ConfigKey> perNameNode) {
    for (Map.Entry<String, String> each : conf) {
      String name = each.getKey();
      if (prefixes.stream().anyMatch(name::startsWith)
          && keys.stream().noneMatch(key -> name.equals(key.key()))
          && perNameNode.stream().noneMatch(key -> name.startsWith(key.key() + "."))) {
        throw refused(name, each.getValue(), "a key listed in " + PAGE, /* cause= */ null);
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
    return address(own, text);
  }

  /** Where something that is no NameNode's listens. */
  public InetSocketAddress address(ConfigKey key) {
    return address(key.key(), text(key));
  }

  private static InetSocketAddress address(String name, String text) {
    try {
      return NetUtils.createSocketAddr(text, -1, name);
    } catch (IllegalArgumentException e) {
      throw refused(name, text, ValueForm.ADDRESS.words(), e);
    }
  }

  /** What is set, trimmed, or the default. */
  public String text(ConfigKey key) {
    return conf.getTrimmed(key.key(), key.defaultValue());
  }

  /** A whole number from min to max. */
  public int count(ConfigKey key, int min, int max) {
    return (int) longCount(key, min, max);
  }

  /** A whole number from min to max. */
  public long longCount(ConfigKey key, long min, long max) {
    String text = text(key);
    try {
      return inRange(key, Long.parseLong(text), text, min, max);
    } catch (NumberFormatException e) {
      throw refused(key.key(), text, rule(ValueForm.COUNT, min, max), e);
    }
  }

  /** Bytes from min to max, as {@link SizesAndDurations#parseBytes} reads them, or 0. */
  public long bytes(ConfigKey key, long min, long max) {
    String text = text(key);
    long value;
    try {
      value = text.equals("0") ? 0 : SizesAndDurations.parseBytes(key.key(), text);
    } catch (IllegalArgumentException e) {
      throw refused(key.key(), text, rule(ValueForm.SIZE, min, max), e);
    }
    return inRange(key, value, text, min, max);
  }

  /** Milliseconds, from min to max, of a duration that may end with its unit. */
  public long millis(ConfigKey key, long min, long max) {
    String text = text(key);
    long value;
    try {
      value = conf.getTimeDuration(key.key(), key.defaultValue(), TimeUnit.MILLISECONDS);
    } catch (IllegalArgumentException e) {
      throw refused(key.key(), text, ValueForm.DURATION.words(), e);
    }
    return inRange(key, value, text, min, max);
  }

  /** True or false. */
  public boolean flag(ConfigKey key) {
    // Configuration.getBoolean takes any other word for the default without a message.
    String text = text(key);
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> throw refused(key.key(), text, ValueForm.FLAG.words(), /* cause= */ null);
    };
  }

  /** A number from 0 up to, not including, 1. */
  public double share(ConfigKey key) {
    double value = fraction(key, ValueForm.SHARE);
    if (value >= 1) {
      throw refused(key.key(), text(key), ValueForm.SHARE.words(), /* cause= */ null);
    }
    return value;
  }

  /** A number from 0 to 1. */
  public double fraction(ConfigKey key) {
    return fraction(key, ValueForm.FRACTION);
  }

  private double fraction(ConfigKey key, ValueForm form) {
    String text = text(key);
    try {
      double value = Double.parseDouble(text);
      if (value >= 0 && value <= 1) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw refused(key.key(), text, form.words(), e);
    }
    throw refused(key.key(), text, form.words(), /* cause= */ null);
  }

  /** A constant of an enum, by its name in any case. */
  public <E extends Enum<E>> E word(ConfigKey key, Class<E> type) {
    String text = text(key);
    for (E each : type.getEnumConstants()) {
      if (each.name().equalsIgnoreCase(text)) {
        return each;
      }
    }
    String words = Arrays.toString(type.getEnumConstants()).toLowerCase(Locale.ROOT);
    throw refused(key.key(), text, "one of " + words, /* cause= */ null);
  }

  /** A local directory; empty: none is set. */
  public Optional<Path> directory(ConfigKey key) {
    String text = text(key);
    return text.isEmpty() ? Optional.empty() : Optional.of(directory(key, text));
  }

  /** Local directories in order, repetitions among them; empty: none is set. */
  public List<Path> directories(ConfigKey key) {
    // Not getTrimmedStringCollection: it drops repetitions.
    return Arrays.stream(conf.getTrimmedStrings(key.key(), key.defaultValue()))
        .map(text -> directory(key, text))
        .toList();
  }

  private static Path directory(ConfigKey key, String text) {
    try {
      Path path = Path.of(text.startsWith("file:") ? URI.create(text).getPath() : text);
      if (path.isAbsolute()) {
        return path.normalize();
      }
    } catch (IllegalArgumentException e) {
      throw refused(key.key(), text, key.form().words(), e);
    }
    throw refused(key.key(), text, key.form().words(), /* cause= */ null);
  }

  private static long inRange(ConfigKey key, long value, String text, long min, long max) {
    if (value < min || value > max) {
      throw refused(key.key(), text, rule(key.form(), min, max), /* cause= */ null);
    }
    return value;
  }

  private static String rule(ValueForm form, long min, long max) {
    String unit = form == ValueForm.DURATION ? " ms" : "";
    return form.words() + ": " + min + ".." + max + unit;
  }

  /**
   * The refusal of a value, to be thrown.
   *
   * @param rule what is expected
   */
  public static IllegalArgumentException refused(
      String key, String value, String rule, @Nullable Exception cause) {
    return new IllegalArgumentException(
        ErrorMessage.to("use configuration").value(key, value).expected(rule).message(), cause);
  }
}
