/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.kernel;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Table and JSON of the kernel benchmark. */
final class KernelReport {
  private final Map<String, Long> options;
  private final List<Line> lines;

  KernelReport(Map<String, Long> options, List<Line> lines) {
    this.options = Map.copyOf(options);
    this.lines = List.copyOf(lines);
  }

  /**
   * One contender at one operation and cell size.
   *
   * @param gigabytesPerSecond bytes read, 10^9 a second
   * @param shareOfIsalFromC speed over that of ISA-L from C in the same round
   */
  record Line(
      Operation operation,
      int cellBytes,
      String contender,
      Quartiles gigabytesPerSecond,
      Quartiles shareOfIsalFromC) {
    static Line of(
        Operation operation,
        int cellBytes,
        String contender,
        List<Double> bytesPerSecond,
        List<Double> yardstick) {
      List<Double> shares = new ArrayList<>();
      for (int round = 0; round < yardstick.size(); round++) {
        shares.add(bytesPerSecond.get(round) / yardstick.get(round));
      }
      return new Line(
          operation,
          cellBytes,
          contender,
          Quartiles.of(bytesPerSecond.stream().map(speed -> speed / 1e9).toList()),
          Quartiles.of(shares));
    }
  }

  String table() {
    StringBuilder table = new StringBuilder();
    table.append(
        String.format(
            Locale.ROOT,
            "%-8s %8s  %-12s %10s  %9s  %s%n",
            "op",
            "cell",
            "contender",
            "GB/s",
            "of ISA-L",
            "quartiles"));
    for (Line line : lines) {
      table.append(
          String.format(
              Locale.ROOT,
              "%-8s %8d  %-12s %10.2f  %8.1f%%  %.1f%%..%.1f%%%n",
              line.operation().name().toLowerCase(Locale.ROOT),
              line.cellBytes(),
              line.contender(),
              line.gigabytesPerSecond().median(),
              100 * line.shareOfIsalFromC().median(),
              100 * line.shareOfIsalFromC().lower(),
              100 * line.shareOfIsalFromC().upper()));
    }
    return table.toString();
  }

  void write(Path directory) throws IOException {
    Files.createDirectories(directory);
    Files.writeString(directory.resolve("kernel.txt"), table());
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("benchmark", "kernel");
    json.put("java", System.getProperty("java.vm.name") + " " + System.getProperty("java.version"));
    json.put("processors", Runtime.getRuntime().availableProcessors());
    json.put("commit", System.getProperty("benchmark.commit", "unknown"));
    json.put("cpu", System.getProperty("benchmark.cpu", "unknown"));
    json.put("code", "RS(" + Stripe.DATA_UNITS + "," + Stripe.PARITY_UNITS + ")");
    json.put("options", new java.util.TreeMap<>(options));
    json.put("lines", lines);
    new ObjectMapper()
        .enable(SerializationFeature.INDENT_OUTPUT)
        .writeValue(directory.resolve("kernel.json").toFile(), json);
  }
}
