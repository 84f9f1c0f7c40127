/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.rebuild;

import io.hdfsparity.benchmarks.macro.BadOption;
import io.hdfsparity.benchmarks.macro.EarlierRounds;
import io.hdfsparity.benchmarks.macro.Machine;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Command line of the benchmark.
 *
 * @param out where results go
 * @param rounds how often every row runs
 * @param sizeMb MiB stored on each disk before two fail, in every row
 * @param blockMb block size in MiB
 * @param nodes DataNodes, with two disks each
 * @param seed orders the rows
 * @param dir where clusters live while they run
 * @param only names of the rows to run; empty for all
 */
record Options(
    Path out,
    int rounds,
    boolean resume,
    int sizeMb,
    int blockMb,
    int nodes,
    long seed,
    Path dir,
    List<String> only) {
  private static final Set<String> NAMES =
      Set.of(EarlierRounds.OPTION, "rounds", "size-mb", "block-mb", "nodes", "seed", "dir", "only");
  private static final int FEWEST_NODES = 6;

  static Options parse(String[] args) {
    if (args.length == 0 || args[0].startsWith("-") || args.length % 2 == 0) {
      throw new BadOption(
          "Cannot run: an option lacks its value, expected OUT_DIR [--rounds N] [--resume yes|no] [--size-mb N] [--block-mb N] [--nodes N] [--seed N]"
              + " [--dir DIR] [--only NAME,…]");
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
        atLeast(given, "rounds", 3, 1),
        EarlierRounds.areWanted(given),
        atLeast(given, "size-mb", 512, 1),
        atLeast(given, "block-mb", 64, 1),
        atLeast(given, "nodes", FEWEST_NODES, FEWEST_NODES),
        BadOption.wholeNumber("seed", given.getOrDefault("seed", "1")),
        Path.of(given.getOrDefault("dir", "run/benchmarks")).toAbsolutePath(),
        given.containsKey("only") ? List.of(given.get("only").split(",")) : List.of());
  }

  private static int atLeast(Map<String, String> given, String name, int otherwise, int least) {
    return BadOption.number(name, given.getOrDefault(name, Integer.toString(otherwise)), least);
  }

  long blockBytes() {
    return (long) blockMb << 20;
  }

  /** Bytes that all disks hold before two fail, replicas or parity included. */
  long storedBytes() {
    return ((long) sizeMb << 20) * nodes * 2;
  }

  /** First entries of the result file. */
  Map<String, Object> describe() {
    Map<String, Object> json = Machine.describe("rebuild", "RAIDP Table 2");
    json.put("rounds", rounds());
    json.put("nodes", nodes());
    json.put("sizeMiBPerDisk", sizeMb());
    json.put("blockMiB", blockMb());
    json.put("seed", seed());
    return json;
  }
}
