/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.admin;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfsparity.core.check.ErrorMessage;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

/** The answer of -compare as bars, in SVG: no library is needed for that. Stateless. */
final class ComparisonPlot {
  private static final int BAR_WIDTH = 60;
  private static final int GROUP_WIDTH = 160;
  private static final int LEFT = 50;
  private static final int TOP = 60;
  private static final int HEIGHT = 240;
  private static final String[] COLOURS = {"#4477aa", "#cc6677"};
  private static final String[] FIELDS = {"parityUpdates", "additionalDegradedReads"};
  private static final String[] NAMES = {"parity updates", "additional degraded reads"};

  private ComparisonPlot() {}

  /** Writes a new file. */
  static void write(JsonNode doc, Path file) throws IOException {
    try {
      Files.writeString(file, svg(doc), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    } catch (FileAlreadyExistsException e) {
      throw new IOException(
          ErrorMessage.to("plot").value("file", file).expected("none of that name").message(), e);
    }
  }

  /** Bars of each organization, as shares of BSO. */
  static String svg(JsonNode doc) {
    double highest = 1;
    for (JsonNode row : doc.path("organizations")) {
      for (String field : FIELDS) {
        highest = Math.max(highest, row.path(field + "OfBso").asDouble());
      }
    }
    int groups = doc.path("organizations").size();
    int width = LEFT + groups * GROUP_WIDTH + 20;
    StringBuilder svg = new StringBuilder();
    line(
        svg,
        "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' font-family='sans-serif'"
            + " font-size='12'>",
        width,
        TOP + HEIGHT + 50);
    line(svg, "<rect width='100%%' height='100%%' fill='white'/>");
    line(
        svg,
        "<text x='%d' y='20' font-size='14'>RS(%d,%d), %s: %% of the order of addresses</text>",
        LEFT,
        doc.at("/parameters/k").asInt(),
        doc.at("/parameters/m").asInt(),
        escaped(Path.of(doc.at("/trace/file").asText()).getFileName()));
    for (int i = 0; i < FIELDS.length; i++) {
      int x = LEFT + i * 200;
      line(svg, "<rect x='%d' y='30' width='12' height='12' fill='%s'/>", x, COLOURS[i]);
      line(svg, "<text x='%d' y='41'>%s</text>", x + 18, NAMES[i]);
    }
    int group = 0;
    for (JsonNode row : doc.path("organizations")) {
      int x = LEFT + group++ * GROUP_WIDTH;
      for (int i = 0; i < FIELDS.length; i++) {
        bar(svg, x + i * BAR_WIDTH, row, i, highest);
      }
      line(
          svg,
          "<text x='%d' y='%d' text-anchor='middle'>%s</text>",
          x + BAR_WIDTH,
          TOP + HEIGHT + 20,
          escaped(row.path("name").asText()));
    }
    line(svg, "</svg>");
    return svg.toString();
  }

  private static void bar(StringBuilder svg, int x, JsonNode row, int i, double highest) {
    JsonNode share = row.path(FIELDS[i] + "OfBso");
    int height = (int) Math.round(share.asDouble() / highest * (HEIGHT - 20));
    line(
        svg,
        "<rect x='%d' y='%d' width='%d' height='%d' fill='%s'/>",
        x,
        TOP + HEIGHT - height,
        BAR_WIDTH - 6,
        height,
        COLOURS[i]);
    line(
        svg,
        "<text x='%d' y='%d' text-anchor='middle'>%s</text>",
        x + BAR_WIDTH / 2 - 3,
        TOP + HEIGHT - height - 5,
        Documents.percent(share));
  }

  private static void line(StringBuilder svg, String format, Object... arguments) {
    svg.append(String.format(Locale.ROOT, format, arguments)).append('\n');
  }

  private static String escaped(Object text) {
    return String.valueOf(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
