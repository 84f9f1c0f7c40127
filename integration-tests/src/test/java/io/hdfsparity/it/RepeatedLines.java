/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a log says again and again, and what it warns of: lines that differ by numbers only are
 * counted as one, and the last of them stands for all. What a test has waited for in vain is most
 * often among them. Not thread-safe.
 */
final class RepeatedLines {
  private static final int MAX_CHARS = 320;
  private static final int TIME_CHARS = "2000-01-01 00:00:00".length();
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");
  private static final Pattern NUMBER = Pattern.compile("[0-9a-f]*[0-9][0-9a-f]*");

  private final LocalDateTime since;
  private final Map<String, Repeated> shapes = new LinkedHashMap<>();
  private @Nullable Repeated latest;

  /** Lines before a time are passed by. */
  RepeatedLines(LocalDateTime since) {
    this.since = since;
  }

  private static final class Repeated {
    private String last = "";
    private String reason = "";
    private int times;
    private int seconds;

    private boolean isWarning() {
      return last.contains(" WARN ") || last.contains(" ERROR ");
    }

    private String text() {
      return times + " x " + last.substring(0, Math.min(last.length(), MAX_CHARS)) + reason;
    }
  }

  /** Adds a line; of those without a time, only the one after a warning counts: its exception. */
  void add(String line) {
    Repeated before = latest;
    latest = null;
    if (line.length() <= TIME_CHARS || !isRecent(line)) {
      if (before != null && before.isWarning() && line.contains("Exception")) {
        before.reason = " | " + line.substring(0, Math.min(line.length(), MAX_CHARS));
      }
      return;
    }
    // The milliseconds go with the numbers.
    String shape = NUMBER.matcher(line.substring(TIME_CHARS)).replaceAll("#");
    Repeated repeated = shapes.computeIfAbsent(shape, key -> new Repeated());
    if (!repeated.last.startsWith(line.substring(0, TIME_CHARS))) {
      repeated.seconds++;
    }
    repeated.last = line;
    repeated.times++;
    latest = repeated;
  }

  private boolean isRecent(String line) {
    try {
      return !LocalDateTime.parse(line.substring(0, TIME_CHARS), TIME).isBefore(since);
    } catch (DateTimeParseException noTime) {
      return false;
    }
  }

  /**
   * The lines that came in most seconds, the most frequent first: what a cluster says when it is
   * stopped comes many times, and at once.
   */
  List<String> mostFrequent(int max) {
    List<Repeated> all = new ArrayList<>(shapes.values());
    all.removeIf(each -> each.seconds < 2);
    all.sort(Comparator.comparingInt((Repeated each) -> each.seconds).reversed());
    return all.stream().limit(max).map(Repeated::text).toList();
  }

  /**
   * The rarest warnings and errors, in the order of their last time: every cluster that is started
   * or stopped gives the same ones.
   */
  List<String> rarestWarnings(int max) {
    List<Repeated> all = new ArrayList<>(shapes.values());
    all.removeIf(each -> !each.isWarning());
    all.sort(Comparator.comparingInt(each -> each.times));
    return all.stream()
        .limit(max)
        .sorted(Comparator.comparing(each -> each.last.substring(0, TIME_CHARS)))
        .map(Repeated::text)
        .toList();
  }
}
