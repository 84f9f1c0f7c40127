/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.nbd;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads what fio has measured. */
final class FioFigures {
  /** Columns of the table. */
  static final String OPERATIONS = "operations/s";

  static final String RATE = "MB/s";
  static final String MEDIAN = "p50 ms";
  static final String HIGH = "p99 ms";

  private static final double NANOS = 1e6;
  private static final double MEGABYTE = 1 << 20;

  private FioFigures() {}

  /**
   * Figures of the only job.
   *
   * @param report what {@code fio --output-format=json} has written; lines may come before it
   * @param side {@code read} or {@code write}
   * @throws IOException when the job failed, or nothing was measured
   */
  static Map<String, Double> of(String report, String side) throws IOException {
    JsonNode job =
        new ObjectMapper()
            .readTree(report.substring(Math.max(0, report.indexOf('{'))))
            .path("jobs")
            .path(0);
    JsonNode measured = job.path(side);
    JsonNode times = measured.path("clat_ns").path("percentile");
    if (job.path("error").asInt(-1) != 0
        || measured.path("total_ios").asLong() == 0
        || !times.has("99.000000")) {
      throw new IOException(
          "Cannot use what fio has measured: error="
              + job.path("error")
              + " operations="
              + measured.path("total_ios")
              + ", expected no error and some operations with their times: "
              + report);
    }
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put(OPERATIONS, measured.path("iops").asDouble());
    figures.put(RATE, measured.path("bw_bytes").asDouble() / MEGABYTE);
    figures.put(MEDIAN, times.path("50.000000").asDouble() / NANOS);
    figures.put(HIGH, times.path("99.000000").asDouble() / NANOS);
    return figures;
  }
}
