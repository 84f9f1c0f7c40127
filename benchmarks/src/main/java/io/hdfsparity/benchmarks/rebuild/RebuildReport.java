/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.rebuild;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.hdfsparity.benchmarks.macro.BarChart;
import io.hdfsparity.benchmarks.macro.Machine;
import io.hdfsparity.benchmarks.macro.Spread;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Table, JSON and plot. Ratios are to the best RAIDP row of the paper, taken within a round. */
final class RebuildReport {
  private static final double MEBIBYTE = 1 << 20;

  private final Options options;
  private final List<Measured> results;

  RebuildReport(Options options, List<Measured> results) {
    this.options = options;
    this.results = List.copyOf(results);
  }

  void write(Path dir) throws IOException {
    Files.createDirectories(dir);
    Files.writeString(dir.resolve("rebuild.txt"), table());
    new ObjectMapper()
        .enable(SerializationFeature.INDENT_OUTPUT)
        .writeValue(dir.resolve("rebuild.json").toFile(), json());
    plot(dir.resolve("rebuild-table2.png"));
  }

  private List<Measured> of(String row) {
    return results.stream().filter(m -> m.row().equals(row)).toList();
  }

  private Spread spread(String row, ToDoubleFunction<Measured> value) {
    return Spread.of(of(row).stream().map(value::applyAsDouble).toList());
  }

  private Spread ratio(String row, ToDoubleFunction<Measured> value) {
    return Spread.ofRatios(of(row), of(Row.BASELINE), Measured::round, value);
  }

  private List<String> rows() {
    return Row.all(options.nodes()).stream()
        .map(Row::name)
        .filter(name -> !of(name).isEmpty())
        .toList();
  }

  private static double mebibytes(long bytes) {
    return bytes / MEBIBYTE;
  }

  private String table() {
    StringBuilder out = new StringBuilder();
    out.append(
        String.format(
            Locale.ROOT,
            "Two disks died; %d nodes with 2 disks of %d MiB stored, blocks of %d MiB, %d rounds, %s; median (min..max)%n",
            options.nodes(),
            options.sizeMb(),
            options.blockMb(),
            options.run().rounds(),
            Machine.links()));
    out.append(
        String.format(
            Locale.ROOT,
            "rebuilt: no byte depends on parity alone; redundant: all as before; ratios to %s of the"
                + " same round%n%n",
            Row.BASELINE));
    String format = "%-22s%-22s%-22s%-24s%-24s%-24s%-24s%s%n";
    out.append(
        String.format(
            Locale.ROOT,
            format,
            "",
            "rebuilt s",
            "ratio",
            "decoded MiB",
            "network MiB",
            "network ratio",
            "redundant s",
            "network MiB"));
    for (String row : rows()) {
      out.append(
          String.format(
              Locale.ROOT,
              format,
              row,
              spread(row, Measured::rebuildSeconds),
              ratio(row, Measured::rebuildSeconds),
              spread(row, m -> mebibytes(m.rebuiltBytes())),
              spread(row, m -> mebibytes(m.rebuildNetworkBytes())),
              ratio(row, Measured::rebuildNetworkBytes),
              spread(row, Measured::redundantSeconds),
              spread(row, m -> mebibytes(m.redundantNetworkBytes()))));
    }
    return out.toString();
  }

  private Map<String, Object> json() {
    Map<String, Object> json = options.describe();
    json.put("samples", results);
    Map<String, Object> summary = new LinkedHashMap<>();
    for (String row : rows()) {
      summary.put(
          row,
          Map.of(
              "rebuildSeconds", spread(row, Measured::rebuildSeconds),
              "rebuildRatio", ratio(row, Measured::rebuildSeconds),
              "networkRatio", ratio(row, Measured::rebuildNetworkBytes),
              "redundantSeconds", spread(row, Measured::redundantSeconds),
              "redundantRatio", ratio(row, Measured::redundantSeconds)));
    }
    json.put("summary", summary);
    return json;
  }

  private void plot(Path file) throws IOException {
    BarChart chart =
        new BarChart(
            "Recovery from two failed disks (Table 2, " + Machine.links() + ")",
            "seconds",
            1000,
            rows());
    series(chart, "rebuilt", Measured::rebuildSeconds);
    series(chart, "all redundant", Measured::redundantSeconds);
    chart.save(file);
  }

  private void series(BarChart chart, String title, ToDoubleFunction<Measured> value) {
    chart.add(title, rows().stream().map(row -> spread(row, value)).toList());
  }
}
