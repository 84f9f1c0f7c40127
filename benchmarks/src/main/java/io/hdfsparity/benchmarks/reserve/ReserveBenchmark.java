/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.reserve;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.hdfsparity.benchmarks.macro.Bench;
import io.hdfsparity.benchmarks.macro.LineChart;
import io.hdfsparity.benchmarks.macro.Machine;
import io.hdfsparity.benchmarks.rounds.CommandLine;
import io.hdfsparity.benchmarks.trace.NfsTrace;
import io.hdfsparity.benchmarks.trace.TraceCounter;
import io.hdfsparity.benchmarks.trace.TraceStatistics;
import io.hdfsparity.ecupdate.storage.ReservedSpaceOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Overhead of reserved space, and merges that writes wait for, over a generated trace of 41 days.
 * Nothing is measured: the same options give the same figures on any machine.
 *
 * <pre>
 *   ReserveBenchmark OUT_DIR [--part-percent 100] [--alpha-percent 30] [--seed 1]
 * </pre>
 */
public final class ReserveBenchmark {
  private static final String NAME = "ecupdate-reserve";
  private static final long MIB = 1 << 20;
  private static final double PERCENT = 100;
  private static final double SELDOM = 0.5;

  private final CommandLine options;
  private final TraceStatistics wanted;

  private ReserveBenchmark(CommandLine options) {
    this.options = options;
    wanted = TraceStatistics.HARVARD.scaled(options.number("part-percent") / PERCENT);
  }

  /** Runs it. */
  public static void main(String[] args) {
    Bench.runAndExit(() -> run(args));
  }

  static void run(String... args) throws IOException {
    CommandLine options =
        CommandLine.parse(args, Map.of("part-percent", "100", "alpha-percent", "30"));
    new ReserveBenchmark(options).run();
  }

  private List<ReservePolicy> policies() {
    long chunkBytes = SegmentCode.PAPER.chunkBytes();
    List<ReservePolicy> policies = new ArrayList<>();
    for (long mib : new long[] {2, 8, 16}) {
      policies.add(policy(ReservePolicy.PeriodEnd.NOTHING, mib * MIB, chunkBytes, 1));
    }
    for (ReservePolicy.PeriodEnd turn :
        List.of(ReservePolicy.PeriodEnd.SHRINK, ReservePolicy.PeriodEnd.SHRINK_AND_MERGE)) {
      for (double utility : new double[] {1, SELDOM, 0}) {
        policies.add(policy(turn, 16 * MIB, chunkBytes, utility));
      }
      policies.add(policy(turn, 8 * MIB, chunkBytes, SELDOM));
      policies.add(policy(turn, 16 * MIB, MIB, SELDOM));
      policies.add(policy(turn, 16 * MIB, MIB / 4, SELDOM));
      // What a DataNode begins with by default, by chunks of several sizes.
      for (long chunks : new long[] {16, 4, 2, 1}) {
        policies.add(policy(turn, MIB, MIB / chunks, SELDOM));
      }
    }
    return policies;
  }

  private ReservePolicy policy(
      ReservePolicy.PeriodEnd turn, long defaultBytes, long chunkBytes, double utility) {
    return new ReservePolicy(
        turn,
        new ReservedSpaceOptions(
            options.number("alpha-percent") / PERCENT, chunkBytes, defaultBytes, utility));
  }

  private void run() throws IOException {
    NfsTrace trace = new NfsTrace(wanted, options.seed());
    TraceCounter counter = new TraceCounter();
    List<ReserveSimulation> simulations =
        policies().stream()
            .map(policy -> new ReserveSimulation(policy, SegmentCode.PAPER, trace.workingSetKib()))
            .toList();
    BitSet accessed = new BitSet();
    trace.run(
        (hour, file, addressKib, sizeKib) -> {
          counter.write(hour, file, addressKib, sizeKib);
          int from = Math.toIntExact(addressKib);
          if (accessed.get(from)) {
            simulations.forEach(each -> each.update(hour, addressKib, sizeKib));
          } else {
            accessed.set(from, from + sizeKib);
            simulations.forEach(each -> each.first(hour));
          }
        });
    List<ReserveOutcome> outcomes = simulations.stream().map(ReserveSimulation::end).toList();
    write(counter.statistics(), outcomes);
  }

