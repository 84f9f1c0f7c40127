/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.check;

import org.jspecify.annotations.Nullable;

/**
 * Text that others have chosen (paths, names of clients, messages of other hosts) for one line of a
 * log or a terminal: it cannot begin a line of its own, and cannot control a terminal. Stateless.
 */
public final class Printable {
  private Printable() {}

  /** The text of a value, with control characters and line separators as escapes of Java. */
  public static String of(@Nullable Object value) {
    String text = String.valueOf(value);
    int first = 0;
    while (first < text.length() && isPrintable(text.charAt(first))) {
      first++;
    }
    if (first == text.length()) {
      return text;
    }
    StringBuilder printable = new StringBuilder(text.substring(0, first));
    for (int i = first; i < text.length(); i++) {
      char c = text.charAt(i);
      if (isPrintable(c)) {
        printable.append(c);
      } else {
        printable.append(c == '\n' ? "\\n" : c == '\t' ? "\\t" : String.format("\\u%04x", (int) c));
      }
    }
    return printable.toString();
  }

  private static boolean isPrintable(char c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT, // also what turns the direction of text
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }
}
