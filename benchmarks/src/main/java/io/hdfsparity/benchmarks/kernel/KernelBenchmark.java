/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.kernel;

import io.hdfsparity.benchmarks.macro.BadOption;
import io.hdfsparity.benchmarks.macro.Bench;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Speeds of the kernels as shares of ISA-L called from C.
 *
 * <p>Shared machines halve their speed for seconds at a time, so the contenders take turns of a few
 * milliseconds in shuffled order; a share is taken within a round, and the median of the rounds is
 * reported with its quartiles. Usage: {@code KernelBenchmark RESULTS_DIR [--rounds N] [--slice-ms
 * N] [--seed N]}.
 */
public final class KernelBenchmark {
  private static final List<Integer> CELL_BYTES = List.of(4096, 65536);

  private final int rounds;
  private final long sliceNanos;
  private final long seed;

  KernelBenchmark(int rounds, long sliceMs, long seed) {
    this.rounds = rounds;
    this.sliceNanos = sliceMs * 1_000_000;
    this.seed = seed;
  }

  /** Runs all operations and cell sizes. */
  public static void main(String[] arguments) {
    Bench.runAndExit(() -> run(arguments));
  }

  private static void run(String[] arguments) throws Exception {
    if (arguments.length % 2 == 0) {
      throw new BadOption(
          "Cannot run: an option lacks its value, expected RESULTS_DIR [--rounds 200] [--slice-ms 4]"
              + " [--seed 1]");
    }
    Map<String, Long> options =
        new LinkedHashMap<>(Map.of("--rounds", 200L, "--slice-ms", 4L, "--seed", 1L));
    for (int i = 1; i < arguments.length; i += 2) {
      if (!options.containsKey(arguments[i])) {
        throw new BadOption("option", arguments[i], "one of " + new TreeSet<>(options.keySet()));
      }
      String name = arguments[i].substring(2);
      options.put(
          arguments[i],
          name.equals("seed")
              ? BadOption.wholeNumber(name, arguments[i + 1])
              : BadOption.number(name, arguments[i + 1], 1));
    }
    KernelBenchmark benchmark =
        new KernelBenchmark(
            Math.toIntExact(options.get("--rounds")),
            options.get("--slice-ms"),
            options.get("--seed"));
    KernelReport report = new KernelReport(options, benchmark.run());
    System.out.print(report.table());
    report.write(Path.of(arguments[0]));
  }

  List<KernelReport.Line> run() throws Exception {
    List<KernelReport.Line> lines = new ArrayList<>();
    for (int cellBytes : CELL_BYTES) {
      List<Contender> contenders = new ArrayList<>();
      for (String name : Contenders.NAMES) {
        contenders.add(Contenders.named(name, new Stripe(cellBytes, seed)));
      }
      for (Operation operation : Operation.values()) {
        List<Contender> able = contenders.stream().filter(one -> one.does(operation)).toList();
        checkSameResults(operation, able);
        lines.addAll(measure(operation, cellBytes, able));
      }
    }
    return lines;
  }

  /** A fast kernel with wrong bytes would be no kernel. */
  private static void checkSameResults(Operation operation, List<Contender> able) throws Exception {
    byte[] expected = null;
    for (Contender contender : able) {
      // Hadoop's XOR coder cannot work in place, so its bytes are elsewhere.
      if (operation == Operation.XOR && contender instanceof HadoopContender) {
        continue;
      }
      contender.run(Operation.ENCODE, 1);
      contender.run(operation, 1);
      byte[] results = contender.stripe().results();
      if (expected != null && !Arrays.equals(expected, results)) {
        throw new IOException(
            "Cannot measure: contender="
                + contender.name()
                + ", expected the bytes of "
                + able.get(0).name()
                + " for "
                + operation);
      }
      expected = results;
    }
  }

  private List<KernelReport.Line> measure(Operation operation, int cellBytes, List<Contender> able)
      throws Exception {
    Map<Contender, AlternatingRounds.Task> tasks = new LinkedHashMap<>();
    for (Contender contender : able) {
      tasks.put(contender, times -> contender.run(operation, times));
    }
    Map<Contender, List<Double>> bytesPerSecond = new LinkedHashMap<>();
    new AlternatingRounds(rounds, sliceNanos, seed)
        .callsPerSecond(tasks)
        .forEach(
            (contender, calls) -> {
              long bytes = contender.stripe().bytesPerCall(operation);
              bytesPerSecond.put(contender, calls.stream().map(speed -> speed * bytes).toList());
            });
    List<Double> yardstick = bytesPerSecond.get(able.get(0));
    List<KernelReport.Line> lines = new ArrayList<>();
    bytesPerSecond.forEach(
        (contender, speeds) ->
            lines.add(
                KernelReport.Line.of(operation, cellBytes, contender.name(), speeds, yardstick)));
    return lines;
  }
}
