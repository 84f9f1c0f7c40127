/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static io.hdfsparity.localcluster.quickstart.Texts.format;
import static io.hdfsparity.localcluster.quickstart.Texts.seconds;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfsparity.localcluster.UpdateCounters;
import java.util.ArrayList;
import java.util.List;

/** What the chapter on organized files tells in figures. Pure. */
final class CasoTables {
  private CasoTables() {}

  /** What {@code caso -compare -json} says of the second half of a trace. */
  static List<String> compared(JsonNode doc) {
    List<String> lines = new ArrayList<>();
    long learned = doc.at("/analysed/windows").asLong();
    JsonNode next = doc.path("replayed");
    long writes = next.path("writes").asLong();
    long read = next.path("reads").asLong();
    lines.add(
        format(
            "learned from {window}, tried on the next %,d with {write} and {read}",
            learned, next.path("windows").asLong(), writes, read));
    lines.add(format("%-26s %16s %8s %26s", "", "parity updates", "", "additional degraded reads"));
    for (JsonNode each : doc.path("organizations")) {
      String name = name(each.path("name").asText());
      long updates = each.path("parityUpdates").asLong();
      String share = format("%.1f %%", 100 * each.path("parityUpdatesOfBso").asDouble());
      long reads = each.path("additionalDegradedReads").asLong();
      if (!name.isEmpty()) {
        lines.add(format("%-26s %,16d %8s %,26d", name, updates, share, reads));
      }
    }
    return lines;
  }

  private static String name(String organization) {
    return switch (organization) {
      case "bso" -> "in order of addresses";
      case "algorithm1" -> "the paper's greedy";
      case "default" -> "hdfs caso, by default";
      default -> "";
    };
  }

  /**
   * Parity updates that {@code caso -compare} has found for an organization.
   *
   * @throws QuickstartException if it is not there
   */
  static long predicted(JsonNode compared, String organization) throws QuickstartException {
    for (JsonNode each : compared.path("organizations")) {
      if (each.path("name").asText().equals(organization)) {
        return each.path("parityUpdates").asLong();
      }
    }
    throw QuickstartException.cluster("caso -compare lacks %s", organization);
  }

  /**
   * What writes to a file have cost.
   *
   * @param predicted parity updates
   * @param counted by DataNodes, at least one parity update
   */
  record Row(String name, long predicted, UpdateCounters counted, long ms) {}

  /** A line each; shares are of the first. */
  static List<String> costs(List<Row> rows) {
    List<String> lines = new ArrayList<>();
    lines.add(
        format(
            "%-26s %16s %16s %8s %12s %8s",
            "parity updates", "predicted", "by DataNodes", "", "cell writes", "time"));
    long first = rows.get(0).counted().parityUpdates();
    for (Row row : rows) {
      long updates = row.counted().parityUpdates();
      String share = Texts.percent(updates, first);
      long writes = row.counted().cellWrites();
      lines.add(
          format(
              "%-26s %,16d %,16d %8s %,12d %8s",
              row.name(), row.predicted(), updates, share, writes, seconds(row.ms())));
    }
    return lines;
  }
}
