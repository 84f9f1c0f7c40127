/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.cli;

import java.util.Locale;

/** Quantities as people read them. Stateless. */
public final class Quantities {
  private Quantities() {}

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
