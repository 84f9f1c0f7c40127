/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfsparity.caso.correlation.CorrelationGraph;
import io.hdfsparity.caso.correlation.TimeWindows;
import io.hdfsparity.caso.organize.HeldBackOrganizer;
import io.hdfsparity.caso.organize.Method;
import io.hdfsparity.core.cli.SizesAndDurations;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.Locale;

/** Parts that the answers of several commands have, as JSON and as text made of it. Stateless. */
final class Documents {
  private static final double TICKS_PER_MS = 10_000;

  private Documents() {}

  static void parameters(TraceArguments a, ObjectNode to) {
    to.put("k", a.stripes().dataCells()).put("m", a.stripes().parityCells());
    if (a.source().format() == TraceArguments.Format.MSR) {
      to.put("cellBytes", a.stripes().cellSizeBytes());
    }
    to.put("ratio", a.search().ratio()).put("distanceTicks", a.search().distanceTicks());
    to.put("threshold", a.search().threshold()).put("seed", a.search().seed());
  }

  static void analysed(TimeWindows windows, CorrelationGraph graph, ObjectNode to) {
    to.put("windows", windows.count()).put("writes", windows.requestCount());
    to.put("correlatedCells", graph.vertexCount()).put("correlatedPairs", graph.edgeCount());
    to.put("leftOutWindows", graph.leftOutWindowCount());
  }

  static void choice(HeldBackOrganizer.Choice choice, ObjectNode to) {
    to.put("method", word(choice.method())).put("estimatedGain", choice.estimatedGain());
    to.put("estimatedDegradedReadGain", choice.estimatedReadGain());
    ObjectNode stripes = to.putObject("heldBackStripeWrites");
    ObjectNode reads = to.putObject("heldBackDegradedReads");
    for (Method method : Method.values()) {
      stripes.put(word(method), choice.trial(method).stripeWrites());
      reads.put(word(method), choice.trial(method).degradedReads());
    }
  }

  static String word(Method method) {
    return method.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Time and memory of the analysis itself. */
  static void effort(ObjectNode doc, long readMs, long organizeMs, long replayMs) {
    ObjectNode effort = doc.putObject("effort");
    effort.put("readMs", readMs).put("organizeMs", organizeMs).put("replayMs", replayMs);
    long peakBytes = 0;
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      peakBytes += pool.getType() == MemoryType.HEAP ? pool.getPeakUsage().getUsed() : 0;
    }
    // Pools have their peaks at different times.
    effort.put("peakHeapBytes", Math.min(peakBytes, Runtime.getRuntime().maxMemory()));
  }

  static void traceText(JsonNode d, PrintStream out) {
    traceLine(d.path("trace"), out);
    JsonNode p = d.path("parameters");
    JsonNode a = d.path("analysed");
    out.printf(
        Locale.ROOT,
        "Code:     %d data and %d parity cells a stripe, %s%n",
        p.path("k").asInt(),
        p.path("m").asInt(),
        p.has("cellBytes")
            ? "cells of " + SizesAndDurations.bytes(p.path("cellBytes").asLong())
            : "a cell is a file");
    out.printf(
        Locale.ROOT,
        "Analysed: ratio %s, %,d windows of %s ms with %,d writes; %,d cells correlated in %,d"
            + " pairs (at least %d windows)%n",
        p.path("ratio").asText(),
        a.path("windows").asLong(),
        number(p.path("distanceTicks").asLong() / TICKS_PER_MS),
        a.path("writes").asLong(),
        a.path("correlatedCells").asLong(),
        a.path("correlatedPairs").asLong(),
        p.path("threshold").asInt());
    if (a.path("leftOutWindows").asLong() > 0) {
      out.printf(
          Locale.ROOT,
          "          %,d windows left out of the count: they have too many cells%n",
          a.path("leftOutWindows").asLong());
    }
  }

  /** What was read; what may be wrong with it in capitals. */
  static void traceLine(JsonNode trace, PrintStream out) {
    out.printf(
        Locale.ROOT,
        "Trace:    %s, %,d writes, %,d reads%s%s%s%s%n",
        trace.path("file").asText(),
        trace.path("writes").asLong(),
        trace.path("reads").asLong(),
        counted(trace, "files", 1, "files"),
        counted(trace, "requestsOfOtherVolumes", 1, "requests of other volumes left out"),
        counted(trace, "volumes", 2, "VOLUMES MERGED INTO ONE ADDRESS SPACE"),
        counted(trace, "badLines", 1, "BAD LINES LEFT OUT"));
  }

  private static String counted(JsonNode trace, String field, long least, String name) {
    long count = trace.path(field).asLong();
    return count < least ? "" : String.format(Locale.ROOT, ", %,d %s", count, name);
  }

  static void choiceText(JsonNode c, PrintStream out) {
    out.println("Default: " + c.path("method").asText());
    if (c.path("estimatedGain").isNull()) {
      out.println(
          "         by MapReduce: not tried on windows held back, whether it pays is not known");
      return;
    }
    out.println(
        "         stripe writes on the analysed windows held back: "
            + tried(c.path("heldBackStripeWrites")));
    out.println(
        "         additional degraded reads held back: " + tried(c.path("heldBackDegradedReads")));
    out.printf(
        Locale.ROOT,
        "         estimated saving of parity updates: %.1f %%, of additional degraded reads: %.1f"
            + " %%%n",
        100 * c.path("estimatedGain").asDouble(),
        100 * c.path("estimatedDegradedReadGain").asDouble());
  }

  private static String tried(JsonNode byMethod) {
    StringBuilder tried = new StringBuilder();
    byMethod
        .fields()
        .forEachRemaining(
            e ->
                tried
                    .append(tried.length() == 0 ? "" : ", ")
                    .append(e.getKey())
                    .append(' ')
                    .append(String.format(Locale.ROOT, "%,d", e.getValue().asLong())));
    return tried.toString();
  }

  static void effortText(JsonNode d, PrintStream out) {
    JsonNode e = d.path("effort");
    out.printf(
        Locale.ROOT,
        "Took:    %.1f s to read, %.1f s to organize, %.1f s to replay; heap at most %s%n",
        e.path("readMs").asLong() / 1000.0,
        e.path("organizeMs").asLong() / 1000.0,
        e.path("replayMs").asLong() / 1000.0,
        SizesAndDurations.bytes(e.path("peakHeapBytes").asLong()));
  }

  static String percent(JsonNode share) {
    return share.isNumber() ? String.format(Locale.ROOT, "%.1f %%", 100 * share.asDouble()) : "-";
  }

  private static String number(double value) {
    return value == Math.rint(value)
        ? String.format(Locale.ROOT, "%,d", (long) value)
        : Double.toString(value);
  }
}
