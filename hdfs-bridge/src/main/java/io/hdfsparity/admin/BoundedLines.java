/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.admin;

import java.io.PrintStream;
import java.util.List;

/** A list of which only the beginning fits on a screen. Stateless. */
final class BoundedLines {
  private static final int MAX_LINES = 8;

  private BoundedLines() {}

  static void print(List<String> lines, PrintStream out) {
    // One more line is no longer than the one that would stand for it.
    int shown = lines.size() <= MAX_LINES + 1 ? lines.size() : MAX_LINES;
    lines.subList(0, shown).forEach(line -> out.println("  " + line));
    if (shown < lines.size()) {
      out.println("  and " + (lines.size() - shown) + " more, all of them with -json");
    }
  }
}
