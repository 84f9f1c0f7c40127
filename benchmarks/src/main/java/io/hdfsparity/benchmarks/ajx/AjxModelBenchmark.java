/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.ajx;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.hdfsparity.benchmarks.ajx.AjxModel.Kind;
import io.hdfsparity.benchmarks.macro.Bench;
import io.hdfsparity.benchmarks.macro.LineChart;
import io.hdfsparity.benchmarks.macro.Machine;
import io.hdfsparity.benchmarks.rounds.CommandLine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Larger systems by simulation, tuned by what {@link AjxBenchmark} has measured. Nothing is
 * measured here: the same file and options give the same figures.
 *
 * <pre>
 *   AjxModelBenchmark OUT_DIR [--measured FILE,… default OUT_DIR/../ecupdate-ajx/ecupdate-ajx.json]
 *     [--model-link-mbit 1000] [--latency-us 100] [--outstanding 16] [--model-ms 500] [--seed 1]
 * </pre>
 */
public final class AjxModelBenchmark {
  private static final String NAME = "ecupdate-ajx-model";
  private static final int[] CLIENTS = {1, 2, 4, 8, 16, 32, 64};
  private static final int[][] CODES = {{2, 4}, {4, 6}, {8, 10}, {14, 16}, {16, 20}, {16, 32}};
  private static final int[] PARITY_UNITS = {1, 2, 4, 8, 16};
  private static final int[] DATA_UNITS = {4, 16};

  private final CommandLine options;
  private final MeasuredCosts measured;
  private final Map<String, Map<Integer, Double>> curves = new LinkedHashMap<>();

  /**
   * What the model says of a system that was measured.
   *
   * @param error of the model, as a share of what was measured
   */
  private record Check(
      String setting, String kind, double measured, double simulated, double error) {}

  private AjxModelBenchmark(CommandLine options) throws IOException {
    this.options = options;
    List<Path> files = options.texts("measured").stream().map(Path::of).toList();
    measured =
        MeasuredCosts.read(
            files.isEmpty()
                ? List.of(
                    options
                        .out()
                        .toAbsolutePath()
                        .resolveSibling("ecupdate-ajx")
                        .resolve("ecupdate-ajx.json"))
                : files);
  }

  /** Runs it. */
  public static void main(String[] args) {
    Bench.runAndExit(() -> run(args));
  }

  static void run(String... args) throws IOException {
    CommandLine options =
        CommandLine.parse(
            args,
            Map.of(
                "measured", "",
                "model-link-mbit", "1000",
                "latency-us", "100",
                "outstanding", "16",
                "model-ms", "500"));
    new AjxModelBenchmark(options).run();
  }

  private void run() throws IOException {
    List<Check> checks = new ArrayList<>();
    for (Kind kind : List.of(Kind.READ, Kind.WRITE)) {
      String contender = kind == Kind.READ ? "read" : "write";
      for (Map.Entry<String, AjxModel.Spec> system : measured.systems(kind).entrySet()) {
        double there = measured.median(system.getKey(), contender, "ops/s");
        double simulated =
            AjxModel.run(system.getValue(), measured.costs(kind, 0, 0), options.seed(), lengthMs())
                .perSecond();
        checks.add(new Check(system.getKey(), contender, there, simulated, simulated / there - 1));
      }
    }
    for (int[] code : CODES) {
      for (int clients : CLIENTS) {
        point("10a: " + name(code), clients, Kind.WRITE, code[0], code[1], clients);
        point("10b: " + name(code), clients, Kind.READ, code[0], code[1], clients);
      }
    }
    for (int dataUnits : DATA_UNITS) {
      for (int clients : new int[] {1, CLIENTS[CLIENTS.length - 1]}) {
        for (int parity : PARITY_UNITS) {
          String name = String.format(Locale.ROOT, "k=%d, %d clients", dataUnits, clients);
          int units = dataUnits + parity;
          point("10c: " + name, parity, Kind.WRITE, dataUnits, units, clients);
          point("10d: " + name, parity, Kind.BROADCAST_WRITE, dataUnits, units, clients);
        }
      }
    }
    write(checks);
  }

