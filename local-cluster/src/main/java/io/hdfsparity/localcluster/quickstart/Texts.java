/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfsparity.localcluster.Sizes;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers and messages for people. */
final class Texts {
  private static final int SHOWN_FINDINGS = 10;

  /** A conversion of {@link String#format}, or a quantity in braces. */
  private static final Pattern PLACE = Pattern.compile("%[^a-zA-Z%]*[a-zA-Z%]|\\{([a-z ]+)}");

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

  /** The last line of a text; of none it is empty. */
  static String lastLine(String text) {
    return text.lines().reduce("", (earlier, line) -> line);
  }

  /**
   * A text with values in it, in any locale the same.
   *
   * @param template as of {@link String#format}; besides, {bytes} is the next value as a {@link
   *     #size}, {ms} as {@link #seconds}, and {read} or any other noun as a {@link #count} of it
   * @throws IllegalArgumentException naming the template when it has more places than there are
   *     values
   */
  static String format(String template, Object... values) {
    Object[] shown = values.clone();
    int[] next = {0};
    String plain =
        PLACE
            .matcher(template)
            .replaceAll(
                place -> {
                  if (place.group().equals("%%")) {
                    return place.group();
                  }
                  int at = next[0]++;
                  if (at >= shown.length) {
                    throw new IllegalArgumentException(
                        "Cannot fill in a template: values="
                            + shown.length
                            + ", expected one for each place of: "
                            + template);
                  }
                  if (place.group(1) == null) {
                    return Matcher.quoteReplacement(place.group());
                  }
                  shown[at] = quantity(((Number) shown[at]).longValue(), place.group(1));
                  return "%s";
                });
    return String.format(Locale.ROOT, plain, shown);
  }

  private static String quantity(long number, String of) {
    return switch (of) {
      case "bytes" -> size(number);
      case "ms" -> seconds(number);
      default -> count(number, of);
    };
  }

  /** A text with fields of a document in it; - where one is missing. */
  static String ofFields(JsonNode doc, String template, String... names) {
    return format(
        template, Arrays.stream(names).map(each -> (Object) doc.path(each).asText("-")).toArray());
  }

  /** Milliseconds since a moment of System.nanoTime. */
  static long msSince(long beginNanos) {
    return (System.nanoTime() - beginNanos) / 1_000_000;
  }

  /** The first of many findings, a line each. */
  static String first(Collection<String> findings) {
    return String.join("\n  ", findings.stream().limit(SHOWN_FINDINGS).toList());
  }

  /** Seconds as 12.3 s. */
  static String seconds(long ms) {
    return format("%.1f s", ms / 1000.0);
  }

  /** Megabytes (2^20) a second as 12.3 MB/s. */
  static String rate(long bytes, long ms) {
    return format("%.1f MB/s", bytes / 1048576.0 / (Math.max(ms, 1) / 1000.0));
  }

  /** A share in percent as 12.3 %; nothing of nothing. */
  static String percent(long part, long whole) {
    return whole == 0 ? "" : format("%.1f %%", 100.0 * part / whole);
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
