/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.dfsio;

import io.hdfsparity.benchmarks.macro.BadOption;
import io.hdfsparity.benchmarks.macro.EarlierRounds;
import io.hdfsparity.benchmarks.macro.Machine;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Command line of the benchmark.
 *
 * @param out where results go
 * @param rounds how often every contender runs
 * @param resume whether rounds that the result file holds are counted and kept
 * @param files files written by a run
 * @param sizeMb size of each in MiB
 * @param tasks files written at a time
 * @param seed orders the contenders
 * @param dir where clusters live while they run
 * @param only names of the contenders to run; empty for all
 * @param daemonOptions further JVM options of DataNodes, as for a profile
 */
record Options(
    Path out,
    int rounds,
    boolean resume,
    int files,
    int sizeMb,
    int tasks,
    long seed,
    Path dir,
    List<String> only,
    Optional<String> daemonOptions) {
  private static final Set<String> NAMES =
      Set.of(
          EarlierRounds.OPTION,
          "rounds",
          "files",
          "size-mb",
          "tasks",
          "seed",
          "dir",
          "only",
          "datanode-jvm");

  static Options parse(String[] args) {
    if (args.length == 0 || args[0].startsWith("-") || args.length % 2 == 0) {
      throw new BadOption(
          "Cannot run: an option lacks its value, expected OUT_DIR [--rounds N] [--resume yes|no] [--files N] [--size-mb N] [--tasks N] [--seed N] [--dir DIR] [--only NAME,…] [--datanode-jvm OPTIONS]");
    }
    Map<String, String> given = new HashMap<>();
    for (int i = 1; i < args.length; i += 2) {
      String name = args[i].replaceFirst("^--", "");
      if (!NAMES.contains(name)) {
        throw new BadOption("option", args[i], "one of " + new TreeSet<>(NAMES));
      }
      given.put(name, args[i + 1]);
    }
    return new Options(
        Path.of(args[0]),
        positive(given, "rounds", 3),
        EarlierRounds.areWanted(given),
        positive(given, "files", 4),
        positive(given, "size-mb", 256),
        positive(given, "tasks", 4),
        BadOption.wholeNumber("seed", given.getOrDefault("seed", "1")),
        Path.of(given.getOrDefault("dir", "run/benchmarks")).toAbsolutePath(),
        given.containsKey("only") ? List.of(given.get("only").split(",")) : List.of(),
        Optional.ofNullable(given.get("datanode-jvm")));
  }

  private static int positive(Map<String, String> given, String name, int otherwise) {
    return BadOption.number(name, given.getOrDefault(name, Integer.toString(otherwise)), 1);
  }

  long fileBytes() {
    return (long) sizeMb << 20;
  }

  /** First entries of the result file. */
  Map<String, Object> describe() {
    Map<String, Object> json = Machine.describe("dfsio", "RAIDP Figs. 8 and 9");
    json.put("rounds", rounds());
    json.put("files", files());
    json.put("sizeMiB", sizeMb());
    json.put("tasks", tasks());
    json.put("seed", seed());
    return json;
  }
}
