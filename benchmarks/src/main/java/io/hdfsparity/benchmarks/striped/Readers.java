/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.striped;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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
  private final List<Future<List<Double>>> results = new ArrayList<>();
  private volatile boolean isOver;

  Readers(FileSystem fs, StripedFiles files, int count) {
    this.fs = fs;
    this.files = files;
    this.threads = Executors.newFixedThreadPool(count);
  }

  /** Begins to read until {@link #end}, or for a number of requests. */
  void start(int count, int mostRequests, long seed) {
    for (int reader = 0; reader < count; reader++) {
      Trace trace = new Trace(files, seed * 1_000 + reader);
      results.add(threads.submit(() -> read(trace, mostRequests)));
    }
  }

  private List<Double> read(Trace trace, int mostRequests) throws IOException {
    List<Double> tookMs = new ArrayList<>();
    List<FSDataInputStream> streams = new ArrayList<>();
    try {
      for (int file = 0; file < files.count(); file++) {
        streams.add(fs.open(files.path(file)));
      }
      while (!isOver && tookMs.size() < mostRequests) {
        Trace.Request request = trace.next();
        byte[] bytes = new byte[request.lengthBytes()];
        long begin = System.nanoTime();
        streams.get(request.file()).readFully(request.offset(), bytes);
        tookMs.add((System.nanoTime() - begin) / 1e6);
        files.check(request.file(), request.offset(), bytes, bytes.length);
      }
    } finally {
      for (FSDataInputStream stream : streams) {
        stream.close();
      }
    }
    return tookMs;
  }

  /**
   * Has them finish what they are at.
   *
   * @return how long each request took, in milliseconds, ascending
   * @throws IOException when a reader failed, or read a wrong byte
   */
  List<Double> end() throws IOException, InterruptedException {
    isOver = true;
    return await();
  }

  /** The same once they have done all requests. */
  List<Double> await() throws IOException, InterruptedException {
    List<Double> all = new ArrayList<>();
    for (Future<List<Double>> result : results) {
      try {
        all.addAll(result.get());
      } catch (ExecutionException e) {
        throw new IOException("Cannot measure: a reader failed", e.getCause());
      }
    }
    results.clear();
    isOver = false;
    return all.stream().sorted().toList();
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
