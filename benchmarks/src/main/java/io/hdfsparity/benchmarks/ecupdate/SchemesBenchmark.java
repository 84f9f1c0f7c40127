/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.ecupdate;

import io.hdfsparity.benchmarks.macro.Bench;
import io.hdfsparity.benchmarks.rounds.Benchmark;
import io.hdfsparity.benchmarks.rounds.Case;
import io.hdfsparity.benchmarks.rounds.CommandLine;
import io.hdfsparity.benchmarks.rounds.Layout;
import io.hdfsparity.benchmarks.rounds.Rounds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The update schemes FO, FL, PL and PLR, and a file that is rewritten (CodFS paper, Figs. 5 and 6,
 * Table 3).
 *
 * <pre>
 *   SchemesBenchmark OUT_DIR [--compare schemes|same-space] [--data-units 3] [--parity-units 2] [--clients 4]
 *     [--outstanding 4] [--size-mb 24] [--block-mb 8] [--large 64] [--small 500] [--copies 2] [--recovery yes]
 *     [--rounds 3] [--resume no] [--minutes N] [--seed 1] [--dir DIR] [--only CONTENDER,…]
 * </pre>
 */
public final class SchemesBenchmark {
  private final CommandLine options;
  private final Bench bench;

  private SchemesBenchmark(CommandLine options, Bench bench) {
    this.options = options;
    this.bench = bench;
  }

  /** Runs it. */
  public static void main(String[] args) {
    Benchmark.runAndExit(
        args,
        Map.ofEntries(
            Map.entry("compare", "schemes"),
            Map.entry("data-units", "3"),
            Map.entry("parity-units", "2"),
            Map.entry("clients", "4"),
            Map.entry("outstanding", "4"),
            Map.entry("size-mb", "24"),
            Map.entry("block-mb", "8"),
            Map.entry("large", "64"),
            Map.entry("small", "500"),
            Map.entry("copies", "2"),
            Map.entry("recovery", "yes")),
        (options, bench) -> new SchemesBenchmark(options, bench).run());
  }

  private void run() throws Exception {
    int k = options.number("data-units");
    int m = options.number("parity-units");
    boolean isSameSpace = options.text("compare").equals("same-space");
    List<Contender> contenders = isSameSpace ? Contender.sameSpace(k, m) : Contender.schemes(k, m);
    List<Case> cases = new ArrayList<>();
    for (String setting : SchemeRun.SETTINGS) {
      contenders.forEach(each -> cases.add(new Case(setting, each.label())));
    }
    Layout layout =
        new Layout(
            isSameSpace ? "ecupdate-same-space" : "ecupdate-schemes",
            isSameSpace ? "CodFS Fig. 6" : "CodFS Figs. 5 and 6, Table 3",
            isSameSpace
                ? "The same space: reserved, or for more units"
                : "Update schemes; what is MODEL is a modelled 7,200 rpm disk, not a measured one",
            new Contender(isSameSpace ? "PLR" : "FO", k, m).label(),
            List.of("MB/s", "ops/s", "I/Os/op", "jumps/op", "MODEL ops/s", "F data", "F parity"),
            "MB/s");
    new Rounds(options, layout)
        .runJointly(
            cases,
            label ->
                new SchemeRun(
                        options,
                        bench,
                        contenders.stream()
                            .filter(each -> each.label().equals(label))
                            .findFirst()
                            .orElseThrow())
                    .run());
  }
}