  private int lengthMs() {
    return options.number("model-ms");
  }

  private static String name(int[] code) {
    return code[0] + "-of-" + code[1];
  }

  private void point(String curve, int x, Kind kind, int dataUnits, int units, int clients)
      throws IOException {
    AjxModel.Spec spec =
        new AjxModel.Spec(kind, dataUnits, units, clients, options.number("outstanding"), 0);
    AjxModel.Result result = AjxModel.run(spec, costs(kind), options.seed(), lengthMs());
    curves.computeIfAbsent(curve, name -> new LinkedHashMap<>()).put(x, result.perSecond());
  }

  private AjxModel.Costs costs(Kind kind) throws IOException {
    return measured.costs(kind, options.number("latency-us"), options.number("model-link-mbit"));
  }

  private void write(List<Check> checks) throws IOException {
    Path out = options.out();
    Files.createDirectories(out);
    Map<String, Object> json = Machine.describe(NAME, "AJX paper, Fig. 10");
    json.put("simulation", true);
    json.put("seed", options.seed());
    json.put("outstanding", options.number("outstanding"));
    json.put("model-ms", lengthMs());
    json.put("tuned by", MeasuredCosts.TUNED_BY);
    json.put("costs of reads", costs(Kind.READ));
    json.put("costs of writes", costs(Kind.WRITE));
    json.put("against what was measured", checks);
    json.put("operations a second", curves);
    new ObjectMapper()
        .enable(SerializationFeature.INDENT_OUTPUT)
        .writeValue(out.resolve(NAME + ".json").toFile(), json);
    String table = table(checks);
    Files.writeString(out.resolve(NAME + ".txt"), table);
    System.out.println(table);
    plot(out, "10a", "Writes by clients", "clients");
    plot(out, "10b", "Reads by clients", "clients");
    plot(out, "10c", "Writes by redundancy", "parity units");
    plot(out, "10d", "Writes by broadcast", "parity units");
  }

  private String table(List<Check> checks) throws IOException {
    StringBuilder out = new StringBuilder();
    out.append("AJX on larger systems: a SIMULATION, tuned by what ecupdate-ajx has measured\n");
    out.append("reads:  ").append(costs(Kind.READ)).append('\n');
    out.append("writes: ").append(costs(Kind.WRITE)).append("\n\n");
    out.append("The measured system, simulated (2 processors for all, no limit of links)\n");
    for (Check check : checks) {
      out.append(
          String.format(
              Locale.ROOT,
              "%-24s%-8s measured %,10.0f simulated %,10.0f ops/s, error %+.0f %%%n",
              check.setting(),
              check.kind(),
              check.measured(),
              check.simulated(),
              100 * check.error()));
    }
    out.append("\nLarger ones, a processor and two links a host; operations a second\n");
    for (Map.Entry<String, Map<Integer, Double>> curve : curves.entrySet()) {
      out.append(String.format(Locale.ROOT, "%-28s", curve.getKey()));
      curve
          .getValue()
          .forEach((x, y) -> out.append(String.format(Locale.ROOT, "%6d:%,9.0f", x, y)));
      out.append('\n');
    }
    return out.toString();
  }

  private void plot(Path out, String figure, String title, String x) throws IOException {
    LineChart chart =
        new LineChart(
            title + " (AJX paper, Fig. " + figure + "; simulation)", x, "operations a second");
    for (Map.Entry<String, Map<Integer, Double>> curve : curves.entrySet()) {
      if (curve.getKey().startsWith(figure)) {
        chart.add(
            curve.getKey().substring(figure.length() + 2),
            curve.getValue().keySet().stream().mapToDouble(Integer::doubleValue).toArray(),
            curve.getValue().values().stream().mapToDouble(Double::doubleValue).toArray());
      }
    }
    chart.save(out.resolve(NAME + "-fig" + figure + ".png"));
  }
}
