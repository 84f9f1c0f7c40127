/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.doctor;

import io.hdfsparity.bridge.config.ValueForm;
import io.hdfsparity.core.cli.SizesAndDurations;
import java.math.BigInteger;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Values that are written differently and mean the same: 60s and 1m, 1024k and 1m. Stateless. */
final class ValueComparison {
  private static final Pattern DURATION = Pattern.compile("([0-9]+)(ns|us|ms|s|m|h|d|)");

  private ValueComparison() {}

  /** Equal for values that mean the same; the value itself where it cannot be understood. */
  static String canonical(ValueForm form, String value) {
    String text = value.trim().toLowerCase(Locale.ROOT);
    return switch (form) {
      case SIZE -> bytes(text);
      case DURATION -> nanos(text);
      default -> text;
    };
  }

  private static String bytes(String text) {
    try {
      return String.valueOf(SizesAndDurations.parseBytes("size", text));
    } catch (IllegalArgumentException e) {
      return text;
    }
  }

  private static String nanos(String text) {
    Matcher m = DURATION.matcher(text);
    return m.matches()
        ? new BigInteger(m.group(1)).multiply(BigInteger.valueOf(nanosOf(m.group(2)))).toString()
        : text;
  }

  /** Of a unit; a number without one is in milliseconds, as KeyReader reads it. */
  private static long nanosOf(String unit) {
    return switch (unit) {
      case "ns" -> 1L;
      case "us" -> 1_000L;
      case "s" -> 1_000_000_000L;
      case "m" -> 60_000_000_000L;
      case "h" -> 3_600_000_000_000L;
      case "d" -> 86_400_000_000_000L;
      default -> 1_000_000L;
    };
  }
}