  private void write(TraceStatistics made, List<ReserveOutcome> outcomes) throws IOException {
    Path out = options.out();
    Files.createDirectories(out);
    Map<String, Object> json = Machine.describe(NAME, "PLR paper, Figs. 9 and 10, Table 1");
    json.put("simulation", true);
    json.put("seed", options.seed());
    json.put("part-percent", options.number("part-percent"));
    json.put("alpha-percent", options.number("alpha-percent"));
    json.put("wanted", wanted);
    json.put("made", made);
    json.put("outcomes", outcomes.stream().map(ReserveBenchmark::json).toList());
    new ObjectMapper()
        .enable(SerializationFeature.INDENT_OUTPUT)
        .writeValue(out.resolve(NAME + ".json").toFile(), json);
    String table = table(made, outcomes);
    Files.writeString(out.resolve(NAME + ".txt"), table);
    System.out.println(table);
    plot(out, outcomes);
  }

  private static Map<String, Object> json(ReserveOutcome outcome) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("policy", outcome.policy());
    json.put("overhead at the end", outcome.lastOverhead());
    json.put("average overhead", outcome.averageOverhead());
    json.put("merges per 1000 writes", outcome.mergesPerThousand());
    json.put("worst day's merges per 1000 writes", outcome.worstMergesPerThousand());
    json.put("in place per 1000 writes", outcome.inPlacePerThousand());
    json.put("share of parity chunks without reserved space", outcome.withoutShare());
    json.put("overhead by half day", outcome.overhead());
    json.put("merges per 1000 writes by day", outcome.mergesByDay());
    return json;
  }

  private String table(TraceStatistics made, List<ReserveOutcome> outcomes) {
    StringBuilder out = new StringBuilder();
    out.append(
        "Reserved space over a generated trace of 41 days: a SIMULATION, nothing measured\n\n");
    out.append(String.format(Locale.ROOT, "%-32s%16s%16s%n", "", "Table 1, scaled", "generated"));
    line(out, "writes", wanted.writes(), made.writes());
    line(out, "working set, GB", gib(wanted), gib(made));
    line(
        out,
        "updated working set, %",
        PERCENT * wanted.updatedWorkingSetShare(),
        PERCENT * made.updatedWorkingSetShare());
    line(out, "update writes, %", PERCENT * wanted.updateShare(), PERCENT * made.updateShare());
    line(out, "files", wanted.files(), made.files());
    line(
        out,
        "updated files, %",
        PERCENT * wanted.updatedFileShare(),
        PERCENT * made.updatedFileShare());
    line(out, "average update, KB", wanted.updateKib(), made.updateKib());
    out.append(
        String.format(
            Locale.ROOT,
            "%n%-38s%10s%10s%14s%12s%14s%14s%n",
            "",
            "Γ, end",
            "Γ, mean",
            "merges/1000",
            "worst day",
            "in place/1000",
            "no space, %"));
    for (ReserveOutcome each : outcomes) {
      out.append(
          String.format(
              Locale.ROOT,
              "%-38s%10.3f%10.3f%14.2f%12.2f%14.2f%14.1f%n",
              each.policy(),
              each.lastOverhead(),
              each.averageOverhead(),
              each.mergesPerThousand(),
              each.worstMergesPerThousand(),
              each.inPlacePerThousand(),
              PERCENT * each.withoutShare()));
    }
    return out.toString();
  }

  private static double gib(TraceStatistics statistics) {
    return (double) statistics.workingSetKib() / (1 << 20);
  }

  private static void line(StringBuilder out, String name, double wanted, double made) {
    out.append(String.format(Locale.ROOT, "%-32s%,16.2f%,16.2f%n", name, wanted, made));
  }

  /** As many curves as can be told apart. */
  private static boolean isPlotted(ReserveOutcome outcome) {
    return outcome.policy().startsWith(ReservePolicy.PeriodEnd.NOTHING.label)
        || outcome.policy().contains(" 16 MiB by ")
            && outcome.policy().contains(" MiB, u0=" + SELDOM);
  }

  private static void plot(Path out, List<ReserveOutcome> outcomes) throws IOException {
    LineChart overhead =
        new LineChart("Overhead of reserved space (Fig. 9; simulation)", "day", "Γ");
    LineChart merges =
        new LineChart(
            "Merges that writes wait for (Fig. 10; simulation)", "day", "per 1000 writes");
    for (ReserveOutcome each : outcomes.stream().filter(ReserveBenchmark::isPlotted).toList()) {
      double[] halfDays =
          IntStream.range(0, each.overhead().length).mapToDouble(i -> (i + 1) / 2.0).toArray();
      double[] days = IntStream.range(0, each.writes().length).mapToDouble(i -> i + 1).toArray();
      overhead.add(each.policy(), halfDays, each.overhead());
      merges.add(each.policy(), days, each.mergesByDay());
    }
    overhead.save(out.resolve(NAME + "-fig9.png"));
    merges.save(out.resolve(NAME + "-fig10.png"));
  }
}
