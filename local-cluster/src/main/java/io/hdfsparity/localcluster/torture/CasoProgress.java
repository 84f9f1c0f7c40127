/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What {@code hdfs caso} prints every second while it changes an order. Pure. */
final class CasoProgress {
  /** As in "6 s, copying and comparing: 7,602,176 bytes". */
  private static final Pattern COPYING = Pattern.compile("copying and comparing: ([0-9,]+) bytes");

  private CasoProgress() {}

  /**
   * Bytes that were written to the copy or read back from it so far: twice the file's when both are
   * done.
   *
   * @return -1: it says something else
   */
  static long bytes(String line) {
    Matcher copying = COPYING.matcher(line);
    return copying.find() ? Long.parseLong(copying.group(1).replace(",", "")) : -1;
  }
}
