/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.dfsio;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.TestDFSIO;
import org.apache.hadoop.util.ToolRunner;

/**
 * Hadoop's own TestDFSIO, run by the local job runner against a cluster. Not thread-safe.
 *
 * <p>TestDFSIO's own throughput is all bytes by the sum of the tasks' times; with tasks side by
 * side on few cores the wall-clock time of all of them says more, so both are returned.
 */
final class DfsioJob {
  private static final Pattern THROUGHPUT = Pattern.compile("Throughput mb/sec:\\s*([0-9.]+)");

  private static final int POLL_MS = 20;

  private final Configuration conf;
  private final int files;
  private final long fileBytes;
  private final Path results;

  DfsioJob(Configuration clusterConf, int files, long fileBytes, int parallelTasks, Path scratch)
      throws IOException {
    this.conf = new Configuration(clusterConf);
    this.files = files;
    this.fileBytes = fileBytes;
    Files.createDirectories(scratch);
    this.results = scratch.resolve("TestDFSIO_results.log");
    conf.set("mapreduce.framework.name", "local");
    conf.setInt("mapreduce.local.map.tasks.maximum", parallelTasks);
    conf.set("hadoop.tmp.dir", scratch.resolve("mr").toString());
    conf.set("mapreduce.cluster.local.dir", scratch.resolve("mr/local").toString());
    conf.set("test.build.data", "/benchmarks/TestDFSIO");
    conf.setInt("mapreduce.task.io.sort.mb", 8);
    // The end of a job is noticed by polling, by default each second: a quarter of a job's time.
    conf.setInt("mapreduce.client.progressmonitor.pollinterval", POLL_MS);
    conf.setInt("mapreduce.client.completion.pollinterval", POLL_MS);
  }

  long totalBytes() {
    return files * fileBytes;
  }

  /**
   * What one run measured, in megabytes (2^20 bytes) a second.
   *
   * @param wallClock all bytes by the time of the whole job
   * @param testDfsio TestDFSIO's own "Throughput mb/sec": all bytes by the sum of the tasks' times
   */
  record Speed(double wallClock, double testDfsio) {}

  /** Runs {@code -write} or {@code -read}. */
  Speed run(String operation) throws Exception {
    Files.deleteIfExists(results);
    long started = System.nanoTime();
    int exit =
        ToolRunner.run(
            conf,
            new TestDFSIO(),
            new String[] {
              operation,
              "-nrFiles",
              Integer.toString(files),
              "-size",
              fileBytes / (1 << 20) + "MB",
              "-resFile",
              results.toString()
            });
    double seconds = (System.nanoTime() - started) / 1e9;
    if (exit != 0) {
      throw new IOException(
          "Cannot run TestDFSIO: exit=" + exit + ", expected 0, operation=" + operation);
    }
    return new Speed(totalBytes() / (double) (1 << 20) / seconds, throughput());
  }

  /** Deletes what it wrote. */
  void clean() throws Exception {
    int exit = ToolRunner.run(conf, new TestDFSIO(), new String[] {"-clean"});
    if (exit != 0) {
      throw new IOException("Cannot clean up TestDFSIO: exit=" + exit + ", expected 0");
    }
  }

  private double throughput() throws IOException {
    String report = Files.readString(results);
    Matcher matcher = THROUGHPUT.matcher(report);
    if (!matcher.find()) {
      throw new IOException(
          "Cannot read TestDFSIO's report: expected a line of throughput, file=" + results);
    }
    return Double.parseDouble(matcher.group(1));
  }
}
