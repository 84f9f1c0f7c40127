/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.rounds;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.hdfsparity.benchmarks.macro.BarChart;
import io.hdfsparity.benchmarks.macro.Machine;
import io.hdfsparity.benchmarks.macro.Spread;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Table, JSON and plot. Ratios are to the baseline of the same setting and round. */
final class RoundsReport {
  private final Layout layout;
  private final Map<String, Object> description;
  private final List<Case> cases;
  private final List<Sample> samples;

  /**
   * A report.
   *
   * @param cases in the order that they are shown in
   */
  RoundsReport(
      Layout layout, Map<String, Object> description, List<Case> cases, List<Sample> samples) {
    this.layout = layout;
    this.description = new LinkedHashMap<>(description);
    this.cases =
        cases.stream()
            .filter(
                each ->
                    samples.stream()
                        .anyMatch(
                            sample ->
                                sample.setting().equals(each.setting())
                                    && sample.contender().equals(each.contender())))
            .toList();
    this.samples = List.copyOf(samples);
  }

  void write(Path dir) throws IOException {
    Files.createDirectories(dir);
    // First, and whole or not at all: a run that is interrupted here is resumed from it.
    Path results = dir.resolve(layout.benchmark() + ".json");
    Path whole = dir.resolve(layout.benchmark() + ".json.new");
    new ObjectMapper()
        .enable(SerializationFeature.INDENT_OUTPUT)
        .writeValue(whole.toFile(), json());
    Files.move(whole, results, StandardCopyOption.ATOMIC_MOVE);
    Files.writeString(dir.resolve(layout.benchmark() + ".txt"), table());
    if (!cases.isEmpty()) {
      plot(dir.resolve(layout.benchmark() + ".png"));
    }
  }

  private List<Sample> of(String setting, String contender) {
    return samples.stream()
        .filter(one -> one.setting().equals(setting) && one.contender().equals(contender))
        .toList();
  }

  private static double figure(Sample sample, String name) {
    return sample.figures().getOrDefault(name, Double.NaN);
  }

  private Spread spread(Case what, String figure) {
    return Spread.of(
        of(what.setting(), what.contender()).stream().map(one -> figure(one, figure)).toList());
  }

  private Spread ratio(Case what, String figure) {
    return Spread.ofRatios(
        of(what.setting(), what.contender()),
        of(what.setting(), layout.baseline()),
        Sample::round,
        sample -> figure(sample, figure));
  }

  String table() {
    StringBuilder out = new StringBuilder();
    long rounds = samples.stream().mapToInt(Sample::round).distinct().count();
    out.append(
        String.format(
            Locale.ROOT,
            "%s; %d rounds, %s; median (min..max); ratios to %s, the same round%n%n",
            layout.title(),
            rounds,
            Machine.links(),
            layout.baseline()));
    out.append(String.format(Locale.ROOT, "%-24s%-20s", "", ""));
    for (String column : layout.columns()) {
      out.append(String.format(Locale.ROOT, "%-28s%-22s", column, "ratio"));
    }
    out.append(System.lineSeparator());
    for (Case each : cases) {
      out.append(String.format(Locale.ROOT, "%-24s%-20s", each.setting(), each.contender()));
      for (String column : layout.columns()) {
        out.append(
            String.format(
                Locale.ROOT,
                "%-28s%-22s",
                shown(spread(each, column)),
                shown(ratio(each, column))));
      }
      out.append(System.lineSeparator());
    }
    return out.toString();
  }

  private static String shown(Spread spread) {
    return Double.isNaN(spread.median()) ? "-" : spread.toString();
  }

  private Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>(description);
    json.put("baseline", layout.baseline());
    json.put("samples", samples);
    List<Map<String, Object>> summary = new ArrayList<>();
    for (Case each : cases) {
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("setting", each.setting());
      entry.put("contender", each.contender());
      for (String column : layout.columns()) {
        entry.put(column, spread(each, column));
        entry.put(column + " ratio", ratio(each, column));
      }
      summary.add(entry);
    }
    json.put("summary", summary);
    return json;
  }

  private void plot(Path file) throws IOException {
    List<String> settings = cases.stream().map(Case::setting).distinct().toList();
    BarChart chart =
        new BarChart(
            layout.title() + " (" + layout.paper() + ", " + Machine.links() + ")",
            layout.plotted(),
            1100,
            settings);
    for (String contender : cases.stream().map(Case::contender).distinct().toList()) {
      chart.add(
          contender,
          settings.stream()
              .map(setting -> spread(new Case(setting, contender), layout.plotted()))
              .toList());
    }
    chart.save(file);
  }
}
