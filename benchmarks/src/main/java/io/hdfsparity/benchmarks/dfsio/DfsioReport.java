/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.dfsio;

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
    return Spread.ofRatios(of(contender), of(BASELINE), Sample::round, value);
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
            "TestDFSIO, %d files of %d MiB, %d at a time, %d rounds, %s; MiB/s and ratios of wall-clock"
                + " speeds to HDFS-3 of the same round, median (min..max)%n%n",
            options.files(),
            options.sizeMb(),
            options.tasks(),
            options.run().rounds(),
            Machine.links()));
    out.append(
        String.format(
            Locale.ROOT,
            "%-14s%-22s%-22s%-22s%-22s%-22s%-22s%-22s%-22s%-22s%-22s%s%n",
            "",
            "write",
            "write/HDFS-3",
            "idle s after write",
            "read/HDFS-3",
            "re-write/HDFS-3",
            "DFSIO write/HDFS-3",
            "received bytes/byte",
            "network bytes/byte",
            "network/HDFS-3",
            "processor s/GiB",
            "processor/HDFS-3"));
    for (String name : contenders()) {
      out.append(
          String.format(
              Locale.ROOT,
              "%-14s%-22s%-22s%-22s%-22s%-22s%-22s%-22s%-22s%-22s%-22s%s%n",
              name,
              spread(name, s -> s.write().wallClock()),
              ratio(name, s -> s.write().wallClock()),
              spread(name, Sample::settledSeconds),
              ratio(name, s -> s.read().wallClock()),
              ratio(name, s -> s.rewrite().wallClock()),
              ratio(name, s -> s.write().testDfsio()),
              spread(name, s -> s.cost().receivedBytesPerByte()),
              spread(name, s -> s.cost().networkBytesPerByte()),
              ratio(name, s -> s.cost().networkBytesPerByte()),
              spread(name, s -> s.cost().processorSecondsPerGiB()),
              ratio(name, s -> s.cost().processorSecondsPerGiB())));
    }
    out.append(
        String.format(
            Locale.ROOT,
            "%nCompilers took at most %.0f %% of the processors when the last warm-up of a cluster wrote.%n",
            100 * samples.stream().mapToDouble(Sample::compilingShare).max().orElse(0)));
    return out.toString();
  }

  private Map<String, Object> json() {
    Map<String, Object> json = options.describe();
    json.put("samples", samples);
    Map<String, Object> summary = new LinkedHashMap<>();
    for (String name : contenders()) {
      summary.put(
          name,
          Map.of(
              "writeRatioToHdfs3", ratio(name, s -> s.write().wallClock()),
              "idleSecondsAfterWrite", spread(name, Sample::settledSeconds),
              "readRatioToHdfs3", ratio(name, s -> s.read().wallClock()),
              "rewriteRatioToHdfs3", ratio(name, s -> s.rewrite().wallClock()),
              "testDfsioWriteRatioToHdfs3", ratio(name, s -> s.write().testDfsio()),
              "networkBytesPerByte", spread(name, s -> s.cost().networkBytesPerByte()),
              "networkRatioToHdfs3", ratio(name, s -> s.cost().networkBytesPerByte()),
              "processorSecondsPerGiB", spread(name, s -> s.cost().processorSecondsPerGiB()),
              "processorRatioToHdfs3", ratio(name, s -> s.cost().processorSecondsPerGiB())));
    }
    json.put("summary", summary);
    return json;
  }

  private void plot(Path file) throws IOException {
    BarChart chart =
        new BarChart(
            "TestDFSIO, relative to HDFS with three replicas (" + Machine.links() + ")",
            "throughput / HDFS-3",
            900,
            contenders());
    series(chart, "write (Fig. 8)", s -> s.write().wallClock());
    series(chart, "re-write", s -> s.rewrite().wallClock());
    series(chart, "read (Fig. 9)", s -> s.read().wallClock());
    chart.save(file);
  }

  private void series(BarChart chart, String title, ToDoubleFunction<Sample> value) {
    chart.add(title, contenders().stream().map(name -> ratio(name, value)).toList());
  }
}
