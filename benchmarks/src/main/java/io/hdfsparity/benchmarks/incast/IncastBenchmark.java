/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.incast;

import io.hdfsparity.benchmarks.macro.Bench;
import io.hdfsparity.benchmarks.macro.Machine;
import io.hdfsparity.benchmarks.rounds.Case;
import io.hdfsparity.benchmarks.rounds.CommandLine;
import io.hdfsparity.benchmarks.rounds.Layout;
import io.hdfsparity.benchmarks.rounds.Rounds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Goodput of synchronized reads against the number of helpers, where the switch has small buffers,
 * by the least timeout of TCP (MFTS paper, Fig. 11), and with what IZS and RS read to rebuild
 * (Table 9).
 *
 * <pre>
 *   IncastBenchmark OUT_DIR [--helpers 1,2,3,4,5,6,7,8,9,10,11,12] [--data-units 4,6,8] [--unit-kib 256]
 *     [--buffer-kib 64] [--seconds 2] [--rounds 3] [--minutes N] [--resume no] [--seed 1] [--only CONTENDER,…]
 * </pre>
 */
public final class IncastBenchmark {
  private static final int PARITY_UNITS = 2;
  private static final List<Retransmission> RETRANSMISSIONS =
      List.of(
          new Retransmission("RTO 200 ms", 200, false),
          new Retransmission("RTO least", 1, false),
          new Retransmission("RTO 200 ms, TLP", 200, true));
  private static final String RS = "RS";
  private static final Layout BY_HELPERS =
      new Layout(
          "izs-incast",
          "MFTS Fig. 11",
          "Goodput of synchronized reads",
          RETRANSMISSIONS.get(0).label(),
          List.of("goodput Mbit/s", "timeouts/s", "dropped/s"),
          "goodput Mbit/s");
  private static final Layout BY_CODE =
      new Layout(
          "izs-incast-rebuild",
          "MFTS Table 9",
          "Reads of a rebuild",
          RS,
          List.of("rebuilt Mbit/s", "goodput Mbit/s", "timeouts/s"),
          "rebuilt Mbit/s");

  private final CommandLine options;
  private final SwitchedNetwork network;
  private final byte[] content;

  private IncastBenchmark(CommandLine options, SwitchedNetwork network, byte[] content) {
    this.options = options;
    this.network = network;
    this.content = content;
  }

  /** Runs it. */
  public static void main(String[] args) {
    Bench.runAndExit(
        () -> {
          CommandLine options =
              CommandLine.parse(
                  args,
                  Map.of(
                      "helpers", "1,2,3,4,5,6,7,8,9,10,11,12",
                      "data-units", "4,6,8",
                      "unit-kib", "256",
                      "buffer-kib", "64",
                      "seconds", "2"));
          run(options);
        });
  }

  private static void run(CommandLine options) throws Exception {
    if (!Machine.ownNetwork() || Machine.linkMbit() == 0) {
      throw new IOException(
          "Cannot run: ownNetwork="
              + Machine.ownNetwork()
              + ", expected to be run as root by"
              + " hdfs-parity-bench, which gives it namespaces and the rate of links");
    }
    int most =
        IntStream.concat(
                options.numbers("helpers").stream().mapToInt(n -> n),
                options.numbers("data-units").stream().mapToInt(k -> k + PARITY_UNITS - 1))
            .max()
            .orElseThrow();
    SwitchedNetwork network =
        new SwitchedNetwork(most, Machine.linkMbit(), options.number("buffer-kib") << 10);
    byte[] content = Helper.content(options.number("unit-kib") << 10, options.seed());
    List<Helper> helpers = new ArrayList<>();
    try {
      for (NetworkNamespace where : network.helpers()) {
        helpers.add(new Helper(where, helpers.size() + 1, content));
      }
      IncastBenchmark benchmark = new IncastBenchmark(options, network, content);
      benchmark.byHelpers();
      benchmark.byCode();
    } finally {
      for (Helper helper : helpers) {
        helper.close();
      }
    }
  }

  private void byHelpers() throws Exception {
    List<Case> cases = new ArrayList<>();
    Map<String, Integer> helpers = new LinkedHashMap<>();
    for (int count : options.numbers("helpers")) {
      String setting = count + " helpers";
      helpers.put(setting, count);
      RETRANSMISSIONS.forEach(how -> cases.add(new Case(setting, how.label())));
    }
    new Rounds(options, BY_HELPERS)
        .run(
            cases,
            each ->
                measure(
                    retransmission(each.contender()),
                    Reading.equal(helpers.get(each.setting()), content.length)));
  }

  private static Retransmission retransmission(String label) {
    return RETRANSMISSIONS.stream()
        .filter(how -> how.label().equals(label))
        .findFirst()
        .orElseThrow();
  }

  /** What is read and how lost segments are repeated, by setting. */
  private record Rebuild(int dataUnits, Retransmission how) {
    String setting() {
      return "(" + (dataUnits + PARITY_UNITS) + "," + dataUnits + ") " + how.label();
    }
  }

  private void byCode() throws Exception {
    List<Case> cases = new ArrayList<>();
    Map<String, Rebuild> rebuilds = new LinkedHashMap<>();
    for (int k : options.numbers("data-units")) {
      for (Retransmission how : RETRANSMISSIONS) {
        Rebuild rebuild = new Rebuild(k, how);
        rebuilds.put(rebuild.setting(), rebuild);
        cases.add(new Case(rebuild.setting(), "IZS"));
        cases.add(new Case(rebuild.setting(), RS));
      }
    }
    new Rounds(options, BY_CODE)
        .run(
            cases,
            each -> {
              Rebuild rebuild = rebuilds.get(each.setting());
              return measure(
                  rebuild.how(),
                  each.contender().equals(RS)
                      ? Reading.ofRs(rebuild.dataUnits(), content.length)
                      : Reading.ofIzs(rebuild.dataUnits(), PARITY_UNITS, content.length));
            });
  }

  private Map<String, Double> measure(Retransmission how, Reading reading) throws Exception {
    network.use(how);
    try (SynchronizedReads reads = new SynchronizedReads(reading.helpers(), content)) {
      // Slow start and compilers first.
      reads.read(reading.turn(0));
      SwitchedNetwork.Losses before = network.losses();
      long started = System.nanoTime();
      long endNanos = started + options.number("seconds") * 1_000_000_000L;
      long bytes = 0;
      int turns = 0;
      while (System.nanoTime() < endNanos) {
        int[] lengths = reading.turn(turns++);
        reads.read(lengths);
        bytes += IntStream.of(lengths).sum();
      }
      double seconds = (System.nanoTime() - started) / 1e9;
      SwitchedNetwork.Losses losses = network.losses().since(before);
      Map<String, Double> figures = new LinkedHashMap<>();
      figures.put("goodput Mbit/s", bytes * 8 / seconds / 1e6);
      figures.put("rebuilt Mbit/s", (double) turns * reading.rebuiltBytes() * 8 / seconds / 1e6);
      figures.put("turns", (double) turns);
      figures.put("timeouts/s", losses.timeouts() / seconds);
      figures.put("dropped/s", losses.dropped() / seconds);
      figures.put("rto ms", network.rtoMs());
      return figures;
    }
  }
}
