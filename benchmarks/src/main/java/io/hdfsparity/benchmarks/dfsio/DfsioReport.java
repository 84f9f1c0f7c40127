/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.dfsio;

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
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;

/**
 * Table, JSON and plot of a comparison. Ratios are taken within a round, so that drift of the
 * machine cancels.
 */
final class DfsioReport {
  private static final String BASELINE = "HDFS-3";

  private final Options options;
  private final List<Sample> samples;

  DfsioReport(Options options, List<Sample> samples) {
    this.options = options;
    this.samples = List.copyOf(samples);
  }

  /** Median and range of some values. */
  record Spread(double median, double min, double max) {
    static Spread of(List<Double> values) {
      List<Double> sorted = values.stream().sorted().toList();
      int n = sorted.size();
      double median =
          n % 2 == 1 ? sorted.get(n / 2) : (sorted.get(n / 2 - 1) + sorted.get(n / 2)) / 2;
      return new Spread(median, sorted.get(0), sorted.get(n - 1));
    }

    @Override
    public String toString() {
      return String.format(Locale.ROOT, "%8.2f (%.2f..%.2f)", median, min, max);
    }
  }

  void write(Path dir) throws IOException {
    Files.createDirectories(dir);
    Files.writeString(dir.resolve("dfsio.txt"), table());
    new ObjectMapper()
        .enable(SerializationFeature.INDENT_OUTPUT)
        .writeValue(dir.resolve("dfsio.json").toFile(), json());
    plot(dir.resolve("dfsio-fig8-fig9.png"));
  }

  private List<Sample> of(String contender) {
    return samples.stream().filter(s -> s.contender().equals(contender)).toList();
  }

  private Spread spread(String contender, ToDoubleFunction<Sample> value) {
    return Spread.of(of(contender).stream().map(value::applyAsDouble).toList());
  }

  private Spread ratio(String contender, ToDoubleFunction<Sample> value) {
    List<Double> ratios = new ArrayList<>();
    for (Sample sample : of(contender)) {
      for (Sample base : of(BASELINE)) {
        if (base.round() == sample.round()) {
          ratios.add(value.applyAsDouble(sample) / value.applyAsDouble(base));
        }
      }
    }
    return Spread.of(ratios.isEmpty() ? List.of(Double.NaN) : ratios);
  }

  private List<String> contenders() {
    return Contender.all().stream()
        .map(Contender::name)
        .filter(name -> !of(name).isEmpty())
        .toList();
  }

  private String table() {
    StringBuilder out = new StringBuilder();
    out.append(
        String.format(
            Locale.ROOT,
            "TestDFSIO, %d files of %d MiB, %d at a time, %d rounds; MiB/s and ratios to HDFS-3 of the same round, median"
                + " (min..max)%n%n",
            options.files(),
            options.sizeMb(),
            options.tasks(),
            options.rounds()));
    out.append(
        String.format(
            Locale.ROOT,
            "%-14s%-28s%-28s%-28s%-28s%-28s%s%n",
            "",
            "write",
            "write/HDFS-3",
            "read/HDFS-3",
            "re-write/HDFS-3",
            "received bytes/byte",
            "network bytes/byte"));
    for (String name : contenders()) {
      out.append(
          String.format(
              Locale.ROOT,
              "%-14s%-28s%-28s%-28s%-28s%-28s%s%n",
              name,
              spread(name, Sample::writeMegabytesPerSecond),
              ratio(name, Sample::writeMegabytesPerSecond),
              ratio(name, Sample::readMegabytesPerSecond),
              ratio(name, Sample::rewriteMegabytesPerSecond),
              spread(name, Sample::receivedBytesPerByte),
              spread(name, Sample::networkBytesPerByte)));
    }
    return out.toString();
  }

  private Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("benchmark", "dfsio");
    json.put("paper", "RAIDP Figs. 8 and 9");
    json.put("java", System.getProperty("java.vm.name") + " " + System.getProperty("java.version"));
    json.put("processors", Runtime.getRuntime().availableProcessors());
    json.put("commit", System.getProperty("benchmark.commit", "unknown"));
    json.put("cpu", System.getProperty("benchmark.cpu", "unknown"));
    json.put("rounds", options.rounds());
    json.put("files", options.files());
    json.put("sizeMiB", options.sizeMb());
    json.put("tasks", options.tasks());
    json.put("seed", options.seed());
    json.put("samples", samples);
    Map<String, Object> summary = new LinkedHashMap<>();
    for (String name : contenders()) {
      summary.put(
          name,
          Map.of(
              "writeRatioToHdfs3", ratio(name, Sample::writeMegabytesPerSecond),
              "readRatioToHdfs3", ratio(name, Sample::readMegabytesPerSecond),
              "rewriteRatioToHdfs3", ratio(name, Sample::rewriteMegabytesPerSecond),
              "networkBytesPerByte", spread(name, Sample::networkBytesPerByte)));
    }
    json.put("summary", summary);
    return json;
  }

  private void plot(Path file) throws IOException {
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(900)
            .height(500)
            .title("TestDFSIO, relative to HDFS with three replicas")
            .yAxisTitle("throughput / HDFS-3")
            .build();
    List<String> names = contenders();
    series(chart, "write (Fig. 8)", names, Sample::writeMegabytesPerSecond);
    series(chart, "re-write", names, Sample::rewriteMegabytesPerSecond);
    series(chart, "read (Fig. 9)", names, Sample::readMegabytesPerSecond);
    BitmapEncoder.saveBitmap(chart, file.toString(), BitmapEncoder.BitmapFormat.PNG);
  }

  private void series(
      CategoryChart chart, String title, List<String> names, ToDoubleFunction<Sample> value) {
    List<Double> medians = names.stream().map(name -> ratio(name, value).median()).toList();
    List<Double> errors =
        names.stream()
            .map(
                name -> {
                  Spread spread = ratio(name, value);
                  return Math.max(spread.max() - spread.median(), spread.median() - spread.min());
                })
            .toList();
    chart.addSeries(title, names, medians, errors);
  }
}
