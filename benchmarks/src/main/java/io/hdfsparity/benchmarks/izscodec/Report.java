/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.izscodec;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.hdfsparity.benchmarks.macro.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;

/** Table, JSON and a plot for each size of a cell. */
final class Report {
  private final Options options;
  private final List<Line> lines;

  Report(Options options, List<Line> lines) {
    this.options = options;
    this.lines = List.copyOf(lines);
  }

  String table() {
    StringBuilder table = new StringBuilder();
    table.append(
        String.format(
            Locale.ROOT,
            "One thread, %d rounds; speeds in bytes encoded, recovered or changed; shares of RS by"
                + " ISA-L from C, the same round; read: of k whole units%n%n",
            options.rounds()));
    table.append(
        String.format(
            Locale.ROOT,
            "%-8s%9s  %-10s%-16s%8s%8s  %10s  %s%n",
            "(k,r)",
            "cell",
            "work",
            "coder",
            "read",
            "GB/s",
            "of ISA-L",
            "quartiles"));
    for (Line line : lines) {
      table.append(
          String.format(
              Locale.ROOT,
              "%-8s%9d  %-10s%-16s%8.3f%8.2f  %9.1f%%  %.1f%%..%.1f%%%n",
              code(line),
              line.shape().cellBytes(),
              line.work(),
              line.coder(),
              line.shareRead(),
              line.gigabytesPerSecond().median(),
              100 * line.shareOfIsalFromC().median(),
              100 * line.shareOfIsalFromC().lower(),
              100 * line.shareOfIsalFromC().upper()));
    }
    return table.toString();
  }

  private static String code(Line line) {
    return "(" + line.shape().dataUnits() + "," + line.shape().parityUnits() + ")";
  }

  void write(Path dir) throws IOException {
    Files.createDirectories(dir);
    Files.writeString(dir.resolve("izs-codec.txt"), table());
    Map<String, Object> json = Machine.describe("izs-codec", "MFTS Fig. 7 and Table 6");
    json.put("rounds", options.rounds());
    json.put("sliceMs", options.sliceMs());
    json.put("seed", options.seed());
    json.put("lines", lines);
    new ObjectMapper()
        .enable(SerializationFeature.INDENT_OUTPUT)
        .writeValue(dir.resolve("izs-codec.json").toFile(), json);
    for (int cellKib : options.cellKib()) {
      plot(cellKib, dir.resolve("izs-codec-fig7-" + cellKib + "k.png"));
    }
  }

  /** Encoding speed of all codes, as in Fig. 7. */
  private void plot(int cellKib, Path file) throws IOException {
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(1200)
            .height(500)
            .title("Encoding, cells of " + cellKib + " KiB (Fig. 7)")
            .xAxisTitle("(data units, parity units)")
            .yAxisTitle("GB/s of data")
            .build();
    List<Line> shown =
        lines.stream()
            .filter(line -> line.shape().cellBytes() == cellKib << 10)
            .filter(line -> line.work().equals("encode") && !line.coder().startsWith("2-dup"))
            .toList();
    for (String coder : shown.stream().map(Line::coder).distinct().toList()) {
      List<Line> own = shown.stream().filter(line -> line.coder().equals(coder)).toList();
      chart.addSeries(
          coder,
          own.stream().map(Report::code).toList(),
          own.stream().map(line -> line.gigabytesPerSecond().median()).toList());
    }
    BitmapEncoder.saveBitmap(chart, file.toString(), BitmapEncoder.BitmapFormat.PNG);
  }
}
