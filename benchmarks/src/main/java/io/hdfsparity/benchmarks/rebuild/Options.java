/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.rebuild;

import io.hdfsparity.benchmarks.macro.Machine;
import io.hdfsparity.benchmarks.macro.RunOptions;
import java.util.Map;
import java.util.Set;

/**
 * Command line of the benchmark.
 *
 * @param run those of any comparison
 * @param sizeMb MiB stored on each disk before two fail, in every row
 * @param blockMb block size in MiB
 * @param nodes DataNodes, with two disks each
 */
record Options(RunOptions run, int sizeMb, int blockMb, int nodes) {
  private static final int MIN_NODES = 6;
  private static final String USAGE =
      "OUT_DIR [--rounds N] [--resume yes|no] [--size-mb N] [--block-mb N] [--nodes N] [--seed N]"
          + " [--dir DIR] [--only NAME,…]";

  static Options parse(String[] args) {
    Map<String, String> given =
        RunOptions.split(args, Set.of("size-mb", "block-mb", "nodes"), USAGE);
    return new Options(
        RunOptions.of(args[0], given),
        RunOptions.atLeast(given, "size-mb", 512, 1),
        RunOptions.atLeast(given, "block-mb", 64, 1),
        RunOptions.atLeast(given, "nodes", MIN_NODES, MIN_NODES));
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
    json.put("rounds", run().rounds());
    json.put("nodes", nodes());
    json.put("sizeMiBPerDisk", sizeMb());
    json.put("blockMiB", blockMb());
    json.put("seed", run().seed());
    return json;
  }
}
