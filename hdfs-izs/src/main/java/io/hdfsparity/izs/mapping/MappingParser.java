/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.mapping;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.cli.SizesAndDurations;
import io.hdfsparity.izs.mapping.MappingTable.Frequency;
import io.hdfsparity.izs.mapping.MappingTable.Importance;
import io.hdfsparity.izs.mapping.MappingTable.Rule;
import io.hdfsparity.izs.mapping.StorageForm.Coded;
import io.hdfsparity.izs.mapping.StorageForm.Raidp;
import io.hdfsparity.izs.mapping.StorageForm.Replicated;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a rule table; docs/reference/mapping.md has its grammar. The first error ends it, with its
 * place and what was expected. Used for one file; not thread-safe.
 */
public final class MappingParser {
  private static final int VERSION = 1;
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,63}");
  private static final Pattern DURATION = Pattern.compile("([1-9][0-9]{0,6})(m|h|d)");
  private static final long MAX_WINDOW_MS = TimeUnit.DAYS.toMillis(3660);

  private final String file;
  private final Map<String, Importance> importances = new LinkedHashMap<>();
  private final List<Frequency> frequencies = new ArrayList<>();
  private final List<Rule> rules = new ArrayList<>();
  private final Map<String, Integer> single = new LinkedHashMap<>();
  private Optional<Importance> defaultImportance = Optional.empty();
  private long windowMs = TimeUnit.DAYS.toMillis(7);
  private long settleMs = TimeUnit.DAYS.toMillis(1);
  private long smallFileBytes;
  private int line;

  private MappingParser(String file) {
    this.file = file;
  }

  /**
   * Reads a table.
   *
   * @param file name for messages
   */
  public static MappingTable parse(String file, String text) throws MappingException {
    return new MappingParser(file).table(text);
  }

  private MappingTable table(String text) throws MappingException {
    for (String raw : text.split("\n", -1)) {
      line++;
      int comment = raw.indexOf('#');
      String content = (comment < 0 ? raw : raw.substring(0, comment)).strip();
      if (!content.isEmpty()) {
        directive(content.split("\\s+"));
      }
    }
    checkWhole();
    return new MappingTable(
        windowMs,
        settleMs,
        smallFileBytes,
        List.copyOf(importances.values()),
        defaultImportance,
        frequencies,
        rules);
  }

  private void directive(String[] words) throws MappingException {
    if (single.isEmpty() && !words[0].equals("mapping")) {
      throw refuse("first word", words[0], "mapping " + VERSION);
    }
    switch (words[0]) {
      case "mapping" -> {
        once(words, 2, "mapping " + VERSION);
        if (!words[1].equals(String.valueOf(VERSION))) {
          throw refuse("version", words[1], VERSION);
        }
      }
      case "window" -> {
        once(words, 2, "window DURATION");
        windowMs = duration(words[1]);
      }
      case "settle" -> {
        once(words, 2, "settle DURATION");
        settleMs = duration(words[1]);
      }
      case "small-file" -> {
        once(words, 2, "small-file SIZE");
        smallFileBytes = size(words[1]);
      }
      case "class" -> importance(words);
      case "default" -> {
        once(words, 2, "default CLASS");
        defaultImportance = Optional.of(known(words[1]));
      }
      case "frequency" -> frequency(words);
      case "rule" -> rule(words);
      default ->
          throw refuse(
              "word",
              words[0],
              "mapping, window, settle, small-file, class, default, frequency or rule");
    }
  }

  private void once(String[] words, int count, String form) throws MappingException {
    shape(words, count, form);
    Integer earlier = single.putIfAbsent(words[0], line);
    if (earlier != null) {
      throw refuse(words[0], words[1], "one such line; the first is line " + earlier);
    }
  }

  private void shape(String[] words, int count, String form) throws MappingException {
    if (words.length != count) {
      throw refuse("line", String.join(" ", words), form);
    }
  }

  /** {@code class NAME tolerates FAILURES}. */
  private void importance(String[] words) throws MappingException {
    shape(words, 4, "class NAME tolerates FAILURES");
    if (!words[2].equals("tolerates")) {
      throw refuse("word", words[2], "tolerates");
    }
    if (!words[3].matches("[0-9]{1,2}")) {
      throw refuse("failures", words[3], "0 to 99");
    }
    Importance made = new Importance(name(words[1]), Integer.parseInt(words[3]));
    if (importances.putIfAbsent(made.name(), made) != null) {
      throw refuse("class", made.name(), "a name of its own");
    }
  }

  /** {@code frequency NAME from ACCESSES_PER_DAY}. */
  private void frequency(String[] words) throws MappingException {
    shape(words, 4, "frequency NAME from ACCESSES_PER_DAY");
    if (!words[2].equals("from")) {
      throw refuse("word", words[2], "from");
    }
    if (!words[3].matches("[0-9]{1,9}([.][0-9]{1,6})?")) {
      throw refuse("accesses", words[3], "a number of accesses a day, as 24 or 0.5");
    }
    String name = name(words[1]);
    double from = Double.parseDouble(words[3]);
    if (name.equals("any") || frequencies.stream().anyMatch(f -> f.name().equals(name))) {
      throw refuse("frequency", name, "a name of its own, and not any");
    }
    if (!frequencies.isEmpty() && from >= frequencies.get(frequencies.size() - 1).fromPerDay()) {
      throw refuse("accesses", words[3], "less than those of the frequency before: highest first");
    }
    frequencies.add(new Frequency(name, from));
  }

  /** {@code rule CLASS FREQUENCY|any SCHEME -> FORM}. */
  private void rule(String[] words) throws MappingException {
    if (words.length < 6 || !words[4].equals("->")) {
      throw refuse("line", String.join(" ", words), "rule CLASS FREQUENCY|any SCHEME -> FORM");
    }
    Importance importance = known(words[1]);
    Optional<String> frequency =
        words[2].equals("any") ? Optional.empty() : Optional.of(knownFrequency(words[2]));
    StorageForm form = form(List.of(words).subList(5, words.length));
    if (form.tolerated() < importance.tolerates()) {
      throw refuse(
          "form",
          form.text(),
          "one that tolerates "
              + importance.tolerates()
              + " failures, as class "
              + importance.name()
              + " says; it tolerates "
              + form.tolerated());
    }
    rules.add(new Rule(line, importance.name(), frequency, words[3], form));
  }

  private StorageForm form(List<String> words) throws MappingException {
    String text = String.join(" ", words);
    String expected = "replication COPIES, raidp or ec POLICY";
    if (text.equals("raidp")) {
      return new Raidp();
    }
    if (words.size() == 2 && words.get(0).equals("replication")) {
      if (!words.get(1).matches("[1-9][0-9]{0,2}")
          || Integer.parseInt(words.get(1)) > Replicated.MAX_COPIES) {
        throw refuse("copies", words.get(1), "1 to " + Replicated.MAX_COPIES);
      }
      return new Replicated(Integer.parseInt(words.get(1)));
    }
    if (words.size() == 2 && words.get(0).equals("ec")) {
      Optional<Coded> coded = Coded.ofPolicy(words.get(1));
      if (coded.isEmpty()) {
        throw refuse("policy", words.get(1), "CODEC-k-r-CELLk, as IZS-4-2-1024k");
      }
      return coded.get();
    }
    throw refuse("form", text, expected);
  }

  private Importance known(String name) throws MappingException {
    Importance importance = importances.get(name);
    if (importance == null) {
      throw refuse("class", name, "one that a line above defines: " + importances.keySet());
    }
    return importance;
  }

  private String knownFrequency(String name) throws MappingException {
    if (frequencies.stream().noneMatch(f -> f.name().equals(name))) {
      throw refuse(
          "frequency",
          name,
          "any, or one that a line above defines: "
              + frequencies.stream().map(Frequency::name).toList());
    }
    return name;
  }

  private String name(String word) throws MappingException {
    if (!NAME.matcher(word).matches()) {
      throw refuse("name", word, "up to 64 lower-case letters, digits and dashes");
    }
    return word;
  }

  private long duration(String word) throws MappingException {
    Matcher m = DURATION.matcher(word);
    if (m.matches()) {
      long count = Long.parseLong(m.group(1));
      long ms =
          switch (m.group(2)) {
            case "m" -> TimeUnit.MINUTES.toMillis(count);
            case "h" -> TimeUnit.HOURS.toMillis(count);
            default -> TimeUnit.DAYS.toMillis(count);
          };
      if (ms <= MAX_WINDOW_MS) {
        return ms;
      }
    }
    throw refuse("duration", word, "a duration as 90m, 6h or 7d, at most 3660d");
  }

  private long size(String word) throws MappingException {
    try {
      return word.equals("0") ? 0 : SizesAndDurations.parseBytes("small-file", word);
    } catch (IllegalArgumentException e) {
      throw refuse("size", word, "a size as 4M, or 0");
    }
  }

  private void checkWhole() throws MappingException {
    if (single.isEmpty() || importances.isEmpty()) {
      throw refuse("lines", line, "a line mapping " + VERSION + " and at least one class");
    }
    if (frequencies.isEmpty() || frequencies.get(frequencies.size() - 1).fromPerDay() != 0) {
      throw refuse(
          "frequencies", frequencies.size(), "the last of them to be: frequency NAME from 0");
    }
    if (settleMs > windowMs) {
      line = single.getOrDefault("settle", line);
      throw refuse("settle", settleMs + "ms", "at most window=" + windowMs + "ms");
    }
    List<Rule> used = new ArrayList<>();
    for (Importance importance : importances.values()) {
      for (Frequency frequency : frequencies) {
        Optional<Rule> rule =
            rules.stream().filter(r -> r.matches(importance, frequency)).findFirst();
        if (rule.isEmpty()) {
          throw refuse(
              "rules", rules.size(), "one for " + importance.name() + " " + frequency.name());
        }
        used.add(rule.get());
      }
    }
    for (Rule rule : rules) {
      if (!used.contains(rule)) {
        line = rule.line();
        throw refuse("rule", rule.text(), "one that the rules above it leave something to");
      }
    }
  }

  private MappingException refuse(String name, Object value, Object expected) {
    return new MappingException(
        ErrorMessage.to("read the mapping")
            .value(name, value)
            .expected(expected)
            .where("file", file)
            .where("line", line)
            .message());
  }
}
