/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.striped;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;

/**
 * Threads that read by a trace each, one request after the other, and compare what they read. All
 * files stay open, one stream a thread and file.
 */
final class Readers implements Closeable {
  private final FileSystem fs;
  private final StripedFiles files;
  private final ExecutorService threads;
  private final Predicate<Trace.Request> special;
  private final List<Future<List<RequestTime>>> results = new ArrayList<>();
  private volatile boolean isOver;

  private record RequestTime(double millis, boolean isSpecial) {}

  /**
   * How long requests took, in milliseconds, ascending.
   *
   * @param all of all of them
   * @param special of those that are told apart
   */
  record Times(List<Double> all, List<Double> special) {}

  /**
   * Threads that do nothing yet.
   *
   * @param count how many
   * @param special tells requests apart whose times are wanted on their own
   */
  Readers(FileSystem fs, StripedFiles files, int count, Predicate<Trace.Request> special) {
    this.fs = fs;
    this.files = files;
    this.special = special;
    this.threads = Executors.newFixedThreadPool(count);
  }

  /**
   * Begins to read until {@link #end}, or for a number of requests.
   *
   * @param pace of each reader
   */
  void start(int count, int maxRequests, Pace pace, long seed) {
    for (int reader = 0; reader < count; reader++) {
      long own = seed * 1_000 + reader;
      results.add(
          threads.submit(() -> read(new Trace(files, own), maxRequests, pace, new Random(own))));
    }
  }

  private List<RequestTime> read(Trace trace, int maxRequests, Pace pace, Random moments)
      throws IOException {
    List<RequestTime> took = new ArrayList<>();
    Map<Integer, FSDataInputStream> streams = new HashMap<>();
    try {
      for (int file : files.numbers()) {
        streams.put(file, fs.open(files.path(file)));
      }
      long due = System.nanoTime();
      while (!isOver && took.size() < maxRequests) {
        Trace.Request request = trace.next();
        byte[] bytes = new byte[request.lengthBytes()];
        due = pace.nextNanos(due, moments);
        // What had to wait for the request before it took as much longer.
        LockSupport.parkNanos(due - System.nanoTime());
        streams.get(request.file()).readFully(request.offset(), bytes);
        took.add(new RequestTime((System.nanoTime() - due) / 1e6, special.test(request)));
        files.check(request.file(), request.offset(), bytes, bytes.length);
      }
    } finally {
      for (FSDataInputStream stream : streams.values()) {
        stream.close();
      }
    }
    return took;
  }

  /**
   * Has them finish what they are at.
   *
   * @return how long requests took
   * @throws IOException when a reader failed, or read a wrong byte
   */
  Times end() throws IOException, InterruptedException {
    isOver = true;
    return await();
  }

  /** The same once they have done all requests. */
  Times await() throws IOException, InterruptedException {
    List<RequestTime> all = new ArrayList<>();
    for (Future<List<RequestTime>> result : results) {
      try {
        all.addAll(result.get());
      } catch (ExecutionException e) {
        throw new IOException("Cannot measure: a reader failed", e.getCause());
      }
    }
    results.clear();
    isOver = false;
    return new Times(
        all.stream().map(RequestTime::millis).sorted().toList(),
        all.stream().filter(RequestTime::isSpecial).map(RequestTime::millis).sorted().toList());
  }

  /** A value that this share of all requests does not exceed; not a number where there are none. */
  static double quantile(List<Double> ascending, double share) {
    if (ascending.isEmpty()) {
      return Double.NaN;
    }
    return ascending.get((int) Math.min(ascending.size() - 1L, (long) (ascending.size() * share)));
  }

  static double mean(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN);
  }

  @Override
  public void close() {
    isOver = true;
    threads.shutdown();
  }
}
