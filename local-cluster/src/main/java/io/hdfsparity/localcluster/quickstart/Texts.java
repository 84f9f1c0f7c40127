/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import io.hdfsparity.localcluster.Sizes;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.Collection;
import java.util.Locale;

/** Numbers and messages for people. */
final class Texts {
  private static final int SHOWN_FINDINGS = 10;

  private Texts() {}

  /** What an exception says, without stack trace and class name, in one line. */
  static String firstLine(Throwable e) {
    if (e instanceof AccessDeniedException) {
      return "no permission for " + e.getMessage();
    }
    if (e instanceof NoSuchFileException) {
      return "there is no " + e.getMessage();
    }
    String message = e.getMessage();
    String line = message == null ? "" : message.lines().findFirst().orElse("").trim();
    return line.isEmpty() ? e.getClass().getSimpleName() : line;
  }

  /** A text with values in it, in any locale the same. */
  static String format(String template, Object... values) {
    return String.format(Locale.ROOT, template, values);
  }

  /** Milliseconds since a moment of System.nanoTime. */
  static long msSince(long beginNanos) {
    return (System.nanoTime() - beginNanos) / 1_000_000;
  }

  /** Seconds since a moment of System.nanoTime. */
  static String secondsSince(long beginNanos) {
    return seconds(msSince(beginNanos));
  }

  /** The first of many findings, a line each. */
  static String first(Collection<String> findings) {
    return String.join("\n  ", findings.stream().limit(SHOWN_FINDINGS).toList());
  }

  /** At most so many characters of a text. */
  static String cut(String text, int maxChars) {
    return text.substring(0, Math.min(text.length(), maxChars));
  }

  /** A line of a report. */
  static String row(int width, String name, String template, Object... values) {
    return format("%-" + width + "s %s", name, format(template, values));
  }

  /** Seconds as 12.3 s. */
  static String seconds(long ms) {
    return format("%.1f s", ms / 1000.0);
  }

  /** Megabytes (2^20) a second as 12.3 MB/s. */
  static String rate(long bytes, long ms) {
    return format("%.1f MB/s", bytes / 1048576.0 / (Math.max(ms, 1) / 1000.0));
  }

  /** Bytes as 12.3 MB (powers of 1,024). */
  static String size(long bytes) {
    return Sizes.text(bytes);
  }

  /** A count with its noun. */
  static String count(long number, String noun) {
    return format("%,d %s%s", number, noun, number == 1 ? "" : "s");
  }
}
