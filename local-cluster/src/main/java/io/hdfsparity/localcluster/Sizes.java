/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import java.util.Locale;

/** Numbers of bytes, for people. */
public final class Sizes {
  private static final String UNITS = "KMGTP";

  private Sizes() {}

  /** A text as 12.3 MB (powers of 1,024). */
  public static String text(long bytes) {
    if (Math.abs(bytes) < 1024) {
      return bytes + " B";
    }
    double value = bytes;
    int unit = -1;
    while (Math.abs(value) >= 1024 && unit < UNITS.length() - 1) {
      value /= 1024;
      unit++;
    }
    return String.format(Locale.ROOT, "%.1f %sB", value, UNITS.charAt(unit));
  }

  /**
   * Parses 4096, 64k, 256m, 1g.
   *
   * @throws IllegalArgumentException when the text is no size
   */
  static long parse(String name, String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    int unit =
        lower.isEmpty()
            ? -1
            : UNITS.toLowerCase(Locale.ROOT).indexOf(lower.charAt(lower.length() - 1));
    String digits = unit < 0 ? lower : lower.substring(0, lower.length() - 1);
    try {
      return Math.multiplyExact(Long.parseLong(digits), 1L << (10 * (unit + 1)));
    } catch (NumberFormatException | ArithmeticException e) {
      throw new IllegalArgumentException(
          "Cannot read a size: "
              + name
              + "="
              + text
              + ", expected a number as 4096, 64k, 256m or 1g",
          e);
    }
  }
}
