/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.izscodec;

import io.hdfsparity.benchmarks.kernel.AlternatingRounds;
import io.hdfsparity.benchmarks.kernel.IsalLoop;
import io.hdfsparity.benchmarks.macro.Bench;
import io.hdfsparity.core.erasure.UndecodableException;
import io.hdfsparity.core.gf.Kernel;
import io.hdfsparity.core.gf.Kernels;
import io.hdfsparity.izs.codec.IzsFamily;
import io.hdfsparity.izs.codec.TwoDuplication;
import io.hdfsparity.izs.rawcoder.IsalRsRawErasureCoderFactory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.io.erasurecode.rawcoder.RSRawErasureCoderFactory;

/**
 * Encode, decode, repair and partial update of the IZS codes on each kernel, of Hadoop's
 * Reed-Solomon code by Hadoop's Java coder and by the suite's, and of the same by ISA-L called from
 * C, on one thread (MFTS paper, Fig. 7 and Table 6). Speeds are given as shares of ISA-L from C in
 * the same round.
 *
 * <pre>
 *   IzsCodecBenchmark OUT_DIR [--data-units 4,6,8,10] [--cell-kib 64,1024] [--rounds 100] [--slice-ms 4] [--seed 1]
 * </pre>
 */
public final class IzsCodecBenchmark {
  private static final List<String> KERNELS = List.of("isal", "vector", "word");

  private final Options options;

  private IzsCodecBenchmark(Options options) {
    this.options = options;
  }

  /** Runs everything, and writes what there is after each stripe shape. */
  public static void main(String[] arguments) {
    Bench.runAndExit(
        () -> {
          Options options = Options.parse(arguments);
          IsalLoop.build();
          new IzsCodecBenchmark(options).run();
        });
  }

  private void run() throws Exception {
    List<Line> lines = new ArrayList<>();
    for (int dataUnits : options.dataUnits()) {
      for (int parityUnits = 1; parityUnits <= IzsFamily.MAX_PARITY_COLUMNS; parityUnits++) {
        for (int cellKib : options.cellKib()) {
          Shape shape = new Shape(dataUnits, parityUnits, cellKib << 10);
          List<Coder> coders = coders(shape);
          for (Work work : Work.all(parityUnits)) {
            lines.addAll(measure(shape, work, coders));
          }
        }
        Report report = new Report(options, lines);
        report.write(options.out());
        System.out.println("measured (" + dataUnits + "," + parityUnits + ")");
      }
    }
    System.out.print(new Report(options, lines).table());
  }

  private Cells cells(Shape shape) {
    return new Cells(shape, options.seed());
  }

  /** The yardstick first. */
  private List<Coder> coders(Shape shape) throws UndecodableException {
    List<Coder> coders = new ArrayList<>();
    coders.add(new RsFromC(cells(shape)));
    coders.add(new RsRaw(new IsalRsRawErasureCoderFactory(), cells(shape)));
    coders.add(new RsRaw(new RSRawErasureCoderFactory(), cells(shape)));
    for (Kernel kernel : Kernels.table().supported()) {
      if (KERNELS.contains(kernel.name())) {
        coders.add(
            new Zigzag(
                "izs",
                IzsFamily.code(shape.dataUnits(), shape.parityUnits()),
                kernel,
                cells(shape)));
      }
    }
    if (shape.dataUnits() == 4 && shape.parityUnits() == 2) {
      coders.add(new Zigzag("2-dup", TwoDuplication.code(), Kernels.best(), cells(shape)));
    }
    return coders;
  }

  private List<Line> measure(Shape shape, Work work, List<Coder> coders) throws Exception {
    Map<String, byte[]> expected = new LinkedHashMap<>();
    Map<Coder, AlternatingRounds.Task> tasks = new LinkedHashMap<>();
    for (Coder coder : coders) {
      if (coder.does(work)) {
        check(coder, work, expected);
        tasks.put(coder, times -> coder.run(work, times));
      }
    }
    AlternatingRounds turns =
        new AlternatingRounds(options.rounds(), options.sliceMs() * 1_000_000L, options.seed());
    Map<Coder, List<Double>> speeds = turns.callsPerSecond(tasks);
    List<Double> yardstick = speeds.get(coders.get(0));
    List<Line> lines = new ArrayList<>();
    speeds.forEach((coder, calls) -> lines.add(Line.of(shape, work, coder, calls, yardstick)));
    return lines;
  }

  /**
   * Does it once: a fast coder with wrong bytes would be none.
   *
   * @param expected parity after that, by code
   */
  private static void check(Coder coder, Work work, Map<String, byte[]> expected) throws Exception {
    Cells cells = coder.cells();
    cells.spoilRecovered();
    coder.run(new Work(Work.Kind.ENCODE, 0), 1);
    coder.fetch();
    coder.run(work, 1);
    byte[] parity = cells.parityBytes();
    byte[] first = expected.putIfAbsent(coder.code(), parity);
    if (!cells.isRecovered(work.losses()) || (first != null && !Arrays.equals(first, parity))) {
      throw new IOException(
          "Cannot measure: coder="
              + coder.name()
              + ", expected the bytes of code "
              + coder.code()
              + " for "
              + work.label()
              + " of "
              + cells.shape);
    }
  }
}
