/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.dfsio;

import io.hdfsparity.benchmarks.macro.Machine;
import io.hdfsparity.benchmarks.macro.RunOptions;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Command line of the benchmark.
 *
 * @param run those of any comparison
 * @param files files written by a run
 * @param sizeMb size of each in MiB
 * @param tasks files written at a time
 * @param daemonOptions further JVM options of DataNodes, as for a profile
 */
record Options(RunOptions run, int files, int sizeMb, int tasks, Optional<String> daemonOptions) {
  private static final String USAGE =
      "OUT_DIR [--rounds N] [--resume yes|no] [--files N] [--size-mb N] [--tasks N] [--seed N]"
          + " [--dir DIR] [--only NAME,…] [--datanode-jvm OPTIONS]";

  static Options parse(String[] args) {
    Map<String, String> given =
        RunOptions.split(args, Set.of("files", "size-mb", "tasks", "datanode-jvm"), USAGE);
    return new Options(
        RunOptions.of(args[0], given),
        RunOptions.atLeast(given, "files", 4, 1),
        RunOptions.atLeast(given, "size-mb", 256, 1),
        RunOptions.atLeast(given, "tasks", 4, 1),
        Optional.ofNullable(given.get("datanode-jvm")));
  }

  long fileBytes() {
    return (long) sizeMb << 20;
  }

  /** First entries of the result file. */
  Map<String, Object> describe() {
    Map<String, Object> json = Machine.describe("dfsio", "RAIDP Figs. 8 and 9");
    json.put("rounds", run().rounds());
    json.put("files", files());
    json.put("sizeMiB", sizeMb());
    json.put("tasks", tasks());
    json.put("seed", run().seed());
    return json;
  }
}
