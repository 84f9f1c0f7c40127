/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.rounds;

import io.hdfsparity.benchmarks.macro.EarlierRounds;
import io.hdfsparity.benchmarks.macro.Machine;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Options of a benchmark, all with a default. Immutable.
 *
 * @param out where results go
 * @param values of all options, by name without dashes
 */
public record CommandLine(Path out, Map<String, String> values) {
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

  public CommandLine {
    values = Map.copyOf(values);
  }

  /**
   * Parses {@code OUT_DIR [--NAME VALUE]…}.
   *
   * @param own options beyond those that all benchmarks have, with their defaults
   * @throws IllegalArgumentException naming the first option that is unknown
   */
  public static CommandLine parse(String[] args, Map<String, String> own) {
    Map<String, String> values = new LinkedHashMap<>(COMMON);
    values.putAll(own);
    if (args.length % 2 == 0 || args[0].startsWith("-")) {
      throw new IllegalArgumentException("usage: OUT_DIR [--NAME VALUE]…, defaults " + values);
    }
    for (int i = 1; i < args.length; i += 2) {
      if (!args[i].startsWith("--") || values.replace(args[i].substring(2), args[i + 1]) == null) {
        throw new IllegalArgumentException(
            "Cannot run: option=" + args[i] + ", expected one of " + values.keySet());
      }
    }
    EarlierRounds.areWanted(values);
    return new CommandLine(Path.of(args[0]), values);
  }

  /** The text of an option. */
  public String text(String name) {
    String value = values.get(name);
    if (value == null) {
      throw new IllegalArgumentException(
          "Cannot run: option=" + name + ", expected one of " + values.keySet());
    }
    return value;
  }

  /** A whole number of at least 1. */
  public int number(String name) {
    return numbers(name).get(0);
  }

  /** Whole numbers of at least 1, separated by commas. */
  public List<Integer> numbers(String name) {
    List<Integer> numbers = texts(name).stream().map(Integer::valueOf).toList();
    for (int number : numbers) {
      if (number < 1) {
        throw new IllegalArgumentException(
            "Cannot run: " + name + "=" + number + ", expected at least 1");
      }
    }
    return numbers;
  }

  /** Words separated by commas; none where the option is empty. */
  public List<String> texts(String name) {
    return text(name).isEmpty() ? List.of() : Arrays.asList(text(name).split(","));
  }

  /** Whole MiB, in bytes. */
  public long mebibytes(String name) {
    return (long) number(name) << 20;
  }

  /** Seed of all that is random. */
  public long seed() {
    return Long.parseLong(text("seed"));
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
    return json;
  }
}
