/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.kernel;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The contenders one by one, each in a JVM of its own, so that none spoils the profile of another.
 * Absolute times, in a quiet machine's hands; for shares on a noisy one see {@link
 * KernelBenchmark}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
public class KernelJmh {
  /** Calls an invocation: enough that C's loop is entered for nothing. */
  private static final int TIMES = 100;

  @Param({"isal-from-c", "isal", "word", "table", "hadoop-java"})
  String contender;

  @Param({"4096", "65536"})
  int cellBytes;

  @Param({"ENCODE", "DECODE", "UPDATE", "XOR", "ADD_TWICE"})
  Operation operation;

  private Contender chosen;

  /** Makes the contender. */
  @Setup
  public void prepare() throws Exception {
    chosen = Contenders.named(contender, new Stripe(cellBytes, 1));
    if (!chosen.does(operation)) {
      throw new UnsupportedOperationException(
          "Cannot measure: operation=" + operation + ", expected one that " + contender + " has");
    }
  }

  /** One operation on a stripe. */
  @Benchmark
  @OperationsPerInvocation(TIMES)
  public void operation() throws Exception {
    chosen.run(operation, TIMES);
  }
}
