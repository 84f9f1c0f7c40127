/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.caso;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.hdfsparity.benchmarks.macro.BadOption;
import io.hdfsparity.benchmarks.macro.Bench;
import io.hdfsparity.benchmarks.macro.EarlierRounds;
import io.hdfsparity.benchmarks.macro.Machine;
import io.hdfsparity.benchmarks.rounds.Case;
import io.hdfsparity.benchmarks.rounds.CommandLine;
import io.hdfsparity.benchmarks.rounds.Layout;
import io.hdfsparity.benchmarks.rounds.Rounds;
import io.hdfsparity.benchmarks.rounds.TraceFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The experiments of CASO on recorded volumes and on made-up traces with the statistics of Table
 * II.
 *
 * <pre>
 *   CasoExperimentsBenchmark OUT_DIR [--parts counts,effort,speed] [--msr FILE,…]
 *     [--volumes wdev_1,…] [--most-requests 2000000] [--codes 4-2,6-3,8-4] [--ratios 10,20,30,40,50]
 *     [--effort-requests 1000000,10000000] [--speed-writes 1000] [--speed-volumes wdev_2] [--warm-up 15]
 *     [--survive 0c2s]
 *     [--rounds 3] [--resume no] [--seed 1] [--dir DIR]
 * </pre>
 */
public final class CasoExperimentsBenchmark {
  private static final String NAME = "caso-experiments";
  private static final String PAPER = "CASO paper, Figs. 8 to 11";
  private static final Set<String> PARTS = Set.of("counts", "effort", "speed");

  private static final Layout EFFORT =
      new Layout(
          NAME + "-effort",
          PAPER,
          "What the default analysis takes",
          "default",
          List.of("seconds", "processor seconds", "heap MB"),
          "seconds");

  private final CommandLine options;
  private final List<CodeShape> codes;

  private CasoExperimentsBenchmark(CommandLine options) {
    this.options = options;
    codes = options.texts("codes").stream().map(CodeShape::parse).toList();
    for (String part : options.texts("parts")) {
      if (!PARTS.contains(part)) {
        throw new BadOption("parts", part, "some of " + new TreeSet<>(PARTS));
      }
    }
    TraceFile.requireDistinct(options.traces().stream().map(TraceFile::label).toList());
    TraceFile.requireDistinct(options.texts("volumes"));
    TraceFile.requireDistinct(options.texts("speed-volumes"));
  }

  /** Runs it. */
  public static void main(String[] args) {
    Bench.runAndExit(() -> run(args));
  }

  static void run(String... args) throws Exception {
    new CasoExperimentsBenchmark(CommandLine.parse(args, defaults())).run();
  }

  private static Map<String, String> defaults() {
    return Map.ofEntries(
        Map.entry("parts", "counts,effort,speed"),
        Map.entry("msr", ""),
        Map.entry("volumes", "wdev_1,wdev_2,wdev_3,web_1,web_3,rsrch_0,rsrch_1,rsrch_2,src2_1"),
        Map.entry("most-requests", "2000000"),
        Map.entry("codes", "4-2,6-3,8-4"),
        Map.entry("ratios", "10,20,30,40,50"),
        Map.entry("effort-requests", "1000000,10000000"),
        Map.entry("speed-writes", "1000"),
        Map.entry("speed-volumes", "wdev_2"),
        Map.entry("survive", "0c2s"),
        Map.entry("warm-up", "15"));
  }

  private void run() throws Exception {
    List<String> parts = options.texts("parts");
    if (parts.contains("counts")) {
      counts();
    }
    if (parts.contains("effort")) {
      effort();
    }
    if (parts.contains("speed")) {
      new SpeedRun(options, codes).run();
    }
  }

  private void counts() throws IOException {
    List<CountCase> cases = new ArrayList<>();
    for (String file : options.texts("msr")) {
      cases.addAll(cases(CasoTrace.read(Path.of(file))));
    }
    for (String volume : options.texts("volumes")) {
      cases.addAll(
          cases(CasoTrace.generated(volume, options.number("most-requests"), options.seed())));
    }
    Path out = options.out();
    Files.createDirectories(out);
    Map<String, Object> json = Machine.describe(NAME, PAPER);
    for (String name : List.of("seed", "volumes", "most-requests", "codes", "ratios")) {
      json.put(name, options.text(name));
    }
    if (!options.traces().isEmpty()) {
      json.put(EarlierRounds.TRACES, options.traces());
    }
    json.put("cases", cases.stream().map(CountCase::json).toList());
    new ObjectMapper()
        .enable(SerializationFeature.INDENT_OUTPUT)
        .writeValue(out.resolve(NAME + ".json").toFile(), json);
    CountsReport report = new CountsReport(cases);
    String table = report.table(codes.get(0));
    Files.writeString(out.resolve(NAME + ".txt"), table);
    System.out.println(table);
    report.plot(out, NAME, codes.get(0));
  }

  /** All codes at the paper's ratio, and all ratios with the first code. */
  private List<CountCase> cases(CasoTrace trace) throws IOException {
    List<CountCase> cases = new ArrayList<>();
    for (int percent : options.numbers("ratios")) {
      for (CodeShape code : codes) {
        if (percent == CountsReport.PAPERS_PERCENT || code.equals(codes.get(0))) {
          cases.add(CountCase.of(trace, code, percent, options.seed()));
          System.err.println(trace.label() + " " + code + " " + percent + " %");
        }
      }
    }
    return cases;
  }

  private void effort() throws Exception {
    List<Case> cases = new ArrayList<>();
    for (int requests : options.numbers("effort-requests")) {
      cases.add(new Case(requests + " requests, " + codes.get(0), Organizer.DEFAULT));
    }
    new Rounds(options, EFFORT)
        .run(
            cases,
            each ->
                Effort.of(
                    Long.parseLong(each.setting().substring(0, each.setting().indexOf(' '))),
                    codes.get(0),
                    options.seed()));
  }
}
