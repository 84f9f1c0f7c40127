/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.macro;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Options of any comparison of clusters. Immutable.
 *
 * @param out where results go
 * @param rounds how often every row or contender runs
 * @param resume whether rounds that the result file holds are counted and kept
 * @param seed orders what is compared
 * @param dir where clusters live while they run
 * @param only names of what to run; empty for all
 */
public record RunOptions(
    Path out, int rounds, boolean resume, long seed, Path dir, List<String> only) {
  private static final Set<String> NAMES =
      Set.of(EarlierRounds.OPTION, "rounds", "seed", "dir", "only");

  public RunOptions {
    only = List.copyOf(only);
  }

  /**
   * Values of options by name without dashes.
   *
   * @param own names of options beside these
   * @param usage what the command line is
   * @throws BadOption when an option is unknown or has no value
   */
  public static Map<String, String> split(String[] args, Set<String> own, String usage) {
    if (args.length == 0 || args[0].startsWith("-") || args.length % 2 == 0) {
      throw new BadOption("Cannot run: an option lacks its value, expected " + usage);
    }
    Set<String> names = new TreeSet<>(NAMES);
    names.addAll(own);
    Map<String, String> given = new HashMap<>();
    for (int i = 1; i < args.length; i += 2) {
      String name = args[i].replaceFirst("^--", "");
      if (!names.contains(name)) {
        throw new BadOption("option", args[i], "one of " + names);
      }
      given.put(name, args[i + 1]);
    }
    return given;
  }

  /**
   * @param out first word of the command line
   * @param given by {@link #split}
   */
  public static RunOptions of(String out, Map<String, String> given) {
    return new RunOptions(
        Path.of(out),
        atLeast(given, "rounds", 3, 1),
        EarlierRounds.areWanted(given),
        BadOption.wholeNumber("seed", given.getOrDefault("seed", "1")),
        Path.of(given.getOrDefault("dir", "run/benchmarks")).toAbsolutePath(),
        given.containsKey("only") ? List.of(given.get("only").split(",")) : List.of());
  }

  /** The number that an option has, or its default. */
  public static int atLeast(Map<String, String> given, String name, int otherwise, int min) {
    return BadOption.number(name, given.getOrDefault(name, Integer.toString(otherwise)), min);
  }

  /** Whether a row or contender is to run. */
  public boolean wants(String name) {
    return only.isEmpty() || only.contains(name);
  }
}
