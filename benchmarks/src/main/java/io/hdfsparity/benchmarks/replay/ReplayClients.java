/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.replay;

import io.hdfsparity.benchmarks.ecupdate.UpdatedFiles;
import io.hdfsparity.ecupdate.trace.Replay;
import io.hdfsparity.ecupdate.trace.ReplayOptions;
import io.hdfsparity.ecupdate.trace.ReplayReport;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Clients that replay a trace together, each its part of it on a file of its own, through the
 * product's replay. Used by one thread.
 */
final class ReplayClients implements Closeable {
  private static final long WAIT_MS = 60_000;

  private final UpdatedFiles files;
  private final ReplayOptions options;

  ReplayClients(FileSystem fs, List<Path> paths, int outstanding, long seed) throws IOException {
    options =
        new ReplayOptions(
            outstanding,
            Long.MAX_VALUE,
            0,
            seed,
            ReplayOptions.OutOfRange.REFUSE,
            ReplayOptions.ReadBack.NO);
    files = UpdatedFiles.open(fs, paths, outstanding);
  }

  /** Replays it, as fast as it goes. */
  Map<String, Double> run(DenseTrace trace) throws Exception {
    List<StripedFileUpdater> open = files.all();
    ExecutorService threads = Executors.newFixedThreadPool(open.size());
    try {
      List<Future<ReplayReport>> all = new ArrayList<>();
      for (int i = 0; i < open.size(); i++) {
        StripedFileUpdater file = open.get(i);
        DenseTrace part = trace.part(i, open.size());
        all.add(threads.submit(() -> new Replay(file, options).run(part.lines(), made -> {})));
      }
      double seconds = 0;
      double p50 = 0;
      double p99 = 0;
      for (Future<ReplayReport> each : all) {
        ReplayReport report = each.get();
        seconds = Math.max(seconds, report.elapsedNanos() / 1e9);
        p50 = Math.max(p50, report.writes().p50Us() / 1e3);
        p99 = Math.max(p99, report.writes().p99Us() / 1e3);
      }
      Map<String, Double> figures = new LinkedHashMap<>();
      figures.put("writes/s", trace.writes().size() / seconds);
      figures.put("MB/s", trace.writtenBytes() / seconds / 1e6);
      figures.put("p50 ms", p50);
      figures.put("p99 ms", p99);
      figures.put("writes", (double) trace.writes().size());
      figures.put("volume MB", trace.volumeBytes() / 1e6);
      return figures;
    } finally {
      threads.shutdownNow();
    }
  }

  /**
   * Recomputes the parity of all stripes.
   *
   * @throws IOException when some is not what is stored
   */
  void requireParity() throws IOException {
    files.requireParity(WAIT_MS);
  }

  @Override
  public void close() throws IOException {
    files.close();
  }
}
