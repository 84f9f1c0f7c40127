/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.cli;

import io.hdfsparity.core.check.ErrorMessage;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** SizesAndDurations as people read them. Stateless. */
public final class SizesAndDurations {
  private static final Pattern SIZE = Pattern.compile("([0-9]+(?:[.][0-9]+)?)([KMGTP]?)(I?B)?");
  private static final String UNITS = "KMGTP";

  private SizesAndDurations() {}

  /**
   * Bytes of "4T", "1.5 GiB", "200GB" or "1000": K, M, G, T, P alone or with iB are powers of 1024,
   * with B powers of 1000.
   *
   * @param name of the value, for the message
   * @throws IllegalArgumentException unless it is a whole, positive number of bytes
   */
  public static long parseBytes(String name, String text) {
    Matcher m = SIZE.matcher(text.toUpperCase(Locale.ROOT).replace(" ", ""));
    if (m.matches()) {
      int power = m.group(2).isEmpty() ? 0 : UNITS.indexOf(m.group(2)) + 1;
      int base = "B".equals(m.group(3)) ? 1000 : 1024;
      try {
        long bytes =
            new BigDecimal(m.group(1))
                .multiply(BigDecimal.valueOf(base).pow(power))
                .longValueExact();
        if (bytes > 0) {
          return bytes;
        }
      } catch (ArithmeticException e) {
        throw wrongSize(name, text, e);
      }
    }
    throw wrongSize(name, text, null);
  }

  private static IllegalArgumentException wrongSize(
      String name, String text, @Nullable Throwable cause) {
    return new IllegalArgumentException(
        ErrorMessage.to("read a size")
            .value(name, text)
            .expected("a positive size such as 4T, 200GB, 64MiB or 1000")
            .message(),
        cause);
  }

  /** A size in the binary unit that suits it; a negative one keeps its sign. */
  public static String bytes(long bytes) {
    double value = bytes;
    String[] units = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    int unit = 0;
    while (Math.abs(value) >= 1024 && unit < units.length - 1) {
      value /= 1024;
      unit++;
    }
    return unit == 0 ? bytes + " B" : String.format(Locale.ROOT, "%.1f %s", value, units[unit]);
  }

  /** Minutes and seconds. */
  public static String minutes(long ms) {
    long seconds = (ms + 999) / 1000;
    return String.format(Locale.ROOT, "%02d:%02d", seconds / 60, seconds % 60);
  }
}
