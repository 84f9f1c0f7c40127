/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.dfsio;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.TestDFSIO;
import org.apache.hadoop.util.ToolRunner;

/**
 * Hadoop's own TestDFSIO, run by the local job runner against a cluster. Not thread-safe.
 *
 * <p>TestDFSIO's printed throughput is the mean over tasks of bytes by task time; with tasks side
 * by side on few cores the wall-clock time of all of them says more, so that is what is returned.
 */
final class DfsioJob {
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
  }

  long totalBytes() {
    return files * fileBytes;
  }

  /** Runs {@code -write} or {@code -read}; the answer is in megabytes (2^20) a second. */
  double run(String operation) throws Exception {
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
    return totalBytes() / (double) (1 << 20) / seconds;
  }
}
