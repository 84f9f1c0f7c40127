/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.trace;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Makes the writes of 41 days with the statistics of the paper's Table 1; the same seed gives the
 * same writes. Used once, by one thread.
 *
 * <p>What Table 1 does not say is ours: a file is written from its beginning to its end when it is
 * first accessed; one that is updated is written over as a whole some two days later, and otherwise
 * in runs at random places. Which file is chosen by a weight of its own, that changes every half
 * day and now and then is ten times as large; in working hours there is more to do than at night
 * and on weekends. Reads are left out.
 */
public final class NfsTrace {
  /** That a trace has. */
  public static final int HOURS = TraceStatistics.DAYS * 24;

  private static final int HOURS_A_PERIOD = 12;
  private static final double RUN_KIB = 96;
  private static final double REWRITE_AFTER_HOURS = 48;
  private static final double POPULARITY_SIGMA = 1.5;
  private static final double PERIOD_SIGMA = 1.0;
  private static final double BURST_SHARE = 0.02;
  private static final double BURST = 10;

  /** 29 January 2003 was a Wednesday. */
  private static final int FIRST_WEEKDAY = 2;

  private final TraceStatistics wanted;
  private final SplittableRandom random;
  private final FileSet files;
  private final int[] updatedFiles;
  private final double[] popularity;
  private final RequestSizes firstSizes;
  private final RequestSizes updateSizes;
  private final List<List<Integer>> dueByHour = new ArrayList<>();
  private final Deque<Integer> due = new ArrayDeque<>();
  private int nextFile;

  public NfsTrace(TraceStatistics wanted, long seed) {
    this.wanted = wanted;
    random = new SplittableRandom(seed);
    files = new FileSet(wanted, HOURS, random);
    double firstWrites = wanted.writes() * (1 - wanted.updateShare());
    firstSizes = new RequestSizes(wanted.workingSetKib() / firstWrites, random);
    updateSizes = new RequestSizes(wanted.updateKib(), random);
    for (int hour = 0; hour < HOURS; hour++) {
      dueByHour.add(new ArrayList<>());
    }
    int updated = 0;
    int[] list = new int[files.count()];
    for (int file = 0; file < files.count(); file++) {
      if (files.isUpdated(file)) {
        list[updated++] = file;
        double after = 1 - REWRITE_AFTER_HOURS * Math.log(1 - random.nextDouble());
        int hour = (int) Math.min(files.firstHour(file) + after, HOURS - 1.0);
        dueByHour.get(hour).add(file);
      }
    }
    updatedFiles = Arrays.copyOf(list, updated);
    popularity = new double[updated];
    for (int i = 0; i < updated; i++) {
      popularity[i] = Math.exp(POPULARITY_SIGMA * random.nextGaussian());
    }
  }

  /** How much of the working set there is. */
  public long workingSetKib() {
    return files.sizeKib();
  }

  /** Makes all writes. */
  public void run(WriteSink sink) {
    double[] loads = new double[HOURS];
    double sum = 0;
    for (int hour = 0; hour < HOURS; hour++) {
      loads[hour] = load(hour);
      sum += loads[hour];
    }
    long updates = Math.round(wanted.writes() * wanted.updateShare());
    long made = 0;
    double until = 0;
    WeightedChoice choice = null;
    for (int hour = 0; hour < HOURS; hour++) {
      firstWrites(hour, sink);
      if (hour % HOURS_A_PERIOD == 0) {
        choice = choice(hour);
      }
      due.addAll(dueByHour.get(hour));
      until += loads[hour] / sum * updates;
      boolean isLast = hour == HOURS - 1;
      while (made < (isLast ? updates : until) || isLast && !due.isEmpty()) {
        made += due.isEmpty() ? someRun(hour, choice, sink) : wholeFile(hour, due.remove(), sink);
      }
    }
  }

  /** Relative to that of working hours. */
  private static double load(int hour) {
    int day = (hour / 24 + FIRST_WEEKDAY) % 7;
    int ofDay = hour % 24;
    double byHour = ofDay >= 9 && ofDay < 18 ? 1 : 0.35;
    return byHour * (day >= 5 ? 0.5 : 1);
  }

  private void firstWrites(int hour, WriteSink sink) {
    for (; nextFile < files.count() && files.firstHour(nextFile) <= hour; nextFile++) {
      range(hour, nextFile, 0, files.sizeKib(nextFile), firstSizes, sink);
    }
  }

  /** Which of the files that are there are written to in the period that begins now. */
  private WeightedChoice choice(int hour) {
    double[] weights = new double[updatedFiles.length];
    weights[0] = Double.MIN_NORMAL;
    for (int i = 0; i < weights.length; i++) {
      double now = popularity[i] * Math.exp(PERIOD_SIGMA * random.nextGaussian());
      if (random.nextDouble() < BURST_SHARE) {
        now *= BURST;
      }
      if (files.firstHour(updatedFiles[i]) <= hour) {
        weights[i] = now;
      }
    }
    return new WeightedChoice(weights);
  }

  private long wholeFile(int hour, int file, WriteSink sink) {
    return range(hour, file, 0, files.sizeKib(file), updateSizes, sink);
  }

  private long someRun(int hour, WeightedChoice choice, WriteSink sink) {
    int file = updatedFiles[choice.next(random)];
    int size = files.sizeKib(file);
    int run = (int) Math.min(size, 1 - RUN_KIB * Math.log(1 - random.nextDouble()));
    int from = random.nextInt(size - run + 1);
    return range(hour, file, from, run, updateSizes, sink);
  }

  /** Writes a range of a file from its beginning to its end. */
  private long range(
      int hour, int file, int fromKib, int lengthKib, RequestSizes sizes, WriteSink sink) {
    long requests = 0;
    for (int done = 0; done < lengthKib; requests++) {
      int size = sizes.next(lengthKib - done);
      sink.write(hour, file, files.startKib(file) + fromKib + done, size);
      done += size;
    }
    return requests;
  }
}
