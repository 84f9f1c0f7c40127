/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.rounds;

import io.hdfsparity.benchmarks.macro.BadOption;
import io.hdfsparity.benchmarks.macro.EarlierRounds;
import io.hdfsparity.benchmarks.macro.Machine;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Options of a benchmark, all with a default. Immutable.
 *
 * @param out where results go
 * @param values of all options, by name without dashes
 * @param traces files of option {@code msr}, as they were when the benchmark began
 */
public record CommandLine(Path out, Map<String, String> values, List<TraceFile> traces) {
  /** Options that samples do not depend on, or that are paths of this machine. */
  private static final Set<String> NOT_DESCRIBED =
      Set.of("resume", "dir", "only", "minutes", "msr");

  private static final Map<String, String> COMMON =
      Map.of(
          "rounds", "3",
          "resume", "no",
          "minutes", "1000",
          "seed", "1",
          "dir", "run/benchmarks",
          "only", "");

  /** Defaults of options that have numbers. */
  private static final Pattern NUMBERS = Pattern.compile("\\d+(,\\d+)*");

  public CommandLine {
    values = Map.copyOf(values);
    traces = List.copyOf(traces);
  }

  /**
   * Parses {@code OUT_DIR [--NAME VALUE]…}.
   *
   * @param own options beyond those that all benchmarks have, with their defaults
   * @throws BadOption naming the first option that is unknown, or whose default is a number, or are
   *     numbers, but its value is not
   */
  public static CommandLine parse(String[] args, Map<String, String> own) {
    Map<String, String> values = new LinkedHashMap<>(COMMON);
    values.putAll(own);
    Map<String, String> defaults = Map.copyOf(values);
    if (args.length % 2 == 0 || args[0].startsWith("-")) {
      throw new BadOption(
          "Cannot run: an option lacks its value, expected OUT_DIR [--NAME VALUE]…, defaults "
              + new TreeMap<>(values));
    }
    for (int i = 1; i < args.length; i += 2) {
      if (!args[i].startsWith("--") || values.replace(args[i].substring(2), args[i + 1]) == null) {
        throw new BadOption("option", args[i], "one of " + new TreeSet<>(values.keySet()));
      }
      requireNumbers(args[i].substring(2), args[i + 1], defaults);
    }
    EarlierRounds.areWanted(values);
    List<TraceFile> traces =
        split(values.getOrDefault("msr", "")).stream()
            .map(file -> TraceFile.of(Path.of(file)))
            .toList();
    return new CommandLine(Path.of(args[0]), values, traces);
  }

  /** At once, not when a cluster runs: numbers are known by the default. */
  private static void requireNumbers(String name, String value, Map<String, String> defaults) {
    String usual = defaults.getOrDefault(name, "");
    if (!NUMBERS.matcher(usual).matches()) {
      return;
    }
    if (name.equals("seed")) {
      BadOption.wholeNumber(name, value);
      return;
    }
    List<String> numbers = split(value);
    if (numbers.isEmpty() || (numbers.size() > 1 && !usual.contains(","))) {
      throw new BadOption(
          name, value, usual.contains(",") ? "whole numbers, such as " + usual : "a whole number");
    }
    numbers.forEach(number -> BadOption.number(name, number, 1));
  }

  /** The text of an option. */
  public String text(String name) {
    String value = values.get(name);
    if (value == null) {
      throw new BadOption("option", name, "one of " + new TreeSet<>(values.keySet()));
    }
    return value;
  }

  /** A whole number of at least 1. */
  public int number(String name) {
    return numbers(name).get(0);
  }

  /** Whole numbers of at least 1, separated by commas. */
  public List<Integer> numbers(String name) {
    return texts(name).stream().map(number -> BadOption.number(name, number, 1)).toList();
  }

  /** Words separated by commas; none where the option is empty. */
  public List<String> texts(String name) {
    return split(text(name));
  }

  private static List<String> split(String value) {
    return value.isEmpty() ? List.of() : Arrays.asList(value.split(",", -1));
  }

  /** Whole MiB, in bytes. */
  public long mebibytes(String name) {
    return (long) number(name) << 20;
  }

  /** Seed of all that is random. */
  public long seed() {
    return BadOption.wholeNumber("seed", text("seed"));
  }

  /** Where clusters live while they run. */
  public Path dir() {
    return Path.of(text("dir")).toAbsolutePath();
  }

  /** Whether earlier rounds are kept. */
  public boolean resume() {
    return EarlierRounds.areWanted(values);
  }

  /** First entries of the result file. */
  Map<String, Object> describe(String benchmark, String paper) {
    Map<String, Object> json = Machine.describe(benchmark, paper);
    values.keySet().stream()
        .filter(name -> !NOT_DESCRIBED.contains(name))
        .sorted()
        .forEach(name -> json.put(name, text(name)));
    if (!traces.isEmpty()) {
      json.put(EarlierRounds.TRACES, traces);
    }
    return json;
  }
}
