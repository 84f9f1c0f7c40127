/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.kernel;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Lets contenders take turns of a few milliseconds in shuffled order, as shared machines halve
 * their speed for seconds at a time: what is compared is compared within a round.
 *
 * @param rounds turns of each
 * @param sliceNanos length of a turn
 * @param seed of the order
 */
public record AlternatingRounds(int rounds, long sliceNanos, long seed) {
  private static final int WARMUP_ROUNDS = 40;

  /** Does a thing so many times. */
  @FunctionalInterface
  public interface Task {
    void run(int times) throws Exception;
  }

  /**
   * Measures.
   *
   * @return calls a second of each task, by round, tasks in the given order
   */
  public <T> Map<T, List<Double>> callsPerSecond(Map<T, Task> tasks) throws Exception {
    Map<T, List<Double>> speeds = new LinkedHashMap<>();
    Map<T, Integer> timesPerSlice = new LinkedHashMap<>();
    for (Map.Entry<T, Task> task : tasks.entrySet()) {
      speeds.put(task.getKey(), new ArrayList<>());
      timesPerSlice.put(task.getKey(), calibrate(task.getValue()));
    }
    List<Map.Entry<T, Task>> order = new ArrayList<>(tasks.entrySet());
    Random random = new Random(seed);
    for (int round = 0; round < rounds; round++) {
      Collections.shuffle(order, random);
      for (Map.Entry<T, Task> task : order) {
        int times = timesPerSlice.get(task.getKey());
        speeds.get(task.getKey()).add(times * 1e9 / time(task.getValue(), times));
      }
    }
    return speeds;
  }

  /** Warms up, and finds how many calls fill a slice. */
  private int calibrate(Task task) throws Exception {
    int times = 1;
    for (int warmup = 0; warmup < WARMUP_ROUNDS; warmup++) {
      long nanos = Math.max(1, time(task, times));
      double fitting = (double) times * sliceNanos / nanos;
      times = (int) Math.max(1, Math.min(fitting, times * 10.0));
    }
    return times;
  }

  private static long time(Task task, int times) throws Exception {
    long start = System.nanoTime();
    task.run(times);
    return System.nanoTime() - start;
  }
}
