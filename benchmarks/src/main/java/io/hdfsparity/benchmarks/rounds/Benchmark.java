/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.rounds;

import io.hdfsparity.benchmarks.macro.Bench;
import java.util.Map;

/** A benchmark that has a folder for itself. */
@FunctionalInterface
public interface Benchmark {
  void run(CommandLine options, Bench bench) throws Exception;

  /**
   * Runs a benchmark as the whole of a process.
   *
   * @param defaults of its own options
   */
  static void runAndExit(String[] args, Map<String, String> defaults, Benchmark benchmark) {
    Bench.runAndExit(
        () -> {
          CommandLine options = CommandLine.parse(args, defaults);
          try (Bench bench = Bench.open(options.dir())) {
            benchmark.run(options, bench);
          }
        });
  }
}
