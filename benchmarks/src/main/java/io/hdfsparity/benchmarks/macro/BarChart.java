/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.macro;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;

/** Medians as bars, with their spread. Not thread-safe. */
public final class BarChart {
  private static final int HEIGHT_PIXELS = 500;

  /** Names of more groups are turned, or they would lie on each other. */
  private static final int MAX_LEVEL_NAMES = 12;

  private static final int TURN_DEGREES = 60;

  private final CategoryChart chart;
  private final List<String> groups;

  /**
   * An empty chart.
   *
   * @param value what the bars are, and its unit
   * @param groups names of groups of bars
   */
  public BarChart(String title, String value, int widthPixels, List<String> groups) {
    this.chart =
        new CategoryChartBuilder()
            .width(widthPixels)
            .height(HEIGHT_PIXELS)
            .title(title)
            .yAxisTitle(value)
            .build();
    this.groups = List.copyOf(groups);
    if (groups.size() > MAX_LEVEL_NAMES) {
      chart.getStyler().setXAxisLabelRotation(TURN_DEGREES);
    }
  }

  /** Adds a bar to each group; none where the spread is of nothing. */
  public void add(String name, List<Spread> spreads) {
    chart.addSeries(
        name,
        groups,
        spreads.stream().map(Spread::median).map(m -> Double.isNaN(m) ? 0 : m).toList(),
        spreads.stream().map(Spread::error).toList());
  }

  /** Writes it as PNG. */
  public void save(Path file) throws IOException {
    BitmapEncoder.saveBitmap(chart, file.toString(), BitmapEncoder.BitmapFormat.PNG);
  }
}
