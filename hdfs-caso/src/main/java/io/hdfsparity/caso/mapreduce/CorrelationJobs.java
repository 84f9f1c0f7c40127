/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.mapreduce;

import io.hdfsparity.caso.correlation.CorrelationGraph;
import io.hdfsparity.caso.correlation.CorrelationOptions;
import io.hdfsparity.caso.mapreduce.JobKeys.Count;
import io.hdfsparity.core.trace.BadLines;
import java.io.IOException;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.TextInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;

/**
 * Counts correlations by MapReduce, with the result of {@link
 * io.hdfsparity.caso.correlation.CorrelationAnalysis} on all windows of the trace. Three jobs:
 * lines to the cells of each window, those to the cells that come in enough windows, and windows
 * and cells to pairs. What must fit in memory: the cells of one window, in each map of the last job
 * and in the client the cells that come in enough windows, in the client the graph.
 *
 * <p>Files between the jobs lie in a folder of their own, which is deleted at the end. If the
 * client is killed its job goes on and the folder stays. Not thread-safe.
 */
public final class CorrelationJobs {
  private static final String LINE_END = "textinputformat.record.delimiter";

  private final Configuration conf;
  private final Path work;
  private final Consumer<String> stages;

  /**
   * @param conf of the cluster
   * @param work folder of the cluster's file system; made if need be
   * @param stages called with what is done next
   */
  public CorrelationJobs(Configuration conf, Path work, Consumer<String> stages) {
    this.conf = conf;
    this.work = work;
    this.stages = stages;
  }

  /**
   * What was counted.
   *
   * @param otherRequests that have another DiskNumber than was asked for
   * @param volumes that the writes and reads are of
   * @param windows with writes
   */
  public record Counted(
      CorrelationGraph graph,
      long writes,
      long reads,
      long badLines,
      long otherRequests,
      Set<String> volumes,
      long windows) {}

  /**
   * Counts.
   *
   * @param trace file or folder of block traces in the format of MSR Cambridge, compressed if their
   *     names say so
   * @param diskNumber requests that have another one are left out; empty: all count
   * @param distanceTicks length of a window in ticks of 100 ns
   * @throws IOException if a job failed
   * @throws IllegalStateException if there are more pairs than the options allow
   */
  public Counted count(
      Path trace,
      OptionalLong diskNumber,
      int cellSizeBytes,
      long distanceTicks,
      CorrelationOptions options,
      BadLines badLines)
      throws IOException {
    Path folder = new Path(work, "caso-count-" + UUID.randomUUID());
    FileSystem fs = folder.getFileSystem(conf);
    try {
      Configuration own = new Configuration(conf);
      own.setLong(JobKeys.CELL_SIZE, cellSizeBytes);
      own.setLong(JobKeys.DISTANCE, distanceTicks);
      diskNumber.ifPresent(number -> own.setLong(JobKeys.DISK_NUMBER, number));
      own.set(JobKeys.VOLUMES, new Path(folder, "volumes").toString());
      own.setBoolean(JobKeys.STRICT, badLines == BadLines.FAIL);
      // A line ends where it ends in process: not at a lone CR, as Hadoop has it by default.
      own.set(LINE_END, "\n");
      own.setLong(JobKeys.THRESHOLD, options.threshold());
      own.setLong(JobKeys.MAX_WINDOW_CELLS, options.maxCellsPerWindow());
      Path windows = new Path(folder, "windows");
      Path cells = new Path(folder, "cells");
      Path pairs = new Path(folder, "pairs");
      own.set(JobKeys.CANDIDATES, cells.toString());
      Counters lines = run(windowJob(own, trace, windows));
      run(cellJob(own, windows, cells));
      Counters counted = run(pairJob(own, windows, pairs));
      stages.accept("reading the pairs");
      long[] candidates = JobFiles.cells(own, cells);
      return new Counted(
          JobFiles.graph(
              own,
              pairs,
              candidates,
              options.maxPairs(),
              counted.findCounter(Count.LEFT_OUT_WINDOWS).getValue()),
          lines.findCounter(Count.WRITES).getValue(),
          lines.findCounter(Count.READS).getValue(),
          lines.findCounter(Count.BAD_LINES).getValue(),
          lines.findCounter(Count.OTHER_REQUESTS).getValue(),
          JobFiles.volumes(own),
          lines.findCounter(Count.WINDOWS).getValue());
    } finally {
      fs.delete(folder, /* recursive= */ true);
    }
  }

  private static Job windowJob(Configuration own, Path trace, Path out) throws IOException {
    Job job = job(own, "caso-windows", trace, out);
    job.setInputFormatClass(TextInputFormat.class);
    job.setMapperClass(WindowMapper.class);
    job.setMapOutputKeyClass(LongWritable.class);
    job.setMapOutputValueClass(Span.class);
    job.setReducerClass(WindowReducer.class);
    job.setOutputKeyClass(LongWritable.class);
    job.setOutputValueClass(Cells.class);
    return job;
  }

  private static Job cellJob(Configuration own, Path windows, Path out) throws IOException {
    Job job = job(own, "caso-cells", windows, out);
    job.setInputFormatClass(SequenceFileInputFormat.class);
    job.setMapperClass(CellMapper.class);
    job.setCombinerClass(SumCombiner.class);
    job.setReducerClass(ThresholdReducer.class);
    job.setOutputKeyClass(LongWritable.class);
    job.setOutputValueClass(IntWritable.class);
    return job;
  }

  private static Job pairJob(Configuration own, Path windows, Path out) throws IOException {
    Job job = job(own, "caso-pairs", windows, out);
    job.setInputFormatClass(SequenceFileInputFormat.class);
    job.setMapperClass(PairMapper.class);
    job.setCombinerClass(SumCombiner.class);
    job.setReducerClass(ThresholdReducer.class);
    job.setOutputKeyClass(Pair.class);
    job.setOutputValueClass(IntWritable.class);
    return job;
  }

  private static Job job(Configuration own, String name, Path in, Path out) throws IOException {
    Job job = Job.getInstance(own, name);
    job.setJarByClass(CorrelationJobs.class);
    job.setOutputFormatClass(SequenceFileOutputFormat.class);
    FileInputFormat.addInputPath(job, in);
    FileOutputFormat.setOutputPath(job, out);
    return job;
  }

  private Counters run(Job job) throws IOException {
    stages.accept("job " + job.getJobName());
    JobRun.run(job, "count correlations", mapped -> {});
    return job.getCounters();
  }
}
