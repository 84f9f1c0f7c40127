/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.nbd;

import io.hdfsparity.benchmarks.rounds.CommandLine;
import io.hdfsparity.localcluster.ForegroundProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One job of fio: requests of one kind and size for some time. Immutable.
 *
 * @param kind of fio's option {@code rw}
 * @param requestKib of a request
 */
record FioJob(String kind, int requestKib) {
  private static final List<String> KINDS = List.of("read", "randread", "write", "randwrite");

  /** All kinds by all sizes. */
  static List<FioJob> all(List<Integer> sizesKib) {
    return KINDS.stream()
        .flatMap(kind -> sizesKib.stream().map(kib -> new FioJob(kind, kib)))
        .toList();
  }

  /** Name of the setting. */
  String setting() {
    return kind + " " + requestKib + " KiB";
  }

  boolean isWrite() {
    return kind.endsWith("write");
  }

  /**
   * Writes everything once, so that no request meets space that was never written.
   *
   * @param target fio's options for where it writes
   */
  static void fill(CommandLine options, List<String> target, Path folder)
      throws IOException, InterruptedException {
    List<String> command = command(options, target);
    command.addAll(List.of("--rw=write", "--bs=1m"));
    ForegroundProgram.run(
        "fio", new ProcessBuilder(command).directory(folder.toFile()), line -> {});
  }

  /**
   * Runs it.
   *
   * @param target as for {@link #fill}
   * @param folder of fio's own files
   */
  Map<String, Double> run(CommandLine options, List<String> target, Path folder)
      throws IOException, InterruptedException {
    Path report = folder.resolve("report.json");
    List<String> command = command(options, target);
    command.addAll(
        List.of(
            "--rw=" + kind,
            "--bs=" + requestKib + "k",
            "--time_based",
            "--runtime=" + options.number("seconds"),
            "--ramp_time=" + options.number("warm-up"),
            "--output-format=json",
            "--output=" + report));
    ForegroundProgram.run(
        "fio", new ProcessBuilder(command).directory(folder.toFile()), line -> {});
    return FioFigures.of(Files.readString(report), isWrite() ? "write" : "read");
  }

  private static List<String> command(CommandLine options, List<String> target) {
    List<String> command =
        new ArrayList<>(
            List.of(
                "fio",
                "--name=job",
                "--iodepth=" + options.number("outstanding"),
                "--size=" + options.mebibytes("size-mb"),
                "--randseed=" + options.seed()));
    command.addAll(target);
    return command;
  }
}
